"""Runs and sweeps on more than one machine, on engines that exist.

:func:`run` and :func:`sweep` play in shards on Ray, an extra (``pip install 'overtrick[ray]'``), and merge them: the
results are those of one machine, to the byte. Shards that are lost with their machine are played again. For Slurm and
Kubernetes there are ``examples/slurm.sh`` and ``examples/kubernetes.yaml``; docs/clusters.md has all three.
"""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import Any, Callable, Dict, List, Mapping, Optional

from . import _commands
from ._commands import Config, PathLike, Progress, Results
from ._overtrick import OvertrickError

__all__ = ["run", "sweep"]

Files = Dict[str, bytes]
"""The files of a shard by name."""
Command = Callable[..., Results]
"""A command that plays shards."""


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
    everywhere. A config with bots outside of the process needs a ``secret``, and none may have a stopping rule or a
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
    if engine != "ray":
        raise OvertrickError(f"there is no engine {engine!r}; there is 'ray'")
    if shards < 1:
        raise OvertrickError(f"there must be one shard or more, not {shards}")
    import ray

    if not isinstance(config, Mapping):
        # Workers need not see the file, but what it names they must.
        config = _absolute(config)
    play = ray.remote(max_retries=retries, num_cpus=cpus)(_shard)
    waiting: Dict[Any, int] = {
        play.remote(command, config, f"{number}/{shards}", cpus): number for number in range(1, shards + 1)
    }
    with tempfile.TemporaryDirectory(prefix="overtrick-shards-") as folder:
        done: List[pathlib.Path] = []
        try:
            while waiting:
                [ready], _ = ray.wait(list(waiting), num_returns=1)
                number = waiting[ready]
                files = _get(ray, ready, number, shards, retries)
                del waiting[ready]
                place = pathlib.Path(folder) / str(number)
                place.mkdir()
                for name, content in files.items():
                    (place / name).write_bytes(content)
                done.append(place)
                if progress is not None:
                    progress(len(done), shards)
        finally:
            # After an error nobody waits for the others.
            for left in waiting:
                ray.cancel(left, force=True)
        return _commands.merge(done, out=out, force=force)


def _get(ray: Any, ready: Any, number: int, shards: int, retries: int) -> Files:
    try:
        files: Files = ray.get(ready)
        return files
    except ray.exceptions.RayTaskError as error:
        cause = getattr(error, "cause", None)
        if isinstance(cause, OvertrickError):
            raise OvertrickError(str(cause)) from None
        raise
    except ray.exceptions.RayError as error:
        raise OvertrickError(
            f"shard {number}/{shards} was lost {retries + 1} times; look at the workers' logs: {error}"
        ) from error


def _shard(command: Command, config: Config, shard: str, threads: int) -> Files:
    """Plays one shard: what a worker does."""
    with tempfile.TemporaryDirectory(prefix="overtrick-shard-") as folder:
        out = os.path.join(folder, "shard")
        command(config, out=out, shard=shard, threads=threads)
        return {file.name: file.read_bytes() for file in pathlib.Path(out).iterdir() if file.is_file()}


def _absolute(config: PathLike) -> PathLike:
    path = pathlib.Path(config)
    if not path.is_file():
        raise OvertrickError(f"{path}: there is no such file")
    return str(path.absolute())
