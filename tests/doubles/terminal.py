"""Runs a program in a terminal of its own, and answers its questions as somebody at the keys would.

    terminal.py ANSWERS PROGRAM ARGUMENT...

ANSWERS is a list in JSON. One is typed each time the program waits at a prompt, which ends in "> "; the last one again
and again. What stood on the screen is printed, and the exit code is the program's, 128 more than a signal's number.
"""

import json
import os
import pty
import re
import signal
import subprocess
import sys

answers, program = json.loads(sys.argv[1]), sys.argv[2:]
child, screen = pty.fork()
if child == 0:
    # When the first process of a terminal ends, what is not read yet is lost. So it waits for the program and says with
    # what code it ended, in zeros, after all that the program has written.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    restored = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    code = subprocess.run(program, **restored, check=False).returncode
    os.write(1, b"\0%d\0" % (code if code >= 0 else 128 - code))
    signal.pause()
shown = b""
while not (ended := re.search(rb"\0(\d+)\0$", shown)):
    shown += os.read(screen, 65536)
    if re.sub(rb"\x1b\[[0-9;]*m", b"", shown).endswith(b"> "):
        os.write(screen, answers[0].encode())
        answers = answers[1:] or answers
sys.stdout.buffer.write(shown[: ended.start()])
sys.stdout.flush()
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
sys.exit(int(ended[1]))
