"""The size of a page: bytes transferred until a first visitor sees a small board."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any

from bench import corpora, report
from bench.web import bars, boards, browser, gestures

SMALL = corpora.Corpus("small", "simple", 2, 3, 50)
SIZE = browser.Size(1280, 800)
KINDS = {
    "Document": "document",
    "Script": "scripts",
    "Stylesheet": "styles",
    "Other": "fonts, pictures and the rest",
    "data": "data of a small board",
}
DATA = {"XHR", "Fetch", "EventSource"}
DATA_TYPES = {"application/json", "application/octet-stream"}  # data requested before the scripts
LIMIT_BYTES = 350_000


async def measure(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure encoded bytes with headers: page, scripts, styles, fonts and images; and the data it requests."""
    corpus, logdir = conditions.corpus(SMALL)
    found: dict[str, dict[str, float]] = {}
    for name, page in conditions.pages.items():
        with conditions.board(name, logdir, corpus) as url:
            async with conditions.chromium.tab(SIZE) as tab:
                found[name] = await _bytes(tab, page, url)
    work = "first page load, compressed"
    for kind, words in KINDS.items():
        yield bars.row(f"{work}: {words}", "bytes", {name: sizes.get(kind) for name, sizes in found.items()})
    row = bars.row(f"{work}: all but data", "bytes", {name: sizes["page"] for name, sizes in found.items()})
    yield bars.at_most(bars.at_least(row, 5), LIMIT_BYTES)


async def _bytes(tab: browser.Tab, page: boards.Page, url: str) -> dict[str, float]:
    asked: dict[str, str] = {}
    kinds: dict[str, str] = {}
    sizes: dict[str, float] = defaultdict(float)

    def received(event: dict[str, Any]) -> None:
        answer, kind = event["response"], event["type"]
        is_data = kind in DATA or answer["mimeType"] in DATA_TYPES
        asked[event["requestId"]] = answer["url"]
        kinds[event["requestId"]] = "data" if is_data else kind if kind in KINDS else "Other"

    def finished(event: dict[str, Any]) -> None:
        sizes[kinds.get(event["requestId"], "Other")] += float(event["encodedDataLength"])
        asked.pop(event["requestId"], None)

    tab.session.on("Network.responseReceived", received)
    tab.session.on("Network.loadingFinished", finished)
    await tab.session.send("Network.enable")
    await gestures.settled(tab, page, url)
    await asyncio.sleep(1.0)  # icons and similar files are loaded late
    for name, size in await tab.page.evaluate(TRANSFERRED):
        if name in asked.values():  # a worker's script finishes in the worker, which has no listener
            sizes["Script"] += float(size)
    sizes["page"] = sum(size for kind, size in sizes.items() if kind != "data")
    return dict(sizes)


TRANSFERRED = "performance.getEntriesByType('resource').map((entry) => [entry.name, entry.transferSize])"
