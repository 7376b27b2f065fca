"""How views are written as numbers."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Any, Mapping, Tuple, Union

from . import _overtrick

VariantLike = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""The name of a variant, the path of a rules file, or a dict with ``name``, ``base`` and ``rules``."""


def variant_text(variant: VariantLike) -> str:
    """A variant as the compiled part takes it: a name, a path or JSON."""
    if isinstance(variant, Mapping):
        return json.dumps(variant, default=os.fspath)
    return os.fspath(variant)


@dataclasses.dataclass(frozen=True)
class Field:
    """A part of the row of numbers."""

    name: str
    """Its name."""
    start: int
    """Where it begins."""
    shape: Tuple[int, ...]
    """The lengths of its axes, the last one the closest."""
    labels: Tuple[Tuple[str, ...], ...]
    """By axis: what each place stands for. Empty for a single number."""
    about: str
    """What its numbers mean."""

    @property
    def slice(self) -> slice:
        """The places of its numbers in the row."""
        size = 1
        for length in self.shape:
            size *= length
        return slice(self.start, self.start + size)


@dataclasses.dataclass(frozen=True)
class Encoding:
    """How the views of a variant are written as numbers, and its moves counted.

    Seats and their hands are counted from the seat that looks, clockwise: ``own``, ``left-1``, ``left-2``.
    """

    variant: str
    """The name of the variant."""
    game: str
    """The name of its game."""
    seats: int
    """The number of players."""
    length: int
    """The number of numbers in a row."""
    moves: Tuple[str, ...]
    """Every move that some deal has: cards, then calls. A card that is discarded is the same move as when it is played."""
    fields: Mapping[str, Field]
    """The parts of the row, by name, in order."""
    score_range: Tuple[int, int]
    """The fewest and the most points that a seat can have in a deal."""


def encoding(variant: VariantLike) -> Encoding:
    """The encoding of a variant.

    >>> import overtrick
    >>> dumbo = overtrick.encoding("dumbo")
    >>> dumbo.fields["seen"].shape, dumbo.moves[0]
    ((4, 52), '2C')

    Raises:
        OvertrickError: if there is no such variant, or its rules are wrong.
    """
    told = json.loads(_overtrick.encoding(variant_text(variant)))
    fields = {
        field["name"]: Field(
            field["name"],
            field["start"],
            tuple(field["shape"]),
            tuple(tuple(axis) for axis in field["labels"]),
            field["about"],
        )
        for field in told["fields"]
    }
    return Encoding(
        told["variant"],
        told["game"],
        told["seats"],
        told["length"],
        tuple(told["moves"]),
        fields,
        (told["lowest"], told["highest"]),
    )
