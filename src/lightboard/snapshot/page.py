"""The built page as one HTML file: its scripts and styles are packed into it, and a small loader starts them.

A page that was opened from a disk cannot fetch other files, and modules of `blob:` addresses cannot name each other by
relative addresses. So the names are rewritten here, and `loader.js` puts the address of each module in their place:

    from"./pages-C2a2av24.js"                     stays; the loader replaces it: a module comes after those it imports
    import(`./images_panel-OIFeYPyz.js`)          import(lightboardFiles[`./images_panel-OIFeYPyz.js`])
    new Worker(new URL(… `worker-DIr9TdL0.js` …   new Worker(lightboardFiles[`./worker-DIr9TdL0.js`]), a classic worker:
                                                  module workers of blob: addresses do not start on a disk's pages

Names of built files contain a hash of their content, so a name in a script is never anything else.
"""

from __future__ import annotations

import base64
import dataclasses
import gzip
import hashlib
import html
import json
import pathlib
import re
from collections.abc import Iterable, Mapping

from lightboard import errors

# What the file may do. The loader and the script that chooses the theme are named by their hashes; all other scripts
# are modules that the loader makes. Nothing can be fetched from anywhere.
POLICY = (
    "default-src 'none'; script-src {scripts} blob:; worker-src blob:; img-src data: blob:; media-src data: blob:; "
    "font-src data:; base-uri 'none'; form-action 'none'"
)
_ENTRY = re.compile(r'<script type="module"[^>]* src="\./assets/([^"]+)">')
_ICON = "icon.svg"
_STATIC = re.compile(r'(?:from|import)\s*"\./([\w.-]+\.js)"')
_DYNAMIC = re.compile(r"import\(\s*[`\"'](\./[\w.-]+\.js)[`\"']\s*\)")
_WORKER = re.compile(
    r"new Worker\(new URL\(new URL\([`\"']([\w.-]+\.js)[`\"'],\s*import\.meta\.url\)\.href,[^)]*\),"
    r"\s*\{type:[`\"']module[`\"']\}\)"
)
_PRELOADS = re.compile(r"__vite__mapDeps\(\[[\d,]*\]\)")
_PANEL = re.compile(r"(\w+)_panel-[\w-]+\.js")
_COMPRESSION = 9


@dataclasses.dataclass(frozen=True)
class Block:
    """A piece of data in the file, compressed."""

    name: str
    data: bytes

    def element(self) -> bytes:
        return _element(f'data-block="{html.escape(self.name)}"', gzip.compress(self.data, _COMPRESSION, mtime=0))


@dataclasses.dataclass(frozen=True)
class Picture:
    """A blob in the file, as it was logged."""

    key: str
    data: bytes
    content_type: str

    def element(self) -> bytes:
        return _element(f'data-blob="{html.escape(self.key)}" data-type="{html.escape(self.content_type)}"', self.data)


def _element(attributes: str, data: bytes) -> bytes:
    """Returns an element that no browser runs. Base64 has no character that could end it."""
    return f'<script type="text/plain" {attributes}>{base64.b64encode(data).decode()}</script>\n'.encode()


def scripts(static_dir: str | None, kinds: Iterable[str]) -> Block:
    """The scripts and styles of the page, without the panels of kinds that are not in `kinds`, as one block."""
    folder = _built(static_dir)
    entry = _ENTRY.search((folder / "index.html").read_text(encoding="utf-8"))
    if entry is None:
        raise errors.NotFound("the page of this installation has an unknown form", hint="install lightboard again")
    wanted = set(kinds)
    files = _closure(folder / "assets", entry[1], wanted)
    sheets = _sheets(folder / "assets", files)
    packed = {"entry": f"./{entry[1]}", "files": list(files.items()), "sheets": sheets}
    return Block("page", json.dumps(packed).encode())


def document(info: Mapping[str, object], elements: Iterable[bytes], static_dir: str | None) -> Iterable[bytes]:
    """Yield the file piece by piece. `info` is what the page knows about this snapshot before it reads a block."""
    folder = _built(static_dir)
    theme = (folder / "early.js").read_text(encoding="utf-8")
    loader = pathlib.Path(__file__).with_name("loader.js").read_text(encoding="utf-8")
    icon = base64.b64encode((folder / _ICON).read_bytes()).decode()
    policy = POLICY.format(scripts=" ".join(f"'sha256-{_hash(text)}'" for text in (theme, loader)))
    yield (
        "<!doctype html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{html.escape(str(info['name']))}</title>\n"
        f'<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,{icon}">\n'
        f"<script>{theme}</script>\n</head>\n<body>\n"
        '<div id="app"></div>\n'
        "<noscript>Lightboard needs JavaScript. · Lightboard 需要启用 JavaScript。</noscript>\n"
        f'<script type="application/json" id="snapshot">{embedded_json(info)}</script>\n'
    ).encode("utf-8", "backslashreplace")
    yield from elements
    yield f"<script>{loader}</script>\n</body>\n</html>\n".encode()


def embedded_json(value: object) -> str:
    """JSON inside a `<script>`: ASCII only, and no character that HTML gives a meaning."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _built(static_dir: str | None) -> pathlib.Path:
    if static_dir is None:
        raise errors.NotFound("this installation has no page", hint="`make web` builds it")
    return pathlib.Path(static_dir)


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _closure(assets: pathlib.Path, entry: str, kinds: set[str]) -> dict[str, str]:
    """Name → rewritten text of each script that the page may need; a script comes after those it imports."""
    found: dict[str, str] = {}
    later = [entry]
    while later:
        name = later.pop()
        if f"./{name}" not in found and not _is_unwanted(name, kinds):
            later += _add(assets, name, found)
    return found


def _add(assets: pathlib.Path, name: str, found: dict[str, str]) -> list[str]:
    """Add a script and before it those that it imports; return the names of those that it may load later."""
    text = (assets / name).read_text(encoding="utf-8")
    later: list[str] = []
    for imported in dict.fromkeys(_STATIC.findall(text)):
        if f"./{imported}" not in found:
            later += _add(assets, imported, found)
    found[f"./{name}"] = _rewritten(text)
    return [*later, *(each.removeprefix("./") for each in _DYNAMIC.findall(text)), *_WORKER.findall(text)]


def _is_unwanted(name: str, kinds: set[str]) -> bool:
    panel = _PANEL.fullmatch(name)
    return panel is not None and panel[1] not in kinds


def _rewritten(text: str) -> str:
    text = _PRELOADS.sub("[]", text)  # styles are all there from the beginning, scripts need no fetching ahead
    text = _DYNAMIC.sub(lambda found: f"import(lightboardFiles[`{found[1]}`])", text)
    return _WORKER.sub(lambda found: f"new Worker(lightboardFiles[`./{found[1]}`])", text)


def _sheets(assets: pathlib.Path, files: Iterable[str]) -> str:
    """All styles of these scripts. A script and its styles have the same name, but for the hash."""
    words = {re.sub(r"-[\w-]{8}\.js$", "", name.removeprefix("./")) for name in files}
    sheets = sorted(
        (path for path in assets.glob("*.css") if re.sub(r"-[\w-]{8}\.css$", "", path.name) in words),
        key=lambda path: (not path.name.startswith("index-"), path.name),
    )
    return "\n".join(path.read_text(encoding="utf-8") for path in sheets)
