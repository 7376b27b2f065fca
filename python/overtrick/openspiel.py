"""Variants as games of OpenSpiel, an extra: ``pip install 'overtrick[openspiel]'``.

>>> import overtrick.openspiel
>>> import pyspiel                                             # doctest: +SKIP
>>> game = pyspiel.load_game("overtrick_dumbo(seed=1)")        # doctest: +SKIP

The cards are dealt by one chance move, which OpenSpiel samples: it is one of ``deals`` deals (a thousand by default),
those of numbers 0 and up of the master seed ``seed``.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import numpy as np
import pyspiel  # pyright: ignore[reportMissingImports, reportMissingModuleSource]

from . import encoding, list_
from ._overtrick import Deal

_DEALS = 1000


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
    """A variant."""

    def __init__(self, variant: str, params: Optional[Dict[str, Any]] = None) -> None:
        self.variant = variant
        given = dict(params or {})
        self.seed = int(given.get("seed", 0))
        self.deals = int(given.get("deals", _DEALS))
        self.encoding = encoding(variant)
        low, high = self.encoding.score_range
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.encoding.moves),
            max_chance_outcomes=self.deals,
            num_players=self.encoding.seats,
            min_utility=float(low),
            max_utility=float(high),
            # No deal has more calls and plays together than the record has room for.
            max_game_length=96,
        )
        super().__init__(_type_of(variant), info, given)

    def new_initial_state(self) -> "VariantState":
        """A deal that is not dealt yet."""
        return VariantState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "VariantObserver":
        """What sees for a player."""
        return VariantObserver(self.encoding.length)


class VariantState(pyspiel.State):  # type: ignore[misc]
    """A deal in progress."""

    def __init__(self, game: VariantGame) -> None:
        super().__init__(game)
        self._game = game
        self._deal: Optional[Deal] = None
        self._number = -1
        self._texts: List[str] = []

    def current_player(self) -> int:
        """Who moves: a seat, chance, or nobody any more."""
        if self._deal is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self._deal.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self._deal.seat

    def chance_outcomes(self) -> Any:
        """The deals, each as likely as the others."""
        return [(number, 1.0 / self._game.deals) for number in range(self._game.deals)]

    def _legal_actions(self, player: int) -> List[int]:
        assert self._deal is not None
        return [int(action) for action in np.flatnonzero(self._deal.legal())]

    def _apply_action(self, action: int) -> None:
        if self._deal is None:
            self._number = action
            self._deal = Deal(self._game.variant, seed=self._game.seed, number=action)
        else:
            self._texts.append(self._deal.text(action))
            self._deal.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self._game.encoding.moves[action]

    def is_terminal(self) -> bool:
        """Whether the deal has ended."""
        return self._deal is not None and self._deal.is_over

    def returns(self) -> List[float]:
        """By seat: the points; 0 before the end."""
        if self._deal is None or not self._deal.is_over:
            return [0.0] * self._game.encoding.seats
        return [float(points) for points in self._deal.scores()]

    def __str__(self) -> str:
        return " ".join([f"deal {self._number}", *self._texts]) if self._deal is not None else "not dealt"

    def clone(self) -> "VariantState":
        """The same deal once more."""
        other = VariantState(self._game)
        other._deal = None if self._deal is None else self._deal.copy()
        other._number, other._texts = self._number, list(self._texts)
        return other


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
    class Game(VariantGame):
        def __init__(self, params: Optional[Dict[str, Any]] = None) -> None:
            super().__init__(variant, params)

    pyspiel.register_game(_type_of(variant), Game)


for _row in list_("variants"):
    _register(_row["variant"])
