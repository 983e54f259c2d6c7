"""10,000 trials on the HParams page: navigation to the first rows on both boards; sorting and brushing on ours.

TensorBoard shows a page of 100 trials, ours all of them. Rows count once they have text. A sort is measured until the
last frame of its result; a brush from the pointer's move until all lines, inside and outside, are on the canvas.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from collections.abc import AsyncIterator, Iterator
from http.client import HTTPException
from pathlib import Path

from bench import charts, client, hparams, loads, quiet, report, setup
from bench.web import bars, boards, browser, gestures, pictures

SIZE = browser.Size(1280, 800)
PATIENCE_SECS = 600.0
OPEN_SECS = 300.0
POLL_SECS = 0.02
SORTS, MOVES = 40, 12
COLUMNS = ",".join(
    [f"hparam:{name}" for name in ("learning_rate", "batch_size", "dropout", "optimizer", "units", "weight_decay")]
    + ["metric:accuracy", "metric:loss"]
)
LIMIT_MS, RATIO = 100.0, 5.0

# Returns the number of rows with text. TensorBoard's table is nested shadow trees; cells exist before their text.
OUR_ROWS = "document.querySelectorAll('[data-trial] [role=gridcell]').length"
THEIR_ROWS = """(() => {
  let found = 0;
  const walk = (root) => {
    for (const cell of root.querySelectorAll("vaadin-grid-cell-content")) if (cell.innerText.trim() !== "") found += 1;
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) walk(element.shadowRoot);
  };
  walk(document);
  return found;
})()"""
# more cells than the header has
ENOUGH_CELLS = 40

NOTE_DRAWN = """
window.__trialsDrawn = [];
document.addEventListener("lightboard:trials-drawn", (event) => {
  window.__trialsDrawn.push([(performance.timeOrigin + performance.now()) / 1000, event.detail.count]);
});
window.__moves = [];
addEventListener("pointermove", (event) => {
  window.__moves.push((performance.timeOrigin + event.timeStamp) / 1000);
}, {capture: true, passive: true});
"""


async def measure(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    count = max(200, round(hparams.TRIALS * conditions.scale))
    logdir = hparams.make(conditions.root, count)
    loads.warm(logdir)
    first: dict[str, float] = {}
    sorts: list[float] = []
    brushes: dict[str, list[float]] = {}
    for name, page in conditions.pages.items():
        with _board(conditions, name, logdir, count) as url:
            ours = name == "lightboard"
            tries = [await _open(conditions, url, ours=ours) for _ in range(conditions.tries)]
            setup.say(f"trials {name}: {[round(ms) for ms in tries]} ms")
            first[name] = min(tries)
            if ours:
                sorts = await _sorts(conditions, url)
                brushes = {view: await _brush(conditions, url, view) for view in ("parallel", "scatter")}
        del page
    yield bars.at_least(bars.row(f"open {count:,} trials to the first table", "ms", first), RATIO)
    for work, found in (("sort", sorts), *((f"brush, {view}", times) for view, times in brushes.items())):
        for unit, percent in (("p50 ms", 50.0), ("p95 ms", 95.0)):
            figures = {"lightboard": charts.percentile(found, percent)} if found else {}
            yield bars.at_most(bars.row(f"{count:,} trials: {work}", unit, figures), LIMIT_MS)


@contextlib.contextmanager
def _board(conditions: boards.Conditions, name: str, logdir: Path, count: int) -> Iterator[str]:
    """Start a board, wait until it has read all trials, and yield its address."""
    side = conditions.sides[name]
    running, url = side.start(logdir, fresh=False)
    with running, contextlib.closing(client.Client(url)) as http:
        if not client.wait_until(lambda: _knows(http, count), every_secs=0.2, limit_secs=PATIENCE_SECS):
            raise RuntimeError(f"{name} does not know all trials after {PATIENCE_SECS:g} s")
        side.check(running)
        http.close()
        yield url


def _knows(http: client.Client, count: int) -> bool:
    with contextlib.suppress(OSError, HTTPException, KeyError, ValueError):
        answer = http.send(hparams.groups_request(1))
        return answer.status == 200 and answer.json()["totalSize"] == count
    return False


async def _open(conditions: boards.Conditions, url: str, *, ours: bool) -> float:
    quiet.wait(conditions.quiet_secs)
    rows = OUR_ROWS if ours else THEIR_ROWS
    async with conditions.chromium.tab(SIZE) as tab:
        began = await tab.goto(f"{url}/#hparams")
        until = time.monotonic() + OPEN_SECS
        while time.monotonic() < until:
            if int(await tab.page.evaluate(rows)) >= ENOUGH_CELLS:
                return (time.time() - began) * 1e3
            await asyncio.sleep(POLL_SECS)
    raise TimeoutError(f"no rows after {OPEN_SECS:g} s")


async def _sorts(conditions: boards.Conditions, url: str) -> list[float]:
    async with conditions.chromium.tab(SIZE) as tab:
        await tab.goto(
            f"{url}/#hparams?hparamsColumns=hparam:learning_rate,hparam:optimizer,metric:accuracy,metric:loss"
        )
        await tab.page.locator("[data-trial]").first.wait_for()
        await asyncio.sleep(1.5)
        heads = tab.page.locator("[data-trial-column] > button:first-child")
        clicks = [functools.partial(heads.nth(1 + turn % 4).click) for turn in range(SORTS)]
        times = await gestures.shown(conditions.chromium, tab, "pointerdown", clicks)
    setup.say(f"trials lightboard: sorts {[round(ms) for ms in times]} ms")
    return times


async def _brush(conditions: boards.Conditions, url: str, view: str) -> list[float]:
    """Grow a brush over a third of the trials, move by move."""
    found = []
    async with conditions.chromium.tab(SIZE, script=NOTE_DRAWN) as tab:
        await tab.goto(f"{url}/#hparams?hparamsView={view}&hparamsPane=0&hparamsColumns={COLUMNS}")
        await _until_drawn(tab, 0)
        await asyncio.sleep(2.5)
        area = await _brushed_area(tab, view)
        x, y = area.x + area.width / 2, area.y + 12
        await tab.page.mouse.move(x, y)
        await tab.page.mouse.down()
        await tab.page.mouse.move(x, y + 8)
        for step in range(MOVES):
            await asyncio.sleep(0.4)
            before = len(await tab.page.evaluate("window.__trialsDrawn"))
            await tab.page.mouse.move(
                x + (step if view == "scatter" else 0), y + 10 + area.height * 0.25 * step / MOVES
            )
            drawn = await _until_drawn(tab, before)
            moved = float((await tab.page.evaluate("window.__moves"))[-1])
            found.append((drawn - moved) * 1e3)
        await tab.page.mouse.up()
        brushed = await tab.page.get_by_test_id("brushed-count").inner_text()
    setup.say(f"trials lightboard: {view}, {brushed}: {[round(ms) for ms in found]} ms")
    return found


async def _brushed_area(tab: browser.Tab, view: str) -> pictures.Area:
    """Return the area of the accuracy axis, or of the plot of accuracies over learning rates."""
    if view == "parallel":
        (area,) = await tab.areas("document.querySelectorAll('[data-axis=\"metric:accuracy\"] .parallel-axis__grab')")
        return area
    frames = await tab.areas("[document.querySelectorAll('.scatter-cell__frame')[0]]")
    return frames[0]


async def _until_drawn(tab: browser.Tab, before: int) -> float:
    """Return when the page reported a complete picture, after the `before` earlier ones."""
    until = time.monotonic() + 60.0
    while time.monotonic() < until:
        drawn = await tab.page.evaluate("window.__trialsDrawn")
        if len(drawn) > before:
            return float(drawn[-1][0])
        await asyncio.sleep(POLL_SECS)
    raise TimeoutError("no picture of the trials")
