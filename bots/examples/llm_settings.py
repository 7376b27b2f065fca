"""The settings of `llm.py`: those of the manifest, and the variables of the environment. Each is checked, and a wrong
one ends the bot with a line that names it."""

import dataclasses
import decimal
import json
import math
import os
import pathlib
import sys
import typing
from collections.abc import Callable

import llm_budget
import llm_server

URL, MODEL, FOLDER, KEY = (f"OVERTRICK_LLM_{name}" for name in ("URL", "MODEL", "FOLDER", "KEY"))
# Keys of a request that the bot sets, or whose answers it does not read.
OWN_KEYS = ("model", "messages", "stream", "n", "seed", "max_tokens", "max_completion_tokens")
LONGEST_GUIDE = 1 << 20


def fail(place: str, problem: str) -> typing.NoReturn:
    """Ends the bot with a line."""
    sys.exit(f"{place}: {problem}")


Check = Callable[[str, typing.Any], typing.Any]


def number(low: float, high: float) -> Check:
    """Returns a check for numbers."""

    def check(name: str, value: typing.Any) -> float:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value) or not low <= value <= high:
            fail(name, f"is {json.dumps(value)}, and must be a number from {low:g} to {high:g}")
        return float(value)

    return check


def whole(low: int, high: int) -> Check:
    """Returns a check for whole numbers."""

    def check(name: str, value: typing.Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            fail(name, f"is {json.dumps(value)}, and must be a whole number from {low} to {high}")
        return value

    return check


def choice(*options: str) -> Check:
    """Returns a check for one of some texts."""

    def check(name: str, value: typing.Any) -> str:
        if value not in options:
            fail(name, f"is {json.dumps(value)}, and must be one of: {', '.join(options)}")
        return value

    return check


def text(name: str, value: typing.Any) -> str:
    """Checks a text."""
    if not isinstance(value, str):
        fail(name, f"is {json.dumps(value)}, and must be a text")
    return value


def switch(name: str, value: typing.Any) -> bool:
    """Checks a truth value."""
    if not isinstance(value, bool):
        fail(name, f"is {json.dumps(value)}, and must be true or false")
    return value


def table(name: str, value: typing.Any) -> dict:
    """Checks a table of keys for requests."""
    if not isinstance(value, dict):
        fail(name, f"is {json.dumps(value)}, and must be a table")
    for key in value:
        if key in OWN_KEYS:
            fail(f"{name}.{key}", "is a key that the bot sets itself; leave it out")
    return value


PRICE, MONEY, SECONDS = number(0, 1e6), number(0, 1e9), number(0.001, 3600)
# The default of each setting, and its check. Without a default it is absent.
SETTINGS: dict[str, tuple[typing.Any, Check]] = {
    "url": (None, text),
    "model": (None, text),
    "folder": (None, text),
    "key-variable": (KEY, text),
    "legal": ("always", choice("always", "calls", "never")),
    "guide": (None, text),
    "repairs": (2, whole(0, 20)),
    "retries": (4, whole(0, 100)),
    "pause": (1.0, number(0, 3600)),
    "request-seconds": (60.0, SECONDS),
    "decision-seconds": (240.0, SECONDS),
    "parallel": (1, whole(1, 64)),
    "max-tokens": (1024, whole(1, 1_000_000)),
    "limit-key": ("max_tokens", choice("max_tokens", "max_completion_tokens")),
    "send-seed": (False, switch),
    "ask-forced": (False, switch),
    "extra": ({}, table),
    "price-prompt": (None, PRICE),
    "price-cached": (None, PRICE),
    "price-answer": (None, PRICE),
    "budget": (None, MONEY),
    "token-budget": (None, whole(0, 10**15)),
}


def read_settings(given: dict) -> dict:
    """Returns all settings, with the values of the manifest in the place of defaults."""
    settings: dict[str, typing.Any] = {name: default for name, (default, _) in SETTINGS.items()}
    for name, value in given.items():
        if name not in SETTINGS:
            fail(f"settings.{name}", f"is no setting; there are: {', '.join(SETTINGS)}")
        settings[name] = SETTINGS[name][1](f"settings.{name}", value)
    if settings["request-seconds"] > settings["decision-seconds"]:
        fail("settings.request-seconds", "is more than decision-seconds, the time for all requests of a decision")
    has_prices = settings["price-prompt"] is not None and settings["price-answer"] is not None
    for name in ("budget", "price-prompt", "price-cached", "price-answer"):
        if settings[name] is not None and not has_prices:
            fail(f"settings.{name}", "takes price-prompt and price-answer, the prices of a million tokens")
    return settings


def read_prices(settings: dict) -> llm_budget.Prices:
    """Returns the prices; all are 0 where none is set."""
    if settings["price-prompt"] is None:
        return llm_budget.Prices()
    # The digits of the manifest, and not those of a binary number.
    prompt, answer = (decimal.Decimal(str(settings[name])) for name in ("price-prompt", "price-answer"))
    cached = settings["price-cached"]
    return llm_budget.Prices(prompt, prompt if cached is None else decimal.Decimal(str(cached)), answer)


def read_budget(settings: dict) -> llm_budget.Budget:
    """Returns the budget."""
    money = settings["budget"]
    if money is not None:
        money = int(decimal.Decimal(str(money)) * llm_budget.PARTS)
    return llm_budget.Budget(money, settings["token-budget"])


def required(settings: dict, name: str, variable: str) -> tuple[str, str]:
    """Returns a setting or else a variable of the environment, and its place."""
    value = settings[name]
    if value:
        return value, f"settings.{name}"
    value = os.environ.get(variable, "")
    if not value:
        fail(variable, f"is not set; set it, and name it in the manifest's `environment`, or set settings.{name}")
    return value, variable


def read_server(settings: dict) -> tuple[llm_server.Server, str]:
    """Returns the server, and its key."""
    url, place = required(settings, "url", URL)
    variable = settings["key-variable"]
    key = os.environ.get(variable, "") if variable else ""
    if not key.isascii() or not key.isprintable() or " " in key:
        fail(variable, "has spaces, line ends or other characters that no key has")
    try:
        address = llm_server.Address.parse(url)
    except ValueError as error:
        fail(place, str(error))
    if key and address.is_open:
        print(f"note: {place}: the key travels unencrypted; use https if the network is not yours", file=sys.stderr)
    return llm_server.Server(address, key), key


def read_folder(settings: dict) -> pathlib.Path:
    """Returns the folder for prompts, answers and costs, which is made if it is missing."""
    name, place = required(settings, "folder", FOLDER)
    folder = pathlib.Path(name)
    if not folder.is_absolute():
        fail(place, f"is {json.dumps(name)}, and must be a path from the root: the bot runs in a folder that differs")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / llm_budget.LEDGER).open("ab").close()
    except OSError as error:
        fail(place, f"{folder}: cannot be written to ({error.strerror}); run with --sandbox none, or take another one")
    return folder


