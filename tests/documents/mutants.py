"""Measures how sharp the tests are: the share of small changes to the code (mutants) that they catch.

    python mutants.py [--seed TEXT] [--number N] [--only TEXT] [--list] [--test] [AREA...]

Needs cargo-mutants, which lists the mutants; `.cargo/mutants.toml` has the files. The sample of an area is drawn by a
seed. Its mutants are built into one program, in a copy of the checkout in the target folder, and the variable `MUTANT`
switches one of them on. A mutant meets the tests of its crates first, and the modules of `tests/it` only if it survives
those. Functions that are `const` or return an `impl` cannot be switched: their mutants are built one by one.

Mutants that do not compile are left out. An interval is that of Clopper and Pearson, at 95%.
"""

import argparse
import collections
import dataclasses
import hashlib
import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import threading
import time

import house_rust as rust

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
TREE = TARGET / "mutants"
# The most bytes of data of a test program: mutants may ask for memory without end.
MOST_MEMORY = 8 << 30
# A run that takes this multiple of the processor time without a mutant, and these seconds, goes on forever.
PATIENCE, LEAST_PATIENCE = 3, 20
# The seconds after which a run that does nothing is given up.
MOST_WAIT = 1800
UNVIABLE = "does not compile"
SWITCH = """
/// Returns whether a mutant is switched on.
#[doc(hidden)]
pub fn is_mutant(number: u32) -> bool {
    static NUMBER: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    let read = || std::env::var("MUTANT").map_or(0, |text| text.parse().expect("a number"));
    *NUMBER.get_or_init(read) == number
}
"""


@dataclasses.dataclass(frozen=True)
class Area:
    """A part of the code, and the tests that its mutants meet, in order: options of cargo, and filters of tests."""

    packages: tuple[str, ...]
    number: int
    steps: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


IT = ("-p", "overtrick", "--test", "it")
AREAS = {
    "rules": Area(
        ("overtrick-cards", "overtrick-game", "overtrick-games"),
        70,
        (
            (("--tests", "-p", "overtrick-cards", "-p", "overtrick-game", "-p", "overtrick-games"), ()),
            (IT, ("every_game::",)),
            (IT, ("searching::", "bots::thinking", "commands::play", "commands::solve", "commands::log")),
        ),
    ),
    "statistics": Area(
        ("overtrick-stats", "overtrick-ratings"),
        50,
        (
            (("--tests", "-p", "overtrick-stats", "-p", "overtrick-ratings"), ()),
            (IT, ("tournaments::",)),
            (IT, ("commands::compare", "commands::rate", "commands::report", "commands::tables", "commands::sweep")),
        ),
    ),
    "resume": Area(
        ("overtrick-run",),
        30,
        (
            (("--tests", "-p", "overtrick-run"), ()),
            (IT, ("commands::resume", "commands::changed_", "commands::longer", "commands::partial")),
            (IT, ("commands::killed", "commands::rounds", "commands::stop", "commands::programs")),
            (IT, ("tournaments::", "commands::tune_resume", "commands::sweep_shards", "commands::faults")),
            (IT, ("commands::log", "stories::")),
        ),
    ),
}


@dataclasses.dataclass
class Mutant:
    """A change to the code: its number in the program, its place as offsets in its file, and what became of it."""

    number: int
    name: str
    package: str
    file: str
    span: tuple[int, int]
    function: tuple[int, int] | None
    replacement: str
    is_switched: bool
    # The step whose tests caught it, and the test or the reason; `UNVIABLE` if it does not compile.
    step: int | str | None = None
    by: str = ""


def offsets(text, span):
    """The offsets of the first character of a span of lines and columns, and of the first one after it."""
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    return tuple(starts[span[end]["line"] - 1] + span[end]["column"] - 1 for end in ("start", "end"))


def body_start(text):
    """The offset of the bracket that opens the body of the function that begins a text."""
    depth = place = 0
    while place < len(text):
        match = rust.TOKEN.match(text, place)
        sign = match.group()
        if match.lastgroup == "sign" and sign == "{" and depth == 0:
            return place
        if match.lastgroup == "sign":
            depth += (sign in "([") - (sign in ")]")
        place = rust.end_of_comment(text, place) if match.lastgroup == "block" else match.end()
    raise ValueError(f"no body: {text[:80]}")


