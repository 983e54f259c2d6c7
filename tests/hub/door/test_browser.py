"""Hostile HTML in a board, opened through the door in Chromium by somebody who is signed in at the hub: it can read
nothing of the hub and change nothing. Once with a real board, and once with one that has forgotten its own policies."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import http.server
import json
import socketserver
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import event_files
import pytest
import serving_thread
from playwright import sync_api

from lightboard.hub import door, runtimes
from lightboard.hub.door.door import Door
from lightboard.hub.life import nouns
from lightboard.hub.runtimes import process

pytestmark = pytest.mark.browser

HTML = event_files.summary_metadata("lightboard_html")
ATTEMPTS = {
    "read": "if (!(await (await fetch('/api/v1/me', {credentials: 'include'})).text()).includes('secret')) throw 1",
    "write": "await fetch('/api/v1/boards', {method: 'POST', mode: 'no-cors', credentials: 'include', body: 'x'})",
    "beacon": "if (!navigator.sendBeacon('/api/v1/boards', 'x')) throw 1; "
    "await new Promise((_, no) => setTimeout(no, 300))",
    "form": "const f = document.createElement('form'); f.method = 'post'; f.action = '/api/v1/boards'; "
    "document.body.append(f); f.submit(); throw 1",
    "window": "if (!window.open('/')) throw 1",
    "parent": "parent.document.title",
    "frame": "const i = document.createElement('iframe'); i.src = '/'; document.body.append(i); "
    "await new Promise(done => i.onload = done); i.contentDocument.title.length",
    "top": "top.location.href = '/?taken'; throw 1",
    "cookie": "document.cookie",
    "storage": "localStorage.length",
    "service worker": "await navigator.serviceWorker.register('/boards/b1/sw.js', {scope: '/'})",
    "script": "await import('/api/v1/me')",
    "picture": "await new Promise((yes, no) => { const i = new Image(); i.onload = yes; i.onerror = no; "
    "i.src = '/api/v1/me?picture'; })",
}


def hostile_page() -> str:
    """Each attempt as a function in the page: a policy without `unsafe-eval` would refuse a text."""
    functions = ", ".join(f"{json.dumps(name)}: async () => {{ {code} }}" for name, code in ATTEMPTS.items())
    return (
        f"<ul></ul><script>(async () => {{ for (const [name, attempt] of Object.entries({{{functions}}})) {{ "
        "let told = 'reached'; try { await Promise.race([attempt(), new Promise((_, no) => setTimeout(no, 2000))]) } "
        "catch (e) { told = 'refused' } "
        "document.querySelector('ul').insertAdjacentHTML('beforeend', `<li>${name}: ${told}`) } "
        "document.querySelector('ul').id = 'done' })()</script>"
    )


class StubHub:
    """A hub with a session cookie, a route that tells a secret and one that changes something."""

    def __init__(self, sockets: dict[str, str]) -> None:
        self._sockets = sockets
        self.told, self.changed = 0, 0
        self._door: Door[str] = Door(self._who, self._may_open)

    def close(self) -> None:
        self._door.close()

    async def _who(self, scope: door.Scope) -> str | None:
        return "alice" if self._signed_in(scope) else None

    async def _may_open(self, identity: str | None, board: str) -> door.Open | door.Reply:
        return door.Open(self._sockets[board]) if identity else door.Reply(404)

    def _signed_in(self, scope: door.Scope) -> bool:
        return b"session=secret" in dict(scope["headers"]).get(b"cookie", b"")

    async def __call__(self, scope: door.Scope, receive: door.Receive, send: door.Send) -> None:
        if scope["path"].startswith("/boards/"):
            await self._door(scope, receive, send)
            return
        headers: list[tuple[bytes, bytes]] = [(b"content-type", b"text/html")]
        if scope["path"] == "/":
            headers.append((b"set-cookie", b"session=secret; Path=/; HttpOnly; SameSite=Lax"))
            headers.append((b"set-cookie", b"csrf=secret; Path=/; SameSite=Lax"))
        elif self._signed_in(scope):
            self.told += scope["method"] == "GET"
            self.changed += scope["method"] == "POST"
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"<title>Hub</title>secret"})


@contextlib.contextmanager
def forgetful_board(path: Path) -> Iterator[None]:
    """Sends the hostile page without a policy, below `/api/`, and a page that shows it in a frame."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = hostile_page() if "/api/" in self.path else "<iframe src=api/evil width=900 height=900></iframe>"
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("access-control-allow-origin", "*")
            self.send_header("set-cookie", "session=other; path=/")
            self.send_header("content-length", str(len(page.encode())))
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: Any) -> None:
            pass

        def address_string(self) -> str:
            return "unix"

    with socketserver.ThreadingUnixStreamServer(str(path), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield
        server.shutdown()
        thread.join()


def in_a_thread(work: Coroutine[Any, Any, None]) -> None:
    """Playwright has an event loop in this one."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


async def started(runtime: process.Processes, launch: runtimes.Launch) -> None:
    await runtime.start(launch)
    while (await runtime.poll(launch.id)).phase is not nouns.Phase.ANSWERING:  # noqa: ASYNC110
        await asyncio.sleep(0.02)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[tuple[StubHub, str]]:
    """A hub with two boards, and its address."""
    tensor = event_files.string_tensor([hostile_page().encode()], shape=[1])
    value = event_files.value("evil", event_files.field_bytes(8, tensor), HTML)
    event = event_files.summary_event(value, step=0, wall_time=event_files.WALL)
    (tmp_path / "logs" / "run").mkdir(parents=True)
    event_files.write(tmp_path / "logs" / "run" / "events.out.tfevents.1", [event_files.version_event(), event])
    runtime = process.Processes(tmp_path / "hub")
    launch = runtimes.Launch(id="b1", name="B", sources=(nouns.Source(str(tmp_path / "logs")),))
    in_a_thread(started(runtime, launch))
    stub = StubHub({"b1": runtime.address("b1"), "f1": str(tmp_path / "f1")})
    with forgetful_board(tmp_path / "f1"), serving_thread.port_of(stub) as port:
        yield stub, f"http://127.0.0.1:{port}"
    in_a_thread(runtime.stop("b1"))
    runtime.close()


@pytest.fixture
def page(chromium: sync_api.Browser, hub: tuple[StubHub, str]) -> Iterator[sync_api.Page]:
    """Somebody who is signed in."""
    context = chromium.new_context(viewport={"width": 1600, "height": 1200})
    page = context.new_page()
    page.goto(hub[1] + "/")
    yield page
    context.close()


def check(stub: StubHub, page: sync_api.Page, frame: sync_api.FrameLocator | sync_api.Page, address: str) -> None:
    expect = sync_api.expect
    expect(frame.locator("ul#done")).to_be_attached()
    found = frame.locator("li").all_text_contents()
    assert found == [f"{name}: refused" for name in ATTEMPTS]
    assert page.url.startswith(address)
    assert {cookie["name"]: cookie["value"] for cookie in page.context.cookies()} == {
        "session": "secret", "csrf": "secret",
    }  # fmt: skip
    assert (stub.told, stub.changed) == (0, 0)
    page.evaluate("fetch('/api/v1/me')")  # the stub does count


def test_logged_html_cannot_act_on_the_hub(hub: tuple[StubHub, str], page: sync_api.Page) -> None:
    stub, address = hub
    page.goto(f"{address}/boards/b1/#html")
    card = page.locator("[data-kind-card]").first
    check(stub, page, card.frame_locator("iframe"), f"{address}/boards/b1/")


def test_html_of_a_board_without_policies_cannot_act_on_the_hub(hub: tuple[StubHub, str], page: sync_api.Page) -> None:
    stub, address = hub
    page.goto(f"{address}/boards/f1/")
    check(stub, page, page.frame_locator("iframe"), f"{address}/boards/f1/")


def test_such_html_opened_alone_cannot_act_on_the_hub(hub: tuple[StubHub, str], page: sync_api.Page) -> None:
    """Alone it may go elsewhere, as any page: without the attempts that need a frame. So each document says its origin
    before its own scripts run."""
    stub, address = hub
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.add_init_script("console.debug('origin', location.pathname, self.origin)")
    page.goto(f"{address}/boards/f1/api/evil")
    page.wait_for_function("document.readyState === 'complete'")
    origins = [text.split()[2] for text in said if text.startswith("origin /boards/f1/api/evil ")]
    assert origins == ["null"]
    assert (stub.told, stub.changed) == (0, 0)
