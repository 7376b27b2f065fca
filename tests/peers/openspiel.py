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
import re
import sys
import tempfile

import numpy as np
import overtrick
import pyspiel
from overtrick._overtrick import Deal

GAMES = pathlib.Path(__file__).resolve().parents[2] / "configs" / "games"
RANKS = "23456789TJQKA"


class Difference(Exception):
    """Something that is not the same on both sides."""


def check_same(what, ours, theirs):
    """Raises if two values differ."""
    if ours != theirs:
        raise Difference(f"{what}: here {ours}, in OpenSpiel {theirs}")


class Ours:
    """A deal of a game in a file."""

    def __init__(self, variant, encoding, seed, number):
        self.encoding = encoding
        self.deal = Deal(variant, seed=seed, number=number)
        self.seats = encoding.seats
        self.size = len(self.hand(0))

    def field(self, name, seat=0):
        """A field of what a seat sees."""
        field = self.encoding.fields[name]
        return self.deal.observe(seat)[field.slice].reshape(field.shape)

    def hand(self, seat):
        """The cards that a seat holds."""
        return [self.encoding.moves[card] for card in np.flatnonzero(self.field("seen", seat)[0])]

    def dealer(self):
        """The seat that deals."""
        return int(self.field("dealer").argmax())

    def turned(self):
        """The card that is turned up."""
        return self.encoding.moves[int(self.field("up-card").argmax())]

    def legal(self):
        """The legal moves, with their numbers. A card that is passed or discarded is the card alone."""
        return {self.encoding.moves[move]: int(move) for move in np.flatnonzero(self.deal.legal())}

    def passes(self):
        """Whether the card that is due is passed to another player."""
        return self.deal.text(int(self.deal.legal().argmax())).startswith("pass ")

    def tricks(self):
        """By seat: the tricks won."""
        return [round(float(share) * self.size) for share in self.field("won")]


class Theirs:
    """The same deal in OpenSpiel. Moves have the texts of ours."""

    game = ""

    def __init__(self, game, ours):
        self.ours = ours
        self.state = game.new_initial_state()
        self.moves = {}
        self.shift = 0
        self.begin()

    def begin(self):
        """Deals the cards of our deal."""
        raise NotImplementedError

    def deal_out(self, first, cards_each):
        """Deals the hands one by one, from the player `first`."""
        self.name_moves()
        hands = [self.ours.hand(self.seat(player)) for player in range(self.ours.seats)]
        for number in range(cards_each * self.ours.seats):
            self.play(hands[(first + number) % self.ours.seats].pop())

    def name_moves(self):
        """Takes the texts of all cards from the legal chance moves."""
        for action in self.state.legal_actions():
            self.moves[self.named(action)] = action

    def named(self, action):
        """The text of an action, which is a card with the rank first."""
        text = self.state.action_to_string(action)
        return text[::-1] if text[0] in "CDHS" and len(text) == 2 else text

    def seat(self, player):
        """The seat here of a player there."""
        return (player + self.shift) % self.ours.seats

    def due(self):
        """The seat that decides."""
        return self.seat(self.state.current_player())

    def legal(self):
        """The texts of legal moves."""
        return {self.named(action) for action in self.state.legal_actions()}

    def ours_alone(self):
        """The moves that our rules allow in addition, where the rules differ."""
        return set()

    def takes(self, text):
        """Whether a move that is not legal there can be made all the same."""
        return False

    def play(self, text):
        """Makes a move."""
        self.state.apply_action(self.moves[text])

    def by_seat(self, values):
        """Values by player there, by seat here."""
        sorted_values = [0] * self.ours.seats
        for player, value in enumerate(values):
            sorted_values[self.seat(player)] = round(value)
        return sorted_values

    def scores(self):
        """By seat: the scores, as ours are counted."""
        return self.by_seat(self.state.returns())

    def our_scores(self, scores):
        """Our scores, as theirs are counted."""
        return scores

    def tricks(self):
        """By seat: the tricks won, or none where OpenSpiel does not say."""
        return None


