"""Plays random deals of games in files here and in OpenSpiel side by side, and compares every decision and score.

    python tests/peers/openspiel.py [--deals N] [--seed N] [--only TEXT]

It needs the Python package of Overtrick and `open_spiel`. Both sides get the same cards. At every decision the same
player must be due, and the same moves must be legal. A legal move is chosen at random and made on both sides. The
winner of each trick is then due on both sides, and in the end the scores must be the same. The first difference ends
the program. docs/measurements/openspiel.md has results, and what differs in the rules.
"""

import argparse
import collections
import dataclasses
import json
import pathlib
import random
import sys
import tempfile

import overtrick
import pyspiel
from openspiel_games import Difference, Euchre, Hearts, OhHell, Ours, Spades, SpadesAlike, check_same

GAMES = pathlib.Path(__file__).resolve().parents[2] / "configs" / "games"
RANKS = "23456789TJQKA"


@dataclasses.dataclass(frozen=True)
class Comparison:
    """A game in a file and its peer, with the rules that make them the same."""

    name: str
    file: str
    theirs: type
    """The class of the peer."""
    parameters: dict = dataclasses.field(default_factory=dict)
    """The parameters of OpenSpiel's game."""
    rules: dict = dataclasses.field(default_factory=dict)
    """The options of the file."""
    edits: tuple = ()
    """Texts of the file, each with the text that stands in its place."""

    def variant(self, folder):
        """The variant as JSON. A file that is edited is written to a folder."""
        path = GAMES / self.file
        if self.edits:
            text = path.read_text()
            for old, new in self.edits:
                if text.count(old) != 1:
                    raise Difference(f"{self.file} has {old!r} {text.count(old)} times")
                text = text.replace(old, new)
            path = pathlib.Path(folder) / self.file
            path.write_text(text)
        return json.dumps({"name": "compared", "base": str(path), "rules": self.rules})


NEVER_BROKEN = ('until-played = "*S"\n', "")
SPADES = {"use_mercy_rule": False, "win_or_loss_bonus": 0}
HEARTS_BAR = '''
# Hearts may not be led before they are broken.
[[play.bar]]
cards = "*H"
when = "lead"
until-played = "*H"
'''
FIRST_TRICK_BAR = '''
# Points may not be played to the first trick.
[[play.bar]]
cards = "*H QS"
when = "first-trick"
'''
HEARTS_EXTRAS = '''[[score.row]]
group = "jack"
when = "jacks = 1"
points = -10

[[score.row]]
group = "no tricks"
when = "tricks = 0 and not any(all)"
points = -5

[match]'''
OFF_BID = '''points = "-3 * abs(tricks - bid)"
name = "missed"'''
COMPARISONS = [
    Comparison("Hearts", "hearts.toml", Hearts, {"qs_breaks_hearts": False}),
    Comparison("Hearts, the queen breaks hearts", "hearts.toml", Hearts, edits=(
        ('until-played = "*H"', 'until-played = "*H QS"'),
    )),
    Comparison("Hearts without bars", "hearts.toml", Hearts, {
        "no_pts_on_first_trick": False, "must_break_hearts": False,
    }, edits=((HEARTS_BAR, ""), (FIRST_TRICK_BAR, ""))),
    Comparison("Hearts with two bonuses", "hearts.toml", Hearts, {
        "qs_breaks_hearts": False, "jd_bonus": True, "avoid_all_tricks_bonus": True,
    }, edits=(('queens = "QS" }', 'queens = "QS", jacks = "JD" }'), ("[match]", HEARTS_EXTRAS))),
    Comparison("Hearts without passing", "hearts.toml", Hearts, {
        "qs_breaks_hearts": False, "pass_cards": False,
    }, edits=(("cards = 3", "cards = 0"), ('to = ["left", "right", "across", "none"]\n', ""))),
    Comparison("Spades", "spades.toml", Spades, SPADES, {"failed-nil-helps": True}),
    Comparison("Spades as in OpenSpiel", "spades.toml", SpadesAlike, SPADES, {"failed-nil-helps": True}, (
        ("levels = [0, 13]", "levels = [0, 13]\nside-most = 13"), NEVER_BROKEN,
    )),
    Comparison("Oh Hell", "oh-hell.toml", OhHell, {"players": 4, "num_tricks_fixed": 7}, {"cards": 7, "step": 0}),
    *(
        Comparison(f"Oh Hell with {cards}", "oh-hell.toml", OhHell, {"players": 4, "num_tricks_fixed": cards},
                   {"cards": cards, "step": 0})
        for cards in (1, 2, 12)
    ),
    Comparison("Oh Hell for three", "oh-hell.toml", OhHell, {"players": 3, "num_tricks_fixed": 7}, {
        "cards": 7, "step": 0,
    }, edits=(
        ("players = 4", "players = 3"),
    )),
    Comparison("Oh Hell, bids missed cost points", "oh-hell.toml", OhHell, {
        "players": 4, "num_tricks_fixed": 7, "off_bid_penalty": True, "points_per_trick": 3,
    }, {"cards": 7, "step": 0}, edits=(('points = "tricks + bonus"', 'points = "3 * tricks + bonus"'),
              ('points = "tricks"\nname = "missed"', OFF_BID))),
    Comparison("Euchre", "euchre-4.toml", Euchre, {}, {"discard-taken": False}),
]


