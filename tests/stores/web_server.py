"""A web server over a directory, which lists as Python, nginx and Apache do, or has only an index file.

    python       `python -m http.server`: names alone; no ETag
    nginx        autoindex: names cut after 50 letters, dates and exact sizes; ETags; hidden files are not listed
    nginx_json   ... as JSON
    apache       mod_autoindex: a table with icons, links that sort, rounded sizes; hidden files are not listed
    none         no listings (403), files only: an index.json or index.txt names them

All of them answer ranges.
"""

from __future__ import annotations

import contextlib
import dataclasses
import email.utils
import html
import http.server
import json
import os
import pathlib
import re
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator

STYLES = ("python", "nginx", "nginx_json", "apache", "none")
HIDING = ("nginx", "nginx_json", "apache")


@dataclasses.dataclass(frozen=True)
class _Entry:
    name: str
    directory: bool
    size: int
    mtime: float

    @property
    def shown(self) -> str:
        return f"{self.name}/" if self.directory else self.name


def _entries(directory: pathlib.Path, style: str) -> list[_Entry]:
    found = []
    for each in os.scandir(directory):
        state = each.stat()
        if not (each.name.startswith(".") and style in HIDING):
            found.append(_Entry(each.name, each.is_dir(), state.st_size, state.st_mtime))
    return sorted(found, key=lambda entry: (not entry.directory, entry.name))


# ---- how each lists


def _python(path: str, entries: list[_Entry]) -> str:
    items = "".join(
        f'<li><a href="{urllib.parse.quote(each.shown)}">{html.escape(each.shown, quote=False)}</a></li>\n'
        for each in entries
    )
    title = f"Directory listing for {html.escape(path, quote=False)}"
    return (
        f'<!DOCTYPE HTML>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n</head>\n'
        f"<body>\n<h1>{title}</h1>\n<hr>\n<ul>\n{items}</ul>\n<hr>\n</body>\n</html>\n"
    )


def _nginx(path: str, entries: list[_Entry]) -> str:
    lines = []
    for each in entries:
        name = each.shown if len(each.shown) <= 50 else f"{each.shown[:47]}..>"
        date = time.strftime("%d-%b-%Y %H:%M", time.gmtime(each.mtime))
        size = "-" if each.directory else str(each.size)
        href = urllib.parse.quote(each.shown)
        lines.append(f'<a href="{href}">{html.escape(name, quote=False)}</a>{" " * (51 - len(name))}{date} {size:>19}')
    title = f"Index of {html.escape(path, quote=False)}"
    top = f"<html>\r\n<head><title>{title}</title></head>\r\n<body>\r\n<h1>{title}</h1><hr><pre>"
    return "\r\n".join((f'{top}<a href="../">../</a>', *lines, "</pre><hr></body>", "</html>", ""))


def _nginx_json(path: str, entries: list[_Entry]) -> str:
    rows = []
    for each in entries:
        row = {
            "name": each.name,
            "type": "directory" if each.directory else "file",
            "mtime": email.utils.formatdate(each.mtime, usegmt=True),
        }
        rows.append(row if each.directory else {**row, "size": each.size})
    return json.dumps(rows, ensure_ascii=False)


def _apache(path: str, entries: list[_Entry]) -> str:
    rows = []
    for each in entries:
        href = html.escape(urllib.parse.quote(each.shown, safe="/!$&'()*+,;=:@~"), quote=False).replace('"', "%22")
        date = time.strftime("%Y-%m-%d %H:%M", time.gmtime(each.mtime))
        rows.append(
            f'<tr><td valign="top"><img src="/icons/unknown.gif" alt="[   ]"></td><td><a href="{href}">'
            f'{html.escape(each.shown[:22], quote=False)}</a></td><td align="right">{date}  </td>'
            f'<td align="right">{_rounded(each)}</td><td>&nbsp;</td></tr>\n'
        )
    parent = urllib.parse.quote(path.rstrip("/").rpartition("/")[0] + "/")
    return (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<html>\n <head>\n'
        f"  <title>Index of {html.escape(path)}</title>\n </head>\n <body>\n<h1>Index of {html.escape(path)}</h1>\n"
        '  <table>\n   <tr><th valign="top"><img src="/icons/blank.gif" alt="[ICO]"></th>'
        '<th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th>'
        '<th><a href="?C=S;O=A">Size</a></th><th><a href="?C=D;O=A">Description</a></th></tr>\n'
        f'<tr><td valign="top"><img src="/icons/back.gif" alt="[PARENTDIR]"></td><td><a href="{parent}">Parent '
        f'Directory</a></td><td>&nbsp;</td><td align="right">  - </td><td>&nbsp;</td></tr>\n{"".join(rows)}'
        '</table>\n<address>Apache/2.4.57 (Debian) Server at <a href="mailto:web@localhost">localhost</a> Port 80'
        "</address>\n</body></html>\n"
    )


