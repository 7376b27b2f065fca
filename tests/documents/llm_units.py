"""Checks of the parts of the player that asks a language model: texts, intervals and reports."""

import contextlib
import io
import json
import math
import pathlib
import random
import sys
import tempfile
import threading

from llm_expect import PARTS, expect, expect_in
from llm_fake import BOT, ROOT, examples

sys.path.insert(0, str(BOT.parent))
import llm_budget  # noqa: E402
import llm_cost  # noqa: E402
import llm_settings  # noqa: E402
import llm_text  # noqa: E402

# Student's t for 95% on both sides, by degrees of freedom, as printed in tables.
TABLE = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 20: 2.086, 30: 2.042, 60: 2.000, 120: 1.980}


def test_keys_that_are_new_are_shown() -> None:
    """A key that a later Overtrick adds stands in the prompt as it is."""
    decision = json.loads(examples()["dumbo"]["decide"])["decide"][0] | {"weather": ["rain"]}
    expect_in('weather: ["rain"]', llm_text.question_text(decision, decision["legal"], True))


def test_moves_are_read() -> None:
    """Answers in all kinds of writing, and answers that name no move."""
    legal = ["2H", "TH", "QH", "bid 8 H", "pass", "order-up"]
    right = {
        "QH": ["MOVE: QH", "move: qh.", "**MOVE:** `QH`", "MOVE: Q♥", "MOVE: Queen of Hearts", "QH", "(Q H)"],
        "TH": ["MOVE: 10H", "MOVE: 10 of hearts", "MOVE: 2H\nNo, better:\nMOVE: TH", "MOVE: ten of Hearts"],
        "bid 8 H": ["MOVE: bid 8 h", "move: bid 8 ♥", "Move : Bid 8 H!"],
        "pass": ["because.\n\npass", "MOVE: Pass"],
        "order-up": ["MOVE: Order-Up", "<think>MOVE: 2H</think>MOVE: order-up"],
    }
    for move, answers in right.items():
        for answer in answers:
            expect(answer, llm_text.read_move(answer, legal), (move, ""))
    for answer in ["", "  \n", "MOVE: 3H", "I play QH or TH", "MOVE: H", "MOVE: ...", "<think>MOVE: QH</think>"]:
        move, problem = llm_text.read_move(answer, legal)
        if move is not None or not problem:
            raise SystemExit(f"{answer!r} is read as {move!r}")
    # Two moves that differ in writing alone are never mistaken for each other.
    expect("alike", llm_text.find("bid8h", ["bid 8 H", "bid 8h"]), None)
    expect("exact", llm_text.find("bid 8h", ["bid 8 H", "bid 8h"]), "bid 8h")


def test_the_page_is_right() -> None:
    """The example of a prompt in docs/language-models.md, and its settings."""
    page = (ROOT / "docs/language-models.md").read_text(encoding="utf-8")
    decision = json.loads(examples()["dumbo"]["decide"])["decide"][0]
    expect_in(f"```text\n{llm_text.question_text(decision, decision['legal'], True)}\n```", page)
    table = page.partition("## Settings")[2].partition("\n## ")[0]
    for name in llm_settings.SETTINGS:
        expect_in(f"`{name}`", table)


def test_calls_are_asked_for() -> None:
    """A decision about a call lists the calls."""
    decision = json.loads(examples()["dumbo"]["decide"])["decide"][0]
    text = llm_text.question_text(decision, ["pass", "bid 8 H"], True)
    expect_in("Your legal moves: pass, bid 8 H", text)
    expect_in("make a call", text)


def test_quantiles_are_those_of_tables() -> None:
    """Student's t, by degrees of freedom and by level."""
    for freedom, t in TABLE.items():
        expect(f"t of {freedom}", round(llm_cost.student_quantile(freedom), 3), t)
    expect("t of 4, 99%", round(llm_cost.student_quantile(4, 0.99), 3), 4.604)
    expect("t of 10^6", round(llm_cost.student_quantile(10**6), 3), 1.96)


