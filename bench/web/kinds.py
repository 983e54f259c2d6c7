"""Pages of images and histograms: time from navigation to the first ones, and the server's cost."""

from __future__ import annotations

from collections.abc import AsyncIterator

from bench import corpora, quiet, report, setup
from bench.web import bars, boards, browser

SIZE = browser.Size(1280, 800)
KINDS = {"images": corpora.IMAGES, "histograms": corpora.HISTOGRAMS}


async def measure(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure with a warm board and an empty browser cache; memory is the server's peak, including the load."""
    for kind, whole in KINDS.items():
        corpus, logdir = conditions.corpus(whole)
        best: dict[str, tuple[float, float]] = {}
        counts: dict[str, float] = {}
        peaks: dict[str, float] = {}
        for name, page in conditions.pages.items():
            with conditions.measured_board(name, logdir, corpus) as (url, running):
                tries = [await _open(conditions, page, url, kind) for _ in range(conditions.tries)]
                setup.say(f"{kind} {name}: {tries}")
                best[name] = min(first for first, _, _ in tries), min(last for _, last, _ in tries)
                counts[name] = float(tries[0][2])
                peaks[name] = running.peak_anon_bytes / 1e6
        shape = f"{corpus.runs} × {corpus.tags} × {corpus.steps} {kind}"
        for index, what in enumerate(("the first", "all visible")):
            figures = {name: found[index] for name, found in best.items()}
            judged = bars.row(f"open {shape} to {what}", "ms", figures)
            yield bars.at_least(judged, 3) if index == 0 else judged
        yield bars.row(f"{kind} visible at once", "cards", counts, better="higher")
        yield bars.at_least(bars.row(f"server's peak memory, {shape}", "MB", peaks), 1)


async def _open(conditions: boards.Conditions, page: boards.Page, url: str, kind: str) -> tuple[float, float, int]:
    quiet.wait(conditions.quiet_secs)
    async with conditions.chromium.tab(SIZE) as tab, tab.filmed():
        began = await tab.goto(page.kind_address(url, kind))
        # images may be gray: an area that no longer changes counts as shown, the first colors as the first image
        areas = await tab.until_still(lambda: page.kind_areas(tab, kind), curves=False)
        seen = tab.see(areas)
        first, last = seen.first_curves(), seen.last_change()
        if first is None or last is None:
            raise RuntimeError(f"{page.name}: no {kind} were seen")
        return (first - began) * 1e3, (last - began) * 1e3, len(areas)