def _rounded(entry: _Entry) -> str:
    if entry.directory:
        return "  - "
    size = float(entry.size)
    for unit in ("", "K", "M", "G"):
        if size < 973 or unit == "G":
            return f"{size:.1f}{unit}" if unit and size < 9.95 else f"{size:.0f}{unit}"
        size /= 1024
    raise AssertionError


_LISTINGS: dict[str, Callable[[str, list[_Entry]], str]] = {
    "python": _python, "nginx": _nginx, "nginx_json": _nginx_json, "apache": _apache,
}  # fmt: skip


# ---- the server


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        parts = [part for part in path.split("/") if part]
        target = self.server.directory.joinpath(*parts)
        if ".." in parts or not target.exists():
            self._answer(404, b"<h1>404 Not Found</h1>")
        elif target.is_dir() and not path.endswith("/"):
            self._answer(301, b"", {"Location": f"{urllib.parse.urlsplit(self.path).path}/"})
        elif target.is_dir():
            self._list(path, target)
        else:
            self._file(target)

    do_HEAD = do_GET

    def _list(self, path: str, directory: pathlib.Path) -> None:
        style = self.server.style
        if style == "none":
            self._answer(403, b"<h1>403 Forbidden</h1>")
            return
        text = _LISTINGS[style](path, _entries(directory, style))
        kind = "application/json" if style == "nginx_json" else "text/html;charset=utf-8"
        self._answer(200, text.encode("utf-8", "surrogateescape"), {"Content-Type": kind})

    def _file(self, path: pathlib.Path) -> None:
        state = path.stat()
        headers = {"Last-Modified": email.utils.formatdate(state.st_mtime, usegmt=True), "Accept-Ranges": "bytes"}
        if self.server.style != "python":
            headers["ETag"] = f'"{state.st_mtime_ns // 1000:x}-{state.st_size:x}"'
        if headers.get("ETag") and self.headers.get("If-None-Match") == headers["ETag"]:
            self._answer(304, b"", headers)
            return
        content = path.read_bytes()
        found = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if found is None or found.group(0) == "bytes=-":
            self._answer(200, content, headers)
            return
        start, end = _limits(found.group(1), found.group(2), len(content))
        if start >= len(content):
            self._answer(416, b"", {**headers, "Content-Range": f"bytes */{len(content)}"})
            return
        place = {"Content-Range": f"bytes {start}-{end - 1}/{len(content)}"}
        self._answer(206, content[start:end], headers | place)

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


def _limits(first: str, last: str, size: int) -> tuple[int, int]:
    if not first:
        return max(0, size - int(last)), size
    return int(first), min(size, int(last) + 1 if last else size)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, directory: pathlib.Path, style: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.directory = directory
        self.style = style

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients may leave at any time."""


@contextlib.contextmanager
def running(directory: pathlib.Path, style: str) -> Iterator[str]:
    """The address of the directory."""
    server = _Server(directory, style)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def write_index(directory: pathlib.Path, name: str) -> None:
    """Name all files below a directory in its index.json (with sizes and times) or index.txt (paths alone)."""
    files = sorted(path for path in directory.rglob("*") if path.is_file() and path.name != name)
    paths = [path.relative_to(directory).as_posix() for path in files]
    if name.endswith(".txt"):
        text = "".join(f"{path}\n" for path in paths)
    else:
        states = [path.stat() for path in files]
        rows = [
            {"name": path, "size": state.st_size, "mtime": email.utils.formatdate(state.st_mtime, usegmt=True)}
            for path, state in zip(paths, states, strict=True)
        ]
        text = json.dumps(rows, ensure_ascii=False)
    (directory / name).write_text(text, encoding="utf-8")