class Hearts(Theirs):
    """Seats are players. All players pass at once here, and one after another there."""

    game = "hearts"

    def begin(self):
        held = [self.ours.hand(seat) for seat in range(4)]
        passed = self.choose_passes(held)
        direction = 0
        if passed:
            moved = next(card for card in passed[0])
            direction = next(seat for seat in range(4) if moved in self.ours.hand(seat))
        self.state.apply_action(direction)
        self.name_moves()
        for number in range(52):
            self.play(held[number % 4][number // 4])
        for seat in range(4 if passed else 0):
            for card in passed[seat]:
                check_same("player who passes", seat, self.state.current_player())
                check_same("cards to pass", set(held[seat]), self.legal())
                self.play(card)
                held[seat].remove(card)

    def choose_passes(self, held):
        """Passes cards here, and returns them by seat. Cards are chosen in their order, so that each choice is made
        in one way."""
        if not self.ours.passes():
            return None
        passed = [[], [], [], []]
        rng = random.Random(json.dumps(held))
        while self.ours.passes():
            seat, legal = self.ours.deal.seat, self.ours.legal()
            after = held[seat].index(passed[seat][-1]) + 1 if passed[seat] else 0
            wanted = held[seat][after : len(held[seat]) - 2 + len(passed[seat])]
            check_same("cards to pass", set(legal), set(wanted))
            card = rng.choice(wanted)
            self.ours.deal.play(legal[card])
            passed[seat].append(card)
        check_same("cards passed", [3] * 4, [len(cards) for cards in passed])
        return passed

    def our_scores(self, scores):
        """The most that a deal can cost is added there."""
        return [26 + score for score in scores]


class SpadesAlike(Theirs):
    """Player 0 bids first there, so that player is the one to the dealer's left."""

    game = "spades"

    def begin(self):
        self.shift = self.ours.dealer() + 1
        self.deal_out(0, 13)
        self.moves |= {f"bid {level}": 52 + level for level in range(14)}

    def named(self, action):
        return f"bid {action - 52}" if action >= 52 else super().named(action)

    def tricks(self):
        counts = re.search(r"Tricks taken:\s+North East  South  West\n(.*)", str(self.state)).group(1)
        return self.by_seat([int(count) for count in counts.split()])


class Spades(SpadesAlike):
    """With the two rules that differ: the sum of bids, and leads of spades."""

    def begin(self):
        super().begin()
        self.bids = {}
        self.played = []

    def ours_alone(self):
        """Partners may not bid more than 13 together there, and playing spades does not break them."""
        hand = self.ours.hand(self.due())
        if len(self.bids) < 4:
            partner = self.bids.get((self.due() + 2) % 4)
            return {f"bid {level}" for level in range(14)[14 - (partner or 0):]}
        others = [card for card in hand if card[1] != "S"]
        broken = any(card[1] == "S" for card in self.played)
        if len(self.played) % 4 == 0 and broken and others:
            return {card for card in hand if card[1] == "S"}
        return set()

    def takes(self, text):
        """Spades are led all the same."""
        return not text.startswith("bid ")

    def play(self, text):
        if text.startswith("bid "):
            self.bids[self.due()] = int(text[4:])
        elif not self.state.is_chance_node():
            self.played.append(text)
        super().play(text)


class OhHell(Theirs):
    """Seats are players."""

    game = "oh_hell"

    def begin(self):
        self.state.apply_action(self.ours.size)
        self.state.apply_action(self.ours.dealer())
        self.deal_out(0, self.ours.size)
        self.play(self.ours.turned())
        self.moves |= {f"bid {level}": 52 + level for level in range(self.ours.size + 1)}

    def named(self, action):
        return f"bid {action - 52}" if action >= 52 else super().named(action)

    def tricks(self):
        counts = re.search(r"Tricks Won: *(.*)", str(self.state)).group(1)
        return self.by_seat([int(count) for count in counts.split()])


class Euchre(Theirs):
    """Seats are players. The maker always plays with the partner there, for here no one goes alone."""

    game = "euchre"

    def begin(self):
        dealer = self.ours.dealer()
        self.state.apply_action(dealer)
        self.deal_out(dealer, 5)
        self.play(self.ours.turned())
        self.moves |= {"pass": 24, "order-up": 25 + "CDHS".index(self.ours.turned()[1]), "with partner": 30}
        self.moves |= {f"name {suit}": 25 + place for place, suit in enumerate("CDHS")}

    def named(self, action):
        if 25 <= action <= 28:
            return "order-up" if self.state.num_passes() < 4 else f"name {'CDHS'[action - 25]}"
        return {24: "pass", 29: "alone", 30: "with partner"}.get(action) or super().named(action)

    def play(self, text):
        super().play(text)
        if not self.state.is_terminal() and not self.state.is_chance_node() and "alone" in self.legal():
            check_same("choice of the maker", {"alone", "with partner"}, self.legal())
            super().play("with partner")

    def our_scores(self, scores):
        """What a side wins there, the other loses."""
        return [scores[seat] - scores[(seat + 1) % 4] for seat in range(4)]

    def tricks(self):
        counts = [0] * 4
        for trick in self.state.tricks():
            counts[trick.winner()] += 1
        return counts


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
    Comparison("Oh Hell", "oh-hell.toml", OhHell, {"players": 4, "num_tricks_fixed": 7}),
    *(
        Comparison(f"Oh Hell with {cards}", "oh-hell.toml", OhHell, {"players": 4, "num_tricks_fixed": cards},
                   {"cards": cards})
        for cards in (1, 2, 12)
    ),
    Comparison("Oh Hell for three", "oh-hell.toml", OhHell, {"players": 3, "num_tricks_fixed": 7}, edits=(
        ("players = 4", "players = 3"),
    )),
    Comparison("Oh Hell, bids missed cost points", "oh-hell.toml", OhHell, {
        "players": 4, "num_tricks_fixed": 7, "off_bid_penalty": True, "points_per_trick": 3,
    }, edits=(('points = "tricks + bonus"', 'points = "3 * tricks + bonus"'),
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
