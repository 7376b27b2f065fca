# Tasks of everyday work. `just` lists them; each is one or two commands that can be typed as well.

default:
    @just --list

# Formatting, lints and types: the quickest answer.
check:
    cargo fmt --check
    cargo clippy --locked --all-targets -- -D warnings

# The quick suite, or a part of it: just test -p overtrick-report --features cli
test *args:
    cargo test --locked {{ args }}

# The long suite: statistics by simulation, hundreds of kills, files changed by the thousand.
long:
    .ci/long

# Benchmarks by the profile of published binaries: just bench kernel
bench name="kernel":
    cargo bench --locked --profile dist --bench {{ name }}

# The documentation of every crate, private items included.
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items

# The program as it is published.
dist:
    cargo build --locked --profile dist

# Licences, advisories and duplicates (needs cargo-deny).
deny:
    cargo deny check

# All that a change must pass.
gate:
    .ci/run
