"""How fast environments and bots are from Python, beside OpenSpiel's own loop and the process protocol.

    python python/benches/speed.py

One core; ratios are of one run, in turns. OpenSpiel is an extra.
"""

import os
import pathlib
import statistics
import sys
import tempfile
import time

import numpy as np
import overtrick

ROUNDS = 5
EXAMPLES = pathlib.Path(__file__).parents[2] / "bots" / "examples"


def vector(variant, rows=2048, steps=200):
    """Decisions a second with random moves that numpy chooses."""
    env = overtrick.VectorEnv(variant, rows, seed=1)
    rng = np.random.default_rng(1)
    noise = np.empty(env.legal.shape, np.float32)
    start = time.process_time()
    for _ in range(steps):
        rng.random(out=noise, dtype=np.float32)
        np.multiply(noise, env.legal, out=noise)
        env.step(noise.argmax(axis=1))
    return rows * steps / (time.process_time() - start)


def single(variant, deals=100):
    """The same from one deal after the other."""
    rng, decisions = np.random.default_rng(1), 0
    start = time.process_time()
    for number in range(deals):
        deal = overtrick.Deal(variant, seed=1, number=number)
        while not deal.is_over:
            deal.play(int(rng.choice(np.flatnonzero(deal.legal()))))
            decisions += 1
    return decisions / (time.process_time() - start)


def openspiel(name, deals=100):
    """The same from a loop over OpenSpiel's states, with an observation where the game has one."""
    import pyspiel

    game = pyspiel.load_game(name)
    tells = game.get_type().provides_information_state_tensor
    rng, decisions = np.random.default_rng(1), 0
    start = time.process_time()
    for _ in range(deals):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                state.apply_action(int(rng.choice(outcomes, p=chances)))
                continue
            if tells:
                state.information_state_tensor(state.current_player())
            state.apply_action(int(rng.choice(state.legal_actions())))
            decisions += 1
    return decisions / (time.process_time() - start)


def bot(bots, deals):
    """Deals a second of processor time in a duel against random play on one thread, all processes together; what it
    takes to start is left out."""

    def play(deals):
        config = {
            "seed": 1,
            "secret": "00" * 16,
            "sandbox": "none",
            "format": "duel",
            "variants": ["colour-blind-2"],
            "deals": deals,
            "bots": bots,
        }
        start = sum(os.times()[:4])
        assert not overtrick.run(config, threads=1).had_faults
        return sum(os.times()[:4]) - start

    few = deals // 10
    return 2 * (deals - few) / (play(deals) - play(few))


def first_legal(decisions):
    return decisions.legal.argmax(axis=1)


def rates(*kinds):
    """The median rate of each, in turns."""
    rounds = [[kind() for kind in kinds] for _ in range(ROUNDS)]
    return [statistics.median(column) for column in zip(*rounds)]


def main():
    print("decisions a second, random moves, one core")
    try:
        import pyspiel  # noqa: F401

        others = ["hearts", "spades", "euchre"]
    except ImportError:
        others = []
    kinds = [lambda: vector("dumbo"), lambda: vector("chameleon"), lambda: single("dumbo")]
    kinds += [lambda name=name: openspiel(name) for name in others]
    names = ["VectorEnv dumbo", "VectorEnv chameleon", "Deal dumbo", *(f"OpenSpiel {name}" for name in others)]
    measured = dict(zip(names, rates(*kinds)))
    for name, rate in measured.items():
        print(f"  {name:22} {rate:12,.0f}   VectorEnv dumbo is {measured['VectorEnv dumbo'] / rate:.1f} times as fast")
    with tempfile.TemporaryDirectory() as folder:
        code = pathlib.Path(folder) / "first.py"
        code.write_text(
            f"import sys\nsys.path.insert(0, {str(EXAMPLES)!r})\nimport overtrick\n"
            "overtrick.run('first', lambda view: view.legal[0])\n",
            encoding="utf-8",
        )
        process = {
            "name": "first",
            "strategy": "process",
            "parameters": {"command": [sys.executable, str(code)], "folder": folder},
        }
        ways = [
            lambda: bot([overtrick.Bot("first", first_legal), "random"], 40_000),
            lambda: bot([process, "random"], 20_000),
        ]
        inside, outside = rates(*ways)
    print("deals a second of processor time, a bot that plays the first legal move against random play, Colour-blind for two")
    print(f"  callable {inside:12,.0f}\n  process  {outside:12,.0f}   the callable is {inside / outside:.1f} times as fast")


if __name__ == "__main__":
    main()
