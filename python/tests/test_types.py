"""Types and docstrings of what users meet."""

import inspect
import pathlib
import subprocess
import sys

import overtrick
import overtrick.distributed
import pytest

ROOT = pathlib.Path(__file__).parents[1]
# That of the checkout: checkers take an installed package for that of another author.
PACKAGE = ROOT / "overtrick"
USE = """
import numpy as np
import numpy.typing as npt
import overtrick

env = overtrick.VectorEnv("dumbo", 8)
observation, legal, reward, done = env.step(np.zeros(8, np.int64))
total: float = float(reward.sum())


def choose(decisions: overtrick.Decisions) -> npt.NDArray[np.int64]:
    moves: npt.NDArray[np.int64] = decisions.legal.argmax(axis=1)
    return moves


results = overtrick.run({"bots": [overtrick.Bot("mine", choose)]}, threads=1)
names: list[str] = results.tables
rows = overtrick.compare(results, results)
for row in rows:
    print(row["bot"])
"""


@pytest.mark.parametrize("checker", [["mypy", "--strict", "--config-file", "pyproject.toml"], ["pyright", "--pythonpath", sys.executable]], ids=["mypy", "pyright"])
def test_the_types_hold(checker, tmp_path):
    pytest.importorskip(checker[0])
    use = tmp_path / "use.py"
    use.write_text(USE, encoding="utf-8")
    run = [sys.executable, "-m", *checker, PACKAGE, use]
    checked = subprocess.run(run, capture_output=True, text=True, cwd=ROOT)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    # A wrong use is seen.
    use.write_text(USE + "overtrick.run(3, threads='many')\n", encoding="utf-8")
    assert subprocess.run(run, capture_output=True, cwd=ROOT).returncode != 0


def test_everything_public_is_described():
    things = [getattr(overtrick, name) for name in overtrick.__all__ if name not in ("__version__", "Config")]
    things += [overtrick.distributed.run]
    for thing in list(things):
        if inspect.isclass(thing):
            things += [member for name, member in vars(thing).items() if not name.startswith("_") and callable(member)]
    for thing in things:
        assert inspect.getdoc(thing), thing


def test_the_examples_in_docstrings_hold():
    import doctest

    from overtrick import _commands, _encoding, _vector

    for module in (_commands, _encoding, _vector):
        tried = doctest.testmod(module)
        assert tried.failed == 0 and tried.attempted > 0, module
