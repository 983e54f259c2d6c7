"""The built page and its assets, or a plain list of runs and tags if no page has been built.

Only files found by listing the directory are served, so no address can lead out of it. The build writes compressed
versions beside files where it pays (`main.js.br`); other files are compressed at the first request.
Pages that draw logged content are isolated from the board by their own content security policy.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import html
import os
import re
import threading
from collections.abc import Mapping

from lightboard.server import compression, context, responses

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".txt": "text/plain; charset=utf-8",
}
PRECOMPRESSED = {"br": ".br", "zstd": ".zst", "gzip": ".gz"}  # best compression first
FALLBACK_NAMES = 1000
# For pages in iframes: another origin, no network, and only their own script and the code passed to it may run.
STRANGERS = frozenset({"plotly_frame.html"})
_STRANGER = (
    "sandbox allow-scripts; default-src 'none'; script-src {scripts} blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; worker-src blob:"
)
_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


@dataclasses.dataclass
class _File:
    path: str
    stamp: tuple[int, int]  # mtime and size when it was read
    body: bytes
    tag: str  # of the content; each coding has an entity tag of its own
    coded: dict[str, bytes]


class Files:
    """The files of the directory by address, read at the first request and again after a change."""

    def __init__(self, root: str | None) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._paths: dict[str, str] = {}
        self._packed: dict[str, dict[str, str]] = {}  # path → coding → path of the compressed file
        self._stamp = -1
        self._files: dict[str, _File] = {}

    def has_page(self) -> bool:
        return "index.html" in self._listing()

    def reply(self, address: str, headers: Mapping[bytes, bytes]) -> responses.Reply | None:
        """Returns the file at an address such as `assets/main-abc.js`; None: there is no such file."""
        path = self._listing().get(address)
        if path is None:
            return None
        try:
            file = self._read(address, path)
        except OSError:
            return None
        media_type = MEDIA_TYPES.get(os.path.splitext(address)[1].lower(), "application/octet-stream")  # noqa: PTH122
        # names of files below assets/ contain a hash of the content, so a fetched file never changes
        lasting = address.startswith("assets/")
        body, coding = self._coded(file, media_type, headers.get(b"accept-encoding", b"").decode("latin-1"))
        common: tuple[tuple[str, str], ...] = (
            ("ETag", f'"{file.tag}-{coding}"' if coding else f'"{file.tag}"'),
            ("Cache-Control", "private, max-age=31536000, immutable" if lasting else "no-cache"),
            ("Vary", "Accept-Encoding"),
        )
        if address in STRANGERS:
            common += (
                ("Content-Security-Policy", stranger_policy(file.body)),
                ("X-DNS-Prefetch-Control", "off"),
                ("Connection-Allowlist", "()"),
            )
        if _knows(headers.get(b"if-none-match", b"").decode("latin-1"), file.tag):
            return responses.Reply(b"", "", 304, common, may_compress=False)
        if coding:
            common += (("Content-Encoding", coding),)
        return responses.Reply(body, media_type, 200, common, may_compress=False)

    def _listing(self) -> dict[str, str]:
        if self._root is None:
            return {}
        try:
            stamp = os.stat(f"{self._root}/index.html").st_mtime_ns  # a build writes it last
        except OSError:
            return {}
        if stamp != self._stamp:
            found = {}
            for folder, _, names in os.walk(self._root):
                for name in names:
                    path = f"{folder}/{name}"
                    found[path[len(self._root) :].strip("/")] = path
            self._packed = {}
            for address in list(found):
                for coding, suffix in PRECOMPRESSED.items():
                    if (packed := found.pop(address + suffix, None)) is not None:
                        self._packed.setdefault(found[address], {})[coding] = packed
            self._paths, self._stamp = found, stamp
        return self._paths

    def _read(self, address: str, path: str) -> _File:
        status = os.stat(path)
        stamp = (status.st_mtime_ns, status.st_size)
        with self._lock:
            file = self._files.get(address)
            if file is None or file.stamp != stamp:
                with open(path, "rb") as stream:
                    body = stream.read()
                file = _File(path, stamp, body, hashlib.blake2b(body, digest_size=12).hexdigest(), {})
                self._files[address] = file
            return file

    def _coded(self, file: _File, media_type: str, accepted: str) -> tuple[bytes, str]:
        if not compression.worthwhile(media_type, len(file.body)):
            return file.body, ""
        made = self._packed.get(file.path, {})
        coding = compression.first_taken(accepted, [each for each in PRECOMPRESSED if each in made])
        coding = coding or compression.choose(accepted)
        if not coding:
            return file.body, ""
        if coding not in file.coded:
            file.coded[coding] = _bytes_of(made[coding]) if coding in made else b""
            if not file.coded[coding]:
                file.coded[coding] = compression.compress(file.body, coding, level=9)
        return file.coded[coding], coding


def stranger_policy(page: bytes) -> str:
    """Allows scripts inside of the page by their hashes."""
    digests = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in _SCRIPT.findall(page)]
    return _STRANGER.format(scripts=" ".join(f"'sha256-{digest}'" for digest in digests))


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def _knows(if_none_match: str, tag: str) -> bool:
    """Returns whether the client has the content, in any coding."""
    tags = [each.strip().removeprefix("W/").strip('"') for each in if_none_match.split(",")]
    return any(each == "*" or each.partition("-")[0] == tag for each in tags)


def fallback(context: context.Context) -> responses.Reply:
    """A minimal page that shows whether data arrives: runs, and tags per kind."""
    from lightboard.query import tags  # not needed if the page was built
    from lightboard.query.runs import runs  # not needed if the page was built

    store = context.store
    title = context.settings.window_title or "Lightboard"
    found = runs.listing(store, limit=FALLBACK_NAMES)
    sections = [("runs", found.total, found.name)]
    for word, columns in tags.listing(store).kinds.items():
        sections.append((word, len(columns.tag), columns.tag[:FALLBACK_NAMES]))
    body = "".join(
        f"<h2>{html.escape(word)} ({count})</h2><ul>"
        + "".join([f"<li>{html.escape(_shown(name))}</li>" for name in names])
        + "</ul>"
        for word, count, names in sections
    )
    progress = store.progress
    state = "all files read" if progress.done else f"{progress.files_read} of {progress.files_total} files read"
    text = (
        f"<p>{html.escape(_shown(context.settings.logdir))}: {state}.</p>"
        "<p>The page has not been built; this is a plain list. Data is at <a href=api/board>api/board</a>.</p>" + body
    )
    return responses.Reply(_page(title, text), MEDIA_TYPES[".html"], headers=(("Cache-Control", "no-cache"),))


def token_page(refusal: responses.Reply) -> responses.Reply:
    """A refusal as a page: it says where the token is, and has a field for it."""
    text = (
        "<p>This board requires a token. Open the address that was printed when it started, or enter the token:</p>"
        '<form><input name=token type=password autofocus aria-label="token"> <button>Open</button></form>'
    )
    return dataclasses.replace(refusal, body=_page("Lightboard", text), media_type=MEDIA_TYPES[".html"])


def _page(title: str, body: str) -> bytes:
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title>"
    return f"{head}<h1>{html.escape(title)}</h1>{body}</html>".encode()


def _shown(name: str) -> str:
    return name.encode("utf-8", "replace").decode()
