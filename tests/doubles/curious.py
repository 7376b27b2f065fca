"""A bot that plays the move which its seed names, unless its settings make it more curious than honest.

`moody`: its answers depend on how many decisions it has had.
`diary`: a file to which each of its processes writes that it begins, which ones of the file live beside it, each deal of
which it hears at the end, and whether it is asked about deals of which it had not heard.
`spy`: it looks for the hand of an opponent and leads what that hand cannot beat. "twins": among hands of its own in other deals, in
progress or over, it takes the one that shares the fewest cards with this one and the row (none, if both are of one deal); "chance": the
same among hands that it has made up; "memory": among all hands of deals that are over; "seeds": it looks for a small master seed whose
streams, as they were told to bots once, begin with the seed that it is told. `report`: the file for its guesses, a line for each deal:
hidden cards guessed, how many of them one opponent had, and how many that would be by chance.

Written for colour-blind: three players with thirteen cards each, and a row that all see."""

import json
import os
import sys

WORD = (1 << 64) - 1
RANKS = "23456789TJQKA"


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


class Stream:
    """Streams of random numbers as src/cards/rng.rs tells of them."""

    def __init__(self, master, purpose, subject, number, seat):
        name = 0xCBF29CE484222325
        for byte in b"overtrick 1\0" + purpose.encode() + b"\0" + subject.encode():
            name = (name ^ byte) * 0x100000001B3 & WORD
        lane = mix(mix(master ^ name) + 0x9E3779B97F4A7C15 * (seat + 1) & WORD)
        high = mix(lane + 0xD1B54A32D192ED03 * (number + 1) & WORD)
        self.step = (((high << 32 | high >> 32) & WORD) ^ lane) << 1 & WORD | 1
        self.state = 0
        self.next_half()
        self.state = self.state + high & WORD
        self.next_half()

    def next_half(self):
        old = self.state
        self.state = old * 6364136223846793005 + self.step & WORD
        bits, turn = (old >> 18 ^ old) >> 27 & 0xFFFFFFFF, old >> 59
        return (bits >> turn | bits << (-turn & 31)) & 0xFFFFFFFF

    def next(self):
        low = self.next_half()
        return low | self.next_half() << 32


def small_seeds(masters=40, numbers=600):
    """By the first seed that a seat was told of a deal once: master seed and number."""
    table = {}
    for master in range(masters):
        for number in range(numbers):
            for seat in range(3):
                word = Stream(master, "strategy", "colour-blind", number, seat).next()
                table[word & 0xFFFFFFFF] = (master, number)
    return table


class Spy:
    def __init__(self, how, report):
        self.how, self.report = how, report
        self.hands, self.deals, self.guesses = {}, [], {}
        self.table = small_seeds() if how == "seeds" else {}
        self.pool = []
        if how == "chance":
            import random
            made_up = random.Random(1)
            deck = [rank + suit for suit in "CDHS" for rank in RANKS]
            self.pool = [frozenset(made_up.sample(deck, 13)) for _ in range(512)]

    def begins(self, deal):
        self.hands[deal["deal"]] = frozenset(deal["own"])
        if len(self.hands) > 4096:
            del self.hands[next(iter(self.hands))]

    def guess(self, decision):
        deal = decision["deal"]
        if deal not in self.guesses:
            self.guesses[deal] = self.look(decision, self.hands.get(deal, frozenset()), frozenset(decision.get("row", [])))
        return self.guesses[deal]

    def look(self, decision, own, row):
        if self.how in ("twins", "chance"):
            others = self.pool or [hand for hand in list(self.hands.values())[-512:] if hand != own]
            nearest = min(others, key=lambda hand: len(hand & own) + len(hand & row), default=frozenset())
            return nearest - own - row
        if self.how == "memory":
            for hands in self.deals:
                if own in hands:
                    return hands[hands.index(own) - 1]
        if self.how == "seeds" and decision["seed"] in self.table:
            # A bot with these two numbers can deal the cards.
            with open(self.report + ".seeds", "a") as file:
                file.write("%d %d\n" % self.table[decision["seed"]])
        return None

    def ends(self, end):
        seats = [frozenset(end["hands"][name]) for name in ("p0", "p1", "p2")]
        self.deals.append(seats)
        guess = self.guesses.pop(end["deal"], None)
        if guess:
            right = max(len(guess & hand) for seat, hand in enumerate(seats) if seat != end["seat"])
            with open(self.report, "a") as file:
                file.write("%d %d %f\n" % (len(guess), right, by_chance(len(guess))))


