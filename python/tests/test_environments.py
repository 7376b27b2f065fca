"""Environments: the interfaces' own tests, and the same deals as tournaments have."""

import gc
import resource
import warnings

import numpy as np
import overtrick
import pytest

VARIANTS = [row["variant"] for row in overtrick.list_("variants")]


def test_all_variants_are_here():
    assert len(VARIANTS) == 18


@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_accepts_it(variant):
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        # It warns of observations that are not images, and of values without bounds.
        warnings.simplefilter("ignore")
        api_test(overtrick.env(variant), num_cycles=200, verbose_progress=False)
        seed_test(lambda: overtrick.env(variant), num_cycles=100)


def test_the_environment_refuses_illegal_moves():
    env = overtrick.env("dumbo")
    env.reset(seed=1)
    observation, *_ = env.last()
    with pytest.raises(overtrick.OvertrickError, match="is no legal move"):
        env.step(int(observation["action_mask"].argmin()))
    env.reset(options={"seed": 1, "number": 4})
    first = env.observe("seat_0")["observation"]
    assert (first == overtrick._overtrick.Deal("dumbo", seed=1, number=4).observe(0)).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_are_the_same_deals_as_single_ones(variant):
    rows = 5
    env = overtrick.VectorEnv(variant, rows, seed=9, first=100)
    rng = np.random.default_rng(1)
    deals = [overtrick.Deal(variant, seed=9, number=100 + row) for row in range(rows)]
    next_number, ended = 100 + rows, 0
    while ended < 20:
        for row, deal in enumerate(deals):
            assert env.seat[row] == deal.seat
            assert (env.legal[row] == deal.legal()).all()
            assert (env.observation[row] == deal.observe(deal.seat)).all()
        actions = (rng.random(env.legal.shape) * env.legal).argmax(axis=1)
        observation, legal, reward, done = env.step(actions)
        assert observation is env.observation and legal is env.legal
        for row, deal in enumerate(deals):
            deal.play(int(actions[row]))
            assert done[row] == deal.is_over
            if deal.is_over:
                assert list(reward[row]) == deal.scores()
                deals[row] = overtrick.Deal(variant, seed=9, number=next_number)
                assert env.number[row] == next_number
                next_number, ended = next_number + 1, ended + 1
            else:
                assert not reward[row].any()


def test_deals_have_the_cards_of_tournaments():
    config = {"seed": 5, "deals": 10, "format": "mirror", "variants": ["dumbo"], "bots": ["random"]}
    [record] = overtrick.replay(config, 7)
    env = overtrick.VectorEnv("dumbo", 1, seed=5, first=7)
    own = env.observation[0, env.encoding.fields["seen"].slice].reshape(-1, 52)[0]
    held = {env.encoding.moves[place] for place in np.flatnonzero(own)}
    hand = record["hands"][f"p{env.seat[0]}"]
    assert held == set(hand.split() if isinstance(hand, str) else hand)


def test_wrong_actions_change_nothing():
    env = overtrick.VectorEnv("chameleon", 3, seed=1)
    before = env.observation.copy()
    legal = env.legal.argmax(axis=1)
    wrong = legal.copy()
    wrong[2] = env.legal[2].argmin()
    with pytest.raises(overtrick.OvertrickError, match="in row 2: .*nothing was played"):
        env.step(wrong)
    with pytest.raises(overtrick.OvertrickError, match="in row 0"):
        env.step(np.full(3, -1))
    with pytest.raises(overtrick.OvertrickError, match="in row 0"):
        env.step(np.full(3, 10**9))
    for bad in (legal[:2], legal.astype(float), list(legal), legal.astype(np.int32), legal[:, None]):
        with pytest.raises(TypeError):
            env.step(bad)
    assert (env.observation == before).all()
    env.step(legal)
    for rows in (0, 2**40, -1):
        with pytest.raises((overtrick.OvertrickError, OverflowError)):
            overtrick.VectorEnv("dumbo", rows)


def test_arrays_outlive_the_environment():
    env = overtrick.VectorEnv("dumbo", 4)
    observation = env.observation
    copy = observation.copy()
    del env
    gc.collect()
    assert (observation == copy).all()


def test_memory_does_not_grow():
    env = overtrick.VectorEnv("dumbo", 1000, seed=1)
    rng = np.random.default_rng(1)
    noise = np.empty(env.legal.shape, np.float32)

    def play(steps):
        for _ in range(steps):
            rng.random(out=noise, dtype=np.float32)
            np.multiply(noise, env.legal, out=noise)
            env.step(noise.argmax(axis=1))

    play(500)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    objects = len(gc.get_objects())
    # Ten million decisions.
    play(10_000)
    gc.collect()
    assert len(gc.get_objects()) - objects < 100
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096


@pytest.mark.parametrize("variant", VARIANTS)
def test_openspiel_accepts_it(variant):
    pyspiel = pytest.importorskip("pyspiel")
    import overtrick.openspiel  # noqa: F401

    game = pyspiel.load_game(f"overtrick_{variant.replace('-', '_')}", {"seed": 3, "deals": 5})
    pyspiel.random_sim_test(game, 2, False, False)
