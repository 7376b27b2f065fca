"""A deal as an environment of PettingZoo, an extra: ``pip install 'overtrick[pettingzoo]'``."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import gymnasium.spaces
import numpy as np
from pettingzoo import AECEnv

from ._encoding import VariantLike, encoding, variant_text
from ._overtrick import Deal
from ._seeds import master_seed


class DealEnv(AECEnv[str, Dict[str, Any], Any]):
    """One deal of a variant, seat by seat: agents are ``seat_0``, ``seat_1``...

    A seat may move several times in a row, for its calls, its dummy's cards and its own.

    - An observation is a dict: ``observation``, the row of the variant's encoding (float32), and ``action_mask``, 1 for
      each legal move (int8; all 0 for a seat whose turn it is not).
    - An action is a place among the moves of the encoding.
    - Rewards are the points of the deal, when it is over.
    - ``reset(seed=...)`` chooses the cards; without a seed the next deal is dealt, the first one after a seed from the
      system, as in Gymnasium. ``options={"seed": s, "number": k}`` deals deal number ``k`` of master seed ``s``, the one
      of tournaments with that seed. ``origin`` of the unwrapped environment says which deal it is, as such options.

    Args:
        variant: The name of a variant, the path of a rules file, or a dict of rules.
        render_mode: ``"ansi"`` or ``"human"``: the moves so far as text, given or printed.
    """

    metadata = {"name": "overtrick_v0", "render_modes": ["ansi", "human"], "is_parallelizable": False}

    def __init__(self, variant: VariantLike = "dumbo", render_mode: Optional[str] = None) -> None:
        super().__init__()
        self.encoding = encoding(variant)
        self._variant = variant_text(variant)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.encoding.seats)]
        self.agents: List[str] = []
        # Totals and counts of calls may be above 1.
        row = gymnasium.spaces.Box(-np.inf, np.inf, (self.encoding.length,), np.float32)
        moves = len(self.encoding.moves)
        mask = gymnasium.spaces.Box(0, 1, (moves,), np.int8)
        # Each agent has spaces of its own: they draw random numbers of their own.
        self._observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": row, "action_mask": mask}) for agent in self.possible_agents
        }
        self._action_spaces: Dict[str, Any] = {
            agent: gymnasium.spaces.Discrete(moves) for agent in self.possible_agents
        }
        # The master seed; None until there is one.
        self._seed: Optional[int] = None
        self._number = -1
        self.origin: Dict[str, int] = {}
        """The master seed and the number of the deal: options with which :meth:`reset` deals the same cards again."""

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Deals."""
        if seed is not None or self._seed is None:
            # A master seed has 63 bits, and an environment's seed may have more. Without one it comes from the system.
            self._seed = master_seed(seed)
            self._number = -1
        self._number += 1
        options = options or {}
        self.origin = {"seed": options.get("seed", self._seed), "number": options.get("number", self._number)}
        self._deal = Deal(self._variant, **self.origin)
        self._texts: List[str] = []
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._deal.seat]

    def observe(self, agent: str) -> Dict[str, Any]:
        """What an agent sees now."""
        seat = self.possible_agents.index(agent)
        is_due = not self._deal.is_over and self._deal.seat == seat
        legal = self._deal.legal() if is_due else np.zeros(len(self.encoding.moves), bool)
        return {"observation": self._deal.observe(seat), "action_mask": legal.astype(np.int8)}

    def step(self, action: Any) -> None:
        """Makes a move for the agent whose turn it is."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        text = self._deal.text(int(action))
        self._deal.play(int(action))
        self._texts.append(f"{agent}: {text}")
        if self._deal.is_over:
            scores = self._deal.scores()
            self.rewards = {agent: float(score) for agent, score in zip(self.possible_agents, scores)}
            self.terminations = {agent: True for agent in self.agents}
            self._skip_agent_selection = None
            self.agent_selection = self.agents[0]
        else:
            self._clear_rewards()
            self.agent_selection = self.possible_agents[self._deal.seat]
        self._accumulate_rewards()
        if self.render_mode == "human":
            print(self._texts[-1])

    def render(self) -> Optional[str]:
        """The moves so far, a line for each."""
        text = "\n".join(self._texts)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Does nothing: a deal holds nothing open."""


def env(variant: VariantLike = "dumbo", render_mode: Optional[str] = None) -> AECEnv[str, Dict[str, Any], Any]:
    """A deal of a variant as an environment: :class:`DealEnv` in PettingZoo's usual wrapper, which checks the order of
    calls. Illegal moves raise :class:`overtrick.OvertrickError`, with the rule."""
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    return OrderEnforcingWrapper(DealEnv(variant, render_mode))