def read_guide(settings: dict, variant: dict) -> str:
    """Returns the guide to the rules: a file, or in a folder the one of the variant, its preset or its game."""
    if not settings["guide"]:
        return ""
    path = pathlib.Path(settings["guide"])
    if path.is_dir():
        names = [variant[key] for key in ("variant", "base", "game")]
        found = [path / f"{name}.md" for name in names if (path / f"{name}.md").is_file()]
        if not found:
            fail("settings.guide", f"{path}: has none of {', '.join(f'{name}.md' for name in dict.fromkeys(names))}")
        path = found[0]
    try:
        guide = path.read_bytes()
        if len(guide) > LONGEST_GUIDE:
            fail("settings.guide", f"{path}: has more than {LONGEST_GUIDE} bytes")
        return guide.decode()
    except OSError as error:
        fail("settings.guide", f"{path}: cannot be read ({error.strerror})")
    except UnicodeDecodeError:
        fail("settings.guide", f"{path}: is not UTF-8")


@dataclasses.dataclass(frozen=True)
class Setup:
    """All that the settings and the environment say."""

    settings: dict
    server: llm_server.Server
    key: str
    model: str
    folder: pathlib.Path
    prices: llm_budget.Prices
    ledger: llm_budget.Ledger


def read_setup(given: dict) -> Setup:
    """Reads the settings of the manifest and the environment."""
    settings = read_settings(given)
    server, key = read_server(settings)
    model, _ = required(settings, "model", MODEL)
    folder = read_folder(settings)
    prices = read_prices(settings)
    return Setup(settings, server, key, model, folder, prices, llm_budget.Ledger(folder, prices, read_budget(settings)))
