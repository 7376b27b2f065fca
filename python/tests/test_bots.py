"""Callables as bots: what they are given, and what becomes of their faults."""

import json

import numpy as np
import overtrick
import pytest

CONFIG = {"seed": 3, "deals": 60, "format": "duel", "variants": ["dumbo", "colour-blind-2"]}


def play(choose_many, **more):
    return overtrick.run({**CONFIG, **more, "bots": [overtrick.Bot("mine", choose_many), "random"]})


def first(decisions):
    return decisions.legal.argmax(axis=1)


def test_a_bot_is_given_its_decisions():
    seen = {}

    def look(decisions):
        encoding = decisions.encoding
        count = len(decisions)
        assert decisions.observation.shape == (count, encoding.length) and decisions.observation.dtype == np.float32
        assert decisions.legal.shape == (count, len(encoding.moves)) and decisions.legal.dtype == np.bool_
        assert decisions.seat.shape == decisions.deal.shape == (count,)
        assert decisions.legal.any(axis=1).all()
        # One's own cards, and only those, are legal plays.
        own = decisions.observation[:, encoding.fields["seen"].slice].reshape(count, -1, 52 if encoding.seats == 3 else 40)
        for number in decisions.deal:
            seen[number] = seen.get(number, 0) + 1
        assert own.shape[0] == count
        return first(decisions)

    results = play(look, variants=["dumbo"])
    assert not results.had_faults
    # Each game of each deal has a number of its own for each of the seats.
    assert len(seen) == 60 * (3 + 2 * 3)


def test_results_depend_neither_on_threads_nor_on_batches(tmp_path):
    def by_rows(decisions):
        # A function of the view alone: another one for every row.
        weights = np.arange(decisions.observation.shape[1], dtype=np.float64)
        scores = np.round((decisions.observation * weights).sum(axis=1)).astype(np.int64)
        counts = decisions.legal.sum(axis=1)
        order = np.argsort(~decisions.legal, axis=1, kind="stable")
        return order[np.arange(len(decisions)), scores % counts]

    def one_by_one(decisions):
        moves = []
        for nth in range(len(decisions)):
            one = overtrick.Decisions(
                decisions.variant,
                decisions.observation[nth : nth + 1],
                decisions.legal[nth : nth + 1],
                decisions.seat[nth : nth + 1],
                decisions.deal[nth : nth + 1],
            )
            moves.append(by_rows(one)[0])
        return moves

    def tables(choose_many, threads):
        config = {**CONFIG, "bots": [overtrick.Bot("mine", choose_many), "random"]}
        results = overtrick.run(config, threads=threads)
        return {table: results.csv(table) for table in results.tables}

    assert tables(by_rows, 1) == tables(by_rows, 2) == tables(one_by_one, 2)


def raises(decisions):
    if (decisions.observation.sum(axis=1) % 3 < 1).any():
        raise RuntimeError("no idea")
    return first(decisions)


FAULTS = {
    "RuntimeError: no idea (test_bots.py:": raises,
    "where (1,) was due": lambda decisions: first(decisions)[:, None],
    "array of float64, where integers were due": lambda decisions: first(decisions) * np.nan,
    "array of <U": lambda decisions: ["pass"] * len(decisions),
    "where integers were due": lambda decisions: [None] * len(decisions),
    "where moves are numbered 0 to": lambda decisions: np.full(len(decisions), -1),
    "it answered 9": lambda decisions: np.full(len(decisions), 999),
    "which is": lambda decisions: (~decisions.legal).argmax(axis=1),
}


@pytest.mark.parametrize("words", FAULTS)
def test_faults_are_told_and_the_policy_says_what_follows(words):
    results = play(FAULTS[words], variants=["colour-blind-2"])
    assert results.had_faults
    told = results.summary["faults"]
    assert told and words in told[0]["what"], told
    assert {row["kind"] for row in told} <= {"failure", "illegal-move"}
    # The other bot's deals went on.
    assert results.summary["headlines"]


def test_a_panic_of_the_library_is_an_exception():
    # An exception of this kind that a bot raises goes on as a panic in the thread that plays.
    play(raises, variants=["colour-blind-2"])
    kinds = [kind for kind in BaseException.__subclasses__() if kind.__name__ == "PanicException"]
    seen = []

    def play_with(kind):
        def panics(decisions):
            raise kind("a broken invariant")

        try:
            play(panics, variants=["colour-blind-2"])
        except kind as panic:
            seen.append(str(panic))

    # Other packages may have kinds of their own, which are faults like any other exception.
    for kind in kinds:
        play_with(kind)
    assert seen == ["a broken invariant"]
    assert not play(first, variants=["colour-blind-2"]).had_faults


def test_a_bot_that_faults_can_be_disqualified():
    faults = {"policy": "disqualify", "limit": 3}
    results = play(raises, variants=["colour-blind-2"], faults=faults)
    assert "disqualified" in json.dumps(results.summary)


def test_names_and_callables_are_checked():
    with pytest.raises(TypeError, match="callable"):
        overtrick.Bot("mine", 3)
    with pytest.raises(overtrick.OvertrickError, match="is no name"):
        overtrick.run({**CONFIG, "bots": [overtrick.Bot("my bot", first), "random"]})


def test_results_can_be_read_without_the_bot(tmp_path):
    overtrick.run({**CONFIG, "bots": [overtrick.Bot("mine", first), "random"]}, out=tmp_path / "out")
    assert 'callable = "test_bots.first as mine"' in (tmp_path / "out" / "config.toml").read_text(encoding="utf-8")
    assert overtrick.compare(tmp_path / "out", tmp_path / "out")
    with pytest.raises(overtrick.OvertrickError, match="is code of a Python program"):
        overtrick.run(tmp_path / "out" / "config.toml")


def test_a_bot_within_restrictions():
    bot = overtrick.Bot("mine", first)
    kept = {"name": "kept", "strategy": "restricted", "parameters": {"bot": bot, "forbid": ["AS"]}}
    with_words = overtrick.run({**CONFIG, "variants": ["dumbo"], "bots": [kept, "random"]})
    assert not with_words.had_faults
