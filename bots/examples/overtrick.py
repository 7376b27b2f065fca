"""Helper for Overtrick bots: standard library only. docs/protocol.md describes the messages.

    import overtrick

    def choose(view):
        return view.pick(view.legal)

    overtrick.run("my-bot", choose)
"""

import json
import os
import random
import re
import sys

PROTOCOL = 1
RANKS = "23456789TJQKA"
CARDS = [rank + suit for suit in "CDHS" for rank in RANKS] + ["LJ", "BJ"]
DECODE = json.JSONDecoder().raw_decode
# What View.strengths has worked out: by game, trumps, direction and whether cards snap; then by the card that was led; then by card.
ORDERS = {}


def rank(card):
    """0 for a two to 12 for an ace; -1 for a joker."""
    return -1 if card in ("BJ", "LJ") else RANKS.index(card[0])


# What most bots want of a decision is cut out of its text, which is several times as fast as parsing it. The rest is parsed when it is
# asked for.
HEAD = re.compile(r'\{"id":(\d+),"seed":(\d+),"legal":\["([^]]*)"\]').match


class View:
    """A decision to be made. Attributes are the keys of the message with `_` for `-`; those below are worked out on demand."""

    __slots__ = ("text", "variant", "id", "seed", "legal", "parsed", "order")

    def __init__(self, text, variant):
        # Behind its end there may be more of the message.
        self.text = text
        self.variant = variant
        self.parsed = self.order = None
        self.id, seed, legal = HEAD(text).groups()
        self.seed = int(seed)
        self.legal = legal.split('","')

    @property
    def raw(self):
        """The decision as it is in the message."""
        if self.parsed is None:
            self.parsed = DECODE(self.text)[0]
        return self.parsed

    def __getattr__(self, name):
        # Keys that are left out where there is nothing to say become None.
        return self.raw.get(name.replace("_", "-"))

    def pick(self, options):
        """One of some options, any with the same chance, by the seed: the cheapest random choice, to be made once a decision."""
        return options[self.seed * len(options) >> 32]

    @property
    def rng(self):
        """Random numbers that are the same whenever this decision is played again."""
        return random.Random(self.seed)

    @property
    def own(self):
        """The cards of the seat's own hand."""
        return self.cards("p%d" % self.raw["seat"])

    @property
    def holding(self):
        """The cards of the hand that is to move."""
        return self.cards(self.raw["hand"])

    def cards(self, place):
        """The cards that the seat sees at a place."""
        return self.raw["seen"].get(place, [])

    @property
    def playing(self):
        """Whether a card is to be played, and not a call made."""
        return len(self.legal[0]) == 2

    @property
    def trick(self):
        """The cards of the trick in progress as (hand, card)."""
        tricks = self.raw["tricks"]
        return self.plays(tricks[-1]) if tricks and "winner" not in tricks[-1] else []

    def plays(self, trick):
        """The cards of a trick as (hand, card)."""
        circle = self.raw["circle"]
        first = circle.index(trick["leader"])
        return [(circle[(first + n) % len(circle)], card) for n, card in enumerate(trick["cards"])]

    def played(self):
        """Every card played so far."""
        return [card for trick in self.raw["tricks"] for card in trick["cards"]]

    def unseen(self):
        """The cards that the seat has not seen: they are in other hands or out of play."""
        raw = self.raw
        gone = set().union(*raw["seen"].values(), *(trick["cards"] for trick in raw["tricks"]))
        return [card for card in self.variant["deck"] if card not in gone]

    def decider(self, hand):
        """The seat that chooses the cards of a hand."""
        deciders = self.raw.get("deciders", {})
        return deciders[hand] if hand in deciders else int(hand[1])

    @property
    def trumps(self):
        """The trump suit's letter; None where there is none."""
        contract = self.raw.get("contract")
        suit = contract["trump"] if contract else self.raw.get("trump")
        return None if suit == "NT" else suit

    def suit(self, card):
        """The suit that a card belongs to: in Euchre the left bower is a trump, so are jokers where there are trumps."""
        if card in ("BJ", "LJ"):
            return self.trumps
        if self.variant["game"] == "euchre" and card == self.left_bower():
            return self.trumps
        return card[1]

    def left_bower(self):
        """The other jack of the trump colour."""
        trumps = self.trumps
        return "J" + {"C": "S", "S": "C", "D": "H", "H": "D"}[trumps] if trumps else None

    def strengths(self, led):
        """How strong each card is in a trick in which `led` set the suit: 0 cannot win, of equals the last played wins."""
        if self.order is None:
            contract = self.raw.get("contract")
            downtown = bool(contract) and contract["kind"] == "downtown"
            snapping = self.variant["rules"].get("snapping", False)
            self.order = ORDERS.setdefault((self.variant["game"], self.trumps, downtown, snapping), {})
        if led not in self.order:
            self.order[led] = {card: self.work_out(led, card) for card in CARDS}
        return self.order[led]

    def strength(self, led, card):
        """How strong one card is."""
        return self.strengths(led)[card]

    def work_out(self, led, card):
        game, height = self.variant["game"], rank(card) + 1
        if game == "colour-blind":
            return height
        if game == "dumbo":
            if card[1] == led[1]:
                return height
            return 20 if card[0] == led[0] and self.variant["rules"]["snapping"] else 0
        trumps = self.trumps
        if card in ("BJ", "LJ"):
            height = (15 if card == "BJ" else 14) if trumps else 0
        elif game == "euchre" and card[0] == "J" and card[1] == trumps:
            height = 15
        elif game == "euchre" and card == self.left_bower():
            height = 14
        elif game == "dummy-whist" and self.contract["kind"] == "downtown" and card[0] != "A":
            height = 12 - rank(card)
        suit = self.suit(card)
        if trumps and suit == trumps:
            return 16 + height
        return height if suit == self.suit(led) else 0


