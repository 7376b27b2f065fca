"""Ray: the same bytes as one machine, also if a worker is lost half-way; errors as here."""

import os
import pathlib
import signal
import threading
import time

import overtrick
import overtrick.distributed
import pytest

from test_commands import ROOT, same_files

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module", autouse=True)
def cluster():
    # More workers than cores: what is tested is who plays what, and not how fast.
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield
    ray.shutdown()


def workers():
    """The processes that play shards now."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # Ray calls a worker by what it does.
            if b"ray::_shard" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            pass
    return found


def all_same(one, other):
    files = [sorted(file.name for file in folder.iterdir()) for folder in (one, other)]
    assert files[0] == files[1]
    for name in files[0]:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def test_a_killed_worker_changes_nothing(tmp_path):
    config = ROOT / "configs" / "quick.toml"
    overtrick.run(config, out=tmp_path / "one")
    killed = []

    def kill():
        deadline = time.time() + 120
        while not killed and time.time() < deadline:
            for worker in workers()[:1]:
                time.sleep(0.5)
                try:
                    os.kill(worker, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                killed.append(worker)
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    told = []
    overtrick.distributed.run(
        config, shards=5, out=tmp_path / "ray", progress=lambda done, of: told.append((done, of))
    )
    killer.join()
    assert killed and told[-1] == (5, 5)
    same_files(tmp_path / "one", tmp_path / "ray")


def test_callables_travel():
    def first(decisions):
        return decisions.legal.argmax(axis=1)

    config = {
        "seed": 1,
        "deals": 100,
        "format": "duel",
        "variants": ["dumbo"],
        "bots": [overtrick.Bot("mine", first), "random"],
    }
    one, several = overtrick.run(config), overtrick.distributed.run(config, shards=3)
    for table in one.tables:
        assert one.csv(table) == several.csv(table), table


def test_a_sweep_is_that_of_one_machine(tmp_path):
    def last(decisions):
        return decisions.legal.shape[1] - 1 - decisions.legal[:, ::-1].argmax(axis=1)

    config = {
        "name": "small",
        "seed": 7,
        "sweep": {
            "base": "dumbo",
            "deals": 100,
            "panel": ["random", overtrick.Bot("mine", last)],
            "axes": {"match-bonus": [0, 10, 20]},
        },
    }
    overtrick.sweep(config, out=tmp_path / "one")
    told = []
    # More shards than points.
    overtrick.distributed.sweep(
        config, shards=4, out=tmp_path / "ray", progress=lambda done, of: told.append((done, of))
    )
    assert told[-1] == (4, 4)
    all_same(tmp_path / "one", tmp_path / "ray")
    with pytest.raises(overtrick.OvertrickError, match="there is no variant \"dumb\""):
        overtrick.distributed.sweep({**config, "sweep": {**config["sweep"], "base": "dumb"}}, shards=2)


def test_errors_are_those_of_one_machine(tmp_path):
    config = {"seed": 1, "deals": 100, "format": "duel", "variants": ["dumb"], "bots": ["random"]}
    with pytest.raises(overtrick.OvertrickError, match="there is no variant \"dumb\""):
        overtrick.distributed.run(config, shards=2)
    with pytest.raises(overtrick.OvertrickError, match="one shard or more"):
        overtrick.distributed.run(config, shards=0)
    with pytest.raises(overtrick.OvertrickError, match="no engine"):
        overtrick.distributed.run(config, shards=2, engine="dask")
    with pytest.raises(overtrick.OvertrickError, match="no such file"):
        overtrick.distributed.run("nowhere.toml", shards=2)
