"""The commands, as functions."""

from __future__ import annotations

import csv
import functools
import json
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Dict, FrozenSet, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _bots, _overtrick

if TYPE_CHECKING:
    import pandas
    import polars

PathLike = Union[str, "os.PathLike[str]"]
Config = Union[PathLike, Mapping[str, Any]]
"""The path of a config file, or a dict with the same keys. Paths in a dict count from the working directory; a bot may
be a :class:`Bot`, and keys whose value is None are left out."""
Progress = Callable[[int, int], object]
"""Is called a few times a second with the games played so far, and all of them (0 if that is not known). What it raises
ends the run in good order, and is raised again."""


class Results:
    """A folder of results, of :func:`run`, :func:`league`, :func:`tune`, :func:`sweep` or the commands of these names.

    Args:
        folder: The folder.

    Raises:
        OvertrickError: if there is no such folder.
    """

    def __init__(self, folder: PathLike) -> None:
        self.folder = pathlib.Path(folder)
        """The folder."""
        self.notes: Sequence[str] = ()
        """What the command had to say beside the results."""
        self.text = ""
        """The table that the command line shows."""
        self.had_faults = False
        """Whether bots had faults while this was played."""
        self._keep: object = None
        if not self.folder.is_dir():
            raise _overtrick.OvertrickError(f"{self.folder}: there is no such folder")

    def __repr__(self) -> str:
        return f"Results({str(self.folder)!r})"

    @property
    def tables(self) -> List[str]:
        """The names of the tables: those of the CSV files, without their ends."""
        return sorted(file.stem for file in self.folder.glob("*.csv"))

    def csv(self, table: str) -> bytes:
        """A table as CSV.

        Raises:
            OvertrickError: if there is no table of this name.
        """
        if table not in self.tables:
            there = ", ".join(self.tables)
            raise _overtrick.OvertrickError(f"{self.folder}: there is no table {table!r}; there are {there}")
        return (self.folder / f"{table}.csv").read_bytes()

    def pandas(self, table: str) -> "pandas.DataFrame":
        """A table as a frame of pandas, an extra: ``pip install 'overtrick[pandas]'``.

        Names and other texts stay texts: a bot may be called ``NA`` or ``007``. Only empty fields are missing.
        """
        import io

        import pandas

        content = self.csv(table)
        # Only empty fields are missing; pandas would take a dozen words for that, too.
        return pandas.read_csv(
            io.BytesIO(content), dtype={name: str for name in _texts(table, content)}, keep_default_na=False, na_values=[""]
        )

    def polars(self, table: str) -> "polars.DataFrame":
        """A table as a frame of polars, an extra: ``pip install 'overtrick[polars]'``. Texts stay texts."""
        import polars

        content = self.csv(table)
        # Types are found from all rows, since the first ones may be empty.
        return polars.read_csv(
            content, schema_overrides={name: polars.String for name in _texts(table, content)}, infer_schema_length=None
        )

    @property
    def summary(self) -> Dict[str, Any]:
        """What ``summary.json`` says.

        Raises:
            OvertrickError: if there is none, as in the folder of a shard.
        """
        file = self.folder / "summary.json"
        if not file.is_file():
            raise _overtrick.OvertrickError(f"{self.folder}: there is no summary.json")
        told: Dict[str, Any] = json.loads(file.read_bytes())
        return told


# The columns of text in tables of tunings, sweeps, leagues and explanations. Those of parameters and rules are not
# among them: numbers are numbers there.
_OTHER_TEXTS: Mapping[str, FrozenSet[str]] = {
    "tune": frozenset({"stage", "against"}),
    "optimum": frozenset({"parameter", "change"}),
    "confirm": frozenset({"what", "variant", "line-up"}),
    "league": frozenset({"bot-a", "bot-b", "ahead"}),
    "league-bots": frozenset({"bot", "status"}),
    "sweep": frozenset({"name", "bot", "measure"}),
    "effects": frozenset({"bot", "measure", "effect", "axis", "value", "against", "axis-2", "value-2", "against-2"}),
    "pareto": frozenset({"name"}),
    "retuned": frozenset({"name", "bot", "better"}),
    "explain": frozenset({"variant", "bot-a", "bot-b", "table", "category"}),
}


