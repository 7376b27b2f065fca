"""Checks every JSON output of the program against the schema that it prints for it, and sees that wrong ones fail.

    python schemas.py PROGRAM FOLDER

The outputs are made in the folder, which must be empty. Wants the package jsonschema.
"""

import copy
import json
import pathlib
import subprocess
import sys
import tomllib

from jsonschema import Draft202012Validator

PROGRAM, FOLDER = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])

FILES = {
    # The second bot never starts, so that there are faults; the fourth is the third without an option.
    "run.toml": """
        seed = 7
        deals = 60
        variants = ["dumbo", "dummy-whist"]
        bots = [
            "random",
            { name = "absent", strategy = "process", parameters = { command = ["false"] } },
            "rule-based",
            { name = "lacking", strategy = "restricted", parameters = { bot = "rule-based", forbid = ["AS"] } },
        ]
    """,
    "matches.toml": """
        seed = 7
        matches = 400
        unit = "match"
        format = "duel"
        variants = ["dumbo"]
        bots = ["random", "rule-based"]
        stop = { half-width = 3.0 }
    """,
    "copies.toml": """
        seed = 7
        deals = 60
        copies = true
        variants = ["dumbo"]
        bots = ["random", "cautious", "rule-based"]
    """,
    "tune.toml": """
        seed = 7
        [tune]
        bot = { bot = "rule-based", name = "timid", parameters = { euchre = { courage = 4.9 } } }
        variants = ["euchre-24"]
        games = 30000
        [tune.parameters]
        "euchre.courage" = { low = 0.0, high = 5.0 }
        "euchre.ace" = { low = 0.0, high = 2.0 }
    """,
    "sweep.toml": """
        seed = 7
        [sweep]
        base = "colour-blind"
        deals = 100
        panel = ["random", "rule-based"]
        [sweep.axes]
        lowest-score = [-60, 0]
        [sweep.want]
        seat-advantage-won = { max = 0.1 }
        [sweep.retune]
        bot = "rule-based"
        games = 10000
        [sweep.retune.parameters]
        "colour-blind.hope" = {}
        "colour-blind.spite" = {}
    """,
    "league.toml": """
        seed = 7
        [league]
        variant = "euchre-24"
        bots = ["random", "cautious", "rule-based"]
        question = "best"
        resolution = 0.5
    """,
    "open.toml": """
        seed = 7
        [league]
        variant = "dumbo"
        bots = ["cautious", "random"]
        question = { better-than = "cautious" }
        games = 9000
        [league.grid]
        bot = "rule-based"
        [league.grid.parameters]
        "dumbo.ambition" = [0.5, 0.6]
    """,
    "race.toml": """
        seed = 7
        [tune]
        bot = "cautious"
        variants = ["dumbo"]
        games = 20000
        [tune.parameters]
        "dumbo.ambition" = {}
    """,
    "plain.toml": """
        seed = 7
        [sweep]
        base = "dumbo"
        deals = 100
        panel = ["random"]
        [sweep.axes]
        dumbo-exposed = ["before-lead", "after-lead"]
    """,
    "matches.csv": "match,player,score,seat\n1,Ann,12,a\n1,Bob,7,b\n2,Bob,9,a\n2,Cy,9,b\n",
    "solve.jsonl": json.dumps({
        "hands": {"south": ["4S", "5S"], "west": ["KS", "JS"]},
        "sides": [["south"], ["west"]],
        "leader": "south",
    }),
}


def run(*words, code=0):
    """What a command prints."""
    done = subprocess.run([PROGRAM, *words], cwd=FOLDER, capture_output=True, text=True)
    if done.returncode != code:
        raise SystemExit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def read(name):
    return (FOLDER / name).read_text(encoding="utf-8")


