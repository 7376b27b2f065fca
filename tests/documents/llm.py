"""Checks bots/examples/llm.py, the player that asks a language model, against fake servers on the loopback address.

    python llm.py PROGRAM FOLDER [CHECK...]

The folder must be empty. CHECK is the name of a check; all run where none is named."""

import json
import pathlib
import subprocess
import sys
import threading
import time

import llm_failures
import llm_units
from llm_expect import PARTS, ends_with, expect, expect_in, failing, fresh, playing, settings_with_prices
from llm_fake import BOT, KEY, LONGEST, ROOT, Asked, Asking, Outcome, Reply, chat, examples, in_turn, play, serving

PROGRAM = pathlib.Path(sys.argv[1]).resolve()


def test_every_game_as_text() -> None:
    """A prompt has all that the decision has, and the answer is a legal move."""
    for game, lines in examples().items():
        outcome, asked = playing(play, 0 if game == "colour-blind" else 1, game=game)
        decision = json.loads(lines["decide"])["decide"][0]
        expect(game, outcome.moves, {1: decision["legal"][0]})
        if not asked:
            continue
        system, question = (message["content"] for message in asked[0].body["messages"])
        for name in json.loads(lines["variant"])["variant"]["rules"]:
            expect_in(f"  {name} = ", system)
        for place, cards in decision["seen"].items():
            line = next(line for line in question.splitlines() if line.startswith(f"Cards in {place}: "))
            expect(f"{game}, {place}", sorted(line.split(": ")[1].replace("| ", "").split()), sorted(cards))
        for trick in decision["tricks"]:
            for card in trick["cards"]:
                expect_in(card, question)
        for _, call in decision["calls"]:
            expect_in("a hidden choice" if call is None else call, question)
        expect_in(f"Your legal moves: {', '.join(decision['legal'])}", question)


def test_legal_moves_are_listed_or_not() -> None:
    """The option `legal`, for cards and for calls, also in repairs."""
    bad = chat("MOVE: XX")
    for legal, is_listed in [("always", True), ("calls", False), ("never", False)]:
        good = chat("MOVE: 8H")
        _, asked = playing(in_turn(bad, good), 2, settings={"legal": legal})
        for request in asked:
            expect(legal, "2H, 8H, QH" in request.question, is_listed)


def test_the_guide_is_in_the_prompt() -> None:
    """A guide to the rules is a file, or the file of the game in a folder."""
    _, asked = playing(play, 1, settings={"guide": str(ROOT / "docs/rules")})
    expect_in("Win exactly the number of tricks", asked[0].body["messages"][0]["content"])
    outcome = Asking(fresh("guide"), settings={"guide": str(ROOT / "docs/pictures")}).run()
    ends_with(outcome, "settings.guide: ", "has none of dumbo.md")
    ends_with(Asking(fresh("guide"), settings={"guide": "no.md"}).run(), "settings.guide: no.md: cannot be read")


def test_bad_answers_are_repaired() -> None:
    """Two bad answers and a good one. The model sees what was wrong."""
    replies = in_turn(chat("MOVE: 3S"), chat(None), play)
    outcome, asked = playing(replies, 3, settings={"repairs": 2})
    expect("moves", outcome.moves, {1: "2H"})
    expect("repairs", [line["repairs"] for line in outcome.lines("move")], [2])
    expect_in("`3S` is not a legal move", asked[1].question)
    expect_in("The answer is empty", asked[2].question)
    expect("roles", [m["role"] for m in asked[2].body["messages"]], ["system", "user"] + ["assistant", "user"] * 2)
    failing(lambda _: chat("MOVE: 3S"), "names no legal move in 3 answers", "`3S`", settings={"repairs": 2})
    cut = chat("I think")
    cut.body["choices"][0]["finish_reason"] = "length"
    failing(lambda _: cut, "1 answers", "settings.max-tokens", settings={"repairs": 0})


def test_the_request() -> None:
    """What a request has: model, key, limit of tokens, further keys and the seed."""
    extra = {"temperature": 0, "reasoning": {"effort": "low"}}
    more = {"extra": extra, "max-tokens": 77, "limit-key": "max_completion_tokens", "send-seed": True}
    _, asked = playing(play, 1, settings=more)
    body = {name: value for name, value in asked[0].body.items() if name != "messages"}
    expect("body", body, {"model": "fake-1", "max_completion_tokens": 77, "seed": 2718281828} | extra)
    expect("key", asked[0].headers["Authorization"], f"Bearer {KEY}")
    expect("path", asked[0].path, "/v1/chat/completions")
    _, asked = playing(play, 1, environment={"OVERTRICK_LLM_KEY": None})
    expect("no key", "Authorization" in asked[0].headers, False)
    _, asked = playing(play, 1, game="colour-blind", settings={"ask-forced": True})


