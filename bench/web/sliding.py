"""The smoothing slider on 12 cards × 100 runs: from the press on its track to new curves in every card."""

from __future__ import annotations

from collections.abc import AsyncIterator

from bench import charts, corpora, report, setup
from bench.web import bars, boards, gestures, moving

PLACES = (0.2, 0.9, 0.4, 0.95, 0.1, 0.7, 0.3, 0.85, 0.5, 0.97, 0.25, 0.8)
THEIR_MOVES = 5  # each takes seconds
LIMIT_MS = 100


async def measure(given: boards.Given) -> AsyncIterator[report.Row]:
    """New curves are there when every card has changed; at rest is when none changes any more."""
    corpus, logdir = given.corpus(corpora.WIDE_SIMPLE)
    found: dict[str, list[gestures.Answer]] = {}
    for name, page in given.pages.items():
        with given.board(name, logdir, corpus) as url:
            async with given.chromium.tab(moving.SIZE) as tab:
                areas = await gestures.settled(tab, page, url, tags=moving.TWELVE)
                slider = await page.smoothing(tab)
                found[name] = []
                async with tab.filmed():
                    for place in PLACES[: THEIR_MOVES if name == "tensorboard" else None]:
                        x, y = slider.x + 8 + (slider.width - 16) * place, slider.y + slider.height / 2

                        async def press(x: float = x, y: float = y) -> None:
                            await tab.page.mouse.click(x, y)

                        found[name].append(await gestures.answered(tab, areas, "pointerdown", press, still_secs=1.0))
                setup.say(f"smoothing {name}: {found[name]}")
    work = "smoothing slider to new curves in 12 cards × 100 runs"
    for unit, percent in (("p50 ms", 50.0), ("p95 ms", 95.0)):
        every = {name: charts.percentile([a.all_ms for a in answers], percent) for name, answers in found.items()}
        yield bars.at_most(bars.row(work, unit, every), LIMIT_MS)
    last = {name: charts.percentile([a.last_ms for a in answers], 50.0) for name, answers in found.items()}
    yield bars.row("smoothing slider to cards at rest", "p50 ms", last)
    first = {name: charts.percentile([a.first_ms for a in answers], 50.0) for name, answers in found.items()}
    yield bars.row("smoothing slider to the first new curve", "p50 ms", first)
