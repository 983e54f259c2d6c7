"""Links between the pages of the documentation lead somewhere, headings included. What pages tell people to run is run
by tests/test_tutorial.py; docs/reference/page.md is held against the page by web/src/docs.test.ts."""

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


def test_pictures_are_used_and_small() -> None:
    pictures = sorted((ROOT / "docs" / "images").iterdir())
    words = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [each.name for each in pictures if f"images/{each.name}" not in words] == []
    assert sum(each.stat().st_size for each in pictures) < 3_000_000
