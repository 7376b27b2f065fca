"""Nets as bots: they play what they score highest, on any number of threads; files that do not fit are refused."""

import numpy as np
import overtrick
import pytest

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

DUMBO = overtrick.encoding("dumbo")
DUEL = {"seed": 4, "deals": 100, "format": "duel", "variants": ["dumbo"]}


def weights(encoding, seed=1):
    # Whole numbers, whose sums are the same in any order.
    return np.random.default_rng(seed).integers(-9, 10, (encoding.length, len(encoding.moves))).astype(np.float32)


def write(file, nodes, length, moves, initializers=(), inputs=("x",), outputs=("y",), kind=TensorProto.FLOAT, rows="rows"):
    def of(name, size):
        return helper.make_tensor_value_info(name, kind, [rows, size])

    graph = helper.make_graph(
        nodes, "net", [of(name, length) for name in inputs], [of(name, moves) for name in outputs], list(initializers)
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("custom", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), file)
    return file


def linear(file, encoding=DUMBO, length=None, moves=None, scale=1.0):
    table = weights(encoding)[:length, :moves] * np.float32(scale)
    return write(
        file,
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        table.shape[0],
        table.shape[1],
        [numpy_helper.from_array(table, "w")],
    )


def play(model, threads=None, **more):
    net = {"name": "net", "strategy": "onnx", "parameters": {"model": model}}
    return overtrick.run({**DUEL, **more, "bots": [net, "random"]}, threads=threads)


def test_a_net_plays_what_it_scores_highest(tmp_path):
    def same(decisions):
        # The numbers of a row that are no halves or so would be added in another order.
        scores = decisions.observation.astype(np.float64) @ table
        return np.where(decisions.legal, scores, -np.inf).argmax(axis=1)

    table = weights(DUMBO).astype(np.float64)
    # Shares of the pack are no exact fractions; leave them out, and all sums are exact.
    for name in ("counts", "won", "level", "totals", "deals"):
        if name in DUMBO.fields:
            table[DUMBO.fields[name].slice] = 0
    model = write(
        tmp_path / "net.onnx",
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        *table.shape,
        [numpy_helper.from_array(table.astype(np.float32), "w")],
    )
    by_net = play(model)
    by_hand = overtrick.run({**DUEL, "bots": [overtrick.Bot("net", same), "random"]})
    for name in by_net.tables:
        assert by_net.csv(name) == by_hand.csv(name), name


def test_threads_and_copies_do_not_show(tmp_path):
    model = linear(tmp_path / "net.onnx")
    one, two = play(model, threads=1), play(model, threads=2)
    for name in one.tables:
        assert one.csv(name) == two.csv(name), name
    # Played again one decision at a time, by way of the records.
    config = one.folder / "config.toml"
    records = overtrick.replay(config, 3, lineup=["net", "random", "random"])
    again = overtrick.replay(config, 3, lineup=["net", "random", "random"])
    assert records == again and "sha256" in config.read_text(encoding="utf-8")


def refused(model, **more):
    with pytest.raises(overtrick.OvertrickError) as caught:
        play(model, **more)
    message = str(caught.value)
    assert "\n" not in message and "panicked" not in message and len(message) < 1500, message
    return message


def test_files_that_do_not_fit_are_refused(tmp_path):
    length, moves = DUMBO.length, len(DUMBO.moves)
    due = f"shape (rows, {length}), and an output of shape (rows, {moves})"
    assert due in refused(linear(tmp_path / "short.onnx", length=length - 1))
    assert due in refused(linear(tmp_path / "narrow.onnx", moves=moves - 1))
    fits = linear(tmp_path / "fits.onnx")
    assert "euchre-24 takes one input" in refused(fits, variants=["dumbo", "euchre-24"])
    two = [helper.make_node("Add", ["x", "z"], ["y"])]
    assert "has 2 inputs" in refused(write(tmp_path / "two.onnx", two, length, length, inputs=("x", "z")))
    odd = [helper.make_node("Nonsense", ["x"], ["y"], domain="custom")]
    assert "Nonsense" in refused(write(tmp_path / "odd.onnx", odd, length, moves))
    whole = [helper.make_node("Identity", ["x"], ["y"])]
    refused(write(tmp_path / "whole.onnx", whole, length, length, kind=TensorProto.INT64))
    assert "there is no such file" in refused(tmp_path / "nowhere.onnx") or "cannot be read" in refused(
        tmp_path / "nowhere.onnx"
    )
    (tmp_path / "empty.onnx").write_bytes(b"")
    refused(tmp_path / "empty.onnx")
    (tmp_path / "text.onnx").write_text("this is no net", encoding="utf-8")
    refused(tmp_path / "text.onnx")


def test_damaged_files_are_refused_or_play(tmp_path):
    sound = linear(tmp_path / "sound.onnx").read_bytes()
    rng = np.random.default_rng(1)
    message = 0
    for number in range(40):
        damaged = bytearray(sound[: rng.integers(1, len(sound))] if number % 2 else sound)
        # The structure lies at the beginning and at the end.
        for _ in range(8):
            place = int(rng.integers(min(len(damaged), 200)))
            damaged[place if rng.integers(2) else -1 - place] = int(rng.integers(256))
        file = tmp_path / f"{number}.onnx"
        file.write_bytes(bytes(damaged))
        try:
            play(file, deals=2)
        except overtrick.OvertrickError as error:
            assert "\n" not in str(error)
            message += 1
    assert message > 20


def test_scores_that_are_no_numbers_are_faults(tmp_path):
    results = play(linear(tmp_path / "nan.onnx", scale=np.nan))
    assert results.had_faults
    told = results.summary["faults"][0]
    assert told["kind"] == "failure" and "is not a number" in told["what"]


def test_another_net_under_the_name_is_refused(tmp_path):
    model = linear(tmp_path / "net.onnx")
    results = play(model)
    linear(model, scale=2.0)
    with pytest.raises(overtrick.OvertrickError, match="has changed"):
        overtrick.run(results.folder / "config.toml", out=tmp_path / "again")
