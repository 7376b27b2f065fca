"""Runs, sweeps, tunings and leagues on more than one machine, on engines that exist.

:func:`run` and :func:`sweep` play in shards on Ray, an extra (``pip install 'overtrick[ray]'``), and merge them: the
results are those of one machine, to the byte. :func:`tune` has the games of each of its comparisons played in pieces,
and :func:`league` those of each of its rounds.
What is lost with its machine is played again. For Slurm and Kubernetes there are ``examples/slurm.sh`` and
``examples/kubernetes.yaml``; docs/clusters.md has all three.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from typing import Any, Callable, Dict, Generator, List, Mapping, Optional, Tuple

from . import _commands
from ._bots import ChooseMany
from ._commands import Config, PathLike, Progress, Results
from ._overtrick import OvertrickError

__all__ = ["league", "run", "sweep", "tune"]

Files = Dict[str, bytes]
"""The files of a shard by name."""
Command = Callable[..., Results]
"""A command that plays shards."""
LOOK = 0.2
"""The seconds after which it is looked whether all was stopped."""


def run(
    config: Config,
    shards: int,
    *,
    engine: str = "ray",
    out: Optional[PathLike] = None,
    retries: int = 3,
    cpus: int = 1,
    force: bool = False,
    progress: Optional[Progress] = None,
) -> Results:
    """Plays a tournament in shards and merges them.

    Connect to your cluster first (``ray.init(address="auto")``); else Ray starts one on this machine. Every worker needs
    this package. Bots that are callables travel by pickle; files that a config names must lie at the same places
    everywhere. A config with external bots needs a ``secret``, and none may have a stopping rule or a
    policy that disqualifies: no shard knows of the others.

    Args:
        config: The tournament, as for :func:`overtrick.run`.
        shards: How many parts it is cut into: a few for each core, so that the last ones do not keep all waiting.
        engine: ``"ray"``.
        out: The folder for the results; by default one that goes when the results object does.
        retries: How often a shard is played again after its worker was lost.
        cpus: How many cores a shard has.
        force: Replaces whatever ``out`` holds.
        progress: Is told how many shards are done, and how many there are.

    Raises:
        OvertrickError: what is wrong with the config, or that a shard was lost too often.
    """
    return _spread(_commands.run, config, shards, engine, out, retries, cpus, force, progress)


def sweep(
    config: Config,
    shards: int,
    *,
    engine: str = "ray",
    out: Optional[PathLike] = None,
    retries: int = 3,
    cpus: int = 1,
    force: bool = False,
    progress: Optional[Progress] = None,
) -> Results:
    """Plays the points of a sweep in shards, each with its share of the points, and merges them. More shards than points
    have nothing to do.

    Args:
        config: The sweep, as for :func:`overtrick.sweep`.
        shards: How many parts it is cut into: a few for each core, so that the last ones do not keep all waiting.

    The other arguments and the errors are those of :func:`run`.
    """
    return _spread(_commands.sweep, config, shards, engine, out, retries, cpus, force, progress)


def tune(
    config: Config,
    pieces: int,
    *,
    engine: str = "ray",
    out: Optional[PathLike] = None,
    page: bool = False,
    retries: int = 3,
    cpus: int = 1,
    resume: bool = False,
    force: bool = False,
    progress: Optional[Progress] = None,
) -> Results:
    """Finds the parameters with which a bot plays best, with the games played all over a cluster.

    Tuning goes on here, step by step: each compares settings on the same deals, and the deals are played in pieces. What
    is too small to be worth sending is played here.

    Args:
        config: The tuning, as for :func:`overtrick.tune`.
        pieces: Into how many pieces a comparison is cut at most: as many as the cluster has cores for, or twice as many
            if some are slower.
        engine: ``"ray"``.
        out: The folder for the results and the checkpoint; by default one that goes when the results object does.
        page: Writes report.html among the results, too.
        retries: How often a piece is played again after its worker was lost.
        cpus: How many cores a piece has.
        resume: Goes on where an earlier tuning in ``out`` was stopped, on a cluster or not.
        force: Replaces whatever ``out`` holds.
        progress: Is told how many games are played, and how many there are.

    Raises:
        OvertrickError: what is wrong with the config, or that a piece was lost too often.
        KeyboardInterrupt: after Ctrl-C. A checkpoint is in ``out``.
    """
    elsewhere = _pieces(config, pieces, engine, retries, cpus)
    return _commands.tune_elsewhere(
        config, elsewhere, out=out, page=page, resume=resume, force=force, progress=progress
    )


def league(
    config: Config,
    pieces: int,
    *,
    engine: str = "ray",
    out: Optional[PathLike] = None,
    retries: int = 3,
    cpus: int = 1,
    resume: bool = False,
    force: bool = False,
    progress: Optional[Progress] = None,
) -> Results:
    """Finds the best of many bots, with the games played all over a cluster.

    The league goes on here, round by round, and the deals of a round are played in pieces. What is too small to be worth
    sending is played here.

    Args:
        config: The league, as for :func:`overtrick.league`.
        pieces: Into how many pieces a round is cut at most: as many as the cluster has cores for, or twice as many if
            some are slower.

    The other arguments and the errors are those of :func:`tune`.
    """
    elsewhere = _pieces(config, pieces, engine, retries, cpus)
    return _commands.league_elsewhere(
        config, elsewhere, out=out, resume=resume, force=force, progress=progress
    )


def _pieces(config: Config, pieces: int, engine: str, retries: int, cpus: int) -> _commands.Elsewhere:
    """Has pieces played by the workers of a cluster."""
    ray = _ray(engine, pieces, "piece")
    play = ray.remote(max_retries=retries, num_cpus=cpus)(_piece)
    bots = ray.put(_commands.bots_of(config))

    def send(asked: List[bytes], names: List[str], is_stopped: Callable[[], bool]) -> Optional[List[bytes]]:
        tasks = [play.remote(piece, names, bots, cpus) for piece in asked]
        with contextlib.closing(_done(ray, tasks, "piece", retries, is_stopped)) as done:
            played: Dict[int, bytes] = dict(done)
        return [played[number] for number in range(len(asked))] if len(played) == len(asked) else None

    return pieces, send


def _spread(
    command: Command,
    config: Config,
    shards: int,
    engine: str,
    out: Optional[PathLike],
    retries: int,
    cpus: int,
    force: bool,
    progress: Optional[Progress],
) -> Results:
    """Has all shards played by a command that knows them, and puts them together."""
    ray = _ray(engine, shards, "shard")
    if not isinstance(config, Mapping):
        # Workers need not see the file, but what it names they must.
        config = _absolute(config)
    play = ray.remote(max_retries=retries, num_cpus=cpus)(_shard)
    tasks = [play.remote(command, config, f"{number}/{shards}", cpus) for number in range(1, shards + 1)]
    with tempfile.TemporaryDirectory(prefix="overtrick-shards-") as folder:
        places: List[pathlib.Path] = []
        with contextlib.closing(_done(ray, tasks, "shard", retries)) as done:
            for number, files in done:
                place = pathlib.Path(folder) / str(number)
                place.mkdir()
                for name, content in files.items():
                    (place / name).write_bytes(content)
                places.append(place)
                if progress is not None:
                    progress(len(places), shards)
        return _commands.merge(places, out=out, force=force)


def _ray(engine: str, count: int, what: str) -> Any:
    """Ray, for so many shards or pieces."""
    if engine != "ray":
        raise OvertrickError(f"there is no engine {engine!r}; there is 'ray'")
    if count < 1:
        raise OvertrickError(f"there must be one {what} or more, not {count}")
    import ray

    return ray


def _done(
    ray: Any, tasks: List[Any], what: str, retries: int, is_stopped: Callable[[], bool] = lambda: False
) -> Generator[Tuple[int, Any], None, None]:
    """The numbers of tasks from 0, with what they gave, as they are done. It ends early if all was stopped."""
    waiting: Dict[Any, int] = {task: number for number, task in enumerate(tasks)}
    try:
        while waiting and not is_stopped():
            done, _ = ray.wait(list(waiting), num_returns=1, timeout=LOOK)
            for one in done:
                number = waiting[one]
                given = _get(ray, one, f"{what} {number + 1}/{len(tasks)}", retries)
                del waiting[one]
                yield number, given
    finally:
        # After an error the others are not waited for.
        for left in waiting:
            ray.cancel(left, force=True)


def _get(ray: Any, ready: Any, name: str, retries: int) -> Any:
    try:
        return ray.get(ready)
    except ray.exceptions.RayTaskError as error:
        cause = getattr(error, "cause", None)
        if isinstance(cause, OvertrickError):
            raise OvertrickError(str(cause)) from None
        raise
    except ray.exceptions.RayError as error:
        raise OvertrickError(
            f"{name} was lost {retries + 1} times; look at the workers' logs: {error}"
        ) from error


def _shard(command: Command, config: Config, shard: str, threads: int) -> Files:
    """Plays one shard: what a worker does."""
    with tempfile.TemporaryDirectory(prefix="overtrick-shard-") as folder:
        out = os.path.join(folder, "shard")
        command(config, out=out, shard=shard, threads=threads)
        return {file.name: file.read_bytes() for file in pathlib.Path(out).iterdir() if file.is_file()}


def _piece(piece: bytes, names: List[str], bots: List[ChooseMany], threads: int) -> bytes:
    """Plays one piece of a tuning or a league: what a worker does."""
    return _commands.play_piece(piece, list(zip(names, bots)), threads)


def _absolute(config: PathLike) -> PathLike:
    path = pathlib.Path(config)
    if not path.is_file():
        raise OvertrickError(f"{path}: there is no such file")
    return str(path.absolute())
