"""User input: movements at the rate of a screen, and single actions with the time until the page responds."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bench import pace
from bench.web import boards, browser, pictures, traces

TICK_SECS = 1 / 60
SWING_PX, SWING_SECS = 90, 1.0
POLL_SECS = 0.1


@dataclass(frozen=True)
class Moved:
    """How a page followed a gesture, from its first changed frame on."""

    rates: list[float]  # changes per second, by area
    longest: traces.Task  # on the main thread, after the first changed frame
    hardest: traces.Task  # the same, by CPU time
    longest_at_all: traces.Task

    @property
    def here(self) -> float:
        """Return the rate of the first area, where the pointer is."""
        return self.rates[0]

    @property
    def slowest(self) -> float:
        return min(self.rates, default=0.0)


@dataclass(frozen=True)
class Answer:
    """Milliseconds from an input event to the changes on the screen."""

    first_ms: float  # any area changed
    all_ms: float  # every area had changed
    last_ms: float  # the last change of any area, after all expected areas changed


async def moved(
    chromium: browser.Chromium, tab: browser.Tab, areas: list[pictures.Area], gesture: Callable[[], Awaitable[None]]
) -> Moved:
    """Record and trace a gesture."""
    tasks: list[traces.Task] = []
    async with tab.filmed():
        async with chromium.traced(tab, tasks):
            await asyncio.sleep(0.3)
            begin = time.time()
            await gesture()
            end = time.time()
            await asyncio.sleep(0.3)
            await tab.page.evaluate("0")  # a task that is still running is in no trace
        seen = tab.see(areas)
    first = seen.first_change(begin) or end - 1e-3
    following = [task for task in tasks if browser.to_perf(first) <= task.at < browser.to_perf(end)]
    return Moved(
        seen.rates(first, end),
        traces.longest(following),
        max(following, key=lambda task: task.cpu_ms, default=traces.Task(0, 0, 0)),
        traces.longest(tasks, begin=browser.to_perf(begin), end=browser.to_perf(end)),
    )


async def pan(tab: browser.Tab, area: pictures.Area, secs: float) -> None:
    """Drag with Shift, back and forth."""
    x, y = area.x + area.width / 2, area.y + area.height / 2
    await tab.page.mouse.move(x, y)
    await tab.page.keyboard.down("Shift")
    await tab.page.mouse.down()

    async def step(elapsed: float) -> None:
        angle = 2 * math.pi * elapsed / SWING_SECS
        await tab.page.mouse.move(x + SWING_PX * math.sin(angle), y + SWING_PX / 3 * math.sin(angle / 2))

    await _at_rate(secs, step)
    await tab.page.mouse.up()
    await tab.page.keyboard.up("Shift")


async def wheel_zoom(tab: browser.Tab, area: pictures.Area, secs: float) -> None:
    """Turn the wheel with Alt, in and out."""
    await tab.page.mouse.move(area.x + area.width / 2, area.y + area.height / 2)
    await tab.page.keyboard.down("Alt")

    async def step(elapsed: float) -> None:
        await tab.page.mouse.wheel(0, -40 if elapsed % SWING_SECS < SWING_SECS / 2 else 40)

    await _at_rate(secs, step)
    await tab.page.keyboard.up("Alt")


async def hover(tab: browser.Tab, area: pictures.Area, secs: float) -> None:
    """Move over a chart, left to right and back, slowly downwards."""

    async def step(elapsed: float) -> None:
        along = 0.5 - 0.45 * math.cos(math.pi * elapsed / SWING_SECS)
        down = 0.1 + 0.8 * elapsed / secs
        await tab.page.mouse.move(area.x + area.width * along, area.y + area.height * down)

    await _at_rate(secs, step)


async def scroll(tab: browser.Tab, area: pictures.Area, secs: float) -> None:
    """Turn the wheel as fast as a user can, without modifier keys."""
    await tab.page.mouse.move(area.x + area.width / 2, area.y + area.height / 2)

    async def step(_: float) -> None:
        await tab.page.mouse.wheel(0, 240)

    await _at_rate(secs, step)


async def answered(
    tab: browser.Tab,
    areas: list[pictures.Area],
    kind: str,
    act: Callable[[], Awaitable[None]],
    *,
    still_secs: float = 0.5,
    limit_secs: float = 60.0,
) -> Answer:
    """Act while the tab is recorded; return how long after the last event of this kind the areas changed."""
    del tab.frames[:-1]
    await act()
    at = (await tab.inputs(kind))[-1]
    began = time.monotonic()
    while time.monotonic() - began < limit_secs:
        await asyncio.sleep(POLL_SECS)
        seen = tab.see(areas)
        first, every, last = seen.first_change(at), seen.all_changed(at), seen.last_change(at)
        if first is not None and last is not None and time.time() - last >= still_secs:
            return Answer((first - at) * 1e3, ((every or last) - at) * 1e3, (last - at) * 1e3)
    raise TimeoutError(f"nothing changed, or something still does, after {limit_secs:g} s")


async def shown(
    chromium: browser.Chromium,
    tab: browser.Tab,
    kind: str,
    acts: Sequence[Callable[[], Awaitable[None]]],
    *,
    since: str = "",
    rest_secs: float = 1.5,
) -> list[float]:
    """Act several times, without recording: return milliseconds from each event to the last frame before a pause.

    `since`: a property of `window` where the page records times; then the first frame after the last of them is used.
    """
    frames: list[float] = []
    times: list[tuple[float, float]] = []
    async with chromium.showing(tab, frames):
        for act in acts:
            await act()
            await asyncio.sleep(rest_secs)
            pace.sample()
            at = (await tab.inputs(kind))[-1]
            noted = await tab.page.evaluate(f"window.{since}.at(-1)") if since else at
            times.append((browser.to_perf(at), browser.to_perf(noted)))
    answers = []
    for at, noted in times:
        following = [frame for frame in traces.answering(frames, at) if frame >= noted]
        if not following:
            raise TimeoutError("no frame followed an input")
        answers.append((following[0 if since else -1] - at) * 1e3)
    return answers


async def _at_rate(secs: float, step: Callable[[float], Awaitable[None]]) -> None:
    """Call `step` sixty times a second, but wait for the browser each time, as it merges a real mouse's moves."""
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < secs:
        await step(elapsed)
        left = TICK_SECS - (time.perf_counter() - began - elapsed)
        await asyncio.sleep(max(0.0, left))


async def settled(
    tab: browser.Tab,
    page: boards.Page,
    url: str,
    *,
    tags: str = "",
    every_run: bool = False,
    linked: bool = False,
    curves: bool = True,
    limit_secs: float = browser.LIMIT_SECS,
) -> list[pictures.Area]:
    """Open a board's charts, wait until they are drawn, and return their areas."""
    async with tab.filmed():
        await tab.goto(page.address(url, tags=tags, every_run=every_run, linked=linked))
        if every_run:
            await page.all_runs(tab)
        return await tab.until_still(lambda: page.plots(tab), limit_secs=limit_secs, curves=curves)
