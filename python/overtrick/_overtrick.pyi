"""The compiled part."""

from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

__version__: str

class OvertrickError(ValueError):
    """What is wrong with what was given, in one message: where it is, and what to do about it."""

class Deal:
    """One deal of a variant, played move by move. Moves are places among the moves of the variant's encoding."""

    def __new__(cls, variant: str, *, seed: int = 0, number: int = 0) -> "Deal": ...
    @property
    def seats(self) -> int:
        """The number of players."""
    @property
    def seat(self) -> int:
        """The seat that decides; meaningless once the deal is over."""
    @property
    def is_over(self) -> bool:
        """Whether the deal has ended."""
    def legal(self) -> npt.NDArray[np.bool_]:
        """By move: whether it is legal now; none is once the deal is over."""
    def observe(self, seat: int) -> npt.NDArray[np.float32]:
        """What a seat sees: a new array of float32, shape (length of the encoding,)."""
    def play(self, action: int) -> None:
        """Makes a move.

        Raises:
            OvertrickError: if it is not legal; the rule that forbids it.
        """
    def text(self, action: int) -> str:
        """The text of a legal move."""
    def scores(self) -> List[int]:
        """By seat: the points, once the deal is over."""
    def copy(self) -> "Deal":
        """The same deal once more, to go on with on its own."""

class VectorEnv:
    """The compiled part of :class:`overtrick.VectorEnv`."""

    def __new__(cls, variant: str, rows: int, *, seed: int = 0, first: int = 0) -> "VectorEnv": ...
    @property
    def observation(self) -> npt.NDArray[np.float32]: ...
    @property
    def legal(self) -> npt.NDArray[np.bool_]: ...
    @property
    def seat(self) -> npt.NDArray[np.int64]: ...
    @property
    def number(self) -> npt.NDArray[np.int64]: ...
    @property
    def reward(self) -> npt.NDArray[np.float32]: ...
    @property
    def done(self) -> npt.NDArray[np.bool_]: ...
    @property
    def rows(self) -> int: ...
    @property
    def seats(self) -> int: ...
    def reset(self, first: int = 0) -> None: ...
    def step(self, actions: npt.NDArray[np.int64]) -> None: ...

def encoding(text: str, /) -> str: ...
def call(
    args: List[str],
    config: Optional[str],
    bots: Sequence[Tuple[str, Callable[[Any], Any]]],
    ask: Callable[..., Any],
    progress: Optional[Callable[[int, int], object]],
    elsewhere: Optional[Tuple[int, Callable[[List[bytes], List[str], Callable[[], bool]], Optional[List[bytes]]]]],
    /,
) -> Optional[Tuple[str, List[str], bool]]: ...
def play_piece(
    piece: bytes,
    bots: Sequence[Tuple[str, Callable[[Any], Any]]],
    ask: Callable[..., Any],
    threads: int,
    /,
) -> bytes: ...
