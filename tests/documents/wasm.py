"""Builds the bots that `overtrick new-bot` writes as WebAssembly modules, tries them and plays a tournament.

    python wasm.py PROGRAM FOLDER

The program must have the feature `wasm`; the folder must be empty. Wants npm, and cargo to test the bot in Rust, which
is built as a module if there is the target wasm32-unknown-unknown.
"""

import pathlib
import subprocess
import sys

PROGRAM, FOLDER = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()


def run(*command, folder=FOLDER):
    print("$", *command, flush=True)
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"it ended with code {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


run(PROGRAM, "new-bot", "scripted", "--lang", "wasm-assembly-script")
run(PROGRAM, "new-bot", "rusty", "--lang", "wasm-rust")
run("npm", "install", "--silent", folder=FOLDER / "bots/scripted")
run("npm", "run", "build", folder=FOLDER / "bots/scripted")
bots = ["random", "scripted"]

rust = FOLDER / "bots/rusty"
run("cargo", "test", "--quiet", folder=rust)
sysroot = pathlib.Path(subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip())
if (sysroot / "lib/rustlib/wasm32-unknown-unknown").exists():
    run("cargo", "build", "--release", "--target", "wasm32-unknown-unknown", folder=rust)
    bots.append("rusty")
else:
    print("the bot in Rust was tested here, but not built as a module: there is no target wasm32-unknown-unknown")

for bot in bots[1:]:
    assert f"{bot} is fine" in run(PROGRAM, "check", bot), bot
config = f'seed = 1\nsecret = "{"0" * 32}"\ndeals = 200\nformat = "duel"\n'
config += f'variants = ["dumbo", "chameleon"]\nbots = {bots[:2]}\n'
(FOLDER / "t.toml").write_text(config)
for threads in "12":
    run(PROGRAM, "run", "t.toml", "--threads", threads, "--out", threads, "--quiet")
summaries = [(FOLDER / threads / "summary.json").read_bytes() for threads in "12"]
assert summaries[0] == summaries[1], "results depend on the number of threads"
print("the modules play")