@functools.lru_cache(maxsize=None)
def _texts_of_runs() -> Mapping[str, FrozenSet[str]]:
    """By table of a run: the columns of text, by the schema that the program prints."""
    schema = json.loads(_print(["schema", "run-summary"]))
    texts = {}
    for table, rows in schema["properties"].items():
        row = schema["$defs"].get(rows.get("items", {}).get("$ref", "").rsplit("/", 1)[-1], {})
        types = {name: column.get("type") for name, column in row.get("properties", {}).items()}
        texts[table] = frozenset(name for name, kind in types.items() if kind == "string" or "string" in (kind or []))
    return texts


def _texts(table: str, content: bytes) -> List[str]:
    """The columns of a table in CSV that hold text."""
    known = _texts_of_runs().get(table) or _OTHER_TEXTS.get(table, frozenset())
    header = next(csv.reader([content.split(b"\n", 1)[0].decode()]))
    return [name for name in header if name in known]


def run(
    config: Config,
    *,
    out: Optional[PathLike] = None,
    threads: Optional[int] = None,
    seed: Optional[int] = None,
    deals: Optional[int] = None,
    changes: Iterable[str] = (),
    shard: Optional[str] = None,
    log: Optional[PathLike] = None,
    analyse: Optional[int] = None,
    page: bool = False,
    resume: bool = False,
    force: bool = False,
    keep_going: bool = False,
    progress: Optional[Progress] = None,
) -> Results:
    """Plays a tournament.

    >>> import overtrick
    >>> results = overtrick.run({
    ...     "seed": 1, "deals": 200, "format": "duel", "variants": ["dumbo"], "bots": ["rule-based", "random"],
    ... })
    >>> results.summary["headlines"][0]["text"][:29]
    'rule-based is ahead of random'

    Args:
        config: The tournament.
        out: The folder for the results; by default one that goes when the results object does.
        threads: How many threads; all cores by default. Results do not depend on it.
        seed: The master seed, instead of the config's.
        deals: How many deals (or matches) every line-up plays, instead of the config's number.
        changes: Changes of bots, each as ``--set`` takes it: ``"rule-based:dumbo.ambition=0.4"``.
        shard: Plays a part of the deals, for :func:`merge`: ``"3/8"`` is the third of eight. It needs ``out``.
        log: Writes a log, too: a row for each deal and seat. The end of the file's name says in which form.
        analyse: Judges every play of so many deals (or matches), from the first, with all cards known: the table
            ``given-away``.
        page: Writes report.html among the results, too.
        resume: Goes on where an earlier run in ``out`` was stopped.
        force: Replaces whatever ``out`` holds.
        keep_going: Plays even if a bot does not start; its decisions are then faults.
        progress: Is told how far it is.

    Raises:
        OvertrickError: what is wrong with the config or the folder, in one message.
        KeyboardInterrupt: after Ctrl-C. A checkpoint is in ``out``.
    """
    args = [
        *_how(threads, page, resume, force),
        *_option("--seed", seed),
        *_option("--deals", deals),
        *(part for change in changes for part in ("--set", change)),
        *_option("--shard", shard),
        *_option("--log", log),
        *([] if analyse is None else [f"--analyse={analyse}"]),
        *_flag("--keep-going", keep_going),
    ]
    return _play("run", config, args, out, progress)


def tune(
    config: Config,
    *,
    out: Optional[PathLike] = None,
    threads: Optional[int] = None,
    page: bool = False,
    resume: bool = False,
    force: bool = False,
    progress: Optional[Progress] = None,
) -> Results:
    """Finds the parameters with which a bot plays best, and says what that is worth. Arguments as in :func:`run`."""
    return _play("tune", config, _how(threads, page, resume, force), out, progress)


