"""The cost of a language model that has played by `llm.py`, in all and for a point won.

    python3 llm_cost.py FOLDER [--format text|json]

FOLDER is the one in which the bot has kept its prompts and answers."""

import argparse
import dataclasses
import functools
import json
import math
import pathlib
import sys

import llm_budget

LEVEL = 0.95


@dataclasses.dataclass(frozen=True)
class Ratio:
    """A ratio of means with its interval by Fieller's theorem.

    `low` and `high` are None where the set of possible ratios has no such end. Where the denominator may be 0, the set
    is no interval: `is_bounded` is false, and `low` is the least ratio above 0 that is possible, if there is one."""

    estimate: float
    low: float | None
    high: float | None
    is_bounded: bool


def beta_fraction(a: float, b: float, x: float) -> float:
    """Returns the continued fraction of the incomplete beta function, by the method of Lentz (DLMF 8.17.22)."""
    tiny = 1e-300
    upper, lower = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    lower = 1.0 / (lower if abs(lower) > tiny else tiny)
    fraction = lower
    for step in range(1, 10_000):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for term in (even, odd):
            lower = 1.0 + term * lower
            lower = 1.0 / (lower if abs(lower) > tiny else tiny)
            upper = 1.0 + term / upper
            upper = upper if abs(upper) > tiny else tiny
            fraction *= lower * upper
        if abs(lower * upper - 1.0) < 1e-15:
            break
    return fraction


def student_tail(t: float, freedom: int) -> float:
    """Returns the probability that Student's t is beyond `t` > 0 on either side."""
    a, b, x = freedom / 2, 0.5, freedom / (freedom + t * t)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    if x < (a + 1) / (a + b + 2):
        return math.exp(log_front) * beta_fraction(a, b, x) / a
    return 1.0 - math.exp(log_front) * beta_fraction(b, a, 1.0 - x) / b


@functools.cache
def student_quantile(freedom: int, level: float = LEVEL) -> float:
    """Returns the `t` that Student's t stays within, on both sides, with probability `level`."""
    low, high = 1e-9, 1.0
    while student_tail(high, freedom) > 1.0 - level:
        high *= 2.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if student_tail(middle, freedom) > 1.0 - level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def moments(pairs: list[tuple[float, float]]) -> tuple[float, float, float, float, float]:
    """Returns both means, the variances of both means, and their covariance."""
    count = len(pairs)
    mean_x = math.fsum(x for x, _ in pairs) / count
    mean_y = math.fsum(y for _, y in pairs) / count
    scale = count * (count - 1)
    var_x = math.fsum((x - mean_x) ** 2 for x, _ in pairs) / scale
    var_y = math.fsum((y - mean_y) ** 2 for _, y in pairs) / scale
    covariance = math.fsum((x - mean_x) * (y - mean_y) for x, y in pairs) / scale
    return mean_x, mean_y, var_x, var_y, covariance


def fieller(pairs: list[tuple[float, float]], level: float = LEVEL) -> Ratio | None:
    """Returns the ratio of the sum of x to the sum of y, of pairs that are independent of each other.

    E. C. Fieller, Some problems in interval estimation, Journal of the Royal Statistical Society B 16 (1954), 175-185:
    a ratio R is possible if x - R y has a mean that differs from 0 by at most t standard errors. None where there are
    fewer than two pairs, or y adds up to nothing."""
    if len(pairs) < 2:
        return None
    mean_x, mean_y, var_x, var_y, covariance = moments(pairs)
    if mean_y == 0:
        return None
    t = student_quantile(len(pairs) - 1, level)
    a = mean_y**2 - t**2 * var_y
    b = mean_x * mean_y - t**2 * covariance
    c = mean_x**2 - t**2 * var_x
    estimate = mean_x / mean_y
    inside = b * b - a * c
    if a > 0:
        # It is not below 0 but by rounding.
        root = math.sqrt(max(inside, 0.0))
        return Ratio(estimate, (b - root) / a, (b + root) / a, True)
    if a == 0 or c <= 0:
        return Ratio(estimate, None, None, False)
    # Possible is what does not lie between the roots, of which one is below 0 and one above.
    return Ratio(estimate, (b - math.sqrt(inside)) / a, None, False)


