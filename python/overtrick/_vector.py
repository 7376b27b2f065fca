"""Thousands of deals in step."""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import _overtrick
from ._encoding import Encoding, VariantLike, encoding, variant_text
from ._seeds import master_seed

Step = Tuple[
    npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.float32], npt.NDArray[np.bool_]
]


class VectorEnv:
    """Many deals of one variant, side by side: in every step each makes one move.

    >>> import numpy as np, overtrick
    >>> env = overtrick.VectorEnv("dumbo", 1000, seed=1)
    >>> rng = np.random.default_rng(1)
    >>> observation, legal = env.reset()
    >>> deals = 0
    >>> for _ in range(100):
    ...     actions = (rng.random(legal.shape, dtype=np.float32) * legal).argmax(axis=1)
    ...     observation, legal, reward, done = env.step(actions)
    ...     deals += int(done.sum())
    >>> deals >= 1000
    True

    The arrays that come out are always the same ones: they lie in the environment's memory, and the next step writes
    into them. Copy what you keep. A deal that ends makes room for the next one, whose first decision then stands in its
    row; ``reward`` has the points of the deal that ended.

    Args:
        variant: The name of a variant, the path of a rules file, or a dict of rules.
        rows: How many deals go on side by side.
        seed: The master seed. The deal of a number has the same cards as in a tournament with this seed. Without one it
            is drawn from the system, as in Gymnasium; ``master_seed`` says which it is.
        first: The number of the first deal.

    Raises:
        OvertrickError: if there is no such variant, or no such number of rows.
    """

    def __init__(self, variant: VariantLike, rows: int, *, seed: Optional[int] = None, first: int = 0) -> None:
        text = variant_text(variant)
        self.master_seed: int = master_seed(None) if seed is None else seed
        """The master seed: with it, another environment deals the same cards."""
        self._env = _overtrick.VectorEnv(text, rows, seed=self.master_seed, first=first)
        self.encoding: Encoding = encoding(variant)
        """How observations and moves are written."""
        self.observation: npt.NDArray[np.float32] = self._env.observation
        """By row: what the seat that decides sees. float32, shape (rows, ``encoding.length``)."""
        self.legal: npt.NDArray[np.bool_] = self._env.legal
        """By row, by move: whether it is legal. bool, shape (rows, moves)."""
        self.seat: npt.NDArray[np.int64] = self._env.seat
        """By row: the seat that decides. int64, shape (rows,)."""
        self.number: npt.NDArray[np.int64] = self._env.number
        """By row: the number of the deal. int64, shape (rows,)."""
        self.reward: npt.NDArray[np.float32] = self._env.reward
        """By row, by seat: the points of the deal that the last step ended, else 0. float32, shape (rows, seats)."""
        self.done: npt.NDArray[np.bool_] = self._env.done
        """By row: whether the last step ended a deal. bool, shape (rows,)."""

    @property
    def rows(self) -> int:
        """The number of deals side by side."""
        return self._env.rows

    @property
    def seats(self) -> int:
        """The number of players."""
        return self._env.seats

    def reset(self, first: int = 0) -> Tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Begins anew with the deals of numbers ``first`` and up; gives ``observation`` and ``legal``."""
        self._env.reset(first)
        return self.observation, self.legal

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        """Makes a move in every row.

        Args:
            actions: By row, a place among the moves: int64, shape (rows,).

        Returns:
            ``observation``, ``legal``, ``reward`` and ``done``.

        Raises:
            OvertrickError: if a move is not legal; nothing was played then.
            TypeError: if ``actions`` has another shape or type.
        """
        self._env.step(actions)
        return self.observation, self.legal, self.reward, self.done
