"""A bot that declares the parameters that its argument holds, as JSON.

It plays the move which its seed names. With `"high": true` among its settings it plays its highest card, and says so in no other
way. A declaration of "fickle" is another one each time."""

import json
import sys
import time

RANKS = "23456789TJQKA"
declared = json.loads(sys.argv[1])
if declared == "fickle":
    # No two starts are at the same time.
    declared = [{"name": "nerve", "kind": "integer", "low": 0, "high": 1 + time.time_ns() % (1 << 50), "default": 0}]
settings = {knob["name"]: knob["default"] for knob in declared or [] if "default" in knob}


def choose(decision):
    legal = decision["legal"]
    if settings.get("high"):
        return max(legal, key=lambda text: RANKS.find(text[0]))
    return legal[decision["seed"] % len(legal)]


for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        settings.update(message["hello"].get("settings", {}))
        hello = {"name": "knobs", "protocol": 1, "variants": ["dumbo", "colour-blind-2"], "batch": 64, "deals": False}
        print(json.dumps({"hello": {**hello, "parameters": declared}}), flush=True)
    elif "decide" in message:
        moves = [[decision["id"], choose(decision)] for decision in message["decide"]]
        print(json.dumps({"moves": moves}), flush=True)
