"""Counts over Rust sources how readable the code is: lines, lengths, combinators, closures, casts, doubled names.

    python house.py [--root FOLDER] [--format text|json] [--names] [--worst N] [--test]

Production code is all code but tests, benchmarks, examples, templates and generated files. Of unit tests only the
number of lines is counted. The figures are a direction and no limits. They are read from tokens, so any method with the
name of a combinator counts as one, and a cast from a `bool` or an `enum` as one between integers.
docs/measurements/house-counts.md has the figures of Overtrick and of other programs.
"""

import argparse
import collections
import dataclasses
import json
import pathlib
import statistics
import sys

import house_rust as rust

# Methods of iterators, `Option` and `Result` that stand for a loop or a branch.
COMBINATORS = set(
    """
    all and_then any chain cmp_by dedup_by_key eq_by filter filter_map find find_map flat_map flatten fold for_each
    inspect is_none_or is_ok_and is_some_and map map_err map_or map_or_default map_or_else map_while max_by max_by_key
    min_by min_by_key ok_or_else or_else partition position product reduce rfind rfold rposition scan skip_while sum
    take_while then then_some try_fold try_for_each unwrap_or_else unzip xor zip
    """.split()
)
INTEGERS = {f"{sign}{bits}" for sign in "iu" for bits in ("8", "16", "32", "64", "128", "size")}
# Methods of floats that return a float without a fraction.
ROUNDING = {"ceil", "floor", "round", "trunc"}
WIDE = 100
LONGEST_SHOWN = 10
# A file with less code is not among the worst: its rate says little.
LEAST_CODE_OF_WORST = 50


@dataclasses.dataclass
class Counts:
    """The counts of a file, of a crate or of all."""

    code: int = 0
    comment: int = 0
    blank: int = 0
    unit_tests: int = 0
    characters: int = 0
    wide: int = 0
    combinators: int = 0
    closures: int = 0
    casts: int = 0
    match_unit: int = 0
    match_bool: int = 0
    if_if: int = 0
    # For each function its number of lines, and its place.
    functions: list = dataclasses.field(default_factory=list)

    def add(self, other):
        """Adds the counts of a part."""
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def per_hundred(self, count):
        """A count in 100 lines of code."""
        return round(100 * count / self.code, 2) if self.code else 0.0

    def figures(self):
        """The figures of a row, by column."""
        lengths = [lines for lines, _ in self.functions]
        lines = self.code + self.comment
        return {
            "code": self.code,
            "comment": self.comment,
            "blank": self.blank,
            "unit tests": self.unit_tests,
            "mean line": round(self.characters / self.code, 1) if self.code else 0.0,
            f"over {WIDE} %": round(100 * self.wide / lines, 1) if lines else 0.0,
            "functions": len(lengths),
            "median": statistics.median_low(lengths) if lengths else 0,
            "over 50": sum(length > 50 for length in lengths),
            "over 80": sum(length > 80 for length in lengths),
            "combinators /100": self.per_hundred(self.combinators),
            "closures /100": self.per_hundred(self.closures),
            "casts": self.casts,
            "match ()": self.match_unit,
            "match bool": self.match_bool,
            "if if": self.if_if,
        }


def lines_of(tokens):
    """The numbers of the lines on which tokens stand."""
    return {line for token in tokens for line in range(token.line, token.last_line + 1)}


def count_lines(counts, source, spans):
    """Counts lines by kind. A line with code of both kinds is one of production code."""
    code_lines = lines_of(source.tokens[index] for index in rust.outside(spans, len(source.tokens)))
    test_lines = set()
    for first, last in spans:
        test_lines.update(range(source.tokens[first].line, source.tokens[last].last_line + 1))
    test_lines -= code_lines
    counts.unit_tests = len(lines_of(source.tokens) & test_lines)
    for number, line in enumerate(source.lines, start=1):
        if number in test_lines:
            continue
        if number in code_lines:
            counts.code += 1
            counts.characters += len(line.strip())
        elif number in source.comment_lines:
            counts.comment += 1
        else:
            counts.blank += 1
        counts.wide += len(line.rstrip()) > WIDE


def function_at(source, index):
    """The number of lines and the place of the function whose `fn` stands at an index, if it has a body."""
    name = source.tokens[index + 1]
    if name.kind != "word":
        return None
    end = index + 2
    while end < len(source.tokens) and source.text_at(end) != ";":
        # A brace after `<` is an argument of a generic type.
        if source.text_at(end) == "{" and source.text_at(end - 1) != "<":
            line = source.tokens[index].line
            last_line = source.tokens[source.partners[end]].line
            return last_line - line + 1, f"{source.path}:{line} {name.text}"
        end = source.partners.get(end, end) + 1
    return None


