#!/bin/sh
# Makes the results of bots that come with Overtrick, and their table, again. Results differ only in the commit of
# the program.
#
#     benchmark/make.sh [BOT...]
#
# Without arguments it takes the bots whose results lie here. Run it in a checkout; OVERTRICK names another
# program than that of `cargo build --release`.
set -eu
cd "$(dirname "$0")/.."
overtrick=${OVERTRICK:-target/release/overtrick}
if [ $# -eq 0 ]; then
    for file in benchmark/results/*.json; do
        set -- "$@" "$(basename "$file" .json)"
    done
fi
for bot in "$@"; do
    "$overtrick" benchmark "bots/$bot.toml" --author Overtrick --out "benchmark/results/$bot.json" --force
done
"$overtrick" benchmark --table benchmark/results --out benchmark/table.html --force