def test_decisions_go_in_parallel() -> None:
    """Eight decisions of one message are asked at once: the server answers when all are there."""
    barrier = threading.Barrier(8)

    def together(asked: Asked) -> Reply:
        barrier.wait(LONGEST)
        return play(asked)

    outcome, _ = playing(together, 8, count=8)
    expect("moves", outcome.moves, {number: "2H" for number in range(1, 9)})

    # One that fails does not take the others with it.
    with serving(in_turn(Reply(b"", 404), play)) as fake:
        outcome = Asking(fresh("parallel"), fake.url, count=8).run()
    expect("moves of the others", (len(outcome.moves), outcome.code), (7, 1))


def test_the_key_is_kept_nowhere() -> None:
    """A server that repeats the key, in an answer and in an error."""
    outcome, _ = playing(in_turn(chat(f"Your key is {KEY}\nMOVE: {KEY}", **{KEY: KEY}), play), 2)
    folders = [outcome.folder]
    outcome = failing(lambda _: Reply({"error": {"message": f"{KEY} is unknown"}}, 401), "[key] is unknown")
    folders.append(outcome.folder)
    for folder in folders:
        for path in folder.iterdir():
            expect(f"the key in {path}", KEY in path.read_text(encoding="utf-8"), False)


def test_wrong_settings() -> None:
    """Each wrong setting ends the bot before it plays, with a line that names it."""
    prices = {"price-prompt": 1, "price-answer": 1}
    wrong = [
        ({"model-name": "x"}, "settings.model-name: is no setting; there are: url, model"),
        ({"repairs": -1}, "settings.repairs: is -1, and must be a whole number from 0 to 20"),
        ({"repairs": True}, "settings.repairs: is true"),
        ({"legal": "sometimes"}, 'settings.legal: is "sometimes", and must be one of: always, calls, never'),
        ({"request-seconds": 0}, "settings.request-seconds: is 0, and must be a number from 0.001 to 3600"),
        ({"request-seconds": 300}, "settings.request-seconds: is more than decision-seconds"),
        ({"extra": {"stream": True}}, "settings.extra.stream: is a key that the bot sets itself"),
        ({"extra": 3}, "settings.extra: is 3, and must be a table"),
        ({"budget": 1}, "settings.budget: takes price-prompt and price-answer"),
        ({"price-prompt": 1}, "settings.price-prompt: takes price-prompt and price-answer"),
        ({"budget": "1"} | prices, 'settings.budget: is "1", and must be a number from 0 to 1e+09'),
        ({"url": "ftp://x/v1"}, "settings.url: is no address; write it like https://api.example.com/v1"),
        ({"url": "https://me:word@x/v1"}, "settings.url: has a user or a password"),
        ({"url": "https://x:99999/v1"}, "settings.url: Port out of range"),
        ({"url": 7}, "settings.url: is 7, and must be a text"),
        ({"folder": "here"}, 'settings.folder: is "here", and must be a path from the root'),
        ({"folder": str(ROOT / "README.md/x")}, "settings.folder: ", "cannot be written to"),
        ({"send-seed": 1}, "settings.send-seed: is 1, and must be true or false"),
    ]
    for settings, *parts in wrong:
        ends_with(Asking(fresh("wrong"), settings=settings).run(), *parts)
    for name in ("URL", "MODEL", "FOLDER"):
        variable = f"OVERTRICK_LLM_{name}"
        ends_with(Asking(fresh("wrong"), environment={variable: None}).run(), f"{variable}: is not set")
    outcome = Asking(fresh("wrong"), environment={"OVERTRICK_LLM_KEY": "two\nlines"}).run()
    ends_with(outcome, "OVERTRICK_LLM_KEY: has spaces, line ends")


