"""The smoothing slider on 12 cards × 100 runs: from a click on its track to new curves in every card."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Awaitable, Callable

from bench import charts, corpora, report, setup
from bench.web import bars, boards, browser, gestures, moving, pictures

PLACES = (0.2, 0.9, 0.4, 0.95, 0.1, 0.7, 0.3, 0.85, 0.5, 0.97, 0.25, 0.8)
THEIR_MOVES = 5  # each takes seconds
LIMIT_MS = 100


async def measure(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure until every card has changed (new curves) and until none changes any more (at rest).

    The screencast uses more of two cores than the page does and shows only some frames, so our page is also measured
    without it, by the frames that the browser displayed.
    """
    corpus, logdir = conditions.corpus(corpora.WIDE_SIMPLE)
    filmed: dict[str, list[gestures.Answer]] = {}
    shown: list[float] = []
    for name, page in conditions.pages.items():
        with conditions.board(name, logdir, corpus) as url:
            async with conditions.chromium.tab(moving.SIZE) as tab:
                areas = await gestures.settled(tab, page, url, tags=moving.TWELVE)
                slider = await page.smoothing(tab)
                presses = [_press(tab, slider, place) for place in PLACES]
                async with tab.filmed():
                    filmed[name] = [
                        await gestures.answered(tab, areas, "pointerdown", press, still_secs=1.0)
                        for press in presses[: THEIR_MOVES if name == "tensorboard" else None]
                    ]
                setup.say(f"smoothing {name}: {filmed[name]}")
                if name == "lightboard":
                    shown = await gestures.shown(conditions.chromium, tab, "pointerdown", presses)
                    setup.say(f"smoothing {name}: unfilmed {[round(ms) for ms in shown]}")
    work = "smoothing slider to new curves in 12 cards × 100 runs"
    for unit, percent in (("p50 ms", 50.0), ("p95 ms", 95.0)):
        every = {name: charts.percentile([a.all_ms for a in answers], percent) for name, answers in filmed.items()}
        yield bars.row(f"{work}, filmed", unit, every)
        if shown:
            figures = {"lightboard": charts.percentile(shown, percent)}
            yield bars.at_most(bars.row(f"{work}, on the screen", unit, figures), LIMIT_MS)
    last = {name: charts.percentile([a.last_ms for a in answers], 50.0) for name, answers in filmed.items()}
    yield bars.row("smoothing slider to cards at rest, filmed", "p50 ms", last)


def _press(tab: browser.Tab, slider: pictures.Area, place: float) -> Callable[[], Awaitable[None]]:
    x, y = slider.x + 8 + (slider.width - 16) * place, slider.y + slider.height / 2
    return functools.partial(tab.page.mouse.click, x, y)
