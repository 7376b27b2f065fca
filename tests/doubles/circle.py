"""Plays Colour-blind for two in a circle: paper beats rock, scissors beat paper, rock beats scissors.

Its setting `role` is one of these. In the first tricks, who leads shows its role by the rank of its card, and who follows
tries to win, so that it leads next. From then on, a bot that has seen the role that beats its own plays to lose. Its
setting `salt` makes bots of one role choose differently.
"""

import json
import sys

RANKS = "23456TJQKA"
ROLES = ["rock", "paper", "scissors"]
# The tricks in which roles are shown.
SHOWN = 3

role, salt = 0, 0


def rank(card):
    return RANKS.index(card[0])


def shows(decision, wanted):
    """Whether the other player has shown a role: by a lead, which is free."""
    other = "p%d" % (1 - decision["seat"])
    leads = [rank(trick["cards"][0]) % 3 for trick in decision["tricks"][:SHOWN] if trick["leader"] == other]
    return leads.count(wanted) * 2 > len(leads)


def thrifty(legal, is_wanted, led):
    """The card that wins or loses the trick for the least. Of equally high cards the last one wins."""
    if led is None:
        return (max if is_wanted else min)(legal, key=rank)
    winning = [card for card in legal if rank(card) >= rank(led)]
    losing = [card for card in legal if rank(card) < rank(led)]
    if is_wanted:
        return min(winning or losing, key=rank)
    return max(losing or winning, key=rank)


def choose(decision):
    legal, tricks = decision["legal"], decision["tricks"]
    number = sum("winner" in trick for trick in tricks)
    if number < SHOWN and "led" in decision:
        return max(legal, key=rank)
    if number < SHOWN:
        showing = [card for card in legal if rank(card) % 3 == role] or legal
        return showing[(decision["seed"] * (2 * salt + 1) >> 8) % len(showing)]
    row = decision["row"]
    is_red = [card[1] in "DH" for card in row[:13]]
    is_good = is_red[number] == (sum(is_red) > 6)
    plays_to_lose = shows(decision, (role + 1) % 3)
    return thrifty(legal, is_good != plays_to_lose, decision.get("led"))


for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        settings = message["hello"].get("settings", {})
        role, salt = ROLES.index(settings.get("role", "rock")), settings.get("salt", 0)
        hello = {"name": "circle", "protocol": 1, "variants": ["colour-blind-2"], "batch": 1024, "deals": False}
        answer = {"hello": hello}
    elif "decide" in message:
        answer = {"moves": [[decision["id"], choose(decision)] for decision in message["decide"]]}
    elif "bye" in message:
        break
    else:
        continue
    print(json.dumps(answer), flush=True)
