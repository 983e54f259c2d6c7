"""Files of the built page: `hub.html`, and what it loads. Only files found by listing the directory are served.

The build writes compressed versions beside them (`main.js.br`). Names below `assets/` contain a hash of the content, so
a fetched file never changes. Documents of boards, which have policies of their own, are not served here.
"""

from __future__ import annotations

import hashlib
import pathlib
from typing import Any

from lightboard.hub import door
from lightboard.hub.server import clients

PAGE = "hub.html"
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
CODINGS = {"br": ".br", "zstd": ".zst", "gzip": ".gz"}  # best compression first


class Files:
    """State: the listing, made again after a build, which writes `index.html` last."""

    def __init__(self, root: pathlib.Path | None) -> None:
        self._root = root
        self._stamp = -1
        self._paths: dict[str, pathlib.Path] = {}

    def page(self, scope: Any) -> door.Reply | None:
        return self._reply(PAGE, scope)

    def file(self, address: str, scope: Any) -> door.Reply | None:
        return None if address.endswith(".html") else self._reply(address, scope)

    def _reply(self, address: str, scope: Any) -> door.Reply | None:
        path = self._listing().get(address)
        if path is None or path.suffix in CODINGS.values():
            return None
        coding = self._coding(address, clients.header(scope, b"accept-encoding"))
        try:
            body = self._paths[address + CODINGS[coding] if coding else address].read_bytes()
        except OSError:
            return None
        tag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'.encode()
        lasting = address.startswith("assets/")
        headers: tuple[tuple[bytes, bytes], ...] = (
            (b"etag", tag),
            (b"cache-control", b"public, max-age=31536000, immutable" if lasting else b"no-cache"),
            (b"vary", b"accept-encoding"),
        )
        if tag.decode() in clients.header(scope, b"if-none-match"):
            return door.Reply(304, b"", "", headers)
        if coding:
            headers += ((b"content-encoding", coding.encode()),)
        return door.Reply(200, body, MEDIA_TYPES.get(path.suffix.lower(), "application/octet-stream"), headers)

    def _coding(self, address: str, accepted: str) -> str:
        words = [each.strip().partition(";") for each in accepted.lower().split(",")]
        taken = {name.strip() for name, _, rest in words if rest.replace(" ", "") not in ("q=0", "q=0.0")}
        return next((each for each, ending in CODINGS.items() if each in taken and address + ending in self._paths), "")

    def _listing(self) -> dict[str, pathlib.Path]:
        if self._root is None:
            return {}
        try:
            stamp = (self._root / "index.html").stat().st_mtime_ns
        except OSError:
            return {}
        if stamp != self._stamp:
            found = (each for each in self._root.rglob("*") if each.is_file())
            self._paths = {each.relative_to(self._root).as_posix(): each for each in found}
            self._stamp = stamp
        return self._paths


def root() -> pathlib.Path | None:
    """The directory of the built page; None if this installation has none."""
    import lightboard

    for base in lightboard.__path__:
        if (pathlib.Path(base) / "static" / "index.html").is_file():
            return pathlib.Path(base) / "static"
    return None
