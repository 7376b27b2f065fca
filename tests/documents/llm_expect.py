"""Expectations about the player that asks a language model. Folders of checks lie in the second argument."""

import pathlib
import sys

from llm_fake import Asked, Asking, Outcome, serving

FOLDER = pathlib.Path(sys.argv[2]).resolve()
PRICES = {"price-prompt": 0.5, "price-cached": 0.05, "price-answer": 2}
PARTS = 10**9


def expect(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        raise SystemExit(f"{what}: {found!r}, and not {wanted!r}")


def expect_in(part: str, text: str) -> None:
    if part not in text:
        raise SystemExit(f"{part!r} is not in {text!r}")


def fresh(name: str) -> pathlib.Path:
    """Returns a path for a folder that is not there yet."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for number in range(1000):
        path = FOLDER / f"{name}-{number}"
        if not path.exists():
            return path
    raise SystemExit(f"{FOLDER} is full")


def ends_with(outcome: Outcome, *parts: str) -> None:
    """Expects that the bot has ended with one line that has these parts, and without a move."""
    if outcome.code != 1 or outcome.moves or outcome.stderr.count("\n") != 1:
        raise SystemExit(f"it should end with {parts}: {outcome}")
    for part in parts:
        expect_in(part, outcome.stderr)


def failing(answer, *parts: str, raw=None, **asking) -> Outcome:
    """Asks a bot whose server answers in a way that ends it, with these parts in its last words."""
    with serving(answer, raw) as fake:
        outcome = Asking(fresh("failing"), fake.url, **asking).run()
    ends_with(outcome, *parts)
    return outcome


def playing(answer, tries: int, **asking) -> tuple[Outcome, list[Asked]]:
    """Asks a bot whose server takes this number of requests until the bot moves."""
    with serving(answer) as fake:
        outcome = Asking(fresh("playing"), fake.url, **asking).run()
    expect(f"exit code, with {outcome.stderr}", outcome.code, 0)
    expect("requests", len(fake.asked), tries)
    return outcome, fake.asked


def settings_with_prices(**more) -> dict:
    return PRICES | {name.replace("_", "-"): value for name, value in more.items()}
