"""Long lists: filter and switch 10,000 runs, scroll through 100,000 tags."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator

from bench import charts, corpora, report, setup
from bench.web import bars, boards, browser, gestures, pictures, traces

SIZE = browser.Size(1280, 800)
KEYS = ("9", "9", "9", "Backspace", "Backspace", "Backspace") * 2
THEIR_KEYS = 4
SWITCHES = 10
SHOWN_SWITCHES = 30  # enough for a 95th percentile
SETTLE_SECS = 0.3  # after scrolling the list
THEIR_SWITCHES = 3
KEY_MS, SWITCH_MS, TASK_MS, MEMORY_MB = 50, 100, 50, 500
LIST_SECS = 60.0  # a page that shows no list by then has failed
PAGE_DOWNS, JUMPS = 20, 10
KEYSTROKE = "10,000 runs: keystroke in the filter to list"
SWITCH = "10,000 runs: switch of one run to charts"
# records when the list of runs last changed
NOTE_LIST = """() => {
  window.__listed = [];
  const list = document.querySelector("[data-run]").closest(".virtual-list");
  new MutationObserver(() => window.__listed.push((performance.timeOrigin + performance.now()) / 1000)).observe(
    list, {subtree: true, childList: true, characterData: true, attributes: true});
}"""


async def runs(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure from keydown or click until list or charts no longer change; our page also without the screencast."""
    corpus, logdir = conditions.corpus(corpora.RUNS_10K)
    keys: dict[str, list[float]] = {}
    switches: dict[str, list[float]] = {}
    shown: dict[str, list[float]] = {}
    for name, page in conditions.pages.items():
        theirs = name == "tensorboard"
        try:
            with conditions.board(name, logdir, corpus) as url:
                async with conditions.chromium.tab(SIZE) as tab:
                    keys[name], switches[name] = await _runs(page, tab, url, theirs=theirs)
                    if not theirs:
                        shown = await _runs_shown(conditions, page, tab)
        except (TimeoutError, browser.Failure) as error:
            setup.say(f"runs {name}: {error}")
    for work, found, limit in (
        (KEYSTROKE, keys, KEY_MS),
        (SWITCH, switches, SWITCH_MS),
    ):
        for unit, percent in (("p50 ms", 50.0), ("p95 ms", 95.0)):
            figures = {name: charts.percentile(times, percent) for name, times in found.items() if times}
            failed = tuple(name for name in conditions.pages if name not in figures)
            yield bars.row(f"{work}, filmed", unit, figures, failed=failed)
            if work in shown:
                ours = {"lightboard": charts.percentile(shown[work], percent)}
                yield bars.at_most(bars.row(f"{work}, on the screen", unit, ours), limit)


async def _runs(page: boards.Page, tab: browser.Tab, url: str, *, theirs: bool) -> tuple[list[float], list[float]]:
    keys, switches = [], []
    async with tab.filmed():
        await tab.goto(page.address(url))
        areas = await tab.until_still(lambda: page.run_list(tab), curves=False, idle=False, limit_secs=LIST_SECS)
        setup.say(f"runs {page.name}: listed")
        await page.focus_run_filter(tab)
        await asyncio.sleep(0.5)
        for key in KEYS[: THEIR_KEYS if theirs else None]:
            answer = await gestures.answered(tab, areas, "keydown", functools.partial(tab.page.keyboard.press, key))
            keys.append(answer.last_ms)
        setup.say(f"runs {page.name}: keys {[round(ms) for ms in keys]}")
        plots = await page.plots(tab)
        for index in range(THEIR_SWITCHES if theirs else SWITCHES):
            x, y = await page.run_switch(tab, index % 8)
            answer = await gestures.answered(tab, plots, "pointerdown", functools.partial(tab.page.mouse.click, x, y))
            switches.append(answer.last_ms)
        setup.say(f"runs {page.name}: switches {[round(ms) for ms in switches]}")
    return keys, switches


