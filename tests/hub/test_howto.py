"""What the how-to pages of the hub tell people to run is run against a real hub, and their settings are read.

Left out: commands of the system (blocks marked `text`), installing, signing in by hand, and hubs that serve until they
are stopped: of these the flags are parsed.
"""

from __future__ import annotations

import contextlib
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse
from collections.abc import Iterator

import pytest
from hub import hubs, postgres

from lightboard.cli import arguments
from lightboard.demo import logs as demo_logs
from lightboard.hub.server import config

pytestmark = pytest.mark.whole_hub

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "howto"
# tests/hub/cli/test_docs.py has the other one
PAGES = sorted({each.name for each in DOCS.glob("hub-*.md")} - {"hub-from-scripts.md"})
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SERVING = re.compile(r"^lightboard hub( --|$)")
BY_HAND = re.compile(r"^(pip|export|lightboard login|lightboard hub open)\b")


class Bucket(http.server.BaseHTTPRequestHandler):
    """As much of S3 as lists and reads one bucket, `logs`, with the files of `folder`."""

    protocol_version = "HTTP/1.1"
    folder = pathlib.Path()

    def do_GET(self) -> None:
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        if "list-type" in query:
            self._give(200, self._listing(query.get("prefix", "")), "application/xml")
            return
        file = self.folder / urllib.parse.unquote(address.path).removeprefix("/logs/")
        if not file.is_file():
            self._give(404, b"<Error><Code>NoSuchKey</Code></Error>", "application/xml")
            return
        body = file.read_bytes()
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if wanted is None:
            self._give(200, body)
            return
        first, last = int(wanted[1]), min(int(wanted[2] or len(body) - 1), len(body) - 1)
        self._give(206, body[first : last + 1], content_range=f"bytes {first}-{last}/{len(body)}")

    do_HEAD = do_GET

    def _listing(self, prefix: str) -> bytes:
        files = {str(each.relative_to(self.folder)): each for each in self.folder.rglob("*") if each.is_file()}
        items = [
            f"<Contents><Key>{name}</Key><LastModified>2026-11-18T06:00:00.000Z</LastModified><ETag>&quot;{len(name)}"
            f"&quot;</ETag><Size>{each.stat().st_size}</Size></Contents>"
            for name, each in sorted(files.items())
            if name.startswith(prefix)
        ]
        head = (
            '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>logs</Name>'
        )
        return f"{head}<IsTruncated>false</IsTruncated>{''.join(items)}</ListBucketResult>".encode()

    def _give(self, status: int, body: bytes, kind: str = "application/octet-stream", content_range: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", "Wed, 18 Nov 2026 06:00:00 GMT")
        if content_range:
            self.send_header("Content-Range", content_range)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextlib.contextmanager
def bucket(folder: pathlib.Path) -> Iterator[str]:
    handler = type("Handler", (Bucket,), {"folder": folder})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Reader:
    """Somebody who does what a page says. `names` replaces what a page says by what is here."""

    def __init__(self, hub: hubs.Hub, folder: pathlib.Path, names: dict[str, str]) -> None:
        self.hub, self.folder, self.names = hub, folder, names
        own = {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")}
        mine = {"LIGHTBOARD_HUB": hub.url, "LIGHTBOARD_HUB_TOKEN": hub.admin_token, "NO_PROXY": "*"}
        self.environment = {**own, **mine}

    def follow(self, language: str, block: str) -> None:
        for said, here in self.names.items():
            block = block.replace(said, here)
        if language == "python":
            self.run([sys.executable, "-W", "error", "-c", block], block)
        elif language == "toml":
            (self.folder / "hub.toml").write_text(block)
            config.load(str(self.folder / "hub.toml"))
        elif language == "yaml":
            (self.folder / "boards.yaml").write_text(block)
        elif language == "":
            for line in block.splitlines():
                self.command(line)

    def command(self, line: str) -> None:
        if BY_HAND.match(line):
            return
        if SERVING.match(line):
            arguments.parse("hub", line.split()[2:])
            return
        if line.startswith("curl") and shutil.which("curl") is None:
            return
        self.run(["sh", "-c", line.replace("lightboard ", f"{sys.executable} -m lightboard ", 1)], line)

    def run(self, command: list[str], said: str) -> None:
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=self.folder, env=self.environment, timeout=120, check=False
        )
        assert done.returncode == 0, f"{said}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    folder = tmp_path_factory.mktemp("howto")
    for number, _ in enumerate(demo_logs.writing(folder / "demo")):
        if number == 1:
            break
    for name in ("logs/resnet", "logs/vit", "models/run-1", "bucket/resnet"):
        shutil.copytree(folder / "demo" / "digits", folder / name)
    claim = f"models={folder / 'models'}"
    words = ("--allow_root", str(folder / "logs"), "--claim", claim)
    with bucket(folder / "bucket") as endpoint, hubs.running(folder / "hub", *words) as hub:
        hub.ok("PATCH", "/api/v1/settings", json={"per_account": 100})
        names = {"/data/logs": str(folder / "logs"), "http://minio:9000": endpoint, "AKIA…": "AKIA", '"…"': '"x"'}
        yield Reader(hub, folder, names)


@pytest.mark.parametrize("page", PAGES)
def test_what_the_page_says_works(page: str, reader: Reader) -> None:
    boards = reader.hub.ok("GET", "/api/v1/boards?limit=1000")["items"]
    if page == "hub-back-up.md":
        follow_back_up(reader)
        return
    if boards:
        reader.hub.ok("POST", "/api/v1/boards:batch", json={"command": "delete", "boards": [b["id"] for b in boards]})
    if page in ("hub-share-a-board.md",):
        reader.hub.new_board(reader.folder / "logs" / "resnet", name="resnet")
    found = BLOCK.findall((DOCS / page).read_text(encoding="utf-8"))
    assert found
    applies = page == "hub-manifests.md"
    for language, block in found:
        reader.follow(language, block)
        if applies and language == "yaml":
            reader.command("lightboard hub apply -f boards.yaml")


def follow_back_up(reader: Reader) -> None:
    """The hub of this page is another one: it is stopped before its database is replaced."""
    folder = reader.folder / "backed up"
    folder.mkdir()
    with hubs.running(folder / "hub") as other:
        reader_of = Reader(other, folder, {})
        other.ok("POST", "/api/v1/users", json={"name": "ann"})
        back_up, restore = (
            block for language, block in BLOCK.findall((DOCS / "hub-back-up.md").read_text()) if not language
        )
        reader_of.follow("", back_up)
        other.ok("DELETE", "/api/v1/users/ann")
        other.stop()
        reader_of.follow("", restore)
    with hubs.running(folder / "hub") as again:
        assert again.ok("GET", "/api/v1/users/ann")["name"] == "ann"


def test_several_hubs_share_postgresql_and_a_dump_restores_them(
    tmp_path: pathlib.Path, postgres_server: postgres.Server
) -> None:
    """hub-on-postgresql.md and the commands for PostgreSQL of hub-back-up.md."""
    dsn = postgres_server.new_database()
    programs = postgres.programs()
    assert programs is not None
    words = ("--database", dsn)
    with hubs.running(tmp_path / "hub", *words) as one, hubs.running(tmp_path / "hub", *words, admin_token="") as other:
        one.ok("POST", "/api/v1/users", json={"name": "ann"})
        assert other.ok("GET", "/api/v1/users/ann", token=one.admin_token)["name"] == "ann"
        leads = [hub.request("GET", "/metrics").text.count("keeper_leads 1.0") for hub in (one, other)]
        assert sum(leads) == 1
        (commands,) = (
            block for _, block in BLOCK.findall((DOCS / "hub-back-up.md").read_text()) if block.startswith("pg_dump")
        )
        dump, restore = commands.splitlines()
        run_shell(dump, tmp_path, programs, dsn)
        one.ok("DELETE", "/api/v1/users/ann")
    run_shell(restore, tmp_path, programs, dsn)
    with hubs.running(tmp_path / "hub", *words, admin_token="") as again:
        assert again.ok("GET", "/api/v1/users/ann", token=hubs.ADMIN_TOKEN)["name"] == "ann"


def run_shell(line: str, folder: pathlib.Path, programs: pathlib.Path, dsn: str) -> None:
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "DSN": dsn}
    done = subprocess.run(
        ["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, f"{line}\n{done.stderr}"


def test_the_page_about_monitoring_names_metrics_that_exist(reader: Reader) -> None:
    text = reader.hub.request("GET", "/metrics").text
    named = set(re.findall(r"`(lightboard_hub_\w+)", (DOCS / "hub-monitor.md").read_text(encoding="utf-8")))
    assert len(named) > 8
    assert {name for name in named if f"# TYPE {name.removesuffix('_total')}" not in text} == set()


def test_pages_name_what_the_nginx_file_has() -> None:
    site = (DOCS.parent.parent / "deploy" / "nginx" / "lightboard.conf").read_text()
    for word in ("proxy_read_timeout 120s", "client_max_body_size 512m", "location /s/", "location = /metrics"):
        assert word in site
