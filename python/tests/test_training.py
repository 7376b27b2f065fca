"""The script that trains a player, in short: what it writes beats random play."""

import pathlib
import subprocess
import sys

import overtrick
import pytest

pytest.importorskip("jax")
SCRIPT = pathlib.Path(__file__).parents[1] / "examples" / "train.py"


@pytest.mark.long
def test_a_player_that_has_learned_for_some_seconds_beats_random_play(tmp_path):
    out = tmp_path / "trained"
    run = [sys.executable, SCRIPT, "--minutes", "0.4", "--deals", "300", "--out", out]
    subprocess.run(run, check=True, cwd=tmp_path)
    results = overtrick.Results(out / "duel")
    row = results.pandas("ratings").set_index("bot").loc["learned"]
    assert row["ahead-low"] > 0, row
    assert not results.summary["faults"]