Elsewhere = Tuple[int, Callable[[List[bytes], List[str], Callable[[], bool]], Optional[List[bytes]]]]
"""The most pieces into which comparisons and rounds are cut, and a callable that has them played.

The callable takes the pieces, the names of the bots, and a callable that returns whether all was stopped. It returns
the results of :func:`play_piece` for each piece, or None if all was stopped."""


def tune_elsewhere(
    config: Config,
    elsewhere: Elsewhere,
    *,
    out: Optional[PathLike],
    page: bool,
    resume: bool,
    force: bool,
    progress: Optional[Progress],
) -> Results:
    """Tunes as :func:`tune`, with the pieces of large comparisons played elsewhere."""
    return _play("tune", config, _how(None, page, resume, force), out, progress, elsewhere)


def league(
    config: Config,
    *,
    out: Optional[PathLike] = None,
    threads: Optional[int] = None,
    resume: bool = False,
    force: bool = False,
    progress: Optional[Progress] = None,
) -> Results:
    """Finds the best of many bots, and stops playing those that are behind. Arguments as in :func:`run`."""
    return _play("league", config, _how(threads, False, resume, force), out, progress)


def league_elsewhere(
    config: Config,
    elsewhere: Elsewhere,
    *,
    out: Optional[PathLike],
    resume: bool,
    force: bool,
    progress: Optional[Progress],
) -> Results:
    """Plays a league as :func:`league`, with the pieces of large rounds played elsewhere."""
    return _play("league", config, _how(None, False, resume, force), out, progress, elsewhere)


def play_piece(piece: bytes, bots: Bots, threads: int) -> bytes:
    """Plays a piece of a tuning or a league that goes on elsewhere."""
    return _overtrick.play_piece(piece, bots, _bots.ask, threads)


def bots_of(config: Config) -> List[_bots.ChooseMany]:
    """The callables that a config has as bots, in its order."""
    return [choose_many for _, choose_many in _read(config)[2]]


def sweep(
    config: Config,
    *,
    out: Optional[PathLike] = None,
    threads: Optional[int] = None,
    shard: Optional[str] = None,
    page: bool = False,
    resume: bool = False,
    force: bool = False,
    progress: Optional[Progress] = None,
) -> Results:
    """Plays the points of a space of rules, and measures their balance. Arguments as in :func:`run`; a shard has a part of
    the points."""
    args = [*_how(threads, page, resume, force), *_option("--shard", shard)]
    return _play("sweep", config, args, out, progress)


def merge(
    folders: Iterable[PathLike],
    *,
    out: Optional[PathLike] = None,
    log: Optional[PathLike] = None,
    partial: bool = False,
    force: bool = False,
) -> Results:
    """Puts the results of shards together: they are those of one run, to the byte.

    Args:
        folders: The folders of the shards, all of them, in any order.
        out: The folder for the results; by default one that goes when the results object does.
        log: Writes a log, too, from shards that were played with one.
        partial: Makes do with the shards that there are.
        force: Replaces results of another run.

    Raises:
        OvertrickError: if a shard is missing, or the folders do not belong together.
    """
    args = [*(os.fspath(folder) for folder in folders), *_option("--log", log), *_flag("--partial", partial), *_flag("--force", force)]
    return _play("merge", None, args, out, None)


def compare(a: Union[PathLike, Results], b: Union[PathLike, Results]) -> List[Dict[str, Any]]:
    """What changed from the results of one run to those of another: a row for each bot and variant.

    Raises:
        OvertrickError: if they cannot be compared.
    """
    told: List[Dict[str, Any]] = json.loads(_print(["compare", *map(_folder, (a, b)), "--format", "json"]))
    return told


