"""The commands as functions: the same results as the command line's, errors as exceptions."""

import pathlib
import re
import subprocess
import sys
import threading
import time

import numpy as np
import overtrick
import pytest

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = next(
    (ROOT / "target" / kind / "overtrick" for kind in ("release", "debug") if (ROOT / "target" / kind / "overtrick").exists()),
    None,
)
DUEL = {"seed": 1, "deals": 300, "format": "duel", "variants": ["dumbo"], "bots": ["rule-based", "random"]}
NOT_REPRODUCIBLE = {"timing.json"}


def same_files(one, other):
    names = {file.name for file in one.iterdir()} - NOT_REPRODUCIBLE
    assert names == {file.name for file in other.iterdir()} - NOT_REPRODUCIBLE
    assert len(names) > 8
    for name in names:
        texts = [(folder / name).read_bytes() for folder in (one, other)]
        if name == "summary.json":
            # The program may have been built before the last change, and says so.
            texts = [re.sub(rb'"commit": ".*"', b"", text) for text in texts]
        assert texts[0] == texts[1], name


def test_quick_toml_gives_the_bytes_of_the_command_line(tmp_path):
    assert PROGRAM is not None, "build the command line first: cargo build"
    whole = (ROOT / "configs" / "quick.toml").read_text()
    config = tmp_path / "quick.toml"
    config.write_text(re.sub(r"(?m)^deals = .*$", "deals = 200", whole))
    assert config.read_text() != whole
    subprocess.run([PROGRAM, "run", config, "--out", tmp_path / "line", "--quiet"], check=True, cwd=ROOT)
    overtrick.run(config, out=tmp_path / "python")
    same_files(tmp_path / "line", tmp_path / "python")


def test_results_are_frames(tmp_path):
    told = []
    results = overtrick.run(DUEL, progress=lambda done, of: told.append((done, of)))
    assert results.tables == sorted(results.tables) and "bots" in results.tables
    for table in results.tables:
        frame, other = results.pandas(table), results.polars(table)
        assert list(frame.columns) == other.columns and len(frame) == len(other), table
    rows = results.pandas("bots").set_index("bot")
    assert rows.loc["rule-based", "mean"] > rows.loc["random", "mean"]
    assert results.summary["headlines"][0]["text"].startswith("rule-based is ahead of random")
    assert "rule-based" in results.text and not results.had_faults
    assert told[-1][0] <= told[-1][1] and told == sorted(told)
    assert overtrick.Results(results.folder).summary == results.summary
    folder = results.folder
    del results
    assert not folder.exists()


def test_names_survive_in_frames(tmp_path):
    def names(*all):
        strategies = ["rule-based", "random", "random", "random"]
        bots = [{"bot": strategy, "name": name} for strategy, name in zip(strategies, all)]
        config = {**DUEL, "deals": 300, "format": "round-robin", "variants": ["euchre-32"], "bots": bots}
        results = overtrick.run(config)
        tables = {"bots": ["bot"], "ratings": ["bot"], "pairs": ["bot-a", "bot-b"], "swings": ["ahead", "behind"]}
        for table, columns in tables.items():
            frame, other = results.pandas(table), results.polars(table)
            found = set().union(*(frame[column] for column in columns))
            assert found == set().union(*(other[column] for column in columns)) == set(all), table
        # Figures stay figures, and only empty fields are missing.
        assert results.pandas("bots")["mean"].dtype == results.polars("bots")["mean"].to_numpy().dtype == float
        assert results.pandas("bots")["declared"].notna().all() and results.pandas("pairs")["deals"].dtype == int
        assert results.pandas("ratings")["won"].isna().all()
        [panel] = [row for row in overtrick.compare(results, results) if row["bot"] == all[0]]
        assert panel["bot"] == all[0]

    names("NA", "007", "7", "null")
    names("1.10", "1.1", "1.9")
    names("1e5", "true", "nan", "-inf")


def test_shards_merge_to_the_whole(tmp_path):
    overtrick.run(DUEL, out=tmp_path / "whole")
    for shard in ("1/3", "2/3", "3/3"):
        overtrick.run(DUEL, out=tmp_path / shard[0], shard=shard)
    overtrick.merge([tmp_path / "1", tmp_path / "3", tmp_path / "2"], out=tmp_path / "merged")
    same_files(tmp_path / "whole", tmp_path / "merged")


def test_other_commands(tmp_path):
    one = overtrick.run(DUEL, out=tmp_path / "one")
    other = overtrick.run({**DUEL, "seed": 2}, out=tmp_path / "other")
    rows = overtrick.compare(one, other)
    assert {row["bot"] for row in rows} >= {"rule-based", "random"}
    assert one.csv("given-away").count(b"\n") == 1
    judged = overtrick.run(DUEL, analyse=2).pandas("given-away")
    assert set(judged["bot"]) == {"rule-based", "random"} and (judged["given-away"] >= 0).all()
    page = overtrick.report([one, other], out=tmp_path / "page.html")
    with pytest.raises(overtrick.OvertrickError, match="page.html: .*is there already"):
        overtrick.report(one, out=page)
    assert overtrick.report([one, other], out=page, force=True) == page
    assert page.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    records = overtrick.replay(DUEL, 5, count=2)
    assert [record["deal"] for record in records] == [5, 6]
    assert overtrick.replay(tmp_path / "one" / "config.toml", 5) == records[:1]
    assert "dumbo" in [row["variant"] for row in overtrick.list_("variants")]
    matches = [
        {"match": number, "player": player, "score": -place}
        for number in range(40)
        for place, player in enumerate(["ann", "bob"] if number % 3 else ["bob", "ann"], start=1)
    ]
    rated = overtrick.rate(matches, anchor="bob")
    elo = {row["player"]: row["elo"] for row in rated["players"]}
    assert elo["ann"] > elo["bob"] == 0
    formulas = [{**match, "player": f"={match['player']}"} for match in matches]
    assert {row["player"] for row in overtrick.rate(formulas)["players"]} == {"=ann", "=bob"}
    hands = {"n": "AS KH", "e": "2S 2H", "s": "KS 3H", "w": "3S 4H"}
    with pytest.raises(overtrick.OvertrickError):
        overtrick.solve([{"hands": hands, "nonsense": 1}])


