"""The built page against a scripted server: what it shows for each answer, below a path prefix, under a strict policy.

The scripted server answers only what the page asks for. That the real one answers the same is tested in tests/server.
"""

from __future__ import annotations

import http.server
import json
import pathlib
import threading
from collections.abc import Iterator

import pytest
from playwright import sync_api

import lightboard

pytestmark = pytest.mark.browser

PREFIX = "/some/prefix/"
MEDIA_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def static_dir() -> pathlib.Path:
    for place in lightboard.__path__:
        if (pathlib.Path(place) / "static/index.html").is_file():
            return pathlib.Path(place) / "static"
    pytest.fail("the page has not been built; run `make web`")


class ScriptedServer:
    """Answers can be changed while it runs; `push` tells the page that something changed."""

    def __init__(self) -> None:
        self.status = 200
        self.events_status = 200
        self.board: dict[str, object] = {
            "name": "Lightboard",
            "logdir": "runs",
            "progress": {"done": True},
            "faults": 0,
        }
        self.runs: list[tuple[str, float | None, str]] = []
        self.kinds: dict[str, dict[str, int]] = {}
        self.changed = threading.Event()
        self.closing = threading.Event()

    def answer(self, name: str) -> object:
        if self.status != 200:
            return {"error": {"message": "scripted failure", "hint": "", "status": self.status}}
        if name == "runs":
            names, starts, states = zip(*self.runs, strict=True) if self.runs else ((), (), ())
            return {"version": 1, "name": names, "start_time": starts, "state": states}
        if name == "tags":
            kinds = {kind: {"tag": list(tags), "runs": list(tags.values())} for kind, tags in self.kinds.items()}
            return {"version": 1, "kinds": kinds}
        return self.board

    def push(self) -> None:
        self.changed.set()


