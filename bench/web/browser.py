"""One Chromium, with a fresh context, a screencast and a trace for each visit of a page.

Times are seconds since 1970, on one clock: the screencast's frames, the page's input events and its navigation start
all use it. `to_perf` converts one to the clock of a trace.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from playwright import async_api

from bench import processes
from bench.web import pictures, traces

# Without --disable-gpu a software renderer draws everything, including canvases, many times slower.
FLAGS = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]
T = TypeVar("T")

LIMIT_SECS = 120.0  # a page that is not ready by then has failed
POLL_SECS = 0.25
CAST_WIDTH_PX = 960  # wide enough for lines of one pixel, and cheap for the browser
INPUTS = ("pointerdown", "keydown", "wheel", "input", "click")

# When the system received an input event, by kind; recorded before the page gets it.
RECORD_INPUTS = """
window.__inputs = [];
for (const kind of %s) addEventListener(kind, (event) => {
  window.__inputs.push([kind, (performance.timeOrigin + event.timeStamp) / 1000]);
}, {capture: true, passive: true});
""" % str(list(INPUTS))  # noqa: UP031 -- braces

Failure = async_api.Error  # the page or the browser did not do what was requested

Areas = Callable[[], Awaitable[list[pictures.Area]]]


@dataclass(frozen=True)
class Size:
    """Size of the viewport, in CSS pixels."""

    width: int
    height: int


class Tab:
    """One page in its own context: no cache, no storage, no other tab."""

    def __init__(self, page: async_api.Page, session: async_api.CDPSession, size: Size) -> None:
        self.page, self.session, self.size = page, session, size
        self.frames: list[pictures.Frame] = []
        self.complaints: list[str] = []
        self._waiting = 0
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._count(request, 1))
        page.on("requestfinished", lambda request: self._count(request, -1))
        page.on("requestfailed", lambda request: self._count(request, -1))
        session.on("Page.screencastFrame", self._take)

    async def goto(self, url: str) -> float:
        """Open a page and return when its navigation started."""
        await self.page.goto(url, wait_until="commit", timeout=120_000)
        origin = self.page.evaluate("performance.timeOrigin")
        return float(await _within(origin, LIMIT_SECS, "answers no question")) / 1000

    async def areas(self, script: str) -> list[pictures.Area]:
        """Return rectangles that a script finds, clipped to the viewport; those less than half visible are left out."""
        found = await self.page.evaluate(SHOWN % script)
        return [pictures.Area(*rectangle) for rectangle in found]

    async def inputs(self, kind: str) -> list[float]:
        """Return when input events of a kind happened."""
        found = await self.page.evaluate(
            "(kind) => window.__inputs.filter((e) => e[0] === kind).map((e) => e[1])", kind
        )
        return [float(at) for at in found]

    @contextlib.asynccontextmanager
    async def filmed(self) -> AsyncIterator[None]:
        """Take a picture whenever the screen changes."""
        self.frames.clear()
        width = min(CAST_WIDTH_PX, self.size.width)
        height = round(self.size.height * width / self.size.width)
        options = {"format": "jpeg", "quality": 80, "everyNthFrame": 1, "maxWidth": width, "maxHeight": height}
        await self.session.send("Page.startScreencast", options)
        try:
            yield
        finally:
            await self.session.send("Page.stopScreencast")

    async def until_still(
        self,
        areas: Areas,
        *,
        still_secs: float = 1.5,
        limit_secs: float = LIMIT_SECS,
        curves: bool = True,
        idle: bool = True,
    ) -> list[pictures.Area]:
        """Wait until the areas exist, show `curves`, have not changed for a while and the network is `idle`."""
        began = since = time.monotonic()
        shown: list[pictures.Area] = []
        before: list[pictures.Pixels] = []
        while time.monotonic() - began < limit_secs:
            await asyncio.sleep(POLL_SECS)
            left = limit_secs - (time.monotonic() - began)
            found = await _within(areas(), left, "answers no question")
            now = self._parts(found)
            same = found == shown and not any(pictures.differ(*pair) for pair in zip(before, now, strict=True))
            drawn = not curves or all(pictures.coloured_share(part) >= pictures.CURVES_SHARE for part in now)
            if not (found and same and drawn and not (idle and self._waiting)):
                since = time.monotonic()
            elif time.monotonic() - since >= still_secs:
                return found
            shown, before = found, now
        raise TimeoutError(f"the page is not done after {limit_secs:g} s: {len(shown)} areas, {self._waiting} requests")

    def see(self, areas: list[pictures.Area]) -> pictures.Seen:
        """Evaluate all frames of the screencast."""
        in_order = sorted(self.frames, key=lambda frame: frame.at)  # frames may arrive out of order
        return pictures.see(in_order, areas, viewport_width=self.size.width)

    def _parts(self, areas: list[pictures.Area]) -> list[pictures.Pixels]:
        if not self.frames:
            return []
        picture = self.frames[-1].pixels()
        return [area.of(picture, picture.shape[1] / self.size.width) for area in areas]

    def _take(self, event: dict[str, Any]) -> None:
        self.frames.append(pictures.Frame(float(event["metadata"]["timestamp"]), event["data"]))
        answer = self.session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})
        asyncio.ensure_future(answer).add_done_callback(lambda done: done.exception())

    def _count(self, request: async_api.Request, by: int) -> None:
        if request.resource_type != "eventsource" and "/api/events" not in request.url:  # it never ends
            self._waiting += by


class Chromium:
    """The browser, and how it is traced."""

    def __init__(self, browser: async_api.Browser) -> None:
        self.browser = browser

    @contextlib.asynccontextmanager
    async def tab(self, size: Size, *, script: str = "") -> AsyncIterator[Tab]:
        """Open a fresh context with one page; `script` runs in it before the page's own."""
        context = await self.browser.new_context(
            locale="en-US", viewport={"width": size.width, "height": size.height}, color_scheme="light"
        )
        try:
            await context.add_init_script(RECORD_INPUTS + script)
            page = await context.new_page()
            yield Tab(page, await context.new_cdp_session(page), size)
        finally:
            await context.close()

    @contextlib.asynccontextmanager
    async def traced(self, tab: Tab, tasks: list[traces.Task]) -> AsyncIterator[None]:
        """Put the tasks of the page's main thread into `tasks` at the end."""
        await self.browser.start_tracing(page=tab.page, categories=traces.CATEGORIES)
        try:
            yield
        finally:
            tasks.extend(traces.main_thread_tasks(await self.browser.stop_tracing()))

    @contextlib.asynccontextmanager
    async def showing(self, tab: Tab, frames: list[float]) -> AsyncIterator[None]:
        """Put the times at which frames were displayed into `frames` at the end; far cheaper than a screencast."""
        await self.browser.start_tracing(page=tab.page, categories=traces.FRAME_CATEGORIES)
        try:
            yield
        finally:
            frames.extend(traces.frames_shown(await self.browser.stop_tracing()))

    async def page_memory_bytes(self) -> int:
        """Return the anonymous memory of the largest renderer process: the tab, its workers and canvases."""
        session = await self.browser.new_browser_cdp_session()
        listed = await session.send("SystemInfo.getProcessInfo")
        await session.detach()
        return max(
            (processes.anon_bytes(int(p["id"])) for p in listed["processInfo"] if p["type"] == "renderer"), default=0
        )


