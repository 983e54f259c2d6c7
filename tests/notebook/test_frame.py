"""The script in a cell's output, in Chromium, on pages that are no Jupyter: which way it takes, when the picture stays.

In a real JupyterLab: tests/jupyter.
"""

from __future__ import annotations

import http.client
import os
import signal
import threading
from collections.abc import Callable, Iterator
from http import server
from pathlib import Path

import event_files
import pytest
from browser import patience
from playwright import sync_api

from lightboard import instances
from lightboard.notebook import digest, output, starting, surroundings

pytestmark = pytest.mark.browser


class Site:
    """A page with an output on it at `/`, and a proxy below `/tools/PORT/` that takes its prefix off."""

    def __init__(self) -> None:
        self.page = ""
        site = self

        class Handler(server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/":
                    self._send(200, {"Content-Type": "text/html; charset=utf-8"}, site.page.encode())
                    return
                _, tools, port, rest = (*self.path.split("/", 3), "", "")[:4]
                if tools != "tools" or not port.isdecimal():
                    self._send(404, {}, b"")
                    return
                try:
                    board = http.client.HTTPConnection("127.0.0.1", int(port), timeout=30)
                    # as proxies do: the Host under which people reach them is handed on
                    board.request("GET", f"/{rest}", headers=dict(self.headers))
                    answer = board.getresponse()
                    headers = {name: value for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP}
                    if "event-stream" in headers.get("content-type", headers.get("Content-Type", "")):
                        self._send(503, {}, b"")  # not needed here
                    else:
                        self._send(answer.status, headers, answer.read())
                    board.close()
                except OSError:
                    self._send(502, {}, b"")

            def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port


HOP_BY_HOP = ("content-length", "transfer-encoding", "connection", "date", "server")


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


Start = Callable[..., instances.Instance]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    (tmp_path / "logs" / "train").mkdir(parents=True)
    events = [event_files.scalar_event("loss", 1 / n, step=n) for n in range(1, 50)]
    event_files.write(tmp_path / "logs" / "train" / "events.out.tfevents.1", events)
    monkeypatch.chdir(tmp_path)

    def board(*words: str, around: surroundings.Surroundings) -> instances.Instance:
        made = starting.start(["--logdir", "logs", "--port", "0", *words], around)
        assert isinstance(made, instances.Instance), made
        return made

    yield board
    for one in instances.known():
        starting.stop(one)


def shown(
    chromium: sync_api.Browser,
    site: Site,
    board: instances.Instance,
    around: surroundings.Surroundings,
    *,
    host: str = "localhost",
    theme: str = "auto",
) -> sync_api.Page:
    made = output.bundle(board, digest.of_board(board), around, height=300, theme=theme)
    site.page = f"<!doctype html><title>a page</title>{made['text/html']}"
    page = patience.new_page(chromium)
    page.goto(f"http://{host}:{site.port}/")
    return page


def framed(page: sync_api.Page) -> sync_api.Frame:
    page.wait_for_selector("iframe", state="visible")
    frame = page.query_selector("iframe").content_frame()  # type: ignore[union-attr]
    assert frame is not None
    frame.locator("#app > *").first.wait_for()
    patience.until(page, lambda: frame.title() != "", "a title")
    sync_api.expect(page.locator("img")).to_be_hidden()
    return frame


def test_a_frame_that_was_shown_stays(chromium: sync_api.Browser, site: Site, start: Start) -> None:
    """It was once taken away a second later, by the timer that waits for pages that do not speak."""
    page = shown(chromium, site, start(around=HERE), HERE)
    framed(page)
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 2500))")
    framed(page)
    page.context.close()


def stays_a_picture(page: sync_api.Page, hint: str = "") -> None:
    note = page.locator(".lightboard-note")
    sync_api.expect(note).to_contain_text("run the cell again")
    sync_api.expect(page.locator("iframe")).to_have_count(0)
    sync_api.expect(note).to_contain_text(hint)
    assert page.locator("img").evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 300


HERE = surroundings.Surroundings()
PROXY = surroundings.Surroundings("/tools/%PORT%/", any_host=True, token=True)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_on_this_machine_the_board_is_reached_directly(
    chromium: sync_api.Browser, site: Site, start: Start, host: str
) -> None:
    board = start(around=HERE)
    page = shown(chromium, site, board, HERE, host=host, theme="dark")
    assert framed(page).url.startswith(f"http://{host}:{board.port}/?theme=dark")
    link = page.locator(".lightboard-note a")
    sync_api.expect(link).to_have_attribute("href", f"http://{host}:{board.port}/")
    page.context.close()


@pytest.mark.parametrize("words", [(), ("--path_prefix", "/inner")])
def test_behind_a_proxy_that_takes_its_prefix_off(
    chromium: sync_api.Browser, site: Site, start: Start, words: tuple[str, ...]
) -> None:
    board = start(*words, around=PROXY)
    page = shown(chromium, site, board, PROXY, host="hub.example")
    frame = framed(page)
    assert frame.url.startswith(f"http://hub.example:{site.port}/tools/{board.port}{board.path_prefix}/")
    assert board.token not in frame.url
    assert frame.evaluate("fetch('api/board').then((answer) => answer.status)") == 200
    page.context.close()


def test_where_no_way_leads_the_picture_stays(chromium: sync_api.Browser, site: Site, start: Start) -> None:
    board = start(around=HERE)
    page = shown(chromium, site, board, HERE, host="hub.example")
    stays_a_picture(page)
    page.context.close()


def test_a_board_that_does_not_know_the_name_says_what_to_do(
    chromium: sync_api.Browser, site: Site, start: Start
) -> None:
    board = start(around=HERE)
    page = shown(chromium, site, board, surroundings.Surroundings("/tools/%PORT%/"), host="hub.example")
    stays_a_picture(page, "--allowed_hosts")
    page.context.close()


def test_another_board_on_the_port_does_not_pass(chromium: sync_api.Browser, site: Site, start: Start) -> None:
    board = start(around=HERE)
    page = shown(chromium, site, board._replace(session="00000000"), HERE)
    stays_a_picture(page)
    page.context.close()


def test_a_dead_board_leaves_the_picture(chromium: sync_api.Browser, site: Site, start: Start) -> None:
    board = start(around=HERE)
    page = shown(chromium, site, board, HERE)
    framed(page)
    os.kill(board.pid, signal.SIGKILL)
    page.reload()
    stays_a_picture(page)
    page.context.close()


def test_a_page_elsewhere_may_not_frame_the_board(chromium: sync_api.Browser, site: Site, start: Start) -> None:
    """The page names the address itself; the board's policy is what keeps it out, until it is told otherwise."""
    there = surroundings.Surroundings("http://localhost:%PORT%/")
    page = shown(chromium, site, start(around=HERE), there, host="hub.example")
    stays_a_picture(page)
    page.context.close()
    board = start("--frame_ancestors", f"http://hub.example:{site.port}", around=HERE)
    page = shown(chromium, site, board, there, host="hub.example")
    framed(page)
    page.context.close()
