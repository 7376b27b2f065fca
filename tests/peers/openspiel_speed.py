"""Measures random play of games in files against OpenSpiel's own loops, in turns.

    python tests/peers/openspiel_speed.py PROGRAM [--rounds N] [--memory]

PROGRAM is a release build of the command line. The C++ loop is tests/peers/openspiel_loop.cc: it is compiled with
`g++` against the headers of the wheel, and plays the games of the wheel. All figures are deals in a second of processor
time on one core, with the dealing. docs/measurements/openspiel.md has results.
"""

import argparse
import ctypes
import dataclasses
import importlib.metadata
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

# The loop in C++ takes the symbols of the module.
sys.setdlopenflags(os.RTLD_GLOBAL | os.RTLD_NOW)
import pyspiel  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
GAMES = HERE.parents[1] / "configs" / "games"
# `overtrick bench` plays seven rounds of as many deals.
BENCH_DEALS = 7 * 200_000
# A bid of one spade, and three passes.
ONE_SPADE = (58, 52, 52, 52)


@dataclasses.dataclass(frozen=True)
class Pair:
    """A game in a file, and the game of OpenSpiel that it is compared with."""

    file: str
    theirs: str
    forced: tuple = ()
    """Actions that are made after the deal."""


PAIRS = [
    Pair("whist.toml", "bridge(use_double_dummy_result=false)", ONE_SPADE),
    Pair("hearts.toml", "hearts"),
    Pair("spades.toml", "spades"),
    Pair("oh-hell.toml", "oh_hell(players=4,num_tricks_fixed=7)"),
    Pair("euchre-4.toml", "euchre"),
]


def compiled_loop(folder):
    """The loop in C++."""
    site = pathlib.Path(pyspiel.__file__).parent
    headers = [site, site / "open_spiel", site / "open_spiel/abseil-cpp", site / "open_spiel/json/include"]
    library = pathlib.Path(folder) / "loop.so"
    flags = ["-std=c++20", "-O3", "-DNDEBUG", "-w", "-fPIC", "-shared"]
    includes = [f"-I{folder}" for folder in headers]
    subprocess.run(["g++", *flags, *includes, HERE / "openspiel_loop.cc", "-o", library], check=True)
    loop = ctypes.CDLL(str(library), mode=os.RTLD_NOW)
    loop.play.restype = ctypes.c_double
    return loop


def in_cpp(loop, pair, tensors, deals, seed):
    """Deals a second of the loop in C++."""
    mean = ctypes.c_double()
    forced = (ctypes.c_int * len(pair.forced))(*pair.forced)
    seconds = loop.play(pair.theirs.encode(), deals, tensors, seed, forced, len(pair.forced), ctypes.byref(mean))
    return deals / seconds


def in_python(pair, deals, seed):
    """Deals a second of the loop in Python."""
    game = pyspiel.load_game(pair.theirs)
    rng = random.Random(seed)
    start = time.process_time()
    for _ in range(deals):
        state = game.new_initial_state()
        forced = iter(pair.forced)
        while not state.is_terminal():
            if state.is_chance_node():
                # All outcomes are equally likely in these games.
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                legal = state.legal_actions()
                state.apply_action(next(forced, None) or rng.choice(legal))
    return deals / (time.process_time() - start)


def processor_seconds():
    """The processor time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ours(program, pair):
    """Deals a second of `overtrick bench`, the start of the program included."""
    before = processor_seconds()
    subprocess.run([program, "bench", "--variant", GAMES / pair.file], check=True, stdout=subprocess.DEVNULL)
    return BENCH_DEALS / (processor_seconds() - before)


def measure(program, rounds):
    """Prints a table of medians."""
    print("| game | ours | C++ | C++ with tensors | Python | ours / C++ | ours / tensors | ours / Python |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        loop = compiled_loop(folder)
        results = {pair: [] for pair in PAIRS}
        for number in range(rounds):
            for pair in PAIRS:
                results[pair].append((
                    ours(program, pair),
                    in_cpp(loop, pair, 0, 20_000, number),
                    in_cpp(loop, pair, 1, 10_000, number),
                    in_python(pair, 2000, number),
                ))
            print("round", number + 1, "load", os.getloadavg(), file=sys.stderr, flush=True)
    for pair, rows in results.items():
        rates = [statistics.median(column) for column in zip(*rows)]
        ratios = [statistics.median(row[0] / row[other] for row in rows) for other in (1, 2, 3)]
        cells = [pair.file.removesuffix(".toml"), *(f"{rate:,.0f}" for rate in rates), *(f"{ratio:.1f}" for ratio in ratios)]
        print("|", " | ".join(cells), "|")
        lowest, highest = min(row[0] for row in rows), max(row[0] for row in rows)
        print(f"  ours from {lowest:,.0f} to {highest:,.0f}", file=sys.stderr)


def memory(program, pair, deals):
    """Prints the resident memory of a run, at its tenths."""
    config = {"seed": 1, "deals": deals, "format": "mirror", "variants": [str(GAMES / pair.file)], "bots": ["random"]}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "long.toml"
        path.write_text("\n".join(f"{key} = {json.dumps(value)}" for key, value in config.items()))
        command = [program, "run", path, "--threads", "1", "--quiet", "--out", pathlib.Path(folder) / "out"]
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        resident = []
        while run.poll() is None:
            for line in pathlib.Path(f"/proc/{run.pid}/status").read_text().splitlines():
                if line.startswith("VmRSS"):
                    resident.append(int(line.split()[1]))
            time.sleep(0.1)
    tenths = [resident[len(resident) * tenth // 10] for tenth in range(1, 10)]
    print(f"{pair.file}: {deals:,} deals, kB at each tenth of the run: {tenths}, the most {max(resident)}")


def main():
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", help="a release build of the command line")
    parser.add_argument("--rounds", type=int, default=5, help="rounds in turns (5)")
    parser.add_argument("--memory", action="store_true", help="measure the memory of long runs, too")
    args = parser.parse_args()
    print("open_spiel", importlib.metadata.version("open_spiel"), file=sys.stderr)
    measure(args.program, args.rounds)
    if args.memory:
        for pair in PAIRS[:4]:
            memory(args.program, pair, 2_000_000)


if __name__ == "__main__":
    main()
