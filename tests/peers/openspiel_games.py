"""Deals of games in files, and the same deals in OpenSpiel's games: who is due, legal moves, tricks and scores."""

import json
import random
import re

import numpy as np
from overtrick._overtrick import Deal


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
            direction = next(seat for seat in range(4) if passed[0][0] in self.ours.hand(seat))
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
