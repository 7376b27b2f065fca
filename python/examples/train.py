"""Trains a player from scratch, by playing against itself, and has it play a tournament.

    pip install './python[train]'
    python python/examples/train.py --out trained

It takes three minutes; ``--minutes`` says how many. docs/training.md goes through it. What it writes:
``net.onnx``, the player for any tournament, ``bot.toml``, a manifest for it, and ``duel``, its results against random
play.
"""

import argparse
import pathlib
import time

import jax
import jax.numpy as jnp
import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import overtrick

ROWS = 128
"""Deals side by side."""
STEPS = 256
"""Moves of each row between two updates: some deals."""
HIDDEN = (128, 128)
BATCH = 2048
EPOCHS = 3
CLIP = 0.2
ENTROPY = 0.01
RATE = 1e-3


def new_net(rng, sizes):
    """Weights and biases of a net with layers of these sizes (He et al. 2015)."""
    scale = [np.sqrt(2 / size) for size in sizes[:-1]]
    # Small weights in the end: at first every legal move is about as likely as the others.
    scale[-1] = 0.01
    return [
        (jnp.asarray(rng.normal(0, s, (i, o)), jnp.float32), jnp.zeros(o, jnp.float32))
        for s, i, o in zip(scale, sizes, sizes[1:])
    ]


def apply(net, rows):
    for weights, biases in net[:-1]:
        rows = jax.nn.relu(rows @ weights + biases)
    weights, biases = net[-1]
    return rows @ weights + biases


def log_policy(net, rows, legal):
    """The logarithms of the chances of moves; those of illegal ones are far below all others."""
    return jax.nn.log_softmax(jnp.where(legal, apply(net, rows), -1e9))


@jax.jit
def choose(net, key, rows, legal):
    """Moves at random by the policy, and the logarithms of their chances."""
    logs = log_policy(net, rows, legal)
    actions = jax.random.categorical(key, logs)
    return actions, jnp.take_along_axis(logs, actions[:, None], axis=1)[:, 0]


def loss(nets, batch):
    """Proximal policy optimisation (Schulman et al. 2017): what is to become small."""
    policy, value = nets
    logs = log_policy(policy, batch["rows"], batch["legal"])
    new = jnp.take_along_axis(logs, batch["actions"][:, None], axis=1)[:, 0]
    told = apply(value, batch["rows"])[:, 0]
    gain = batch["points"] - jax.lax.stop_gradient(told)
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    ratio = jnp.exp(new - batch["logs"])
    surrogate = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    entropy = -(jnp.exp(logs) * jnp.where(batch["legal"], logs, 0)).sum(axis=1).mean()
    return -surrogate - ENTROPY * entropy + ((batch["points"] - told) ** 2).mean()


@jax.jit
def update(nets, moments, step, rate, batch):
    """A step of Adam (Kingma & Ba 2015)."""
    gradient = jax.grad(loss)(nets, batch)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], gradient)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], gradient)

    def moved(weight, m, v):
        return weight - rate * (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-8)

    return jax.tree.map(moved, nets, first, second), (first, second)


def play(env, net, key):
    """Plays on in all rows; gives the decisions of the deals that ended, each with the points of the seat that made
    it."""
    told = {name: [] for name in ("rows", "legal", "actions", "logs", "seat", "reward", "done")}
    for _ in range(STEPS):
        key, own = jax.random.split(key)
        # The environment's arrays change with every step.
        rows, legal, seat = env.observation.copy(), env.legal.copy(), env.seat.copy()
        actions, logs = choose(net, own, rows, legal)
        actions = np.asarray(actions, np.int64)
        *_, reward, done = env.step(actions)
        for name, value in zip(told, (rows, legal, actions, np.asarray(logs), seat, reward.copy(), done.copy())):
            told[name].append(value)
    told = {name: np.stack(values) for name, values in told.items()}
    points = np.zeros(told["seat"].shape, np.float32)
    is_over = np.zeros(told["seat"].shape, bool)
    ahead, known = np.zeros_like(told["reward"][0]), np.zeros(env.rows, bool)
    everyone = np.arange(env.rows)
    for step in reversed(range(STEPS)):
        done = told["done"][step]
        ahead[done] = told["reward"][step][done]
        known |= done
        points[step], is_over[step] = ahead[everyone, told["seat"][step]], known
    batch = {name: told[name][is_over] for name in ("rows", "legal", "actions", "logs")}
    return {**batch, "points": points[is_over]}, int(told["done"].sum())