def by_chance(cards):
    """How many of so many hidden cards that opponent has on average who has more of them."""
    import math
    ways = [math.comb(13, k) * math.comb(13, cards - k) for k in range(cards + 1)]
    return sum(way * max(k, cards - k) for k, way in enumerate(ways)) / sum(ways)


def lead(legal, guess):
    """The highest card of a suit in which the guessed hand has nothing higher."""
    safe = [card for card in legal if all(other[1] != card[1] or RANKS.index(other[0]) < RANKS.index(card[0]) for other in guess)]
    return max(safe, key=lambda card: RANKS.index(card[0]), default=None)


class Diary:
    """A line is a process, by its number and when it began, a word, and what the word is about."""

    def __init__(self, bot, file):
        self.file, self.deals, self.audits = file, set(), False
        self.name = "%s/%d/%s" % (bot, os.getpid(), state(os.getpid())[1])
        self.write("begins", "")
        # One of two that begin at once sees the other.
        with open(file) as lines:
            others = {line.split(" ")[0] for line in lines if " begins " in line} - {self.name}
        for other in sorted(others):
            _, pid, since = other.split("/")
            how = state(int(pid))
            if how and how[0] not in "ZX" and how[1] == since:
                self.write("beside", other)

    def write(self, word, what):
        with open(self.file, "ab", 0) as diary:
            diary.write(("%s %s %s\n" % (self.name, word, what)).encode())

    def decides(self, decisions):
        if not self.audits and any(decision["deal"] not in self.deals for decision in decisions):
            self.audits = True
            self.write("audits", "")

    def ends(self, end):
        self.write("meets", "|".join(sorted("".join(cards) for cards in end["hands"].values())))


def state(pid):
    """What a process does and when it began, both as a letter or a number of the system's."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            words = file.read().rsplit(")", 1)[1].split()
        return words[0], words[19]
    except OSError:
        return None


def main():
    settings, decisions, spy, diary = {}, 0, None, None
    for line in sys.stdin:
        message = json.loads(line)
        if "hello" in message:
            settings = message["hello"].get("settings", {})
            if "spy" in settings:
                spy = Spy(settings["spy"], settings["report"])
            if "diary" in settings:
                diary = Diary(settings["bot"], settings["diary"])
            hello = {"name": "curious", "protocol": 1, "variants": ["all"], "batch": 64, "deals": bool(settings)}
            print(json.dumps({"hello": hello}), flush=True)
        elif "deal" in message and spy:
            spy.begins(message["deal"])
        elif "end" in message and spy:
            spy.ends(message["end"])
        elif "deal" in message and diary:
            diary.deals.add(message["deal"]["deal"])
        elif "end" in message and diary:
            diary.ends(message["end"])
        elif "decide" in message:
            moves = []
            if diary:
                diary.decides(message["decide"])
            for decision in message["decide"]:
                decisions += 1
                legal = decision["legal"]
                choice = decision["seed"] + (decisions if settings.get("moody") else 0)
                move = legal[choice % len(legal)]
                guess = spy.guess(decision) if spy else None
                if guess and "led" not in decision:
                    move = lead(legal, guess) or move
                moves.append([decision["id"], move])
            print(json.dumps({"moves": moves}), flush=True)


if __name__ == "__main__":
    main()
