"""Runs a program in a terminal of its own, and answers its questions as somebody at the keys would.

    terminal.py ANSWERS PROGRAM ARGUMENT...

ANSWERS is a list in JSON. One is typed each time the program waits at a prompt, which ends in "> "; the last one again
and again. What stood on the screen is printed, and the exit code is the program's, 128 more than a signal's number.
"""

import json
import os
import pty
import re
import sys

answers, program = json.loads(sys.argv[1]), sys.argv[2:]
child, screen = pty.fork()
if child == 0:
    os.execvp(program[0], program)
shown = b""
while True:
    try:
        more = os.read(screen, 65536)
    except OSError:
        break
    if not more:
        break
    shown += more
    if re.sub(rb"\x1b\[[0-9;]*m", b"", shown).endswith(b"> "):
        os.write(screen, answers[0].encode())
        answers = answers[1:] or answers
sys.stdout.buffer.write(shown)
_, status = os.waitpid(child, 0)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
