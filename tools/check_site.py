"""Check a built site: links between its pages lead somewhere, and no page loads anything from another host.

python tools/check_site.py build/site
"""

from __future__ import annotations

import html.parser
import pathlib
import sys
import urllib.parse

# attributes that load something when the page is opened; other links are followed by people
LOADING = {("link", "href"), ("script", "src"), ("img", "src"), ("source", "src"), ("iframe", "src"), ("video", "src")}


class Page(html.parser.HTMLParser):
    """State: the names that links can lead to, and the links, each with whether it is loaded at once."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[tuple[str, bool]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.names.add(value)
            elif name in ("href", "src") and value:
                self.links.append((value, (tag, name) in LOADING))


def faults(site: pathlib.Path) -> list[str]:
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        for link, loaded in page.links:
            problem = fault(link, loaded, path, pages)
            if problem:
                found.append(f"{path.relative_to(site.resolve())}: {link}: {problem}")
    return found


def fault(link: str, loaded: bool, path: pathlib.Path, pages: dict[pathlib.Path, Page]) -> str:
    parts = urllib.parse.urlsplit(link)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        return "loaded from another host" if loaded else ""
    target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return "no such file"
    name = urllib.parse.unquote(parts.fragment)
    if name and target in pages and name not in pages[target].names:
        return "no such heading"
    return ""


def main() -> int:
    site = pathlib.Path(sys.argv[1])
    found = faults(site)
    print("\n".join(found) or f"{site}: {len(list(site.rglob('*.html')))} pages, all links lead somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