def save(net, file):
    """Writes the policy as ONNX: a matrix product for each layer."""
    nodes, initializers, last = [], [], "observation"
    for number, (weights, biases) in enumerate(net):
        for name, values in (("weights", weights), ("biases", biases)):
            initializers.append(onnx.numpy_helper.from_array(np.asarray(values), f"{name}{number}"))
        out = "scores" if number == len(net) - 1 else f"sums{number}"
        nodes.append(onnx.helper.make_node("Gemm", [last, f"weights{number}", f"biases{number}"], [out]))
        if out != "scores":
            nodes.append(onnx.helper.make_node("Relu", [out], [f"layer{number}"]))
            last = f"layer{number}"

    def of(name, length):
        return onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["rows", length])

    length, moves = net[0][0].shape[0], net[-1][0].shape[1]
    graph = onnx.helper.make_graph(nodes, "player", [of("observation", length)], [of("scores", moves)], initializers)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, file)


def train(variant, minutes, seed):
    rng = np.random.default_rng(seed)
    env = overtrick.VectorEnv(variant, ROWS, seed=seed)
    length, moves = env.encoding.length, len(env.encoding.moves)
    nets = (new_net(rng, [length, *HIDDEN, moves]), new_net(rng, [length, *HIDDEN, 1]))
    moments = jax.tree.map(jnp.zeros_like, (nets, nets))
    key, step, deals, spread, start = jax.random.key(seed), 0, 0, None, time.monotonic()
    told = 0.0
    while (share := (time.monotonic() - start) / (60 * minutes)) < 1:
        key, own = jax.random.split(key)
        batch, ended = play(env, nets[0], own)
        deals += ended
        # Points of about 1 suit the value net.
        spread = spread or float(batch["points"].std()) or 1.0
        batch["points"] = batch["points"] / spread
        for _ in range(EPOCHS):
            order = rng.permutation(len(batch["points"]))
            # Batches of one size alone are compiled once.
            for first in range(0, len(order) - BATCH + 1, BATCH):
                part = {name: values[order[first : first + BATCH]] for name, values in batch.items()}
                step += 1
                nets, moments = update(nets, moments, step, RATE * (1 - share), part)
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(f"{told - start:.0f} s: {deals} deals", flush=True)
    return nets[0], deals


def main():
    arguments = argparse.ArgumentParser(description="Trains a player and has it play.")
    arguments.add_argument("--variant", default="euchre-24")
    arguments.add_argument("--minutes", type=float, default=3.0)
    arguments.add_argument("--deals", type=int, default=2000, help="deals of the duel in the end")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--out", type=pathlib.Path, default=pathlib.Path("trained"))
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    net, deals = train(given.variant, given.minutes, given.seed)
    save(net, given.out / "net.onnx")
    manifest = 'name = "learned"\nabout = "a net that played against itself"\nstrategy = "onnx"\n'
    (given.out / "bot.toml").write_text(f'{manifest}\n[parameters]\nmodel = "net.onnx"\n', encoding="utf-8")
    print(f"it has learned from {deals} deals")
    duel = {
        # Deals that it has not learned from.
        "seed": given.seed + 1,
        "format": "duel",
        "deals": given.deals,
        "variants": [given.variant],
        "bots": [given.out / "bot.toml", "random"],
    }
    results = overtrick.run(duel, out=given.out / "duel", force=True)
    print(results.summary["headlines"][0]["text"])


if __name__ == "__main__":
    main()
