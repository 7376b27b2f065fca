"""Counts the crates that the parts of Overtrick which others will want are built of.

    python dependencies.py

The cards and the games alone take fewer than 30 crates. The ratings alone take 23: nalgebra brings fifteen, and statrs,
which has the distributions that intervals need, brings another seven. The ratings where one number is
not enough take two: the part itself, which counts, and libm. Procedural macros and build scripts count, too.
"""

import subprocess

MOST = {"overtrick-games": 30, "overtrick-meta": 3, "overtrick-ratings": 24}

for package, most in MOST.items():
    tree = subprocess.run(
        ["cargo", "tree", "--locked", "--package", package, "--edges", "normal,build", "--prefix", "none"],
        check=True,
        text=True,
        stdout=subprocess.PIPE,
    ).stdout
    crates = {" ".join(line.split()[:2]) for line in tree.splitlines() if line.strip()}
    print(f"{package}: {len(crates)} crates")
    assert len(crates) < most, f"{package} is built of {len(crates)} crates, and {most} are too many: {sorted(crates)}"
