"""From navigation to curves: 100 runs × 20 tags × 5,000 points, the board warm, the browser's cache empty."""

from __future__ import annotations

from collections.abc import AsyncIterator

from bench import corpora, quiet, report, setup
from bench.web import bars, boards, browser

SIZES = (browser.Size(1280, 800), browser.Size(1920, 1080))


async def measure(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure the time to the first colored lines in any card, and until curves in all visible cards are stable."""
    corpus, logdir = conditions.corpus(corpora.WIDE_SIMPLE)
    best: dict[tuple[str, browser.Size], tuple[float, float, int]] = {}
    for name, page in conditions.pages.items():
        with conditions.board(name, logdir, corpus) as url:
            for size in SIZES:
                tries = [await _open(conditions, page, url, size) for _ in range(conditions.tries)]
                setup.say(f"open {name} {size}: {tries}")
                first, last = (min(found[index] for found in tries) for index in (0, 1))
                best[name, size] = first, last, tries[0][2]
    for size in SIZES:
        shape = f"{size.width} × {size.height}"
        here = {name: found for (name, of), found in best.items() if of == size}
        for index, what in enumerate(("first curves", "all visible cards")):
            figures = {name: found[index] for name, found in here.items()}
            yield bars.at_least(bars.row(f"open 10 M points to {what}, {shape}", "ms", figures), 4)
        counts = {name: float(found[2]) for name, found in here.items()}
        yield bars.row(f"cards visible at once, {shape}", "cards", counts, better="higher")


async def _open(
    conditions: boards.Conditions, page: boards.Page, url: str, size: browser.Size
) -> tuple[float, float, int]:
    quiet.wait(conditions.quiet_secs)
    async with conditions.chromium.tab(size, script=page.drawn_script) as tab:
        async with tab.filmed():
            began = await tab.goto(page.address(url))
            areas = await tab.until_still(lambda: page.plots(tab))
        seen = tab.see(areas)
        first, last = seen.first_curves(), seen.all_curves()
        if first is None or last is None:
            raise RuntimeError(f"{page.name}: no curves were seen")
        reported = await tab.page.evaluate("window.__drawn ?? []")
        if reported:
            times = [_ms(at, began) for at in (first, last, reported[0], reported[-1])]
            setup.say("open {}: seen {} to {}, told {} to {}".format(page.name, *times))
        return (first - began) * 1e3, (last - began) * 1e3, len(areas)


def _ms(at: float, began: float) -> str:
    return f"{(at - began) * 1e3:.0f} ms"
