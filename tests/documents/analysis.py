"""Runs the Python of docs/analysis.md in the folder where the script is called, and sees that its answers agree.

    python analysis.py docs/analysis.md

The folder must have results/quick and results/deals.csv.gz, as the commands of that page make them.
"""

import gzip
import os
import pathlib
import re
import sys

page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
answers = []
for block in blocks:
    names = {}
    exec(compile(block, sys.argv[1], "exec"), names)
    if "answer" in names:
        answers.append(tuple(names["answer"]))
if len(answers) != 3:
    raise SystemExit(f"{sys.argv[1]}: {len(answers)} answers and not three")
for other in answers[1:]:
    if other[0] != answers[0][0] or any(abs(a - b) > 1e-9 for a, b in zip(other, answers[0])):
        raise SystemExit(f"{sys.argv[1]}: the answers differ: {answers}")
deals, ahead, half = answers[0]
told = f"{deals} deals: {ahead:.4f} ± {half:.4f}"
if told not in page:
    raise SystemExit(f"{sys.argv[1]} does not tell the answer that it gives: {told}")
# The same with bots whose names look like a number and like nothing.
with gzip.open("results/deals.csv.gz", "rt", encoding="utf-8") as log:
    text = log.read()
ODD = {"rule-based": "007", "cautious": "NA"}
os.makedirs("odd/results", exist_ok=True)
with gzip.open("odd/results/deals.csv.gz", "wt", encoding="utf-8", compresslevel=1) as log:
    for name, odd in ODD.items():
        assert f",{name}," in text
        text = text.replace(f",{name},", f",{odd},")
    log.write(text)
os.chdir("odd")
for block in blocks:
    if "deals.csv.gz" not in block:
        continue
    for name, odd in ODD.items():
        block = block.replace(name, odd)
    names = {}
    exec(compile(block, sys.argv[1], "exec"), names)
    if any(abs(a - b) > 1e-9 for a, b in zip(names["answer"], answers[0])):
        raise SystemExit(f"{sys.argv[1]}: names do not survive: {names['answer']} is not {answers[0]}\n{block}")
os.chdir("..")
if not pathlib.Path("results/seats.pdf").stat().st_size:
    raise SystemExit("the figure is empty")
print(f"three ways, one answer: {told}")