async def _runs_shown(conditions: boards.Conditions, page: boards.Page, tab: browser.Tab) -> dict[str, list[float]]:
    """The same by displayed frames; for keystrokes, the first frame with the new list."""
    await tab.page.evaluate(NOTE_LIST)
    await page.focus_run_filter(tab)
    presses = [functools.partial(tab.page.keyboard.press, key) for key in KEYS]
    keys = await gestures.shown(conditions.chromium, tab, "keydown", presses, since="__listed")
    # not the runs switched before, whose lines may be cached: the list is scrolled by a row each time
    (_, above), (x, y) = await page.run_switch(tab, 9), await page.run_switch(tab, 10)

    async def switch_next() -> None:
        await tab.page.mouse.move(x, y)
        await tab.page.mouse.wheel(0, y - above)
        await asyncio.sleep(SETTLE_SECS)
        await tab.page.mouse.click(x, y)

    clicks = [switch_next] * SHOWN_SWITCHES
    switches = await gestures.shown(conditions.chromium, tab, "pointerdown", clicks, rest_secs=1.8)
    setup.say(
        f"runs {page.name}: unfilmed keys {[round(ms) for ms in keys]}, switches {[round(ms) for ms in switches]}"
    )
    return {KEYSTROKE: keys, SWITCH: switches}


async def tags(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Scroll with wheel, page keys and jumps: return the longest task, and the tab's memory afterwards."""
    corpus, logdir = conditions.corpus(corpora.TAGS_100K)
    found: dict[str, dict[str, float]] = {}
    for name, page in conditions.pages.items():
        try:
            with conditions.board(name, logdir, corpus) as url:
                async with conditions.chromium.tab(SIZE) as tab:
                    found[name] = await _tags(conditions, page, tab, url)
        except (TimeoutError, browser.Failure) as error:
            setup.say(f"tags {name}: {error}")
    failed = tuple(name for name in conditions.pages if name not in found)
    for what, unit, limit in (
        ("wheel", "ms", TASK_MS),
        ("page keys", "ms", TASK_MS),
        ("jumps", "ms", TASK_MS),
        ("memory", "MB", MEMORY_MB),
        ("script heap", "MB", None),
    ):
        figures = {name: side.get(what) for name, side in found.items()}
        work = f"100,000 tags, {what}" + (": longest main-thread task" if unit == "ms" else " of the tab")
        row = bars.row(work, unit, figures, failed=failed)
        yield row if limit is None else bars.at_most(row, limit)


async def _tags(conditions: boards.Conditions, page: boards.Page, tab: browser.Tab, url: str) -> dict[str, float]:
    async with tab.filmed():
        await tab.goto(page.address(url))
        await tab.until_still(lambda: page.plots(tab), curves=False, idle=False, limit_secs=LIST_SECS)
    area = await page.tag_list(tab)
    found: dict[str, float] = {}

    async def wheel() -> None:
        await gestures.scroll(tab, area, 3.0)

    async def keys() -> None:
        for key in ["Home", "End", "Home"] + ["PageDown"] * PAGE_DOWNS:
            await tab.page.keyboard.press(key)
            await asyncio.sleep(0.1)

    async def jumps() -> None:
        for index in range(1, JUMPS + 1):
            await tab.page.evaluate(JUMP, [*_middle(area), index / JUMPS])
            await asyncio.sleep(0.25)

    for what, gesture in (("wheel", wheel), ("page keys", keys), ("jumps", jumps)):
        tasks: list[traces.Task] = []
        before = await _scrolled(tab, area)
        async with conditions.chromium.traced(tab, tasks):
            await gesture()
            await asyncio.sleep(0.5)
            await tab.page.evaluate("0")  # a task that is still running is in no trace
        longest = traces.longest(tasks)
        setup.say(f"tags {page.name}: {what} {longest}")
        if await _scrolled(tab, area) > before:
            found[what] = longest.wall_ms
        else:
            setup.say(f"tags {page.name}: {what} did not scroll")
        await tab.page.mouse.click(area.x + 4, area.y + 4)  # gives the list the keyboard focus
    found["memory"] = await conditions.chromium.page_memory_bytes() / 1e6
    await tab.session.send("Performance.enable")
    metrics = await tab.session.send("Performance.getMetrics")
    found["script heap"] = next((m["value"] for m in metrics["metrics"] if m["name"] == "JSHeapUsedSize"), 0.0) / 1e6
    return found


def _middle(area: pictures.Area) -> tuple[float, float]:
    return area.x + area.width / 2, area.y + area.height / 2


async def _scrolled(tab: browser.Tab, area: pictures.Area) -> float:
    """Return the scroll position of the list."""
    return float(await tab.page.evaluate(JUMP, [*_middle(area), None]))


# Like dragging the scroll bar: scrolls the element at this position to a share of its height; returns its position.
JUMP = """([x, y, share]) => {
  const scrolls = (e) => e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY);
  let element = document.elementFromPoint(x, y);
  while (element && !scrolls(element)) element = element.parentElement;
  element ??= document.scrollingElement;
  if (share !== null) element.scrollTop = share * (element.scrollHeight - element.clientHeight);
  return element.scrollTop;
}"""
