"""An honest bot, unless its settings say otherwise: it plays the move that its seed names.

`moody`: its answers depend on how many decisions it has had. `diary`: a file to which it writes each deal that it is told of at the end.
`twins`: it guesses the opponent's hand from hands of its own in other deals, and plays by that. `trial`: it looks for the master seed."""

import json
import os
import sys

settings = {}
decisions = 0
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        settings = message["hello"].get("settings", {})
        hello = {"name": "curious", "protocol": 1, "variants": ["all"], "batch": 64, "deals": True}
        print(json.dumps({"hello": hello}), flush=True)
    elif "end" in message and "diary" in settings:
        hands = sorted(" ".join(cards) for cards in message["end"]["hands"].values())
        with open(settings["diary"], "a") as diary:
            diary.write("%d %s\n" % (os.getpid(), "|".join(hands)))
    elif "decide" in message:
        moves = []
        for decision in message["decide"]:
            decisions += 1
            legal = decision["legal"]
            choice = decision["seed"] + (decisions if settings.get("moody") else 0)
            moves.append([decision["id"], legal[choice % len(legal)]])
        print(json.dumps({"moves": moves}), flush=True)
