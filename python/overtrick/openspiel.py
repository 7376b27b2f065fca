"""Variants as games of OpenSpiel, an extra: ``pip install 'overtrick[openspiel]'``.

>>> import overtrick.openspiel
>>> import pyspiel                                             # doctest: +SKIP
>>> game = pyspiel.load_game("overtrick_dumbo(seed=1)")        # doctest: +SKIP

The cards are dealt by one chance move, which OpenSpiel samples: it is one of ``deals`` deals (a thousand by default),
those of numbers 0 and up of the master seed ``seed``.
"""

from __future__ import annotations

import functools
from typing import Any, Dict, List, Optional

import numpy as np
import pyspiel  # pyright: ignore[reportMissingImports, reportMissingModuleSource]

from . import encoding, list_
from ._encoding import Encoding
from ._overtrick import Deal, OvertrickError

_DEALS = 1000


@functools.lru_cache(maxsize=None)
def _encoding(variant: str) -> Encoding:
    """The encoding of a variant, made once: states have no place for it, since OpenSpiel copies all that they have."""
    return encoding(variant)


def _type_of(variant: str) -> Any:
    return pyspiel.GameType(
        short_name="overtrick_" + variant.replace("-", "_"),
        long_name=f"Overtrick: {variant}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=3,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seed": 0, "deals": _DEALS},
    )


class VariantGame(pyspiel.Game):  # type: ignore[misc]
    """A variant. Each variant has its own class, made below, by which it is pickled.

    All that a game knows are its class and its parameters: OpenSpiel makes it again from these when it is read back.
    """

    variant = ""
    """The name of the variant."""

    def __init__(self, params: Optional[Dict[str, Any]] = None) -> None:
        given = dict(params or {})
        seed, deals = int(given.get("seed", 0)), int(given.get("deals", _DEALS))
        if seed < 0:
            raise OvertrickError(f"seed: is {seed}; it is 0 or more")
        if deals < 1:
            raise OvertrickError(f"deals: is {deals}; it is 1 or more")
        low, high = self.encoding.score_range
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.encoding.moves),
            max_chance_outcomes=deals,
            num_players=self.encoding.seats,
            min_utility=float(low),
            max_utility=float(high),
            # No deal has more calls and plays together than the record has room for.
            max_game_length=96,
        )
        super().__init__(_type_of(self.variant), info, given)

    @property
    def encoding(self) -> Encoding:
        """How views and moves are written."""
        return _encoding(self.variant)

    @property
    def seed(self) -> int:
        """The master seed."""
        return int(self.get_parameters().get("seed", 0))

    @property
    def deals(self) -> int:
        """How many deals the first chance move chooses among."""
        return int(self.get_parameters().get("deals", _DEALS))

    def new_initial_state(self) -> "VariantState":
        """A deal that is not dealt yet."""
        return VariantState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "VariantObserver":
        """What sees for a player."""
        return VariantObserver(self.encoding.length)


class VariantState(pyspiel.State):  # type: ignore[misc]
    """A deal in progress.

    OpenSpiel copies and pickles states itself, attribute by attribute, and adds the history. So attributes are plain
    values and a :class:`overtrick.Deal`, never the game.
    """

    def __init__(self, game: VariantGame) -> None:
        super().__init__(game)
        self._variant, self._seed, self._deals = game.variant, game.seed, game.deals
        self._deal: Optional[Deal] = None
        self._number = -1
        self._texts: List[str] = []

    def current_player(self) -> int:
        """Who moves: a seat, chance, or no player any more."""
        if self._deal is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self._deal.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self._deal.seat

    def chance_outcomes(self) -> Any:
        """The deals, each as likely as the others."""
        return [(number, 1.0 / self._deals) for number in range(self._deals)]

    def _legal_actions(self, player: int) -> List[int]:
        assert self._deal is not None
        return [int(action) for action in np.flatnonzero(self._deal.legal())]

    def _apply_action(self, action: int) -> None:
        if self._deal is None:
            self._number = action
            self._deal = Deal(self._variant, seed=self._seed, number=action)
        else:
            self._texts.append(self._deal.text(action))
            self._deal.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else _encoding(self._variant).moves[action]

    def is_terminal(self) -> bool:
        """Whether the deal has ended."""
        return self._deal is not None and self._deal.is_over

    def returns(self) -> List[float]:
        """By seat: the points; 0 before the end."""
        if self._deal is None or not self._deal.is_over:
            return [0.0] * _encoding(self._variant).seats
        return [float(points) for points in self._deal.scores()]

    def __str__(self) -> str:
        return " ".join([f"deal {self._number}", *self._texts]) if self._deal is not None else "not dealt"


class VariantObserver:
    """Sees for a player, as the encoding writes it."""

    def __init__(self, length: int) -> None:
        self.tensor = np.zeros(length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: VariantState, player: int) -> None:
        """Takes what a player sees in a state."""
        self.tensor[:] = 0.0 if state._deal is None else state._deal.observe(player)

    def string_from(self, state: VariantState, player: int) -> str:
        """The same as a text."""
        self.set_from(state, player)
        return " ".join(f"{place}:{number:g}" for place, number in enumerate(self.tensor) if number)


def _register(variant: str) -> None:
    """Makes a class for a variant, with a name in this module, so that pickle finds it, and registers it."""
    name = "".join(part.capitalize() for part in variant.split("-")) + "Game"
    game = type(name, (VariantGame,), {"variant": variant, "__module__": __name__, "__doc__": f"The variant {variant}."})
    globals()[name] = game
    pyspiel.register_game(_type_of(variant), game)


for _row in list_("variants"):
    _register(_row["variant"])
