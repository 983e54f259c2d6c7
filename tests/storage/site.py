"""A scripted web server: files, pages and misbehavior are set by the test, and requests are counted."""

from __future__ import annotations

import contextlib
import dataclasses
import email.utils
import http.server
import re
import ssl
import threading
import time
import urllib.parse
from collections.abc import Iterator


@dataclasses.dataclass
class File:
    content: bytes
    mtime: float = dataclasses.field(default_factory=time.time)
    etag: bool = True


@dataclasses.dataclass
class Asked:
    method: str
    path: str  # as sent, encoded
    headers: dict[str, str]
    port: int  # of the client


@dataclasses.dataclass
class Site:
    """Keys of `files` are decoded paths, of `pages` decoded paths of directories with slashes at both ends."""

    files: dict[str, File] = dataclasses.field(default_factory=dict)
    pages: dict[str, bytes] = dataclasses.field(default_factory=dict)
    redirects: dict[str, str] = dataclasses.field(default_factory=dict)
    listed: bool = True  # directories without a page are listed as nginx does
    ranges: bool = True
    heads: bool = True
    authorization: dict[str, str] = dataclasses.field(default_factory=dict)  # prefix of paths → header
    statuses: list[int] = dataclasses.field(default_factory=list)  # answers of the next requests; 0: a cut connection
    asked: list[Asked] = dataclasses.field(default_factory=list)
    url: str = ""

    def put(self, path: str, content: bytes, *, mtime: float | None = None, etag: bool = True) -> None:
        self.files[path] = File(content, time.time() if mtime is None else mtime, etag)

    def counts(self) -> dict[str, int]:
        """Requests since the last call, by kind."""
        found: dict[str, int] = {}
        for each in self.asked:
            kind = "LIST" if each.method == "GET" and each.path.endswith("/") else each.method
            found[kind] = found.get(kind, 0) + 1
        self.asked.clear()
        return found

    def listing(self, directory: str) -> bytes | None:
        names: dict[str, File | None] = {}
        for path, file in self.files.items():
            if path.startswith(directory):
                name, slash, _ = path[len(directory) :].partition("/")
                names[name + slash] = None if slash else file
        if not names:
            return None
        rows = [_row(name, names[name]) for name in sorted(names)]
        return f'<html><h1>Index of {directory}</h1><pre><a href="../">../</a>\n{"".join(rows)}</pre></html>'.encode(
            "utf-8", "surrogateescape"
        )


def _row(name: str, file: File | None) -> str:
    mtime = file.mtime if file else 0.0
    size = len(file.content) if file else "-"
    shown = time.strftime("%d-%b-%Y %H:%M", time.gmtime(mtime))
    return f'<a href="{urllib.parse.quote(name, errors="surrogateescape")}">{name[:40]}</a>    {shown}    {size}\n'


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        site = self.server.site
        site.asked.append(Asked(self.command, self.path, dict(self.headers), self.client_address[1]))
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path, errors="surrogateescape")
        if site.statuses:
            status = site.statuses.pop(0)
            if not status:
                self.close_connection = True
                return
            if status != 200:
                self._answer(status, b"no")
                return
        needed = next((value for prefix, value in site.authorization.items() if path.startswith(prefix)), None)
        if needed is not None and self.headers.get("Authorization") != needed:
            self._answer(401 if "Authorization" not in self.headers else 403, b"who?")
        elif path in site.redirects:
            self._answer(302, b"", {"Location": site.redirects[path]})
        elif path.endswith("/"):
            page = site.pages.get(path) or (site.listing(path) if site.listed else None)
            self._answer(404 if page is None else 200, page or b"no such page", {"Content-Type": "text/html"})
        elif path in site.files:
            self._file(site.files[path], site)
        elif f"{path}/" in site.pages or site.listing(f"{path}/"):
            self._answer(301, b"", {"Location": f"{self.path}/"})
        else:
            self._answer(404, b"no such file")

    def do_HEAD(self) -> None:
        if self.server.site.heads:
            self.do_GET()
        else:
            self.server.site.asked.append(Asked(self.command, self.path, dict(self.headers), self.client_address[1]))
            self._answer(405, b"")

    def _file(self, file: File, site: Site) -> None:
        headers = {"Last-Modified": email.utils.formatdate(file.mtime, usegmt=True)}
        if file.etag:
            headers["ETag"] = f'"{file.mtime}-{len(file.content)}"'
        if file.etag and self.headers.get("If-None-Match") == headers["ETag"]:
            self._answer(304, b"", headers)
            return
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "")) if site.ranges else None
        if found is None:
            self._answer(200, file.content, headers)
            return
        start, size = int(found[1]), len(file.content)
        end = min(size, int(found[2]) + 1) if found[2] else size
        if start >= size:
            self._answer(416, b"", {**headers, "Content-Range": f"bytes */{size}"})
            return
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
        self._answer(206, file.content[start:end], headers)

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, site: Site) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.site = site

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients may leave at any time."""


@contextlib.contextmanager
def running(tls: ssl.SSLContext | None = None) -> Iterator[Site]:
    site = Site()
    server = _Server(site)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    site.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