def ratio_half_width(pairs: list[tuple[float, float]], level: float = LEVEL) -> float | None:
    """Returns half the interval of the sum of x over the sum of y, where y is a number of games."""
    count, games = len(pairs), math.fsum(y for _, y in pairs)
    if count < 2:
        return None
    mean = math.fsum(x for x, _ in pairs) / games
    squares = math.fsum((x - mean * y) ** 2 for x, y in pairs)
    return student_quantile(count - 1, level) * math.sqrt(squares * count / (count - 1)) / games


@dataclasses.dataclass
class DealSums:
    """The games that were played with the same cards, in all seats. Different cards are independent of each other."""

    games: int = 0
    lead: float = 0.0
    money: int = 0
    tokens: int = 0


@dataclasses.dataclass
class Account:
    """All that a model has done in a variant."""

    requests: int = 0
    lost: int = 0
    decisions: int = 0
    repaired: int = 0
    faults: int = 0
    prompt: int = 0
    cached: int = 0
    answer: int = 0
    money: int = 0
    # By the number of a deal, money and tokens.
    by_deal: dict[int, list[int]] = dataclasses.field(default_factory=dict)
    # By the cards, the leads of the games that are over, and the numbers of their deals.
    leads: dict[str, list[float]] = dataclasses.field(default_factory=dict)
    numbers: dict[str, set[int]] = dataclasses.field(default_factory=dict)

    def add(self, line: dict) -> None:
        """Counts a line of a journal."""
        kind = line["kind"]
        if kind == "request":
            self.requests += 1
            self.lost += line["counted"] == "most"
            self.prompt += line["tokens"]["prompt"]
            self.cached += line["tokens"]["cached"]
            self.answer += line["tokens"]["answer"]
            self.money += line["money"]
            sums = self.by_deal.setdefault(line["deal"], [0, 0])
            sums[0] += line["money"]
            sums[1] += line["tokens"]["prompt"] + line["tokens"]["answer"]
        elif kind == "move":
            self.decisions += 1
            self.repaired += line["repairs"] > 0
        elif kind == "fault":
            self.faults += 1
        elif kind == "end":
            self.leads.setdefault(line["cards"], []).append(lead(line["scores"], line["seat"]))
            self.numbers.setdefault(line["cards"], set()).add(line["deal"])

    def deals(self) -> list[DealSums]:
        """Returns the sums over the games with the same cards."""
        deals = []
        for cards, leads in self.leads.items():
            spent = [self.by_deal.get(number, [0, 0]) for number in self.numbers[cards]]
            money, tokens = sum(part[0] for part in spent), sum(part[1] for part in spent)
            deals.append(DealSums(len(leads), math.fsum(leads), money, tokens))
        return deals

    def figures(self) -> dict:
        """Returns the figures of a report."""
        deals = self.deals()
        games = sum(deal.games for deal in deals)
        figures = {key: getattr(self, key) for key in ("requests", "lost", "decisions", "repaired", "faults")}
        figures |= {"prompt-tokens": self.prompt, "cached-tokens": self.cached, "answer-tokens": self.answer}
        figures |= {"cost": self.money / llm_budget.PARTS, "deals": len(deals), "games": games}
        if games:
            pairs = [(deal.lead, float(deal.games)) for deal in deals]
            figures["lead"] = math.fsum(deal.lead for deal in deals) / games
            figures["lead-half-width"] = ratio_half_width(pairs)
            figures["cost-per-game"] = sum(deal.money for deal in deals) / games / llm_budget.PARTS
            figures["tokens-per-game"] = sum(deal.tokens for deal in deals) / games
            costs = fieller([(deal.money / llm_budget.PARTS, deal.lead) for deal in deals])
            figures["cost-per-point"] = costs and dataclasses.asdict(costs)
            tokens = fieller([(float(deal.tokens), deal.lead) for deal in deals])
            figures["tokens-per-point"] = tokens and dataclasses.asdict(tokens)
        return figures


def lead(scores: list[float], seat: int) -> float:
    """Returns the points of a seat above the mean of the others at the table."""
    others = [score for other, score in enumerate(scores) if other != seat]
    return scores[seat] - math.fsum(others) / len(others)