def test_costs_are_exact() -> None:
    """Tokens and money by hand: fresh, cached and answered; usage that is missing or impossible counts as the most."""
    cached = chat("MOVE: QH", 1000, 20)
    cached.body["usage"]["prompt_tokens_details"] = {"cached_tokens": 600}
    outcome, _ = playing(lambda _: cached, 1, settings=settings_with_prices())
    # (400 * 0.5 + 600 * 0.05 + 20 * 2) / 10^6 is 270 millionths.
    expect("money and tokens", outcome.ledger(), (270 * PARTS // 10**6, 1020))
    # Thoughts that are in the total alone.
    thoughts = chat("MOVE: QH", 1000, 20)
    thoughts.body["usage"]["total_tokens"] = 1520
    outcome, _ = playing(lambda _: thoughts, 1, settings=settings_with_prices())
    expect("with thoughts", outcome.ledger(), ((500 + 2 * 520) * PARTS // 10**6, 1520))
    for usage in [None, {}, [], {"prompt_tokens": -5, "completion_tokens": 1}, {"prompt_tokens": 1.5}]:
        outcome, asked = playing(
            lambda _, usage=usage: chat("MOVE: QH", usage=usage), 1, settings=settings_with_prices()
        )
        line = outcome.lines("request")[0]
        sent = sum(len(message["content"].encode()) for message in asked[0].body["messages"])
        expect("counted", (line["counted"], line["tokens"]["answer"]), ("most", 1024))
        if line["tokens"]["prompt"] < sent:
            raise SystemExit(f"a prompt of {sent} bytes can have {sent} tokens: {line['tokens']}")
        expect("ledger", outcome.ledger(), (line["money"], line["tokens"]["prompt"] + 1024))
    # Further keys of a request may be in the prompt, too.
    tool = {"type": "function", "function": {"name": "think", "description": "Größe: " + "ü" * 3000}}
    silent = lambda _: chat("MOVE: QH", usage=None)
    outcome, _ = playing(silent, 1, settings=settings_with_prices(extra={"tools": [tool]}))
    with_tool = outcome.lines("request")[0]["tokens"]["prompt"]
    outcome, _ = playing(silent, 1, settings=settings_with_prices())
    without = outcome.lines("request")[0]["tokens"]["prompt"]
    size = len(json.dumps(tool, ensure_ascii=False).encode())
    if with_tool < without + size:
        raise SystemExit(f"a tool of {size} bytes adds {with_tool - without} tokens to {without}")


def test_the_budget_holds() -> None:
    """The bot stops before a request that could exceed the budget, also where several processes spend it."""
    answer = lambda _: chat("MOVE: QH", 1000, 500)
    settings = {"token-budget": 20_000, "max-tokens": 500}
    folder = fresh("budget")
    with serving(answer) as fake:
        asking = Asking(folder, fake.url, settings=settings, times=40)
        outcome = asking.run()
        alone = len(fake.asked)
        expect_in("the budget of 20000 tokens is used up: ", outcome.stderr)
        expect("code and moves", (outcome.code, len(outcome.lines("move"))), (1, alone))
        # Without the limit there were 40 requests, and with it more than one.
        # A request is set aside at about 1500 tokens, and costs 1500: so near is the end.
        if not 11 <= alone <= 13 or outcome.ledger()[1] > 20_000:
            raise SystemExit(f"{alone} requests, {outcome.ledger()} spent")
        # A fresh process goes on with what is left, and spends nothing more.
        expect_in("is used up", Asking(folder, fake.url, settings=settings, times=40).run().stderr)
        expect("requests of a second process", len(fake.asked), alone)
    folder = fresh("budget")
    with serving(answer) as fake:
        asking = Asking(folder, fake.url, settings=settings | {"token-budget": 60_000}, times=9, count=4)
        threads = [threading.Thread(target=asking.run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        outcome = Outcome({}, 0, "", folder)
        spent = outcome.ledger()[1]
        expect("what the server has counted", spent, 1500 * len(fake.asked))
        if spent > 60_000 or len(fake.asked) < 10:
            raise SystemExit(f"{len(fake.asked)} requests, {spent} tokens of 60000")
    settings = settings_with_prices(budget=0.0001)
    ends_with(Asking(fresh("budget"), settings=settings).run(), "the budget of 0.000100 is used up: 0.000000 is spent")
    # Answers that are lost count as the most that they can cost, so that few tries use the budget up.
    settings = {"token-budget": 20_000, "max-tokens": 5000, "retries": 100}
    outcome = failing(lambda _: Reply(b"", 502), "is used up", settings=settings)
    expect("lost answers", len(outcome.lines("request")), 20_000 // sum_of_tokens(outcome))


def sum_of_tokens(outcome: Outcome) -> int:
    """Returns the tokens of the first request."""
    tokens = outcome.lines("request")[0]["tokens"]
    return tokens["prompt"] + tokens["answer"]


def test_a_wrong_ledger_is_refused() -> None:
    """A ledger that is damaged is named with its line."""
    folder = fresh("ledger")
    folder.mkdir()
    (folder / "ledger.jsonl").write_text('{"settle": "a", "money": 0, "tokens": 0}\nrubbish\n')
    ends_with(Asking(folder).run(), f"{folder}/ledger.jsonl:2: is no line of a ledger")


MANIFEST = """
name = "model"
strategy = "process"

[parameters]
command = ["{python}", "-S", "{bot}"]
folder = "{folder}"
environment = ["PATH", "OVERTRICK_LLM_URL", "OVERTRICK_LLM_KEY", "OVERTRICK_LLM_MODEL", "OVERTRICK_LLM_FOLDER"]
move-timeout = 600
start-timeout = 600
settings = {{ price-prompt = 0.5, price-answer = 2, parallel = 8, decision-seconds = 120 }}
"""


def test_a_tournament() -> None:
    """A duel by Overtrick: no faults, all is in the journal, and the report has the tokens that the server counted."""
    folder = fresh("duel")
    folder.mkdir()
    text = MANIFEST.format(python=sys.executable, bot=BOT, folder=BOT.parent)
    (folder / "model.toml").write_text(text, encoding="utf-8")
    config = 'seed = 1\ndeals = 6\nformat = "duel"\nvariants = ["dumbo"]\naudit = 0.0\nsandbox = "none"\n'
    # With cards from a secret that is drawn, a lead of exactly 0 comes up now and then, and has no cost of a point.
    config += f'secret = "{"0" * 32}"\nbots = ["model.toml", "random"]\n'
    (folder / "t.toml").write_text(config, encoding="utf-8")
    with serving(play) as fake:
        environment = {
            "OVERTRICK_LLM_URL": fake.url,
            "OVERTRICK_LLM_KEY": KEY,
            "OVERTRICK_LLM_MODEL": "fake-1",
            "OVERTRICK_LLM_FOLDER": str(folder / "talk"),
        }
        run(folder, environment, PROGRAM, "run", "t.toml", "--out", "out", "--threads", "2", "--quiet")
    faults = json.loads((folder / "out/summary.json").read_text(encoding="utf-8")).get("faults", [])
    expect("faults", faults, [])
    for path in folder.rglob("*"):
        if path.is_file():
            expect(f"the key in {path}", KEY.encode() in path.read_bytes(), False)
    printed = run(folder, {}, sys.executable, BOT.parent / "llm_cost.py", "talk", "--format", "json")
    (row,) = json.loads(printed)
    count = len(fake.asked)
    expect("requests", (row["requests"], row["lost"]), (count, 0))
    expect("tokens", (row["prompt-tokens"], row["answer-tokens"]), (100 * count, 10 * count))
    expect("cost", round(row["cost"] * 10**6), 70 * count)
    # Six seatings of six deals; where the model sits twice, both of its seats are counted.
    expect("deals", row["deals"], 6)
    if row["games"] < 36 or row["tokens-per-point"] is None:
        raise SystemExit(f"too few games: {row}")
    expect_in("fake-1 in dumbo", run(folder, {}, sys.executable, BOT.parent / "llm_cost.py", "talk"))


def run(folder: pathlib.Path, environment: dict, *command: object) -> str:
    """Runs a command and returns what it prints."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={"PATH": str(pathlib.Path(sys.executable).parent) + ":/usr/bin:/bin"} | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{command} ended with code {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def main() -> None:
    names = vars(llm_units) | vars(llm_failures) | globals()
    checks = {name.removeprefix("test_"): check for name, check in names.items() if name.startswith("test_")}
    wanted = sys.argv[3:] or list(checks)
    for name in wanted:
        start = time.monotonic()
        print(f"{name}: {checks[name].__doc__.splitlines()[0]}", end="", flush=True)
        checks[name]()
        print(f" ({time.monotonic() - start:.1f} s)")
    print(f"{len(wanted)} checks of the player that asks a language model pass")


if __name__ == "__main__":
    main()
