"""Master seeds of environments."""

from __future__ import annotations

from typing import Optional

import numpy as np


def master_seed(seed: Optional[int]) -> int:
    """The master seed that follows from an environment's seed; without one, a seed that the system draws."""
    return int(np.random.default_rng(seed).integers(2**63 - 1))