def report(
    results: Union[PathLike, Results, Iterable[Union[PathLike, Results]]],
    *,
    out: Optional[PathLike] = None,
    analyse: bool = False,
    force: bool = False,
) -> pathlib.Path:
    """Makes one page of HTML from results.

    Args:
        results: Results of runs, tunings and sweeps, or their folders: a section for each.
        out: The page's file; report.html in the first folder by default.
        analyse: Marks the plays that gave away tricks.
        force: Replaces the file ``out`` if it is there already.

    Returns:
        The page's file.
    """
    several = [results] if isinstance(results, (str, os.PathLike, Results)) else list(results)
    folders = [_folder(one) for one in several]
    _print(["report", *folders, *_option("--out", out), *_flag("--analyse", analyse), *_flag("--force", force), "--quiet"])
    return pathlib.Path(out) if out is not None else pathlib.Path(folders[0]) / "report.html"


def exploit(
    bot: PathLike,
    variant: PathLike,
    *,
    others: Iterable[PathLike] = (),
    worlds: Optional[int] = None,
    first_round: Optional[int] = None,
    deals: Optional[int] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
) -> Dict[str, Any]:
    """How much can be won, at least, from a bot whose play is known, and by whom.

    >>> import overtrick
    >>> overtrick.exploit("random", "colour-blind-2", worlds=0, first_round=4, deals=150)["at-least"] > 10
    True

    Args:
        bot: The bot, by name or as a manifest's file.
        variant: The variant, by name or as a file.
        others: Bots that are tried against it, too.
        worlds: How many worlds the searcher looks at that expects the bot's own choices, 0 to leave it out; 60 by
            default, or 0 for a bot that searches itself.
        first_round: How many deals each of them plays in the first round, each in every seating, 32 by default; each
            round has twice as many as the one before.
        deals: How many fresh deals the best of those that were tried plays, each in every seating; 1000 by default.
        seed: The master seed.
        threads: How many threads; all cores by default. Results do not depend on it.
    """
    named = ",".join(os.fspath(other) for other in others)
    args = [
        *("--variant", os.fspath(variant)),
        *_option("--with", named or None),
        *_option("--worlds", worlds),
        *_option("--first-round", first_round),
        *_option("--deals", deals),
        *_option("--seed", seed),
        *_option("--threads", threads),
    ]
    told: Dict[str, Any] = json.loads(_print(["exploit", os.fspath(bot), *args, "--quiet", "--format", "json"]))
    return told


def rate(
    matches: Union[PathLike, Iterable[Mapping[str, Any]]], *, anchor: Optional[str] = None
) -> Dict[str, Any]:
    """Elo ratings with intervals, from matches.

    Args:
        matches: A CSV file with a row for each player of a match (``overtrick rate --help`` has the columns), or such
            rows as dicts.
        anchor: The player whose Elo is set to 0. Without it, the mean of all is 0.

    Raises:
        OvertrickError: what is wrong with a row, or why nobody can be rated.
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(matches, (str, os.PathLike)):
            file = os.fspath(matches)
        else:
            file = os.path.join(folder, "matches.csv")
            _write_rows(file, list(matches))
        told: Dict[str, Any] = json.loads(_print(["rate", file, *_option("--anchor", anchor), "--format", "json"]))
    return told


def replay(
    config: Config,
    deal: int,
    *,
    variant: Optional[str] = None,
    lineup: Sequence[str] = (),
    count: Optional[int] = None,
    analyse: bool = False,
) -> List[Dict[str, Any]]:
    """Plays deals of a tournament again, and gives their records.

    Args:
        config: The tournament, or the config.toml among its results.
        deal: The number of the deal (or match).
        variant: The variant; may be left out if there is only one.
        lineup: The names of the bots by seat; by default the first line-up in its first seating.
        count: How many deals from that one on.
        analyse: Marks the plays that gave away tricks, with all cards known.
    """
    args = [
        *_option("--deal", deal),
        *_option("--variant", variant),
        *(["--lineup", ",".join(lineup)] if lineup else []),
        *_option("--count", count),
        *_flag("--analyse", analyse),
        "--format",
        "json",
    ]
    file, text, bots = _read(config)
    printed = _call(["replay", file, *args], text, bots, None)[0]
    return [json.loads(line) for line in printed.splitlines() if line]


def solve(deals: Union[PathLike, Iterable[Mapping[str, Any]]]) -> List[Dict[str, Any]]:
    """How many tricks sides win where all cards are known, for each deal and for each card to lead.

    Args:
        deals: A file of deals, a line of JSON for each (``overtrick solve --help`` has the fields), or such deals as
            dicts.
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(deals, (str, os.PathLike)):
            file = os.fspath(deals)
        else:
            file = os.path.join(folder, "deals.jsonl")
            with open(file, "w", encoding="utf-8") as lines:
                lines.writelines(json.dumps(dict(deal)) + "\n" for deal in deals)
        printed = _print(["solve", file, "--format", "json"])
    return [json.loads(line) for line in printed.splitlines() if line]


