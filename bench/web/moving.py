"""Charts while the user interacts: pan and zoom of 12 cards × 100 runs, and one card × 1,000 runs."""

from __future__ import annotations

import functools
import itertools
from collections.abc import AsyncIterator

from bench import corpora, quiet, report, setup
from bench.web import bars, boards, browser, gestures, traces

SIZE = browser.Size(1920, 2000)  # twelve cards of either page are completely visible
TWELVE = "^(train|layers)/"  # six tags each
SECS = 3.0
FRAME_MS, TASK_MS = 50, 100

GESTURES = {"pan": gestures.pan, "wheel zoom": gestures.wheel_zoom}


async def twelve(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure the frame rate: how often the pixels of the card under the pointer change."""
    corpus, logdir = conditions.corpus(corpora.WIDE_SIMPLE)
    found: dict[tuple[str, str, bool], gestures.Moved] = {}
    for name, page in conditions.pages.items():
        with conditions.board(name, logdir, corpus) as url:
            for linked in (False, True) if page.links_zoom else (False,):
                async with conditions.chromium.tab(SIZE) as tab:
                    areas = await gestures.settled(tab, page, url, tags=TWELVE, linked=linked)
                    setup.say(f"pan {name}: {len(areas)} cards, linked: {linked}")
                    for what, gesture in GESTURES.items():
                        quiet.wait(conditions.quiet_secs)
                        result = await gestures.moved(
                            conditions.chromium, tab, areas, functools.partial(gesture, tab, areas[0], SECS)
                        )
                        setup.say(f"  {what}: {result}")
                        found[name, what, linked] = result
    for what, linked in itertools.product(GESTURES, (False, True)):
        both = {
            "tensorboard": found.get(("tensorboard", what, False)),
            "lightboard": found.get(("lightboard", what, linked)),
        }
        moved = {name: result for name, result in both.items() if result is not None}
        work = f"{what}, 12 cards × 100 runs" + (", ours with linked zoom" if linked else "")
        rates = {name: result.here for name, result in moved.items()}
        yield bars.at_least(bars.row(f"{work}: frame rate", "per s", rates, better="higher"), 4)
        if linked and "lightboard" in moved:
            slowest = {"lightboard": moved["lightboard"].slowest}
            yield bars.row(f"{work}: frame rate of the slowest card", "per s", slowest, better="higher")
        work_ms = {name: result.hardest.cpu_ms for name, result in moved.items()}
        yield bars.at_most(bars.row(f"{work}: most main-thread work in a task", "CPU ms", work_ms), FRAME_MS)
        tasks = {name: result.longest.wall_ms for name, result in moved.items()}
        yield bars.row(f"{work}: longest main-thread task, waits for a core included", "ms", tasks)


async def thousand(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure the longest main-thread task while 1,000 runs are drawn, hovered, zoomed and panned."""
    corpus, logdir = conditions.corpus(corpora.THOUSAND)
    found: dict[tuple[str, str], float] = {}
    for name, page in conditions.pages.items():
        with conditions.board(name, logdir, corpus) as url:
            async with conditions.chromium.tab(browser.Size(1280, 800)) as tab:
                tasks: list[traces.Task] = []
                async with conditions.chromium.traced(tab, tasks):
                    areas = await gestures.settled(tab, page, url, every_run=True, limit_secs=180)
                longest = traces.longest(tasks)
                setup.say(f"thousand {name}: draw {longest}")
                found[name, "open and draw"] = longest.wall_ms
                for what, gesture in {"hover": gestures.hover, **GESTURES}.items():
                    result = await gestures.moved(
                        conditions.chromium, tab, areas, functools.partial(gesture, tab, areas[0], SECS)
                    )
                    setup.say(f"  {what}: {result}")
                    found[name, what] = result.longest_at_all.wall_ms
    for what in ("open and draw", "hover", *GESTURES):
        tasks_ms = {name: found[name, what] for name in conditions.pages}
        row = bars.row(f"one card × 1,000 runs, {what}: longest main-thread task", "ms", tasks_ms)
        yield bars.at_most(row, TASK_MS)