def read_folder(folder: pathlib.Path) -> dict[tuple[str, str], Account]:
    """Reads all journals of a folder, by model and variant. Ends the program where there is none, or a wrong line."""
    files = sorted(folder.glob("journal-*.jsonl"))
    if not files:
        sys.exit(f"{folder}: has no journal-*.jsonl; name the folder in which the bot keeps its prompts and answers")
    accounts: dict[tuple[str, str], Account] = {}
    for path in files:
        lines = path.read_bytes().splitlines(keepends=True)
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                print(f"note: {path}:{number}: the line is cut, and left out", file=sys.stderr)
                continue
            try:
                entry = json.loads(line)
                accounts.setdefault((entry["model"], entry["variant"]), Account()).add(entry)
            except (ValueError, KeyError, TypeError, IndexError, AttributeError, ZeroDivisionError):
                sys.exit(f"{path}:{number}: is no line of a journal; remove it, or take the file out of the folder")
    return accounts


def number(value: float) -> str:
    """Returns a number in four digits, or more before the point."""
    return f"{value:,.0f}".replace(",", " ") if abs(value) >= 1000 else f"{value:.4g}"


def ratio_text(ratio: dict | None, figures: dict) -> str:
    """Returns the price of a point in words."""
    if ratio is None:
        return "unknown: that takes two deals, and a lead"
    half = figures["lead-half-width"]
    if ratio["is_bounded"] and figures["lead"] < 0:
        return "none: the model wins no points"
    if ratio["is_bounded"]:
        return f"{number(ratio['estimate'])}, 95% interval {number(max(ratio['low'], 0.0))} to {number(ratio['high'])}"
    bound = f"at least {number(ratio['low'])}" if ratio["low"] is not None else "any"
    return f"{bound}, without an upper limit: the lead of {figures['lead']:.3f} ± {half:.3f} may be 0"


def report(model: str, variant: str, figures: dict) -> str:
    """Returns the report about a model in a variant."""
    lines = [
        f"{model} in {variant}: {figures['games']} games with the cards of {figures['deals']} deals",
        f"  requests          {figures['requests']}, of these {figures['lost']} counted as the most that they can cost",
        f"  decisions         {figures['decisions']}, of these {figures['repaired']} after a repair; "
        f"{figures['faults']} faults",
        f"  tokens            {figures['prompt-tokens']} of prompts ({figures['cached-tokens']} from the cache), "
        f"{figures['answer-tokens']} of answers",
    ]
    has_prices = figures["cost"] > 0
    lines.append("  cost              " + (f"{figures['cost']:.6f}" if has_prices else "no prices were set"))
    if figures["games"]:
        half = figures["lead-half-width"]
        interval = "" if half is None else f" ± {half:.3f}"
        cost = f"cost {number(figures['cost-per-game'])}, " if has_prices else ""
        lines.append(f"  a game            {cost}{number(figures['tokens-per-game'])} tokens")
        lines.append(f"  lead              {figures['lead']:.3f}{interval} points a game over the mean of the others")
        if has_prices:
            lines.append(f"  cost of a point   {ratio_text(figures['cost-per-point'], figures)}")
        lines.append(f"  tokens of a point {ratio_text(figures['tokens-per-point'], figures)}")
    return "\n".join(lines)


def ledger_line(folder: pathlib.Path) -> str:
    """Returns the sum of the ledger, which also has requests whose outcome is unknown."""
    if not (folder / llm_budget.LEDGER).exists():
        return ""
    ledger = llm_budget.Ledger(folder, llm_budget.Prices(), llm_budget.Budget())
    spent = ledger.read()
    lost = f", with {len(ledger.open)} requests that have no outcome" if ledger.open else ""
    return f"in the ledger: {spent.money / llm_budget.PARTS:.6f} and {spent.tokens} tokens{lost}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Reports what a language model that played by llm.py has cost.")
    parser.add_argument("folder", type=pathlib.Path, help="the folder in which the bot keeps its prompts and answers")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    options = parser.parse_args()
    if not options.folder.is_dir():
        sys.exit(f"{options.folder}: there is no such folder")
    rows = []
    for (model, variant), account in sorted(read_folder(options.folder).items()):
        rows.append((model, variant, account.figures()))
    if options.format == "json":
        print(json.dumps([{"model": model, "variant": variant, **figures} for model, variant, figures in rows]))
        return
    print("\n\n".join(report(*row) for row in rows))
    line = ledger_line(options.folder)
    if line:
        print(f"\n{line}")


if __name__ == "__main__":
    main()
