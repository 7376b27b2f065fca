"""Games in files play as OpenSpiel's games do, where the rules are the same: tests/peers/openspiel.py on fewer deals."""

import importlib
import sys

import pytest

from test_commands import ROOT

pytest.importorskip("pyspiel", reason="open_spiel is not installed, which these tests compare with: pip install open_spiel")

sys.path.insert(0, str(ROOT / "tests" / "peers"))
PEERS = importlib.import_module("openspiel")


@pytest.mark.long
@pytest.mark.parametrize("comparison", PEERS.COMPARISONS, ids=lambda comparison: comparison.name)
def test_deals_are_the_same_in_openspiel(comparison):
    counts = PEERS.compare(comparison, deals=100, seed=2)
    assert counts.deals == 100 and counts.decisions > 100 * 4
    # Rules that differ make a difference, and others make none.
    assert (counts.differing > 0) == (comparison.name == "Spades")


@pytest.mark.long
def test_bags_add_up_as_in_openspiel():
    compared, with_bags, below = PEERS.compare_spades_matches(deals=100, seed=2)
    assert compared >= 100 and with_bags > 0 and below > 0


@pytest.mark.long
def test_a_rule_that_differs_is_found():
    wrong = PEERS.Comparison("wrong", "hearts.toml", PEERS.Hearts)
    with pytest.raises(PEERS.Difference, match="seed 2, deal .*: legal moves: here"):
        PEERS.compare(wrong, deals=1000, seed=2)
    scores = PEERS.Comparison("wrong", "oh-hell.toml", PEERS.OhHell, {"players": 4, "num_tricks_fixed": 7}, {"bonus": 9})
    with pytest.raises(PEERS.Difference, match="deal .*: scores: here"):
        PEERS.compare(scores, deals=100, seed=2)
