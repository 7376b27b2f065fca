"""Misbehaves as its argument says, after a proper handshake unless that is the point."""

import json
import os
import subprocess
import sys
import time

how = sys.argv[1]
going = {}


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def honest(message):
    say(json.dumps({"moves": [[d["id"], d["legal"][0]] for d in message["decide"]]}))


if how == "mute":
    time.sleep(3600)
if how == "stillborn":
    sys.exit(3)

for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        version = 99 if how == "foreign" else 1
        hello = {"name": how, "protocol": version, "variants": ["all"], "deals": how == "witness"}
        if how == "odd-batches":
            hello["batch"] = 7
        say("ready" if how == "rude" else json.dumps({"hello": hello}))
        if how == "mum":
            os.close(1)
            time.sleep(3600)
    elif "decide" in message:
        if how == "honest":
            honest(message)
        elif how == "crash":
            os.abort()
        elif how == "exit":
            sys.exit(7)
        elif how == "hang-up":
            os.close(1)
            time.sleep(3600)
        elif how == "stall":
            time.sleep(3600)
        elif how == "cheat":
            say(json.dumps({"moves": [[d["id"], "BJ"] for d in message["decide"]]}))
        elif how == "mumble":
            say(json.dumps({"moves": [[d["id"], "the ace"] for d in message["decide"]]}))
        elif how == "babble":
            say("let me think")
        elif how == "mojibake":
            os.write(1, b'{"moves":[[0,"\xff"]]}\n')
        elif how == "mix-up":
            say(json.dumps({"moves": [[d["id"] + 1000, d["legal"][0]] for d in message["decide"]]}))
        elif how == "flood":
            while True:
                os.write(1, b"x" * 65536)
        elif how == "rant":
            os.write(2, b"x" * (4 << 20))
            honest(message)
        elif how == "glutton":
            hoard = []
            while True:
                hoard.append(bytearray(1 << 20))
        elif how == "brood":
            # Each of them is far below the limit.
            hoard = bytearray(b"x") * (32 << 20)
            while os.fork() and time.sleep(0.01) is None:
                pass
            hoard[::4096] = b"y" * len(hoard[::4096])
            time.sleep(3600)
        elif how == "fork":
            if not going:
                child = subprocess.Popen(["sleep", "3600"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                sys.stderr.write("child %d\n" % child.pid)
                sys.stderr.flush()
            going["a child"] = True
            honest(message)
        elif how == "slow":
            time.sleep(0.02 * len(message["decide"]))
            honest(message)
        elif how == "nosy":
            sys.stderr.write(" ".join(sorted(os.environ)))
            sys.stderr.flush()
            honest(message)
        elif how in ("odd", "odd-batches"):
            # A choice that depends on all there is, answered out of order.
            pick = lambda d: d["legal"][(d["seed"] + len(d["calls"]) + len(d["tricks"])) % len(d["legal"])]
            say(json.dumps({"moves": [[d["id"], pick(d)] for d in reversed(message["decide"])]}))
        elif how == "picky":
            # Cannot bear some decisions.
            if any(d["seed"] % 16 == 0 for d in message["decide"]):
                os.abort()
            honest(message)
        elif how == "witness":
            for d in message["decide"]:
                if d["deal"] not in going or d["seat"] not in going[d["deal"]]:
                    sys.stderr.write("slip\n")
            honest(message)
    elif "deal" in message:
        deal = message["deal"]
        going.setdefault(deal["deal"], set()).add(deal["seat"])
        sys.stderr.write("deal\n")
    elif "end" in message:
        end = message["end"]
        if len(end["scores"]) != 3 or end["seat"] not in going[end["deal"]]:
            sys.stderr.write("slip\n")
        sys.stderr.write("end\n")
        sys.stderr.flush()
    elif "bye" in message:
        break
