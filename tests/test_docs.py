"""Links between the pages of the documentation lead somewhere, headings included, and the files they name exist.

What pages tell people to run is run by tests/test_tutorial.py; docs/reference/page.md is held against the page by
web/src/docs.test.ts.
"""

from __future__ import annotations

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def links(text: str) -> list[str]:
    # inside of code brackets mean other things; a link whose words are code keeps its address
    return LINK.findall(CODE.sub("", text))


def anchors(text: str) -> set[str]:
    """Names of the headings, made as the sites that show Markdown make them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def faults(page: pathlib.Path, text: str) -> list[str]:
    found = []
    for link in links(text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists():
            found.append(f"{link}: no such file")
        elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
            found.append(f"{link}: no such heading")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: pathlib.Path) -> None:
    assert faults(page, page.read_text(encoding="utf-8")) == []


def test_a_broken_link_is_noticed(tmp_path: pathlib.Path) -> None:
    page = tmp_path / "page.md"
    text = "# The `/api/x` page\n[a](gone.md) ![b](#nowhere) [c](#the-apix-page) `[d](e)` [f](https://example.org)\n"
    page.write_text(text)
    assert faults(page, text) == ["gone.md: no such file", "#nowhere: no such heading"]


def test_every_page_can_be_reached_from_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in links(index.read_text(encoding="utf-8"))}
    # decisions are a folder one looks through
    pages = {page for page in PAGES if page.parent.parent == index.parent and page.parent.name != "design"}
    assert {str(page.relative_to(ROOT)) for page in pages - linked} == set()


TRANSLATED = ("howto", "tutorial")
CODE_BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def english_pages() -> list[pathlib.Path]:
    return [page for folder in TRANSLATED for page in sorted((ROOT / "docs" / folder).glob("*.md"))]


def test_every_howto_and_tutorial_is_there_in_chinese() -> None:
    english = {page.relative_to(ROOT / "docs") for page in english_pages()}
    chinese = {page.relative_to(ROOT / "docs" / "zh") for page in PAGES if page.parent.parent == ROOT / "docs" / "zh"}
    assert {str(page) for page in english ^ chinese} == set()


@pytest.mark.parametrize("page", [*english_pages(), ROOT / "README.md"], ids=lambda page: page.stem)
def test_code_is_the_same_in_both_languages(page: pathlib.Path) -> None:
    chinese = ROOT / "README.zh.md" if page.parent == ROOT else ROOT / "docs" / "zh" / page.relative_to(ROOT / "docs")
    english_code, chinese_code = (CODE_BLOCK.findall(each.read_text(encoding="utf-8")) for each in (page, chinese))
    assert chinese_code == english_code


def test_every_chinese_page_can_be_reached_from_its_index() -> None:
    index = ROOT / "docs" / "zh" / "README.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in links(index.read_text(encoding="utf-8"))}
    pages = {page for page in PAGES if page.parent.parent == index.parent}
    assert {str(page.relative_to(ROOT)) for page in pages - linked} == set()


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_lines_of_text_are_short_enough_to_read_in_an_editor(name: str) -> None:
    text = CODE_BLOCK.sub("", (ROOT / name).read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if not line.startswith("|")]  # a row of a table is one line
    assert [line for line in lines if len(line) > 200] == []


def test_pictures_are_used_and_small() -> None:
    pictures = sorted((ROOT / "docs" / "images").iterdir())
    words = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [each.name for each in pictures if f"images/{each.name}" not in words] == []
    assert sum(each.stat().st_size for each in pictures) < 3_000_000


# Where a path named in the docs may begin: `native/read/reader.h`, `query/text.py`, `state/view.ts`.
BASES = [ROOT, ROOT / "src" / "lightboard", ROOT / "web", ROOT / "web" / "src"]
PATH = re.compile(r"`([\w<>*.{},-]+(?:/[\w<>*.{},-]+)+/?)`")
MADE = re.compile(r"^(build|dist|web/dist|web/node_modules)/")  # made by `make`, not in git


def code_paths(text: str) -> list[str]:
    """Names in backquotes that begin with a directory of ours and end as a file does, or in a slash."""
    names = PATH.findall(re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    ours = [name for name in names if any((base / name.partition("/")[0]).is_dir() for base in BASES)]
    return [name for name in ours if re.search(r"(\.[a-z]+|/|\*)$", name) and not MADE.match(name)]


def is_there(name: str) -> bool:
    """`<word>` stands for anything, `{a,b}` for each of them."""
    choice = re.search(r"\{([^}]*)\}", name)
    if choice:
        return all(is_there(name.replace(choice.group(), each, 1)) for each in choice.group(1).split(","))
    pattern = re.sub(r"<[^>]*>", "*", name).rstrip("/")
    return any(next(base.glob(pattern), None) is not None for base in BASES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_paths_in_the_docs_exist(page: pathlib.Path) -> None:
    assert [name for name in code_paths(page.read_text(encoding="utf-8")) if not is_there(name)] == []


def test_a_path_that_moved_is_noticed() -> None:
    text = "`native/gone.h` `tests/{query,server}/test_images.py` `query/<word>.py` `/api/x.y` `runs/a.b`"
    assert [name for name in code_paths(text) if not is_there(name)] == ["native/gone.h"]
