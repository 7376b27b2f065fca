"""Environments: the interfaces' own tests, and the same deals as tournaments have."""

import copy
import gc
import pickle
import resource
import subprocess
import sys
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


@pytest.mark.parametrize("steps", [1000, pytest.param(10_000, marks=pytest.mark.long)])
def test_memory_does_not_grow(steps):
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
    # A thousand decisions each.
    play(steps)
    gc.collect()
    assert len(gc.get_objects()) - objects < 100
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096


def test_environments_without_a_seed_deal_different_cards():
    def first(make):
        env = make()
        env.reset()
        return env.observe(env.agent_selection)["observation"]

    # Two of 52! / (13!)^4 deals are the same once in 10^28 times.
    assert not np.array_equal(*(first(lambda: overtrick.env("dumbo")) for _ in range(2)))
    assert not np.array_equal(*(overtrick.VectorEnv("dumbo", 1).observation for _ in range(2)))
    # What was dealt can be dealt again, and the deals that follow are others.
    env, again = overtrick.env("dumbo"), overtrick.env("dumbo")
    env.reset()
    origin = env.unwrapped.origin
    again.reset(options=origin)
    assert np.array_equal(env.observe("seat_1")["observation"], again.observe("seat_1")["observation"])
    env.reset()
    assert env.unwrapped.origin == {"seed": origin["seed"], "number": origin["number"] + 1}
    rows = overtrick.VectorEnv("dumbo", 8)
    assert np.array_equal(rows.observation, overtrick.VectorEnv("dumbo", 8, seed=rows.master_seed).observation)
    # A seed deals the same cards each time, and they are those of earlier versions.
    seeded = overtrick.env("dumbo")
    seeded.reset(seed=5)
    deal = overtrick.Deal("dumbo", seed=int(np.random.default_rng(5).integers(2**63 - 1)), number=0)
    assert np.array_equal(seeded.observe("seat_2")["observation"], deal.observe(2))


@pytest.fixture(scope="module")
def pyspiel():
    module = pytest.importorskip("pyspiel")
    import overtrick.openspiel  # noqa: F401

    return module


def game_of(pyspiel, variant):
    return pyspiel.load_game(f"overtrick_{variant.replace('-', '_')}", {"seed": 3, "deals": 5})


@pytest.mark.parametrize("variant", VARIANTS)
def test_openspiel_accepts_it(pyspiel, variant):
    for serialize in (False, True):
        pyspiel.random_sim_test(game_of(pyspiel, variant), 2, serialize, False)


@pytest.mark.parametrize("variant", VARIANTS)
def test_openspiel_copies_and_reads_back_states(pyspiel, variant):
    game = game_of(pyspiel, variant)
    ways = {
        "clone": lambda state: state.clone(),
        "deepcopy": copy.deepcopy,
        "pickle": lambda state: pickle.loads(pickle.dumps(state)),
        "serialize": lambda state: pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
    }
    rng = np.random.default_rng(1)
    state, step = game.new_initial_state(), 0
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        child = state.child(action)
        if step in (0, 1, 2, 5, 20):
            for way, copied in ways.items():
                other = copied(state)
                assert (str(other), other.history()) == (str(state), state.history()), way
                assert other.move_number() == state.move_number() == step, way
                assert other.legal_actions() == state.legal_actions(), way
                # They go on alike, and apart from each other.
                other.apply_action(action)
                assert str(other) == str(child) != str(state), way
        state.apply_action(action)
        assert (str(state), state.history()) == (str(child), child.history())
        step += 1
    assert step > 5 and pickle.loads(pickle.dumps(state)).returns() == state.returns()
    for other in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert str(other) == str(game)
        assert (other.variant, other.seed, other.deals) == (variant, 3, 5)
        assert len(other.new_initial_state().chance_outcomes()) == 5


def test_openspiel_simulates_it_as_its_own_games(pyspiel):
    tests = pytest.importorskip("open_spiel.python.tests.games_sim_test")
    tests.GamesSimTest().sim_game(game_of(pyspiel, "chameleon"))


def test_openspiel_games_are_read_back_by_another_process(pyspiel):
    state = game_of(pyspiel, "euchre-24").new_initial_state().child(4)
    code = "import pickle, sys; state = pickle.loads(sys.stdin.buffer.read()); print(state, state.history(), end='')"
    other = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, check=True)
    assert other.stdout.decode() == f"{state} {state.history()}"


def test_openspiel_parameters_that_cannot_be_are_refused(pyspiel):
    for params in ({"deals": 0}, {"seed": -1}):
        with pytest.raises(Exception, match="or more"):
            pyspiel.load_game("overtrick_dumbo", params)