def by_formula(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """Returns Fieller's interval in the form with g, in which it is usually printed."""
    x, y, var_x, var_y, covariance = llm_cost.moments(pairs)
    t = llm_cost.student_quantile(len(pairs) - 1)
    g = t * t * var_y / y**2
    ratio = x / y
    inside = var_x - 2 * ratio * covariance + ratio**2 * var_y - g * (var_x - covariance**2 / var_y)
    middle, half = ratio - g * covariance / var_y, t / y * math.sqrt(inside)
    return (middle - half) / (1 - g), (middle + half) / (1 - g)


def test_fieller_by_its_formula() -> None:
    """The interval is that of the printed formula, and its ends are where the test of the ratio just holds."""
    stream = random.Random(1)
    for _ in range(50):
        pairs = [(stream.gauss(3, 1), stream.gauss(2, 1)) for _ in range(30)]
        found = llm_cost.fieller(pairs)
        for end, wanted in zip((found.low, found.high), by_formula(pairs)):
            if not found.is_bounded or abs(end - wanted) > 1e-9:
                raise SystemExit(f"{found}, and not {wanted}")
            x, y, var_x, var_y, covariance = llm_cost.moments(pairs)
            t = (x - end * y) / math.sqrt(var_x - 2 * end * covariance + end**2 * var_y)
            expect("t at an end", round(abs(t), 6), round(llm_cost.student_quantile(29), 6))
    # A lead that may be 0 has no upper limit, and one that is exactly 0 no ratio.
    unbounded = llm_cost.fieller([(1.0, 1.0), (1.1, -0.9), (0.9, 0.3)])
    if unbounded.is_bounded or unbounded.high is not None or not 0 < unbounded.low < unbounded.estimate:
        raise SystemExit(f"{unbounded} should have no upper limit")
    expect("no ratio", llm_cost.fieller([(1.0, 1.0), (1.0, -1.0)]), None)
    expect("one deal", llm_cost.fieller([(1.0, 1.0)]), None)
    expect("no spread", llm_cost.fieller([(1.0, 2.0)] * 3), llm_cost.Ratio(0.5, 0.5, 0.5, True))


def holds(ratio: llm_cost.Ratio, truth: float) -> bool:
    """Returns whether an interval holds the truth, which is above 0."""
    return (ratio.low is None or ratio.low <= truth) and (ratio.high is None or truth <= ratio.high)


def deal(stream: random.Random, mean: float, is_skewed: bool) -> tuple[float, float, float]:
    """Draws a deal: its cost, its lead and its games. Dear deals have larger leads.

    Where leads are skewed, one deal in ten has a lead of ten points, as by a bonus, and the others are behind."""
    games = stream.choice([2, 3, 4])
    luck = stream.gauss(0, 1)
    spread = (9.9 if stream.random() < 0.1 else -1.1) if is_skewed else stream.gauss(0, 3)
    return games * math.exp(0.3 * luck + 0.2 * stream.gauss(0, 1)), games * mean + spread + 0.5 * luck, games


def coverage(deals: int, mean: float, is_skewed: bool, runs: int) -> tuple[float, float]:
    """Returns how often the intervals of the cost of a point and of the lead hold the truth."""
    stream = random.Random(deals)
    # The mean of a log-normal cost, for each game.
    truth = math.exp((0.3**2 + 0.2**2) / 2) / mean
    held = held_lead = 0
    for _ in range(runs):
        drawn = [deal(stream, mean, is_skewed) for _ in range(deals)]
        held += holds(llm_cost.fieller([(cost, lead) for cost, lead, _ in drawn]), truth)
        pairs = [(lead, games) for _, lead, games in drawn]
        estimate = sum(lead for lead, _ in pairs) / sum(games for _, games in pairs)
        held_lead += abs(estimate - mean) <= llm_cost.ratio_half_width(pairs)
    return held / runs, held_lead / runs


def test_intervals_hold_the_truth() -> None:
    """Intervals of 95% for the cost of a point and for the lead hold the truth in 2,000 simulated runs of each kind."""
    # docs/measurements/statistics-cost-of-a-point.md has more. The bars leave four standard errors.
    cases = [(20, 1.0, False, 0.93), (100, 0.2, False, 0.93), (100, 0.5, True, 0.91), (400, 0.2, True, 0.925)]
    for deals, mean, is_skewed, least in cases:
        for share in coverage(deals, mean, is_skewed, 2000):
            if not least <= share <= 0.975:
                raise SystemExit(f"{deals} deals, skewed: {is_skewed}: {share:.1%} hold the truth")


def is_refused(ledger: llm_budget.Ledger, most: llm_budget.Tokens, may_pass: bool) -> None:
    """Expects that a ledger sets nothing aside."""
    try:
        ledger.reserve(most)
    except llm_budget.BudgetSpent as error:
        expect("may pass", error.may_pass, may_pass)
        return
    raise SystemExit(f"{most} is set aside")


def test_processes_share_a_budget() -> None:
    """A process that looked before another one has set money aside does not get it, too, but may get it later."""
    with tempfile.TemporaryDirectory() as folder:
        prices, budget = llm_budget.Prices(), llm_budget.Budget(tokens=1000)
        one, two = (llm_budget.Ledger(pathlib.Path(folder), prices, budget) for _ in range(2))
        most = llm_budget.Tokens(500, 0, 200)
        two.path.touch()
        two.check(most)
        name = one.reserve(most)
        is_refused(two, most, may_pass=True)
        one.settle(name, 0, 300)
        name = two.reserve(most)
        is_refused(one, llm_budget.Tokens(1), may_pass=True)
        two.settle(name, 0, 700)
        is_refused(one, llm_budget.Tokens(1), may_pass=False)
        # Many threads with a ledger each: no more requests of 7 tokens than there is room for.
        budget = llm_budget.Budget(tokens=1000 + 70)
        kept: list[str] = []

        def hammer() -> None:
            ledger = llm_budget.Ledger(pathlib.Path(folder), prices, budget)
            for _ in range(20):
                with contextlib.suppress(llm_budget.BudgetSpent):
                    kept.append(ledger.reserve(llm_budget.Tokens(7)))

        threads = [threading.Thread(target=hammer) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect("requests", len(kept) <= 10 and len(set(kept)) == len(kept) > 0, True)
        expect("tokens", one.read().tokens, 1000 + 7 * len(kept))


def reported(folder: str) -> tuple[str, str]:
    """Returns what the report prints about a folder, and its notes. An error ends the program that is tested."""
    printed, notes = io.StringIO(), io.StringIO()
    arguments = sys.argv
    try:
        sys.argv = ["llm_cost.py", folder]
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(notes):
            llm_cost.main()
    finally:
        sys.argv = arguments
    return printed.getvalue(), notes.getvalue()


def journal(leads: list[int], money: int) -> str:
    """Returns a journal of deals with these leads, each with one request at this price."""
    lines = []
    tokens = {"prompt": 90, "cached": 40, "answer": 10}
    for number, lead in enumerate(leads):
        same = {"model": "m", "variant": "dumbo", "deal": number, "seat": 1}
        lines.append({"kind": "request", "tokens": tokens, "counted": "usage", "money": money} | same)
        lines.append({"kind": "move", "repairs": number % 2} | same)
        # The cards of two games are the same.
        lines.append({"kind": "end", "scores": [0, lead, 0], "cards": str(number // 2)} | same)
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_reports() -> None:
    """The report of a small journal by hand, one without prices, and journals that are cut or wrong."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "journal-1.jsonl"
        path.write_text(journal([1, 3, 2, 2, 1, 2, 3, 2], PARTS // 100) + '{"kind": "mo')
        text, notes = reported(folder)
        expect_in("m in dumbo: 8 games with the cards of 4 deals", text)
        expect_in("decisions         8, of these 4 after a repair; 0 faults", text)
        expect_in("tokens            720 of prompts (320 from the cache), 80 of answers", text)
        # The sums of two games are 4, 4, 3, 5: a mean of 2 a game, a deviation of 0.8165, and t is 3.182.
        expect_in("lead              2.000 ± 0.650 points a game", text)
        expect_in("a game            cost 0.01, 100 tokens", text)
        # 0.02 / 4 a point; the ends are 0.02 / (4 ± 1.299), since all deals cost the same.
        expect_in("cost of a point   0.005, 95% interval 0.003774 to 0.007405", text)
        expect_in("tokens of a point 50, 95% interval 37.74 to 74.05", text)
        expect_in("journal-1.jsonl:25: the line is cut", notes)
        path.write_text(journal([1, -1, 2, -1], 0))
        text, _ = reported(folder)
        expect_in("cost              no prices were set", text)
        expect_in("tokens of a point at least ", text)
        path.write_text(journal([-2, -3, -2, -3, -2, -2], 1))
        expect_in("none: the model wins no points", reported(folder)[0])
        path.write_text(journal([1], 1) + "[]\n")
        refused(folder, f"{path}:4: is no line of a journal")
        path.unlink()
        refused(folder, f"{folder}: has no journal-*.jsonl")
        refused(f"{folder}/none", "there is no such folder")


def refused(folder: str, part: str) -> None:
    """Expects that the report ends with this."""
    try:
        reported(folder)
    except SystemExit as end:
        expect_in(part, str(end))
        return
    raise SystemExit(f"{folder} is not refused")