def mutant_of(number, listed):
    """The mutant that cargo-mutants lists as such a record."""
    text = (ROOT / listed["file"]).read_text(encoding="utf-8")
    function = listed["function"]
    place = offsets(text, function["span"]) if function else None
    is_switched = False
    if function:
        head = text[place[0] : place[1]]
        head = head[: body_start(head)]
        is_const = re.search(r"^\s*(pub(\([^)]*\))? )?const (unsafe )?fn ", head, re.MULTILINE)
        is_switched = not is_const and not re.search(r"\bimpl\b", function["return_type"])
    return Mutant(
        number,
        listed["name"],
        listed["package"],
        listed["file"],
        offsets(text, listed["span"]),
        place,
        listed["replacement"],
        is_switched,
    )


def listed_mutants(area):
    """All mutants of an area, as cargo-mutants lists them."""
    command = ["cargo", "mutants", "--list", "--json"]
    for package in AREAS[area].packages:
        command += ["--package", package]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def drawn(listed, seed, number):
    """The sample: the mutants whose names have the least digests with the seed. A larger one holds a smaller one."""
    digest = lambda mutant: hashlib.sha256(f"{seed} {mutant['name']}".encode()).digest()
    return sorted(listed, key=digest)[:number]


def replaced(text, span, replacement):
    """A text with another one in place of a span."""
    return text[: span[0]] + replacement + text[span[1] :]


def with_switches(text, mutants):
    """A source in which each of the mutants can be switched on: a function has a copy of its body for each."""
    by_function = collections.defaultdict(list)
    for mutant in mutants:
        by_function[mutant.function].append(mutant)
    for (start, end), group in sorted(by_function.items(), reverse=True):
        function = text[start:end]
        brace = body_start(function)
        body = "{\n"
        for mutant in group:
            span = (mutant.span[0] - start, mutant.span[1] - start)
            copy = replaced(function, span, mutant.replacement)[brace:]
            body += f"if crate::is_mutant({mutant.number}) {copy} else\n"
        body += "/* no mutant */\n" + function[brace:] + "\n}"
        text = replaced(text, (start + brace, end), body)
    return text


def mutant_at(text, line):
    """The number of the mutant to whose copy a line of such a source belongs, or none."""
    number = None
    for place in text.split("\n")[:line]:
        if mark := re.search(r"\bif crate::is_mutant\((\d+)\)", place):
            number = int(mark.group(1))
        elif "/* no mutant */" in place:
            number = None
    return number


class Tree:
    """A copy of the checkout, whose files are written only where they change, so that cargo builds little again."""

    def __init__(self, packages):
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        self.originals = {}
        for name in filter(None, names.split("\0")):
            path = ROOT / name
            if path.is_symlink() or not path.is_file():
                continue
            content = path.read_bytes()
            if name in {f"crates/{package.removeprefix('overtrick-')}/src/lib.rs" for package in packages}:
                content += SWITCH.encode()
            self.originals[name] = content
        # The files that the next mutants may change.
        self.touched = set(self.originals)
        for path in TREE.rglob("*.rs"):
            if str(path.relative_to(TREE)) not in self.originals:
                path.unlink()

    def write(self, name, content):
        """Writes a file, unless it has this content."""
        path = TREE / name
        if path.exists() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod((ROOT / name).stat().st_mode)

    def apply(self, mutants, is_switched=True):
        """Puts in these mutants, with switches or one as it is, and takes out all others."""
        by_file = collections.defaultdict(list)
        for mutant in mutants:
            by_file[mutant.file].append(mutant)
        for name in self.touched | set(by_file):
            content = self.originals[name]
            if by_file[name] and is_switched:
                content = with_switches(content.decode(), by_file[name]).encode()
            elif by_file[name]:
                content = replaced(content.decode(), mutants[0].span, mutants[0].replacement).encode()
            self.write(name, content)
        self.touched = set(by_file)


def build(options):
    """Builds tests; returns whether that went well, with the errors of the compiler."""
    command = ["cargo", "test", "--locked", "--no-run", "--message-format=json", *options]
    done = subprocess.run(command, cwd=TREE, capture_output=True, text=True, check=False)
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    errors = [m["message"] for m in messages if m.get("message") and m["message"]["level"] == "error"]
    return done.returncode == 0, errors or [{"rendered": done.stderr, "spans": []}]


