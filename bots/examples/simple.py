"""A bot that plays any legal move, and needs no helper."""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        reply = {"hello": {"name": "simple", "protocol": 1, "variants": ["all"], "deals": False}}
    elif "decide" in message:
        pick = lambda decision: random.Random(decision["seed"]).choice(decision["legal"])
        reply = {"moves": [[decision["id"], pick(decision)] for decision in message["decide"]]}
    else:
        continue
    print(json.dumps(reply), flush=True)