def is_closure(source, index):
    """Whether the `let` at an index names a closure."""
    index += 2 if source.text_at(index + 1) == "mut" else 1
    if source.tokens[index].kind != "word" or source.text_at(index + 1) != "=":
        return False
    index += 3 if source.text_at(index + 2) == "move" else 2
    return source.text_at(index) in ("|", "||")


def is_rounded(source, index):
    """Whether a call that rounds a float ends before an index."""
    return source.words_at(index - 2, "(", ")") and source.text_at(index - 3) in ROUNDING


def count_at(counts, source, index):
    """Counts the thing that begins at a token of production code."""
    word, following = source.text_at(index), source.text_at(index + 1)
    if word in COMBINATORS:
        counts.combinators += source.text_at(index - 1) == "." and following in ("(", "::")
    elif word == "fn":
        function = function_at(source, index)
        counts.functions += [function] if function else []
    elif word == "let":
        counts.closures += is_closure(source, index)
    elif word == "as":
        counts.casts += following in INTEGERS and not is_rounded(source, index)
    elif word == "match":
        counts.match_unit += source.words_at(index + 1, "(", ")", "{")
    elif word == "{":
        counts.match_bool += following in ("true", "false") and source.text_at(index + 2) == "=>"
    elif word == "if":
        counts.if_if += following == "if"


def count(source, spans):
    """Counts a source in which these spans of tokens are tests."""
    counts = Counts()
    count_lines(counts, source, spans)
    for index in rust.outside(spans, len(source.tokens)):
        if source.tokens[index].kind in ("word", "sign"):
            count_at(counts, source, index)
    return counts


def types_of(source, spans):
    """The names of the types that a source defines, each with its place. Types of traits are none."""
    members = set()
    for first, last in rust.blocks_of_traits(source):
        members.update(range(first, last))
    types = []
    for index in rust.outside(spans, len(source.tokens)):
        token, name = source.tokens[index], source.text_at(index + 1)
        if token.kind != "word" or token.text not in ("struct", "enum", "trait", "type"):
            continue
        if source.tokens[index + 1].kind == "word" and not (token.text == "type" and index in members):
            types.append((name, f"{source.path}:{token.line} {token.text}"))
    return types


@dataclasses.dataclass
class House:
    """The counts of a checkout, by crate and by file, and the places of each name of a type."""

    crates: dict
    files: dict
    names: dict

    def total(self):
        """The counts of all crates."""
        total = Counts()
        for counts in self.crates.values():
            total.add(counts)
        return total

    def doubled(self):
        """The names of types that are defined more than once, with their places."""
        return {name: places for name, places in sorted(self.names.items()) if len(places) > 1}

    def longest(self):
        """The longest functions: lines, place."""
        return sorted(self.total().functions, key=lambda function: (-function[0], function[1]))[:LONGEST_SHOWN]

    def worst(self, number):
        """The files with the most combinators and named closures in 100 lines, of those with enough code."""
        rates = []
        for path, counts in self.files.items():
            if counts.code >= LEAST_CODE_OF_WORST:
                rates.append((counts.per_hundred(counts.combinators + counts.closures), path, counts))
        return sorted(rates, key=lambda rate: (-rate[0], rate[1]))[:number]


def visit(root):
    """Counts a checkout."""
    house = House(collections.defaultdict(Counts), {}, collections.defaultdict(list))
    for path, source, spans in rust.sources(root):
        counts = count(source, spans)
        house.crates[rust.crate_of(path.parent, root)].add(counts)
        house.files[source.path] = counts
        for name, place in types_of(source, spans):
            house.names[name].append(place)
    return house


