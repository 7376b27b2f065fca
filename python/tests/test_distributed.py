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


def workers(what):
    """The processes that play shards or pieces now."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # Ray calls a worker by what it does.
            if f"ray::_{what}".encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            pass
    return found


class Killer:
    """Kills a process that plays, so many seconds after it was seen."""

    def __init__(self, what, after):
        self.what, self.after, self.killed, self.is_over = what, after, [], False
        self.thread = threading.Thread(target=self.kill)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join()

    def kill(self):
        while not self.killed and not self.is_over:
            for worker in workers(self.what)[:1]:
                time.sleep(self.after)
                try:
                    os.kill(worker, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                self.killed.append(worker)
            time.sleep(0.01)


def all_same(one, other):
    files = [sorted(file.name for file in folder.iterdir()) for folder in (one, other)]
    assert files[0] == files[1]
    for name in files[0]:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


@pytest.mark.long
def test_a_killed_worker_changes_nothing(tmp_path):
    config = ROOT / "configs" / "quick.toml"
    overtrick.run(config, out=tmp_path / "one")
    told = []
    with Killer("shard", 0.5) as killer:
        overtrick.distributed.run(
            config, shards=5, out=tmp_path / "ray", progress=lambda done, of: told.append((done, of))
        )
    assert killer.killed and told[-1] == (5, 5)
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


TUNING = {
    "name": "small",
    "seed": 7,
    "tune": {
        "bot": {"bot": "rule-based", "name": "timid", "parameters": {"euchre": {"courage": 4.9}}},
        "variants": ["euchre-24"],
        "unseen": ["random"],
        "games": 30000,
        "parameters": {"euchre.courage": {"low": 0.0, "high": 5.0}},
    },
}


def test_a_tuning_is_that_of_one_machine(tmp_path):
    overtrick.tune(TUNING, out=tmp_path / "one")
    told = []
    with Killer("piece", 0.0) as killer:
        results = overtrick.distributed.tune(
            TUNING, pieces=4, out=tmp_path / "ray", progress=lambda done, of: told.append((done, of))
        )
    assert killer.killed and told[-1][0] > 20000
    assert results.summary["games"] > 20000 and not results.had_faults
    all_same(tmp_path / "one", tmp_path / "ray")


def test_a_tuning_against_a_callable_tells_its_faults(tmp_path):
    def odd(decisions):
        # No move where the seat is the second.
        return [-1 if seat == 1 else move for seat, move in zip(decisions.seat, decisions.legal.argmax(axis=1))]

    own = {**TUNING["tune"], "against": ["itself", overtrick.Bot("odd", odd)], "unseen": [], "games": 8000}
    config = {**TUNING, "tune": own}
    one = overtrick.tune(config, out=tmp_path / "one")
    several = overtrick.distributed.tune(config, pieces=3, out=tmp_path / "ray")
    assert one.had_faults and several.had_faults and several.summary["faults"] > 100
    all_same(tmp_path / "one", tmp_path / "ray")


def test_a_tuning_that_is_stopped_goes_on(tmp_path):
    overtrick.tune(TUNING, out=tmp_path / "one")

    def stop(done, of):
        if done > 5000:
            raise ArithmeticError("enough")

    with pytest.raises(ArithmeticError, match="enough"):
        overtrick.distributed.tune(TUNING, pieces=4, out=tmp_path / "ray", progress=stop)
    assert (tmp_path / "ray" / "checkpoint.bin").exists()
    overtrick.distributed.tune(TUNING, pieces=2, out=tmp_path / "ray", resume=True)
    all_same(tmp_path / "one", tmp_path / "ray")


def test_a_league_is_that_of_one_machine(tmp_path):
    grid = {"bot": "rule-based", "parameters": {"euchre.courage": [1.0, 2.0, 3.0, 4.0]}}
    league = {"variant": "euchre-24", "bots": ["random"], "grid": grid, "question": {"top": 2}, "resolution": 0.05}
    config = {"name": "small", "seed": 7, "league": league}
    overtrick.league(config, out=tmp_path / "one")
    results = overtrick.distributed.league(config, pieces=4, out=tmp_path / "ray")
    assert results.summary["answered"] and not results.had_faults
    all_same(tmp_path / "one", tmp_path / "ray")


def test_errors_are_those_of_one_machine(tmp_path):
    config = {"seed": 1, "deals": 100, "format": "duel", "variants": ["dumb"], "bots": ["random"]}
    with pytest.raises(overtrick.OvertrickError, match="there is no variant \"dumb\""):
        overtrick.distributed.run(config, shards=2)
    with pytest.raises(overtrick.OvertrickError, match="one shard or more"):
        overtrick.distributed.run(config, shards=0)
    with pytest.raises(overtrick.OvertrickError, match="one piece or more"):
        overtrick.distributed.tune(TUNING, pieces=0)
    with pytest.raises(overtrick.OvertrickError, match="there is no variant \"dumb\""):
        overtrick.distributed.tune({**TUNING, "tune": {**TUNING["tune"], "variants": ["dumb"]}}, pieces=2)
    with pytest.raises(overtrick.OvertrickError, match="no engine"):
        overtrick.distributed.run(config, shards=2, engine="dask")
    with pytest.raises(overtrick.OvertrickError, match="no such file"):
        overtrick.distributed.run("nowhere.toml", shards=2)