@dataclasses.dataclass
class Counts:
    """What was compared."""

    deals: int = 0
    decisions: int = 0
    moves: int = 0
    """Legal moves, of all decisions."""
    differing: int = 0
    """Decisions at which our rules allow more, as expected."""
    scores: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    """How often each score of a seat occurred."""

    def text(self):
        """The counts in words."""
        lowest, highest = min(self.scores), max(self.scores)
        return (
            f"{self.deals} deals, {self.decisions} decisions, {self.moves} legal moves, {self.differing} decisions with "
            f"more legal moves here, scores from {lowest} ({self.scores[lowest]} times) to {highest} "
            f"({self.scores[highest]} times)"
        )


def choose(moves, seat, number, rng):
    """A move at random. In every other deal one player plays high and the others low, so that one may win all tricks."""
    highs = {move: RANKS.index(move[0]) for move in moves if len(move) == 2}
    if number % 2 == 0 or not highs:
        return rng.choice(sorted(moves))
    wanted = (max if seat == number // 2 % 4 else min)(highs.values())
    return rng.choice(sorted(move for move, high in highs.items() if high == wanted))


def compare_deal(comparison, game, ours, counts, number, rng):
    """Plays a deal on both sides."""
    theirs = comparison.theirs(game, ours)
    while not ours.deal.is_over:
        check_same("seat that decides", ours.deal.seat, theirs.due())
        legal, same, alone = ours.legal(), theirs.legal(), theirs.ours_alone()
        check_same("legal moves", set(legal), same | alone)
        counts.decisions += 1
        counts.moves += len(same)
        counts.differing += bool(alone)
        text = choose(same | {move for move in alone if theirs.takes(move)}, ours.deal.seat, number, rng)
        theirs.play(text)
        ours.deal.play(legal[text])
    check_same("end of the deal", True, theirs.state.is_terminal())
    check_same("tricks", ours.tricks(), theirs.tricks() or ours.tricks())
    scores = ours.deal.scores()
    check_same("scores", theirs.our_scores(scores), theirs.scores())
    counts.deals += 1
    counts.scores.update(scores)


def compare(comparison, deals, seed):
    """Plays deals of a comparison, and returns what was compared."""
    counts = Counts()
    game = pyspiel.load_game(comparison.theirs.game, comparison.parameters)
    with tempfile.TemporaryDirectory() as folder:
        variant = comparison.variant(folder)
        encoding = overtrick.encoding(json.loads(variant))
        for number in range(deals):
            ours = Ours(variant, encoding, seed, number)
            try:
                compare_deal(comparison, game, ours, counts, number, random.Random(f"{seed} {number}"))
            except Difference as error:
                raise Difference(f"{comparison.name}, seed {seed}, deal {number}: {error}") from None
    return counts


def compare_spades_matches(deals, seed):
    """Compares scores of Spades in matches, where bags add up. Bids are low, so that sides have bags.

    OpenSpiel counts the bags of a total below 0 otherwise: its remainder is then negative.
    """
    comparison = Comparison("Spades in matches", "spades.toml", SpadesAlike, SPADES, {"failed-nil-helps": True}, (
        ("levels = [0, 13]", "levels = [0, 3]"), NEVER_BROKEN,
    ))
    game = pyspiel.load_game(comparison.theirs.game, comparison.parameters)
    compared = with_bags = below = 0
    with tempfile.TemporaryDirectory() as folder:
        variant = json.loads(comparison.variant(folder))
        config = {"seed": seed, "unit": "match", "matches": deals, "format": "mirror", "variants": [variant],
                  "bots": ["random"]}
        match = 0
        while compared < deals:
            for record in overtrick.replay(config, match):
                where = f"{comparison.name}, seed {seed}, match {match}, deal {record['deal']}"
                result = compare_spades_record(game, record, where)
                compared, with_bags, below = compared + 1, with_bags + result[0], below + result[1]
            match += 1
    return compared, with_bags, below


def compare_spades_record(game, record, where):
    """Plays the deal of a record in OpenSpiel. Returns whether ten bags cost points, and whether a side whose total is
    below 0 made its bid."""
    first = (record["dealer"] + 1) % 4
    order = [(first + player) % 4 for player in range(4)]
    state = game.new_initial_state()
    cards = {state.action_to_string(card)[::-1]: card for card in state.legal_actions()}
    for number in range(52):
        state.apply_action(cards[record["hands"][f"p{order[number % 4]}"][number // 4]])
    totals = [record["totals-before"][order[side]] for side in range(2)]
    state.set_current_scores(totals)
    bids = [0, 0]
    for move in record["moves"]:
        check_same(f"{where}: seat that decides", move["seat"], order[state.current_player()])
        text = move["move"]
        if text.startswith("bid "):
            bids[state.current_player() % 2] += int(text[4:])
        action = 52 + int(text[4:]) if text.startswith("bid ") else cards[text]
        check_same(f"{where}: {text} is legal", True, action in state.legal_actions())
        state.apply_action(action)
    wanted, with_bags, below = [], False, False
    for side in range(2):
        score = record["scores"][order[side]]
        won = sum(record["tricks-won"][f"p{order[player]}"] for player in (side, side + 2))
        bags = totals[side] % 10 + won - bids[side]
        if won >= bids[side]:
            with_bags |= bags >= 10
            if totals[side] < 0 and totals[side] % 10:
                below = True
                # The remainder of OpenSpiel is less by ten, and its quotient is rounded towards 0.
                score += 100 * (bags // 10) - 100 * int((bags - 10) / 10)
        wanted.append(score)
    check_same(f"{where}: scores", wanted, [round(score) for score in state.returns()[:2]])
    return with_bags, below


def main():
    """Runs the comparisons and prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=100, help="deals of each comparison (100)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of cards and moves (1)")
    parser.add_argument("--only", default="", help="comparisons whose names have this text")
    args = parser.parse_args()
    for comparison in COMPARISONS:
        if args.only in comparison.name:
            print(f"{comparison.name}: {compare(comparison, args.deals, args.seed).text()}", flush=True)
    if args.only in "Spades in matches":
        compared, with_bags, below = compare_spades_matches(args.deals, args.seed)
        print(f"Spades in matches: {compared} deals, ten bags in {with_bags}, a total below 0 with bags in {below}")


if __name__ == "__main__":
    try:
        main()
    except Difference as error:
        sys.exit(str(error))
