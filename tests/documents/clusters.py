"""Plays tournaments by examples/slurm.sh and examples/kubernetes.yaml, and sees that the results are those of one run.

    python clusters.py PROGRAM FOLDER

The folder must be empty. Wants the package kubernetes-validate. Slurm is Debian's, on this machine alone, where it is
installed and can be started; else it is a stand-in. Which of them it was is printed. In both clusters a shard is
stopped half-way and goes on, bots have faults, and a config is refused.
"""

import csv
import functools
import pathlib
import re
import shutil
import subprocess
import sys

from clusters_kubernetes import VERSIONS, Kubernetes, read
from clusters_slurm import Slurm, StandIn, Unavailable

PROGRAM, FOLDER = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

def longer(config):
    """The main job with more deals: a shard of it takes some seconds, so that it can be stopped half-way."""
    text, found = re.subn("^deals = 20000$", "deals = 80000", config, flags=re.MULTILINE)
    expect("lines with the number of deals", found, 1)
    return text

# A bot that says hello, and ends when it is asked for anything.
FAULTY = """
seed = 1
deals = 8
format = "duel"
secret = "00112233445566778899aabbccddeeff"
sandbox = "none"
variants = ["dumbo"]

[[bots]]
name = "brief"
strategy = "process"

[bots.parameters]
command = ["sh", "-c", '''read a; echo '{"hello":{"name":"b","protocol":1,"variants":["all"]}}'; read b''']

[[bots]]
name = "other"
strategy = "rule-based"
"""

# Shards cannot know when to stop.
WRONG = """
seed = 1
format = "duel"
variants = ["dumbo"]
bots = ["random", "rule-based"]
stop = { half-width = 0.01 }
"""


@functools.cache
def whole(config, code=0):
    """The folder with the results of one run of a config."""
    out = FOLDER / "whole" / config.relative_to(FOLDER).with_suffix("")
    done = subprocess.run([PROGRAM, "run", config, "--out", out, "--quiet"], capture_output=True, text=True)
    if done.returncode != code:
        raise SystemExit(f"{config}: exit code {done.returncode}\n{done.stderr}")
    return out


def same(results, whole):
    """Compares all results of one run with those of a merge, but for wall-clock figures."""
    listed = subprocess.run([PROGRAM, "list", "outputs", "--format", "csv"], capture_output=True, text=True, check=True)
    for row in csv.DictReader(listed.stdout.splitlines()):
        name = row["output"]
        if row["reproducible"] == "true" and (results / name).read_bytes() != (whole / name).read_bytes():
            raise SystemExit(f"{results / name} is not {whole / name}")


def expect(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"{what}: {found}, and not {wanted}")


def by_slurm(cluster, config, shards, stop=None):
    """Calls the script as its user does, and waits for what it submits. Gives the folder and the jobs' states."""
    out = FOLDER / "slurm" / config.stem
    command = [EXAMPLES / "slurm.sh", config, str(shards), out, "--cpus-per-task=1"]
    done = subprocess.run(command, env=cluster.environment | {"OVERTRICK": str(PROGRAM)}, cwd=FOLDER, text=True,
                          capture_output=True)
    told = re.search(r"shards are job (\d+), merging them is job (\d+);", done.stdout)
    if done.returncode != 0 or not told:
        raise SystemExit(f"slurm.sh ended with code {done.returncode}: {done.stdout}\n{done.stderr}")
    return out, cluster.play(*told.groups(), shards, stop and out / "shards" / stop)


def slurm(cluster):
    configs = {name: FOLDER / f"{name}.toml" for name in ["quick", "faulty", "wrong"]}
    quick = longer((EXAMPLES.parent / "configs/quick.toml").read_text(encoding="utf-8"))
    for name, text in [("quick", quick), ("faulty", FAULTY), ("wrong", WRONG)]:
        configs[name].write_text(text, encoding="utf-8")
    played = ["COMPLETED"] * 3
    out, states = by_slurm(cluster, configs["quick"], 3, "2-of-3")
    expect("a shard stopped half-way", states, (played, "COMPLETED"))
    same(out, whole(configs["quick"]))
    # As after a shard was lost: the same call plays that one alone.
    shutil.rmtree(out / "shards/3-of-3")
    out, states = by_slurm(cluster, configs["quick"], 3)
    expect("a shard lost", states, (played, "COMPLETED"))
    same(out, whole(configs["quick"]))
    expect("shards not played again", [(out / f"logs/shard-{number}.log").read_text().count("nothing to do")
                                       for number in (1, 2, 3)], [1, 1, 0])
    out, states = by_slurm(cluster, configs["faulty"], 2)
    expect("bots with faults", states, (played[:2], "FAILED"))
    same(out, whole(configs["faulty"], 1))
    out, states = by_slurm(cluster, configs["wrong"], 2)
    expect("a config that is refused", states, (["FAILED"] * 2, "CANCELLED"))
    said = (out / "logs/shard-2.log").read_text(encoding="utf-8")
    if "stop" not in said or "shard 2 of 2 is not finished: overtrick ended with code 2" not in said:
        raise SystemExit(f"no clear error: {said}")
    expect("results of shards that failed", [file.name for file in out.iterdir() if file.name != "shards"], ["logs"])


def kubernetes(manifest):
    (FOLDER / "kubernetes/bin").mkdir(parents=True)
    program = FOLDER / "kubernetes/bin/overtrick"
    program.symlink_to(PROGRAM)
    for name, config, stop, pods, merge in [
        ("quick", longer, 1, [[0], [143, 0], [0], [0]], 0),
        ("faulty", lambda _: FAULTY, None, [[1, 0]] * 4, 0),
        ("wrong", lambda _: WRONG, None, [[2]] * 4, None),
    ]:
        cluster = Kubernetes(manifest, FOLDER / "kubernetes" / name, config)
        log = FOLDER / "kubernetes" / f"{name}.log"
        expect(f"exit codes; see {log}", cluster.play(program, log, stop), (pods, merge))
        if merge is not None:
            # The folder of bots from outside is among the results.
            alone = whole(cluster.config, 1) if name == "faulty" else whole(FOLDER / "quick.toml")
            same(cluster.volumes["data"] / "quick", alone)


manifest = read(EXAMPLES / "kubernetes.yaml")
print(f"examples/kubernetes.yaml keeps to the schemas of Kubernetes {' and '.join(VERSIONS)}", flush=True)
try:
    cluster, why = Slurm(FOLDER), ""
except Unavailable as error:
    cluster, why = StandIn(FOLDER), f", since {error}"
try:
    slurm(cluster)
finally:
    cluster.end()
print(f"examples/slurm.sh gives the results of one run, by {cluster.version}{why}", flush=True)
kubernetes(manifest)
print("the commands of examples/kubernetes.yaml give them, too")