def build_all(tree, mutants, options):
    """Builds tests with switched mutants, and takes out of the list those that do not compile.

    A copy of a body differs from the function in the mutant alone, so an error in it is an error of the mutant.
    """
    while True:
        tree.apply(mutants)
        is_built, errors = build(options)
        if is_built:
            return
        wrong = set()
        for error in errors:
            for span in error["spans"]:
                if span["is_primary"] and (TREE / span["file_name"]).exists():
                    text = (TREE / span["file_name"]).read_text(encoding="utf-8")
                    wrong.add(mutant_at(text, span["line_start"]))
        bad = [mutant for mutant in mutants if mutant.number in wrong]
        if not bad:
            sys.exit("the tests do not compile:\n" + "\n".join(error["rendered"] or "" for error in errors))
        for mutant in bad:
            mutant.step = UNVIABLE
            mutants.remove(mutant)
            say(f"{mutant.name}: does not compile")


def limit(seconds):
    """Limits the memory and the processor time of a test program, and leaves the machine to others first."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    os.nice(5)


def run(step, number, seconds):
    """Runs the tests of a step with a mutant switched on; returns the first failed test or the reason, or nothing."""
    options, filters = step
    command = ["cargo", "test", "--locked", *options, "--", *filters]
    environment = {**os.environ, "MUTANT": str(number), "INSTA_UPDATE": "no", "CARGO_TERM_COLOR": "never"}
    environment["PROPTEST_DISABLE_FAILURE_PERSISTENCE"] = "1"
    process = subprocess.Popen(
        command,
        cwd=TREE,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=lambda: limit(seconds),
    )

    def kill():
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    # Processor time is what counts. This is for tests that wait for each other.
    watch = threading.Timer(MOST_WAIT, kill)
    watch.start()
    found, last = "", ""
    for line in process.stdout:
        last = line.strip() or last
        if failed := re.match(r"test (\S+).* \.\.\. FAILED$", line):
            found = failed.group(1)
            kill()
            break
    process.stdout.close()
    code = process.wait()
    watch.cancel()
    kill()
    return found or (f"code {code}: {last}" if code else "")


def unmutated(step):
    """Runs the tests of a step without mutants; returns the processor time that a run with one may take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = run(step, 0, 3600)
    if found:
        sys.exit(f"the tests fail without a mutant, too: {found}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    say(f"{took:.0f} s of processor time without a mutant: {' '.join(step[0] + step[1])}")
    return max(math.ceil(PATIENCE * took), LEAST_PATIENCE)


def say(text):
    """Prints how far the work is."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def examine(steps, number, mutants, seconds):
    """Runs the tests of a step for each of the mutants that is left."""
    for mutant in mutants:
        found = run(steps[number], mutant.number, seconds)
        if found:
            mutant.step, mutant.by = number, found
        say(f"{mutant.name}: {found or 'survives'}")


def is_inside(mutant, mutants):
    """Returns whether the function of a mutant lies in that of another one, so that both cannot have switches."""
    start, end = mutant.function
    others = [other.function for other in mutants if other.file == mutant.file and other.function]
    return any(first <= start and end <= last and (first, last) != (start, end) for first, last in others)


def measure_switched(tree, samples):
    """Finds out which mutants are caught, by area, as far as they can be switched; returns how long steps may take."""
    together = [mutant for mutants in samples.values() for mutant in mutants if mutant.is_switched]
    seconds = {}
    for number in range(max(len(AREAS[area].steps) for area in samples)):
        for area, mutants in samples.items():
            steps = AREAS[area].steps
            if number >= len(steps):
                continue
            build_all(tree, together, steps[number][0])
            seconds[area, number] = unmutated(steps[number])
            left = [mutant for mutant in mutants if mutant.is_switched and mutant.step is None]
            examine(steps, number, left, seconds[area, number])
    return seconds


def measure_alone(tree, area, mutant, seconds):
    """Finds out whether a mutant is caught that is built by itself."""
    tree.apply([mutant], is_switched=False)
    for number, step in enumerate(AREAS[area].steps):
        is_built, _ = build(step[0])
        if not is_built:
            mutant.step = UNVIABLE
            say(f"{mutant.name}: does not compile")
        else:
            examine(AREAS[area].steps, number, [mutant], seconds[area, number])
        if mutant.step is not None:
            return


def binomial_tail(successes, number, share):
    """The probability of at least so large a number of successes."""
    terms = range(successes, number + 1)
    return math.fsum(math.comb(number, k) * share**k * (1 - share) ** (number - k) for k in terms)


def interval(successes, number):
    """The 95% interval of Clopper and Pearson (Biometrika 26, 1934) of a share."""

    def root(tail, is_low):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if (tail(middle) < 0.025) == is_low else (low, middle)
        return low

    lower = root(lambda share: binomial_tail(successes, number, share), True) if successes else 0.0
    upper = 1.0
    if successes < number:
        upper = root(lambda share: 1 - binomial_tail(successes + 1, number, share), False)
    return lower, upper


def report(area, total, mutants):
    """Prints the figures of an area, and its survivors."""
    viable = [mutant for mutant in mutants if mutant.step != UNVIABLE]
    caught = [mutant for mutant in viable if mutant.step is not None]
    by_crate = sum(mutant.step == 0 for mutant in caught)
    low, high = interval(len(caught), len(viable)) if viable else (0.0, 1.0)
    share = len(caught) / max(len(viable), 1)
    print(
        f"{area}: {total} mutants, {len(viable)} drawn that compile, {len(caught)} caught "
        f"({by_crate} by the tests of the crates): {share:.1%}, interval {low:.1%} to {high:.1%}"
    )
    for mutant in viable:
        if mutant.step is None:
            print(f"  survived: {mutant.name}")


CASE = """
pub fn low<const N: usize>(n: [u8; 2]) -> bool { n[0] < 3 }
/// A body {
fn two(a: u8) -> u8 {
    a + 1
}
"""


def run_cases():
    """Checks switches on a small source, and intervals against published ones."""
    start, end = CASE.index("pub fn"), CASE.index(" }") + 2
    less = CASE.index("< 3")
    two = (CASE.index("///"), len(CASE) - 1)
    plus = CASE.index("+ 1")
    listed = [((less, less + 1), (start, end), "<="), ((plus, plus + 1), two, "-"), ((plus, plus + 1), two, "*")]
    mutants = [
        Mutant(number + 1, "", "", "", span, function, text, True)
        for number, (span, function, text) in enumerate(listed)
    ]
    text = with_switches(CASE, mutants)
    for part in ("if crate::is_mutant(1) { n[0] <= 3 } else", "{ n[0] < 3 }", "    a - 1\n} else", "    a * 1\n} else"):
        assert text.count(part) == 1, (part, text)
    lines = text.split("\n")
    owners = [mutant_at(text, lines.index(line) + 1) for line in ("    a - 1", "    a * 1", "    a + 1")]
    assert owners == [2, 3, None], owners
    # As tables have them for ten trials.
    published = {(0, 10): (0, 0.3085), (5, 10): (0.1871, 0.8129), (10, 10): (0.6915, 1)}
    for (successes, number), expected in published.items():
        found = interval(successes, number)
        assert all(abs(one - other) < 1e-4 for one, other in zip(found, expected)), (successes, number, found)
    print("the cases pass")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seed", default="1", help="the seed of the sample")
    parser.add_argument("--number", type=int, metavar="N", help="the size of each area's sample")
    parser.add_argument("--only", metavar="TEXT", help="take all mutants with this text in their name instead")
    parser.add_argument("--list", action="store_true", help="list the sample and run nothing")
    parser.add_argument("--test", action="store_true", help="run the cases of this script")
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"areas: {', '.join(AREAS)}")
    options = parser.parse_args()
    if options.test:
        run_cases()
        return
    if unknown := set(options.areas) - set(AREAS):
        sys.exit(f"{', '.join(unknown)}: is none of the areas {', '.join(AREAS)}")
    samples, totals, count = {}, {}, 0
    for area in options.areas or AREAS:
        listed = listed_mutants(area)
        sample = drawn(listed, options.seed, options.number or AREAS[area].number)
        if options.only:
            sample = [mutant for mutant in listed if options.only in mutant["name"]]
        totals[area] = len(listed)
        samples[area] = [mutant_of(count + number + 1, mutant) for number, mutant in enumerate(sample)]
        count += len(sample)
        for mutant in samples[area]:
            mutant.is_switched = mutant.is_switched and not is_inside(mutant, samples[area])
    if options.list:
        for area, mutants in samples.items():
            print("\n".join(f"{area}: {'' if mutant.is_switched else 'alone: '}{mutant.name}" for mutant in mutants))
        return
    tree = Tree([package for area in samples for package in AREAS[area].packages])
    seconds = measure_switched(tree, samples)
    for area, mutants in samples.items():
        for mutant in mutants:
            if not mutant.is_switched:
                measure_alone(tree, area, mutant, seconds)
    tree.apply([])
    for area, mutants in samples.items():
        report(area, totals[area], mutants)


if __name__ == "__main__":
    main()