def table(rows):
    """Lines of a table whose first column is text."""
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [str(cell).rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  ".join([str(row[0]).ljust(widths[0]), *cells]))
    return "\n".join(lines)


def print_text(house):
    """Prints a table by crate, the longest functions and the number of doubled names."""
    total = house.total().figures()
    rows = [["crate", *total]]
    for name, counts in sorted(house.crates.items()):
        rows.append([name, *counts.figures().values()])
    rows.append(["all", *total.values()])
    print(table(rows))
    print("\nlongest functions:")
    for lines, place in house.longest():
        print(f"{lines:5} {place}")
    print(f"\nnames of types that are defined more than once: {len(house.doubled())}")


def print_names(house):
    """Prints the names of types that are defined more than once."""
    for name, places in house.doubled().items():
        print(f"{name}: {', '.join(places)}")


def print_worst(house, number):
    """Prints the files with the most combinators and closures."""
    rows = [["file", "code", "combinators", "closures", "in 100 lines"]]
    for rate, path, counts in house.worst(number):
        rows.append([path, counts.code, counts.combinators, counts.closures, rate])
    print(table(rows))


def print_json(house):
    """Prints all counts as JSON."""
    answer = {
        "crates": {name: counts.figures() for name, counts in sorted(house.crates.items())},
        "all": house.total().figures(),
        "longest functions": [{"lines": lines, "place": place} for lines, place in house.longest()],
        "doubled names": house.doubled(),
        "files": {path: counts.figures() for path, counts in sorted(house.files.items())},
    }
    print(json.dumps(answer, indent=1))


CASE = r'''
//! A case. /* not open
use std::{fmt, io};

/* nested /* comment */ "no string */
fn quotes<'a>(text: &'a str) -> [char; 4] {
    let raw = r#"a " quote { and // no comment"#;
    ['{', '\\'', '"', b'}' as char]
}

trait Named { type Output; fn name(&self) -> u8; }
struct Row { #[cfg(test)] hidden: [u8; 2], shown: u8 }
impl Named for Row { type Output = Pairs; fn name(&self) -> u8 { self.shown } }
type Pairs = Vec<(u8, u8)>;
macro_rules! named { ($($t:ty)+) => { $(impl Named for $t { type Output = Row; })+ } }

fn counted(some: impl Iterator<Item = u8>, is_new: bool) -> usize {
    let mut double = move |x: u8| x as usize * 2;
    let none = || 1.5 as f64;
    let sum = some.map(|x| double(x)).sum::<usize>() + none().round() as usize;
    match is_new { true => sum, false => 0 };
    match () { _ if if is_new { true } else { false } => sum, _ => 0 }
}

#[cfg(test)]
mod tests {
    // Not counted.

    struct Row;
    #[test]
    fn tested() { let f = |x: u8| Some(x).map(|y| y as u16); }
}
'''


def run_cases():
    """Checks the counts of a small source, and how tests and brackets are found."""
    source = rust.read("case.rs", CASE)
    spans, modules = rust.tests_of(source)
    assert not modules and len(spans) == 2, (modules, spans)
    counts = count(source, spans)
    lines = (counts.code, counts.comment, counts.blank, counts.unit_tests, counts.wide)
    assert lines == (17, 2, 5, 6, 0), lines
    found = (counts.combinators, counts.closures, counts.casts, counts.match_unit, counts.match_bool, counts.if_if)
    assert found == (2, 2, 1, 1, 1, 1), found
    assert [length for length, _ in counts.functions] == [4, 1, 7], counts.functions
    assert counts.functions[0] == (4, "case.rs:6 quotes"), counts.functions
    assert [name for name, _ in types_of(source, spans)] == ["Named", "Row", "Pairs"], types_of(source, spans)
    kinds = [token.kind for token in rust.read("kinds.rs", "r\"\\\" 'a 'a' 1.5 0..2 r#type b'\\\\'").tokens]
    assert kinds == ["raw", "lifetime", "char", "number", "number", "sign", "sign", "number", "word", "char"], kinds
    assert rust.tests_of(rust.read("mod.rs", "#[cfg(test)]\n#[allow(x)]\npub mod tests;\nfn f() {}"))[1] == {"tests"}
    assert rust.tests_of(rust.read("all.rs", "#![cfg(test)]\nfn f() {}"))[0] == [(0, 13)]
    wrong = rust.read("wrong.rs", "fn f() {\n (] }")
    try:
        print(wrong.partners)
    except ValueError as error:
        assert str(error) == "wrong.rs:2: `]` closes nothing", error
    else:
        raise AssertionError("a wrong bracket is not found")
    print("the cases pass")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    here = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--root", type=pathlib.Path, default=here, metavar="FOLDER", help="count another checkout")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    parser.add_argument("--names", action="store_true", help="list the doubled names of types")
    parser.add_argument("--worst", type=int, metavar="N", help="list the files with the most combinators and closures")
    parser.add_argument("--test", action="store_true", help="run the cases of this script")
    options = parser.parse_args()
    if options.test:
        run_cases()
        return
    if not options.root.is_dir():
        sys.exit(f"{options.root}: there is no such folder")
    house = visit(options.root.resolve())
    if options.names:
        print_names(house)
    elif options.worst is not None:
        print_worst(house, options.worst)
    elif options.format == "json":
        print_json(house)
    else:
        print_text(house)


if __name__ == "__main__":
    main()
