"""Tournaments of trick-taking card games: seeded simulation, exact rules, honest intervals.

The functions do what the commands of the same names do: the command line has them done inside of this process, so
results are the same to the byte. Configs are dicts, or paths of the files that the command line takes. The interpreter
lock is free while games are played, and Ctrl-C ends a run in good order.

Players that learn find environments here: :func:`env` (PettingZoo), :class:`VectorEnv` (thousands of deals in step,
as numpy arrays) and :class:`Deal` (one deal, move by move); :class:`Bot` makes a callable a player of tournaments.
"""

from typing import TYPE_CHECKING

from ._bots import Bot, Decisions
from ._commands import (
    Config,
    Results,
    compare,
    exploit,
    league,
    list_,
    merge,
    rate,
    replay,
    report,
    run,
    solve,
    sweep,
    tune,
)
from ._encoding import Encoding, Field, encoding
from ._overtrick import Deal, OvertrickError, __version__
from ._vector import VectorEnv

__all__ = [
    "Bot",
    "Config",
    "Deal",
    "Decisions",
    "Encoding",
    "Field",
    "OvertrickError",
    "Results",
    "VectorEnv",
    "__version__",
    "compare",
    "encoding",
    "env",
    "exploit",
    "league",
    "list_",
    "merge",
    "rate",
    "replay",
    "report",
    "run",
    "solve",
    "sweep",
    "tune",
]


if TYPE_CHECKING:
    from .pettingzoo import env


def __getattr__(name: str) -> object:
    # PettingZoo is an extra, and takes a second to import.
    if name == "env":
        from .pettingzoo import env

        return env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