@pytest.fixture
def server() -> Iterator[tuple[ScriptedServer, str]]:
    script = ScriptedServer()
    static = static_dir()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if not path.startswith(PREFIX):
                self.send_error(404)
            elif path == f"{PREFIX}api/events" and script.events_status != 200:
                self.reply(script.events_status, "text/plain", b"")
            elif path == f"{PREFIX}api/events":
                self.stream()
            elif path.startswith(f"{PREFIX}api/"):
                body = json.dumps(script.answer(path.rpartition("/")[2])).encode()
                self.reply(script.status, "application/json", body)
            else:
                file = static / (path[len(PREFIX) :] or "index.html")
                self.reply(200, MEDIA_TYPES[file.suffix], file.read_bytes())

        def reply(self, status: int, media_type: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", "default-src 'self'")
            self.end_headers()
            self.wfile.write(body)

        def stream(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            while not script.closing.is_set():
                if script.changed.wait(0.05):
                    script.changed.clear()
                    self.wfile.write(b"event: change\ndata: {}\n\n")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        listener.daemon_threads = True
        thread = threading.Thread(target=listener.serve_forever)
        thread.start()
        yield script, f"http://127.0.0.1:{listener.server_address[1]}{PREFIX}"
        script.closing.set()
        listener.shutdown()
        thread.join()


def test_runs_and_tags_are_listed_below_a_prefix(server: tuple[ScriptedServer, str], page: sync_api.Page) -> None:
    script, address = server
    script.runs = [("train", 1.7e9, "running"), ("<b>eval</b>", None, "empty")]
    script.kinds = {"scalars": {"loss": 2, "acc": 1}, "images": {"sample": 1}}
    page.goto(address)
    runs = page.get_by_role("list", name="Runs")
    sync_api.expect(runs.get_by_text("<b>eval</b>")).to_be_visible()
    tags = page.get_by_role("list", name="Tags")
    sync_api.expect(tags.get_by_text("2 runs")).to_be_visible()
    sync_api.expect(tags.get_by_role("heading")).to_have_text(["scalars 2", "images 1"])


def test_a_new_run_appears_by_itself(server: tuple[ScriptedServer, str], page: sync_api.Page) -> None:
    script, address = server
    script.runs = [("first", 1.7e9, "running")]
    page.goto(address)
    sync_api.expect(page.get_by_text("Live")).to_be_visible()
    script.runs = [*script.runs, ("second", 1.7e9, "running")]
    script.push()
    sync_api.expect(page.get_by_text("second")).to_be_visible()


def test_an_empty_board_says_what_to_do(server: tuple[ScriptedServer, str], page: sync_api.Page) -> None:
    page.goto(server[1])
    sync_api.expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
    sync_api.expect(page.get_by_text("SummaryWriter").first).to_be_visible()


def test_a_board_that_is_reading_says_how_far(server: tuple[ScriptedServer, str], page: sync_api.Page) -> None:
    script, address = server
    script.board["progress"] = {"done": False, "files_read": 3, "files_total": 9}
    page.goto(address)
    sync_api.expect(page.get_by_text("3 of 9 files")).to_be_visible()


def test_an_error_is_named_and_can_be_retried(server: tuple[ScriptedServer, str], page: sync_api.Page) -> None:
    script, address = server
    script.status = script.events_status = 500
    page.goto(address)
    sync_api.expect(page.get_by_role("alert")).to_contain_text("scripted failure")
    script.status = 200
    page.get_by_role("button", name="Try again").click()
    sync_api.expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()


def test_a_page_comes_back_by_itself_when_the_server_does(
    server: tuple[ScriptedServer, str], page: sync_api.Page
) -> None:
    script, address = server
    script.status = script.events_status = 503
    page.goto(address)
    sync_api.expect(page.get_by_role("alert")).to_be_visible()
    sync_api.expect(page.get_by_text("Connection lost")).to_be_visible()
    script.status = script.events_status = 200
    sync_api.expect(page.get_by_role("heading", name="No runs yet")).to_be_visible(timeout=20_000)
    sync_api.expect(page.get_by_text("Live")).to_be_visible()


def test_a_board_without_its_token_says_where_to_find_it(
    server: tuple[ScriptedServer, str], page: sync_api.Page
) -> None:
    server[0].status = 401
    page.goto(server[1])
    sync_api.expect(page.get_by_role("alert")).to_contain_text("token")


def test_a_link_shows_the_same_filter(server: tuple[ScriptedServer, str], page: sync_api.Page) -> None:
    script, address = server
    script.runs = [("train", 1.7e9, "idle"), ("eval", 1.7e9, "idle")]
    page.goto(address)
    page.get_by_role("searchbox", name="Filter runs").fill("^ev")
    sync_api.expect(page.get_by_text("train")).to_have_count(0)
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    sync_api.expect(page.get_by_text("eval")).to_be_visible()
    sync_api.expect(page.get_by_text("train")).to_have_count(0)


def test_the_language_follows_the_browser_and_can_be_changed(
    server: tuple[ScriptedServer, str], chromium: sync_api.Browser
) -> None:
    context = chromium.new_context(locale="zh-CN")
    page = context.new_page()
    page.goto(server[1])
    sync_api.expect(page.get_by_role("heading", name="还没有运行")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "zh-CN"
    page.get_by_role("button", name="English").click()
    sync_api.expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
    context.close()


def test_a_hundred_thousand_runs_draw_a_screenful(server: tuple[ScriptedServer, str], page: sync_api.Page) -> None:
    script, address = server
    script.runs = [(f"run_{i}", 1.7e9, "idle") for i in range(100_000)]
    page.goto(address)
    runs = page.get_by_role("list", name="Runs")
    sync_api.expect(runs.get_by_text("run_0", exact=True)).to_be_visible()
    assert runs.get_by_role("listitem").count() < 100
    page.get_by_role("searchbox", name="Filter runs").fill("run_99999$")
    sync_api.expect(runs.get_by_role("listitem")).to_have_count(1)