def test_tuning_and_sweeps():
    tuned = overtrick.tune(ROOT / "tests" / "browser" / "tune.toml")
    assert tuned.tables and tuned.summary
    swept = overtrick.sweep(ROOT / "tests" / "browser" / "sweep.toml")
    assert len(swept.pandas("sweep")) > 1 and swept.polars("sweep").height > 1
    rules = {"match-bonus": [0, 10], "tie-score": [-4, 0]}
    config = {"seed": 1, "sweep": {"base": "dumbo", "deals": 20, "panel": ["random"], "axes": rules}}
    effects = overtrick.sweep(config).pandas("effects")
    # Values of rules are texts, be they numbers or words.
    for column in ["value", "against", "value-2", "against-2"]:
        values = effects[column].dropna()
        assert len(values) and all(isinstance(value, str) for value in values), column


def test_leagues(tmp_path):
    grid = {"bot": "rule-based", "parameters": {"euchre.courage": [1.0, 2.0, 3.0]}}
    league = {"variant": "euchre-24", "bots": ["random"], "grid": grid, "question": {"top": 2}, "resolution": 0.1}
    told = []
    results = overtrick.league(
        {"seed": 7, "league": league}, out=tmp_path / "one", progress=lambda done, of: told.append(done)
    )
    assert results.summary["answered"] and results.summary["sentence"] in " ".join(results.text.split())
    assert results.tables == ["league", "league-bots"] and not results.had_faults
    bots = results.pandas("league-bots")
    assert set(bots["bot"]) == {"random", "courage-1.0", "courage-2.0", "courage-3.0"}
    assert bots["bot"].iloc[3] == "random" and bots["status"].iloc[3] == "out"
    assert len(results.polars("league")) == 6
    with pytest.raises(overtrick.OvertrickError, match="league.question.top"):
        overtrick.league({"seed": 7, "league": {**league, "question": {"top": 4}}})


def test_errors_say_what_is_wrong(tmp_path):
    def message(config):
        with pytest.raises(overtrick.OvertrickError) as caught:
            overtrick.run(config)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "config: `variants #1`: there is no variant \"dumb\" (did you mean dumbo?)" in message({**DUEL, "variants": ["dumb"]})
    assert "unknown key" in message({**DUEL, "deels": 3})
    assert "nowhere.toml: there is no such file" in message("nowhere.toml")
    assert "too large" in message({**DUEL, "seed": 2**63})
    assert "`bots.1`: is None" in message({**DUEL, "bots": ["random", None]})
    with pytest.raises(TypeError, match="complex"):
        overtrick.run({**DUEL, "seed": 1j})
    with pytest.raises(overtrick.OvertrickError, match="no such folder"):
        overtrick.Results(tmp_path / "nowhere")
    with pytest.raises(overtrick.OvertrickError, match="there is no table 'botz'; there are balance"):
        overtrick.run(DUEL).csv("botz")
    with pytest.raises(overtrick.OvertrickError, match="would replace|holds"):
        overtrick.run(DUEL, out=tmp_path / "out")
        overtrick.run({**DUEL, "seed": 2}, out=tmp_path / "out")


def test_what_a_callback_raises_ends_the_run(tmp_path):
    class Enough(Exception):
        pass

    def enough(done, of):
        if done > 0:
            raise Enough

    with pytest.raises(Enough):
        overtrick.run({**DUEL, "deals": 10_000_000}, out=tmp_path / "out", progress=enough)
    assert (tmp_path / "out" / "checkpoint.bin").exists()


def test_ctrl_c_leaves_a_checkpoint(tmp_path):
    code = (
        "import overtrick, sys\n"
        "try:\n"
        f"    overtrick.run({{**{DUEL!r}, 'deals': 10**8}}, out={str(tmp_path / 'out')!r},\n"
        "        progress=lambda done, of: print(done, flush=True))\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(7)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    while int(child.stdout.readline()) == 0:
        pass
    child.send_signal(2)
    child.stdout.read()
    assert child.wait() == 7
    assert (tmp_path / "out" / "checkpoint.bin").exists()


def test_other_threads_go_on_while_games_are_played():
    run = threading.Thread(target=lambda: overtrick.run({**DUEL, "deals": 1000}, threads=1))
    run.start()
    turns = 0
    while run.is_alive():
        turns += 1
        time.sleep(0)
    # Were the interpreter locked all the time, there would be hardly any.
    assert turns > 100


def test_two_runs_at_a_time_keep_their_bots_apart():
    def always(place):
        return lambda decisions: (
            decisions.legal.argmax(axis=1) if place else decisions.legal.shape[1] - 1 - decisions.legal[:, ::-1].argmax(axis=1)
        )

    def means(place):
        config = {**DUEL, "deals": 400, "bots": [overtrick.Bot("mine", always(place)), "random"]}
        return overtrick.run(config).pandas("bots").set_index("bot").loc["mine", "mean"]

    alone = [means(0), means(1)]
    assert alone[0] != alone[1]
    together = [None, None]

    def play(place):
        together[place] = means(place)

    threads = [threading.Thread(target=play, args=(place,)) for place in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone
