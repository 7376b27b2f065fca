"""What people do without `overtrick tune`: a search from Python around `overtrick run`, by pycma or by Optuna (TPE).

    python3 -m venv venv && venv/bin/pip install cma optuna
    venv/bin/python benches/by_hand/tune_with_cma.py OVERTRICK VARIANT GAMES SEED [cma|optuna [TIMES [idle]]]

Starts at a random setting of the rule-based bot, as `overtrick tune` does in the same call, and gives both the same
number of games and the same aim: to be ahead of two of the bot as it ships. Against an opponent that changes, or in a
duel, whose difference counts chairs otherwise where scores do not add up to the same in every deal, they would look for
different things. Then start and both results meet the two on deals of another seed. Prints seconds of the processor and
points a deal ahead of them. With TIMES, `overtrick tune` gets the games multiplied by it: as many as it plays while the
script runs. With `idle` the bot takes no contract at the start, so that some parameters change nothing there.

The script's tournaments have the bot as it ships under two names, since `run` has no line-up with two of a kind and a
third. So each of their games is played twice; they are counted once.
"""

import csv
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

PROGRAM, VARIANT, GAMES, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
METHOD = sys.argv[5] if len(sys.argv) > 5 else "cma"
TIMES = int(sys.argv[6]) if len(sys.argv) > 6 else 1
KEYS = {"dumbo": "dumbo", "euchre-32": "euchre", "dummy-whist": "dummy-whist", "colour-blind": "colour-blind",
        "chameleon": "chameleon"}[VARIANT]
IDLE = {"euchre-32": ("euchre.courage", 5.0), "chameleon": ("chameleon.caution", 100.0)}
SEATINGS = 3  # that differ
TWIN = '{ bot = "rule-based", name = "twin" }'


def overtrick(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


listed = json.loads(overtrick("list", "parameters", "rule-based", "--format", "json"))
axes = [one for one in listed if one["parameter"].startswith(KEYS + ".") and ".keep" not in one["parameter"]]
draw = random.Random(SEED)
start = [round(one["low"] + (one["high"] - one["low"]) * draw.random(), 3) for one in axes]
if sys.argv[7:8] == ["idle"]:
    key, value = IDLE[VARIANT]
    start[[one["parameter"] for one in axes].index(key)] = value
folder = pathlib.Path(tempfile.mkdtemp())


def processor():
    """Seconds of the processor so far, in this process and in those that it started."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def bot(values, name):
    values = {one["parameter"]: float(value) for one, value in zip(axes, values)}
    inner = ", ".join(f'"{key}" = {value}' for key, value in values.items())
    return f'{{ bot = "rule-based", name = "{name}", parameters = {{ {inner} }} }}'


def ahead(values, deals, seed):
    """Points a deal by which a setting is ahead of two of the bot as it ships."""
    config = folder / "three.toml"
    config.write_text(f'seed = {seed}\nformat = "round-robin"\ndeals = {deals}\nvariants = ["{VARIANT}"]\n'
                      f'bots = [{bot(values, "candidate")}, "rule-based", {TWIN}]\n')
    overtrick("run", str(config), "--out", str(folder / "out"), "--force", "--quiet")
    with open(folder / "out" / "pairs.csv") as file:
        rows = [row for row in csv.DictReader(file) if "candidate" in (row["bot-a"], row["bot-b"])]
    return sum((1 if row["bot-a"] == "candidate" else -1) * float(row["difference"]) for row in rows) / len(rows)


def by_hand():
    """The best that the search finds in the unit cube, each generation or trial on deals of its own."""
    place = lambda at: [one["low"] + (one["high"] - one["low"]) * min(max(u, 0), 1) for one, u in zip(axes, at)]
    origin = [(value - one["low"]) / (one["high"] - one["low"]) for one, value in zip(axes, start)]
    generations = 40
    if METHOD == "cma":
        import cma
        search = cma.CMAEvolutionStrategy(origin, 0.25, {"bounds": [0, 1], "seed": SEED + 1, "verbose": -9})
        deals = max(1, GAMES // (generations * search.popsize * SEATINGS))
        for generation in range(generations):
            asked = search.ask()
            search.tell(asked, [-ahead(place(one), deals, 1000 + generation) for one in asked])
        return place(search.result.xfavorite)
    import optuna
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    trials = generations * 10
    deals = max(1, GAMES // (trials * SEATINGS))
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=SEED))
    names = [one["parameter"] for one in axes]
    study.enqueue_trial(dict(zip(names, origin)))
    study.optimize(lambda trial: ahead(place([trial.suggest_float(name, 0, 1) for name in names]), deals,
                                       1000 + trial.number), n_trials=trials)
    return place([study.best_params[name] for name in names])


def by_tune():
    config = folder / "tune.toml"
    ranges = "\n".join(f'"{one["parameter"]}" = {{}}' for one in axes)
    config.write_text(f'seed = {SEED}\n[tune]\nbot = {bot(start, "start")}\nvariants = ["{VARIANT}"]\n'
                      f'games = {GAMES * TIMES}\nagainst = ["rule-based"]\nunseen = []\n[tune.parameters]\n{ranges}\n')
    overtrick("tune", str(config), "--out", str(folder / "tuned"), "--force", "--quiet")
    summary = json.loads((folder / "tuned" / "summary.json").read_text())
    values = summary["best"]["parameters"][KEYS]
    return [values[one["parameter"].split(".")[1]] for one in axes]


for name, way in [("start", lambda: start), ("tune", by_tune), (METHOD, by_hand)]:
    began = processor()
    found = way()
    seconds = processor() - began
    print(f"{VARIANT} seed {SEED} {name}: {seconds:.1f} s, {ahead(found, 20000, 77):+.3f} points a deal", flush=True)