def list_(what: str = "variants") -> List[Dict[str, Any]]:
    """What there is: ``games``, ``variants``, ``strategies``, ``bots``, ``parameters`` or ``outputs``, a dict for each.

    Raises:
        OvertrickError: if there is no such list.
    """
    told: List[Dict[str, Any]] = json.loads(_print(["list", what, "--format", "json"]))
    return told


def _how(threads: Optional[int], page: bool, resume: bool, force: bool) -> List[str]:
    """The options that all commands have which play."""
    return [
        *_option("--threads", threads),
        *_flag("--report", page),
        *_flag("--resume", resume),
        *_flag("--force", force),
    ]


def _option(name: str, value: Union[None, int, float, PathLike]) -> List[str]:
    if value is None:
        return []
    return [name, str(value) if isinstance(value, (int, float)) else os.fspath(value)]


def _flag(name: str, is_set: bool) -> List[str]:
    return [name] if is_set else []


def _folder(results: Union[PathLike, Results]) -> str:
    return str(results.folder) if isinstance(results, Results) else os.fspath(results)


def _write_rows(file: str, rows: List[Mapping[str, Any]]) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    with open(file, "w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, names)
        writer.writeheader()
        writer.writerows(dict(row) for row in rows)


Bots = List[Tuple[str, _bots.ChooseMany]]


def _read(config: Config) -> Tuple[str, Optional[str], Bots]:
    """A config as the compiled part takes it: the file's name, or - and a text; and its bots."""
    if not isinstance(config, Mapping):
        return os.fspath(config), None, []
    bots: Bots = []

    def plain(value: object) -> object:
        if isinstance(value, _bots.Bot):
            label = value._label()
            bots.append((label, value.choose_many))
            return {"name": value.name, "strategy": "python", "parameters": {"callable": label}}
        if isinstance(value, Mapping):
            return dict(value)
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if isinstance(value, (np.generic, np.ndarray)):
            return value.tolist()
        raise TypeError(f"a config has numbers, texts, lists, dicts and bots, and not {type(value).__name__}")

    return "-", json.dumps(config, default=plain, allow_nan=False), bots


def _call(
    args: Sequence[str],
    config: Optional[str],
    bots: Bots,
    progress: Optional[Progress],
    elsewhere: Optional[Elsewhere] = None,
) -> Tuple[str, List[str], bool]:
    told = _overtrick.call(list(args), config, bots, _bots.ask, progress, elsewhere)
    if told is None:
        raise _overtrick.OvertrickError("it was stopped before its end")
    return told


def _print(args: Sequence[str]) -> str:
    return _call(args, None, [], None)[0]


def _play(
    command: str,
    config: Optional[Config],
    args: Sequence[str],
    out: Optional[PathLike],
    progress: Optional[Progress],
    elsewhere: Optional[Elsewhere] = None,
) -> Results:
    file, text, bots = ("", None, []) if config is None else _read(config)
    keep = None
    if out is None:
        keep = tempfile.TemporaryDirectory(prefix="overtrick-")
        # A folder that is not there yet, as the command likes it.
        out = os.path.join(keep.name, "results")
    before = [] if config is None else [file]
    args = [command, *before, *args, "--out", os.fspath(out)]
    printed, notes, had_faults = _call(args, text, bots, progress, elsewhere)
    results = Results(out)
    results.text, results.notes, results.had_faults, results._keep = printed, notes, had_faults, keep
    return results
