"""Runs the shell blocks of a page in order, as they stand.

    pages.py PROGRAM FOLDER PAGE...

PROGRAM is the built overtrick, which the blocks find on their path. Each page is run in FOLDER. Lines that begin with
`cargo` are left out: other steps of the gate run them. The lines of a `text` block must be in what the last shell block
has printed; a line `...` stands for lines that are left out.
"""

import os
import pathlib
import subprocess
import sys

program, folder, pages = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:]


def blocks(page):
    """The blocks of a page: language and lines."""
    language, lines = None, []
    for line in pathlib.Path(page).read_text().splitlines():
        if language is None and line.startswith("```"):
            language, lines = line[3:].strip(), []
        elif line == "```":
            yield language, lines
            language = None
        elif language is not None:
            lines.append(line)


def run(lines):
    """Runs a block and returns what it prints. A failure ends this program."""
    script = "\n".join(["set -e", *lines])
    path = f"{program.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "90"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode != 0:
        sys.exit("%s\n%s\nexit code %d" % ("\n".join(lines), done.stdout, done.returncode))
    return done.stdout


count = 0
for page in pages:
    printed = ""
    for language, lines in blocks(page):
        if language == "sh":
            lines = [line for line in lines if not line.startswith("cargo ")]
            if lines:
                printed = run(lines)
                count += 1
        elif language == "text":
            missing = [line for line in lines if line != "..." and line not in printed.splitlines()]
            if missing:
                sys.exit("%s: not printed: %s\nprinted:\n%s" % (page, missing, printed))
print(f"{count} blocks of {len(pages)} pages ran")
assert count > 0
