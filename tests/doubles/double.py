"""Misbehaves as its argument says, after a proper handshake unless that is the point. It is started hundreds of times:
each way imports its own modules."""

import json
import os
import sys
import time

how = sys.argv[1]
going = {}


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def twice(number):
    return 2 * number


def work_side_by_side():
    """Does what a bot of many threads and processes does."""
    import multiprocessing
    import threading

    found = []
    threads = [threading.Thread(target=lambda n=n: found.append(twice(n))) for n in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(found) == [0, 2, 4, 6]
    # Bots have this program as a whole for their main module, so a process that begins from nothing would read on.
    way = multiprocessing.get_context("fork")
    lock, queue, value = way.Lock(), way.Queue(), way.Value("i", 0)

    def count(number):
        for _ in range(100):
            with value.get_lock(), lock:
                value.value += 1
        queue.put(number)

    workers = [way.Process(target=count, args=(n,)) for n in range(3)]
    [worker.start() for worker in workers]
    assert sorted(queue.get() for _ in workers) == [0, 1, 2]
    [worker.join() for worker in workers]
    assert value.value == 300
    with way.Pool(2) as pool:
        assert pool.map(twice, range(10)) == list(range(0, 20, 2))
    import subprocess
    assert subprocess.run(["echo", "x"], capture_output=True, check=True).stdout == b"x\n"


def spin():
    """Begins children that do nothing but keep the processor busy, each in a session of its own."""
    for _ in range(100):
        if os.fork() == 0:
            os.setsid()
            while True:
                pass


def hold_in_sockets():
    """Lets bytes wait in sockets: some 200 MB that are in no process's memory."""
    import socket
    kept = [end for _ in range(480) for end in socket.socketpair()]
    for end in kept:
        end.setblocking(False)
        try:
            while end.send(bytes(1 << 16)):
                pass
        except BlockingIOError:
            pass
    return kept


def hold_what_was_given_back():
    """Shares memory and gives its pages back: 100 MB that are in no process's memory."""
    import mmap
    kept = mmap.mmap(-1, 100 << 20)
    for start in range(0, len(kept), 1 << 20):
        kept[start:start + (1 << 20)] = bytes(1 << 20)
        kept.madvise(mmap.MADV_DONTNEED, start, 1 << 20)
    return kept


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
        elif how == "worker":
            work_side_by_side()
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
        elif how in ("sockets", "given-back"):
            # What is held is held by children, since each has its own limits.
            for number in range(12):
                if os.fork() == 0:
                    going[number] = hold_in_sockets() if how == "sockets" else hold_what_was_given_back()
                    break
            time.sleep(3600)
        elif how == "load":
            if not going:
                spin()
            going["children"] = True
            honest(message)
        elif how == "thinker":
            until = time.process_time() + 0.05
            while time.process_time() < until:
                pass
            honest(message)
        elif how == "fork":
            if not going:
                import subprocess
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
