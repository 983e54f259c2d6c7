"""From a flush in a training process to pixels: a run grows by one point, and its chart must change."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

from bench import charts, live, records, report, setup
from bench.web import bars, boards, browser, gestures, pictures

SIZE = browser.Size(1280, 800)
PAUSE_SECS = (0.3, 1.3)  # from the last change to the next flush: does not match the interval of either board
THEIR_FLUSHES = 3  # it reloads only every 30 s
LIMIT_SECS = 60.0
BAR_SECS = 1.5
FIRST_POINTS = 20


async def measure(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure both pages; TensorBoard's is set to reload automatically, which it does every 30 s."""
    found: dict[str, list[float]] = {}
    for name, page in conditions.pages.items():
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / live.RUN / "events.out.tfevents.1750000000.bench.1.0"
            path.parent.mkdir()
            path.write_bytes(records.file_version(time.time()) + b"".join(map(live.point, range(FIRST_POINTS))))
            with conditions.board(name, Path(scratch)) as url:
                flushes = THEIR_FLUSHES if name == "tensorboard" else conditions.flushes
                async with conditions.chromium.tab(SIZE, script=page.following) as tab:
                    found[name] = await _follow(page, tab, url, path, flushes)
        setup.say(f"live {name}: {[round(secs, 3) for secs in found[name]]}")
    for unit, percent in (("p50 s", 50.0), ("p95 s", 95.0)):
        figures = {name: charts.percentile(secs, percent) for name, secs in found.items()}
        yield bars.at_most(bars.row("flush in the training process to pixels", unit, figures), BAR_SECS)


async def _follow(page: boards.Page, tab: browser.Tab, url: str, path: Path, flushes: int) -> list[float]:
    areas = await gestures.settled(tab, page, url, curves=False)  # one line may be nearly gray
    rng, secs = random.Random(0), []
    async with tab.filmed():
        with path.open("ab") as file:
            for step in range(FIRST_POINTS, FIRST_POINTS + flushes):
                await asyncio.sleep(rng.uniform(*PAUSE_SECS))
                del tab.frames[:-1]
                file.write(live.point(step))
                flushed = time.time()
                file.flush()
                secs.append(await _changed(tab, areas, flushed) - flushed)
    return secs


async def _changed(tab: browser.Tab, areas: list[pictures.Area], after: float) -> float:
    while time.time() - after < LIMIT_SECS:
        await asyncio.sleep(0.05)
        if len(tab.frames) > 1:
            at = tab.see(areas).first_change(after)
            if at is not None:
                return at
            if len(tab.frames) > 20:
                del tab.frames[:-1]
    raise TimeoutError(f"no pixel changed within {LIMIT_SECS:g} s of a flush")
