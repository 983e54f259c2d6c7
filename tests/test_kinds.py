"""The table of kinds is complete, and so is the list of files in CONTRIBUTING that a new kind opens.

Left out on purpose: what the columns of the table lead to (tests of `/api/steps`, `/api/blobs`, exports).
"""

from __future__ import annotations

import pathlib
import re

import pytest

from lightboard import types
from lightboard.query import kinds

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Where a path in the list may begin.
BASES = ("", "src/lightboard/")
SOURCES = {"src": (".py",), "native": (".h", ".cpp"), "web/src": (".ts", ".tsx", ".css")}
MOST_FILES = 8


def rows() -> list[tuple[list[str], str]]:
    """(paths, when) of each row of the list, tests left out."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.partition("## A new kind of data\n")[2].partition("\n## ")[0]
    cells = [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    listed = [(re.findall(r"`([^`]+)`", cell[0]), cell[1].strip()) for cell in cells]
    return [(paths, when) for paths, when in listed if not paths[0].startswith("tests/")]


def covered(path: str, patterns: list[str], word: str) -> bool:
    """True if a pattern names the file, or a folder that it is in."""
    spelled = [base + pattern.replace("<word>", word) for pattern in patterns for base in BASES]
    return any(
        path.startswith(each) if each.endswith("/") else pathlib.PurePath(path).match(each) and "/" in each
        for each in spelled
    )


def mentions(word: str) -> re.Pattern[str]:
    """A kind in code: its constants, its plugin, its word as a string, in a path or as a module."""
    camel = "".join(part.capitalize() for part in word.split("_"))
    constants = rf"\bKind\.{word.upper()}\b|^ +{word.upper()} = \d|\bKind::k{camel}\b|\bk{camel} = "
    strings = rf"lightboard_{word.removesuffix('s')}\b|[\"']{word}[\"']|(?<!text)/{word}[/\"']|^ +{word}: \""
    modules = rf"lightboard\.query import [^\n]*\b{word}\b"
    return re.compile(f"{constants}|{strings}|{modules}", re.MULTILINE)


def files_of(word: str) -> list[str]:
    """Every source file that mentions the kind, or is named for it."""
    pattern, named = mentions(word), re.compile(rf"(^|/){word}([_./]|$)")
    found = []
    for room, endings in SOURCES.items():
        for path in sorted((ROOT / room).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix not in endings or ".test." in name or name.startswith("native/tests/"):
                continue
            if named.search(name.removeprefix(room)) or pattern.search(path.read_text(encoding="utf-8")):
                found.append(name)
    return found


# kinds whose words mean nothing else in code
@pytest.mark.parametrize("word", ["plotly", "html", "pr_curves"])
def test_the_list_in_contributing_names_every_file_of_a_kind(word: str) -> None:
    patterns = [path for paths, _ in rows() for path in paths]
    found = files_of(word)
    assert {"columns.h", "types.py", "kinds.py", "kinds.ts"} <= {pathlib.PurePath(name).name for name in found}
    assert [name for name in found if not covered(name, patterns, word)] == []


@pytest.mark.parametrize("word", ["plotly", "html", "pr_curves", "video", "tables"])
def test_a_kind_in_event_files_opens_few_files(word: str) -> None:
    needed = [path.replace("<word>", word) for paths, when in rows() if when == "always" for path in paths]
    assert len(needed) <= MOST_FILES
    assert [path for path in needed if not any((ROOT / base / path).is_file() for base in BASES)] == []


def test_a_file_that_the_list_lacks_is_noticed() -> None:
    patterns = ["query/<word>.py", "web/src/panels/<word>/", "sdk/"]
    assert covered("src/lightboard/query/plotly.py", patterns, "plotly")
    assert covered("web/src/panels/plotly/plotly_card.tsx", patterns, "plotly")
    assert not covered("src/lightboard/query/blobs.py", patterns, "plotly")
    assert not covered("src/lightboard/server/plotly.py", patterns, "plotly")
    assert mentions("plotly").search("BLOB_KINDS = frozenset({types.Kind.PLOTLY})")
    assert mentions("plotly").search('Word = Literal["html", "plotly"]')


def test_every_kind_has_a_row() -> None:
    assert {row.kind for row in kinds.TABLE} == set(types.Kind) - {types.Kind.UNTYPED}
    assert kinds.BY_KIND[types.Kind.UNTYPED].word == "tensors"
    assert len(kinds.BY_WORD) == len(kinds.TABLE)


def test_native_numbers_kinds_alike() -> None:
    [path] = (ROOT / "native").rglob("columns.h")
    text = path.read_text(encoding="utf-8")
    numbers = {name.lower(): int(number) for name, number in re.findall(r"^    k(\w+) = (\d+),$", text, re.MULTILINE)}
    assert numbers == {kind.name.lower().replace("_", ""): kind.value for kind in types.Kind}
