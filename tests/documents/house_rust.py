"""Reads Rust sources for house.py: their tokens, the brackets that match, and which parts are tests."""

import bisect
import dataclasses
import functools
import os
import pathlib
import re
import tomllib
import typing

# Folders without production code.
LEFT_OUT = {"benches", "examples", "fuzz", "templates", "test", "testing", "tests", "testutils"}
NOT_SOURCES = {"node_modules", "target"}

TOKEN = re.compile(
    r"""
    (?P<space>\s+)
    | (?P<comment>//[^\n]*)
    | (?P<block>/\*)
    | (?P<raw>[bc]?r(?P<hashes>\#*)".*?"(?P=hashes))
    | (?P<string>[bc]?"(?:[^"\\]|\\.)*")
    | (?P<char>b?'(?:[^'\\\n]|\\(?:u\{[^}]*\}|x[0-9A-Fa-f]{2}|.))')
    | (?P<lifetime>'[^\W\d]\w*)
    | (?P<number>\d\w*(?:\.\d\w*)?)
    | (?P<word>(?:r\#)?[^\W\d]\w*)
    | (?P<sign>=>|->|::|\|\||==|.)
    """,
    re.VERBOSE | re.DOTALL,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
# The words that items begin with. Commas may stand in an item, but end a field and an arm.
ITEMS = set("async const enum extern fn impl mod pub static struct trait type unsafe use".split())
TEST_ATTRIBUTES = ("#[cfg(test)]", "#[cfg(all(test,", "#[test]")


class Token(typing.NamedTuple):
    """A token with its first and its last line, counted from 1."""

    kind: str
    text: str
    line: int
    last_line: int


@dataclasses.dataclass
class Source:
    """A file: its lines, its tokens without comments, and the lines that have comments."""

    path: str
    lines: list[str]
    tokens: list[Token]
    comment_lines: set[int]
    is_generated: bool

    @functools.cached_property
    def partners(self):
        """For the index of each opening bracket that of the closing one."""
        partners, open_ones = {}, []
        for index, token in enumerate(self.tokens):
            if token.kind != "sign":
                continue
            if token.text in CLOSING:
                open_ones.append(index)
            elif token.text in CLOSING.values():
                if not open_ones or CLOSING[self.tokens[open_ones[-1]].text] != token.text:
                    raise ValueError(f"{self.path}:{token.line}: `{token.text}` closes nothing")
                partners[open_ones.pop()] = index
        if open_ones:
            raise ValueError(f"{self.path}:{self.tokens[open_ones[-1]].line}: the bracket is not closed")
        return partners

    def text_at(self, index):
        """The text of a token, or none past the ends of the file."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def words_at(self, index, *texts):
        """Whether these tokens stand at an index."""
        return all(self.text_at(index + place) == text for place, text in enumerate(texts))


def end_of_comment(text, start):
    """The end of a comment that may hold others."""
    depth = 0
    for mark in re.finditer(r"/\*|\*/", text[start:]):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return start + mark.end()
    return len(text)


def read(path, text):
    """Splits a source into tokens."""
    tokens, comment_lines = [], set()
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    place = 0
    while place < len(text):
        match = TOKEN.match(text, place)
        kind, start = match.lastgroup, place
        place = end_of_comment(text, start) if kind == "block" else match.end()
        if kind == "space":
            continue
        line = bisect.bisect_right(starts, start)
        last_line = bisect.bisect_right(starts, place - 1)
        if kind in ("comment", "block"):
            comment_lines.update(range(line, last_line + 1))
        else:
            tokens.append(Token(kind, text[start:place], line, last_line))
    # `splitlines` would also split at characters that end no line in Rust.
    return Source(path, text.removesuffix("\n").split("\n"), tokens, comment_lines, "@generated" in text[:200])


def end_of_item(source, index):
    """The index of the last token of the item, field or arm that begins at an index."""
    begins = index
    while index < len(source.tokens):
        text = source.text_at(index)
        if text == ";" or (text == "," and source.text_at(begins) not in ITEMS):
            return index
        if text in CLOSING.values():
            return index - 1
        if index in source.partners:
            index = source.partners[index]
            if text == "{" and source.text_at(begins) != "use":
                return index
        index += 1
    return index - 1


def tests_of(source):
    """The spans of tokens that are tests, as first and last index, and the names of modules in other files."""
    spans, modules, index = [], set(), 0
    while index < len(source.tokens):
        attribute = "".join(token.text for token in source.tokens[index : index + 8])
        if attribute.startswith("#![cfg(test)]"):
            return [(0, len(source.tokens) - 1)], modules
        if not attribute.startswith(TEST_ATTRIBUTES):
            index += 1
            continue
        begin = index
        while source.text_at(begin) == "#":
            begin = source.partners[begin + 1] + 1
        end = end_of_item(source, begin)
        if source.text_at(end - 2) == "mod" and source.text_at(end) == ";":
            modules.add(source.text_at(end - 1))
        spans.append((index, end))
        index = end + 1
    return spans, modules


def outside(spans, number):
    """The indices below a number that are in none of the spans."""
    start = 0
    for first, last in spans:
        yield from range(start, first)
        start = last + 1
    yield from range(start, number)


def blocks_of_traits(source):
    """The first and the last index of the blocks of traits and implementations, in which `type` is a member."""
    for index, token in enumerate(source.tokens):
        if token.text not in ("impl", "trait") or token.kind != "word":
            continue
        # `impl` within an item is a type: it follows one of `:`, `->`, `(`, `<`, `&` and so on.
        is_repeated = source.words_at(index - 2, "$", "(")
        if is_repeated or source.text_at(index - 1) in ("", ";", "}", "{", "]", ")", "pub", "unsafe", "auto"):
            yield index, end_of_item(source, index)


def files_of_module(path, name):
    """Where the module `name` that the file `path` declares may be: a file, or a folder."""
    folder = path.parent if path.stem in ("mod", "lib", "main") else path.parent / path.stem
    return {folder / f"{name}.rs", folder / name}


def all_files(root):
    """The paths of all Rust files below a folder."""
    found = []
    for folder, folders, names in os.walk(root):
        # Sorted, so that each machine gives the same order.
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in NOT_SOURCES)
        found += [pathlib.Path(folder) / name for name in sorted(names) if name.endswith(".rs")]
    return found


def is_left_out(path, root):
    """Whether a file is in a folder without production code."""
    return not LEFT_OUT.isdisjoint(path.relative_to(root).parts[:-1])


@functools.cache
def crate_of(folder, root):
    """The name of the crate to which a folder belongs."""
    manifest = folder / "Cargo.toml"
    if manifest.exists():
        package = tomllib.loads(manifest.read_text()).get("package")
        if package:
            return package["name"]
    return "(none)" if folder == root else crate_of(folder.parent, root)


def sources(root):
    """The files with production code or unit tests: path, source, and the spans of its tokens that are tests."""
    read_files, test_places = [], set()
    for path in all_files(root):
        source = read(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
        spans, modules = tests_of(source)
        for module in modules:
            test_places |= files_of_module(path, module)
        read_files.append((path, source, spans))
    for path, source, spans in read_files:
        if source.is_generated:
            continue
        if not test_places.isdisjoint([path, *path.parents]):
            yield path, source, [(0, len(source.tokens) - 1)] if source.tokens else []
        elif not is_left_out(path, root):
            yield path, source, spans