def program() -> str:
    """Return the path of the system's Chromium; LIGHTBOARD_CHROMIUM overrides it."""
    found = os.environ.get("LIGHTBOARD_CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        raise RuntimeError("no Chromium; `make browser` installs it, or set LIGHTBOARD_CHROMIUM")
    return found


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Chromium]:
    """Start a browser."""
    async with async_api.async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program(), chromium_sandbox=False, args=FLAGS)
        try:
            yield Chromium(browser)
        finally:
            await browser.close()


async def _within(answer: Awaitable[T], secs: float, words: str) -> T:
    """Await with a time limit: a page whose main thread is busy responds late, or never."""
    try:
        return await asyncio.wait_for(answer, max(secs, 0.1))
    except asyncio.TimeoutError as error:
        raise TimeoutError(f"the page {words} within {secs:.0f} s") from error


def to_perf(at: float) -> float:
    """Convert a time since 1970 to `time.perf_counter()`."""
    return at - time.time() + time.perf_counter()


SHOWN = """(() => {
  const shown = [];
  for (const element of %s) {
    const r = element.getBoundingClientRect();
    const left = Math.max(0, r.left), top = Math.max(0, r.top);
    const right = Math.min(innerWidth, r.right), bottom = Math.min(innerHeight, r.bottom);
    const share = Math.max(0, right - left) * Math.max(0, bottom - top) / (r.width * r.height || 1);
    if (share >= 0.5) shown.push([left, top, right - left, bottom - top]);
  }
  return shown;
})()"""
