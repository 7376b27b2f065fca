"""Bots that are Python callables."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from ._encoding import Encoding, encoding


@dataclasses.dataclass
class Decisions:
    """Decisions that a bot is to make, in deals that go on side by side.

    The arrays are the bot's own: it may write into them.
    """

    variant: str
    """The name of the variant."""
    observation: npt.NDArray[np.float32]
    """What the seats that decide see: float32, shape (decisions, length of the encoding)."""
    legal: npt.NDArray[np.bool_]
    """Which moves are legal: bool, shape (decisions, moves)."""
    seat: npt.NDArray[np.int64]
    """The seats that decide: int64, shape (decisions,)."""
    deal: npt.NDArray[np.int64]
    """Numbers of the deals as the bot knows them: int64, shape (decisions,).

    One number goes with all decisions of one seat in one game. It says nothing about the cards, and another seat or
    another game of the same cards has another number.
    """

    def __len__(self) -> int:
        return len(self.seat)

    @property
    def encoding(self) -> Encoding:
        """The encoding of a preset variant.

        Raises:
            OvertrickError: if the variant is none that comes with Overtrick.
        """
        return _encoding_of(self.variant)


_encoding_of = functools.lru_cache(maxsize=None)(encoding)

ChooseMany = Callable[[Decisions], "npt.ArrayLike"]


class Bot:
    """A callable as a player.

    Args:
        name: The name that results show: letters, digits, ``-``, ``_`` and ``.``.
        choose_many: Is given :class:`Decisions` and returns a move for each: places among the moves of the encoding,
            as an array of integers of shape (decisions,). It is called from several threads, one at a time. If its
            answers follow from the observations alone, results do not depend on threads or on how many decisions come
            at once; nobody checks that.

    An exception, an array of the wrong shape or type and an illegal move are faults: the policy of the tournament's
    ``[faults]`` says what then happens, and results tell the first ones, with the lines of code.

    Libraries that use several cores for one product get in the way of the threads that play: one is enough for them
    (``OPENBLAS_NUM_THREADS=1``, ``torch.set_num_threads(1)``).

    The code is yours and runs in this process: it can do all that you can. For bots that you do not trust there are
    external bots in a sandbox, and WebAssembly.
    """

    def __init__(self, name: str, choose_many: ChooseMany) -> None:
        if not callable(choose_many):
            raise TypeError(f"choose_many must be callable, not {type(choose_many).__name__}")
        self.name = name
        self.choose_many = choose_many

    def __repr__(self) -> str:
        return f"Bot({self.name!r}, {self.choose_many!r})"

    def _label(self) -> str:
        """What results call the code."""
        of = self.choose_many
        while isinstance(of, functools.partial):
            of = of.func
        module = getattr(of, "__module__", None) or type(of).__module__
        name = getattr(of, "__qualname__", None) or type(of).__qualname__
        return f"{module}.{name} as {self.name}"


def ask(choose_many: ChooseMany, *given: Any) -> npt.NDArray[np.int64]:
    """Asks for moves; what comes back is an array of int64 of the right shape."""
    decisions = Decisions(*given)
    answers = np.asarray(choose_many(decisions))
    if answers.shape != (len(decisions),):
        raise ValueError(f"choose_many gave an array of shape {answers.shape}, where {(len(decisions),)} was due")
    if answers.dtype.kind not in "iu":
        raise TypeError(f"choose_many gave an array of {answers.dtype}, where integers were due")
    return answers.astype(np.int64, copy=False)