def outputs():
    """Each schema's name, with documents that it describes."""
    run("run", "run.toml", "--out", "run", "--keep-going", "--log", "deals.jsonl", "--quiet", code=1)
    run("run", "matches.toml", "--out", "matches", "--log", "matches.jsonl", "--quiet")
    run("duel", "random", "rule-based", "--variant", "dumbo", "--deals", "200", "--out", "duel", "--quiet")
    (FOLDER / "parts.toml").write_text(FILES["run.toml"].replace('"absent", strategy = "process"', '"absent", '
                                       'strategy = "random"').replace('{ command = ["false"] }', "{}"))
    run("run", "parts.toml", "--shard", "2/3", "--out", "part", "--quiet")
    run("merge", "part", "--partial", "--out", "partial", "--quiet")
    run("run", "copies.toml", "--out", "copies", "--quiet")
    folders = ["run", "matches", "duel", "partial", "copies"]
    yield "run-summary", [json.loads(read(f"{folder}/summary.json")) for folder in folders]
    yield "run-timing", [json.loads(read(f"{folder}/timing.json")) for folder in folders]
    yield "log", lines(read("deals.jsonl")) + lines(read("matches.jsonl"))
    for command, names in [("tune", ["tune", "race"]), ("sweep", ["sweep", "plain"]), ("league", ["league", "open"])]:
        for name in names:
            run(command, f"{name}.toml", "--out", name, "--quiet")
        yield f"{command}-summary", [json.loads(read(f"{name}/summary.json")) for name in names]
    whist = ("--variant", "dummy-whist", "--deal", "3", "--count", "5", "--format", "json")
    match = ("--variant", "dumbo", "--deal", "3", "--format", "json")
    yield "record", lines(run("replay", "run.toml", *whist)) + lines(run("replay", "matches.toml", *match)) + lines(
        run("replay", "run.toml", "--analyse", "--lineup", "random,random,rule-based", *whist))
    printed = json.loads(run("explain", "duel", "random", "rule-based", "--format", "json"))
    yield "explain", [printed, json.loads(read("duel/explain.json"))]
    exploit = ("exploit", "random", "--variant", "euchre-24", "--deals", "30", "--first-round", "8", "--quiet", "--format",
               "json")
    yield "exploit", [json.loads(run(*exploit))]
    small = pathlib.Path(__file__).resolve().parent.parent / "data" / "definition" / "small.toml"
    benchmark = ("--definition", str(small), "--format", "json", "--quiet")
    yield "benchmark", [json.loads(run("benchmark", "random", "--out", "all/random.json", *benchmark))]
    yield "benchmark-result", [json.loads(read("all/random.json"))]
    yield "benchmark-table", [json.loads(run("benchmark", "--table", "all", *benchmark))]
    yield "compare", [json.loads(run("compare", "run", "run", "--format", "json"))]
    rate = ("rate", "matches.csv", "--format", "json")
    yield "rate", [json.loads(run(*rate)), json.loads(run(*rate, "--anchor", "Ann"))]
    yield "solve", lines(run("solve", "solve.jsonl"))
    (FOLDER / "absent.toml").write_text('name = "absent"\nstrategy = "process"\nparameters = { command = ["false"] }\n')
    yield "check", [
        json.loads(run("check", "rule-based", "--deals", "2", "--format", "json")),
        json.loads(run("check", "absent.toml", "--variant", "dumbo", "--format", "json", code=1)),
    ]
    games = pathlib.Path(__file__).resolve().parents[2] / "crates/language/tests/language/games"
    yield "check-game", [
        json.loads(run("check", str(games / game), "--deals", "200", "--format", "json"))
        for game in ["dumbo.toml", "euchre.toml"]
    ]
    yield "bench", [json.loads(run("bench", "--variant", "dumbo", "--format", "json"))]
    variants = json.loads(run("list", "variants", "--format", "json"))
    yield "rules", [json.loads(run("rules", variant["variant"], "--format", "json")) for variant in variants]
    yield "list", [json.loads(run("list", "--format", "json"))]
    for what in ["games", "variants", "strategies", "bots", "parameters", "outputs"]:
        yield f"list-{what}", [json.loads(run("list", what, "--format", "json"))]
    yield "schema", [json.loads(run("schema", "--format", "json"))]
    yield "game-file", [tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(games.glob("*.toml"))]


def objects(document, place=()):
    """The places of all objects with keys, the document's own first; of a list the first alone."""
    if isinstance(document, dict):
        yield place
        for key, value in document.items():
            yield from objects(value, (*place, key))
    elif isinstance(document, list) and document:
        yield from objects(document[0], (*place, 0))


def spoiled(document):
    """The document with a key too many, a key too few, or a value that cannot be, wherever keys are fixed."""
    for place in objects(document):
        # What these hold depends on the game, the bot or the names of hands.
        is_open = any(key in ("config", "best", "start", "rules", "manifest") for key in place)
        # Below its top, a game file may leave out any key.
        is_open = is_open or ("game" in document and "source" in document and place)
        if is_open or (place and place[-1] in ("hands", "table", "tricks-won", "moves")):
            continue
        for change in ("more", "less", "wrong"):
            other = copy.deepcopy(document)
            inner = other
            for key in place:
                inner = inner[key]
            key = next(iter(inner))
            if change == "more":
                inner["no such key"] = 1
            elif change == "less":
                del inner[key]
            else:
                plain = [key for key, value in inner.items() if not isinstance(value, dict)]
                if not plain:
                    continue
                inner[plain[0]] = {"no such": "value"}
            yield f"{change} at {list(place)}", other


for name, text in FILES.items():
    (FOLDER / name).write_text(text, encoding="utf-8")
listed = [row["schema"] for row in json.loads(run("schema", "--format", "json"))]
checked, failed = [], 0
for name, documents in outputs():
    schema = json.loads(run("schema", name))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    checked.append(name)
    for document in documents:
        for error in validator.iter_errors(document):
            raise SystemExit(f"{name}: {list(error.absolute_path)}: {error.message}")
    for change, document in spoiled(documents[0]):
        if validator.is_valid(document):
            raise SystemExit(f"{name}: {change} passes")
        failed += 1
if sorted(checked) != sorted(listed):
    raise SystemExit(f"not checked: {sorted(set(listed) ^ set(checked))}")
print(f"{len(checked)} schemas hold, {failed} wrong documents fail")