class Knob:
    """A setting that the bot declares, so that `overtrick list parameters` shows it and `overtrick tune` can tune it.

        SETTINGS = {
            "risk": Knob.integer(0, 5, 0, "unseen cards that may beat a winner"),
            "nerve": Knob.number(0, 1, 0.5),
            "lead": Knob.choice(["high", "low"], "high"),
            "bold": Knob.switch(False),
        }
        run("my-bot", choose, settings=SETTINGS)

    When the bot plays, `SETTINGS["risk"]` is the value. Either all settings are knobs, or none is."""

    def __init__(self, kind, default, about="", **more):
        self.default = default
        self.keys = {"kind": kind, **{key: value for key, value in more.items() if value is not None}, "default": default}
        if about:
            self.keys["about"] = about

    @classmethod
    def number(cls, low, high, default, about="", step=None):
        """A number; a tuning tries those from `low` in steps of `step`, or in fine steps."""
        return cls("number", default, about, low=low, high=high, step=step)

    @classmethod
    def integer(cls, low, high, default, about="", step=None):
        """A whole number."""
        return cls("integer", default, about, low=low, high=high, step=step)

    @classmethod
    def switch(cls, default, about=""):
        """True or false."""
        return cls("switch", default, about)

    @classmethod
    def choice(cls, choices, default, about=""):
        """One of some texts."""
        return cls("choice", default, about, choices=list(choices))

    @classmethod
    def text(cls, default, about=""):
        """Any text, which no tuning changes."""
        return cls("text", default, about)


def declare(settings):
    """The declaration of the settings, or None if they are not knobs. In their places it puts their defaults."""
    knobs = {name: knob for name, knob in settings.items() if isinstance(knob, Knob)}
    if not knobs:
        return None
    if len(knobs) < len(settings):
        sys.exit("%s: not a Knob, while other settings are" % ", ".join(name for name in settings if name not in knobs))
    settings.update((name, knob.default) for name, knob in knobs.items())
    return [{"name": name, **knob.keys} for name, knob in knobs.items()]


def run(name, choose, variants=("all",), batch=64, on_deal=None, on_end=None, settings=None):
    """Answers messages until there are no more. `choose` takes a View and returns one of its `legal` texts; `on_deal` and `on_end`
    take the messages of a deal's beginning and end, which are asked for only if one of them is given. `settings` has the bot's own
    settings with their defaults, or each with a Knob; those that the manifest sets are put in their places."""
    settings = {} if settings is None else settings
    parameters = declare(settings)
    # `print` in a bot goes to the log and not between the answers.
    read, write = open(0, "rb", 1 << 18), os.fdopen(os.dup(1), "wb", 0).write
    sys.stdout = sys.stderr
    variant = None

    for line in read:
        line = line.decode()
        if line.startswith('{"decide":'):
            answers = []
            for text in line.split("\t")[1:]:
                view = View(text, variant)
                answers.append('[%s,"%s"]' % (view.id, choose(view)))
            write(('{"moves":[%s]}\n' % ",".join(answers)).encode())
            continue
        message = json.loads(line)
        if "deal" in message:
            if on_deal:
                on_deal(message["deal"])
        elif "end" in message:
            if on_end:
                on_end(message["end"])
        elif "variant" in message:
            variant = message["variant"]
        elif "hello" in message:
            deals = on_deal is not None or on_end is not None
            hello = {"name": name, "protocol": PROTOCOL, "variants": list(variants), "batch": batch, "deals": deals}
            for key, value in message["hello"].get("settings", {}).items():
                if key in settings:
                    settings[key] = value
                elif parameters is None:
                    sys.exit("there is no setting %r; there are: %s" % (key, ", ".join(settings) or "none"))
            if parameters is not None:
                # Overtrick refuses settings that are not among them.
                hello["parameters"] = parameters
            write((json.dumps({"hello": hello}) + "\n").encode())
        elif "bye" in message:
            return
