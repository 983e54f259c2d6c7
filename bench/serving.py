"""Measurements of serving: first page, chart requests, live points; and the native scan."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import charts, client, corpora, live, pages, quiet, scan, setup, starts
from bench.report import Row

CHART_REPEATS = {"tensorboard": 20, "lightboard": 200}


def first_pages(conditions: setup.Setup) -> Iterator[Row]:
    """Measure the time from a start on an empty log directory to the first page, and the size of the page."""
    with tempfile.TemporaryDirectory() as name:
        empty = Path(name)
        secs = setup.in_turn(conditions, conditions.tries + 2, lambda side: starts.first_page_secs(side, empty))
        yield Row("start on an empty logdir to first HTTP 200", "wall s", *secs, "≥ 2 ×")
        weight = setup.in_turn(conditions, 1, lambda side: _page_bytes(side, empty))
        yield Row("first page with its scripts and styles, compressed", "bytes", *weight)


def chart_requests(conditions: setup.Setup) -> Iterator[Row]:
    """Request one tag of all runs for one chart, warm, with a browser's encodings and without."""
    (corpus,) = conditions.scaled(corpora.WIDE_SIMPLE)
    logdir = conditions.logdir(corpus)
    tag = corpus.tag_names()[0]
    theirs: dict[str, charts.Chart] = {}
    if conditions.tensorboard is not None:
        with setup.loaded(conditions.tensorboard, logdir, corpus) as http:
            theirs = _charts(
                http, conditions.tensorboard.chart_request(corpus, tag), "tensorboard", conditions.quiet_secs
            )
    with setup.loaded(conditions.lightboard, logdir, corpus) as http:
        ours = _charts(http, conditions.lightboard.chart_request(corpus, tag), "lightboard", conditions.quiet_secs)
        smooth = conditions.lightboard.chart_request(corpus, tag, smoothing="ema:0.6")
        smoothed = _charts(http, smooth, "lightboard", conditions.quiet_secs)
    for coding, chart in ours.items():
        yield from _chart_rows(f"chart of {corpus.runs} runs, Accept-Encoding: {coding}", theirs.get(coding), chart)
    browser = client.BROWSER_ENCODINGS
    work = f"chart of {corpus.runs} runs, ours with a smoothed line too"
    yield from _chart_rows(work, theirs.get(browser), smoothed[browser])


def live_points(conditions: setup.Setup) -> Iterator[Row]:
    """Measure the time from flush to client: Lightboard pushes points, TensorBoard is polled."""
    found: dict[str, live.Live] = {}
    for side in conditions.sides:
        with tempfile.TemporaryDirectory() as logdir:
            found[side.name] = live.measure(side, Path(logdir), flushes=conditions.flushes)
            setup.say(f"{side.name}: {found[side.name]}")
    ours, theirs = found["lightboard"], found.get("tensorboard")
    for name, bar in (("p50_secs", ""), ("p95_secs", "≤ 1 s"), ("max_secs", "")):
        both = None if theirs is None else getattr(theirs, name), getattr(ours, name)
        yield Row(f"flush to client, {ours.flushes} flushes", name.replace("_secs", " s"), *both, bar)


def native_scan(conditions: setup.Setup) -> Iterator[Row]:
    """Scan one file in the page cache with one thread."""
    (corpus,) = conditions.scaled(corpora.LONG)
    logdir = conditions.logdir(corpus)
    quiet.wait(conditions.quiet_secs)
    scans = [scan.measure(logdir) for _ in range(conditions.tries + 2)]
    work = "native scan of one file in the page cache"
    yield Row(work, "GB/CPU s", None, max(found.cpu_gb_per_sec for found in scans), "≥ 1", "higher")
    yield Row(work, "GB/wall s", None, max(found.wall_gb_per_sec for found in scans), "", "higher")


def _charts(http: client.Client, request: client.Request, side: str, quiet_secs: float) -> dict[str, charts.Chart]:
    found = {}
    for coding in charts.ENCODINGS:
        quiet.wait(quiet_secs)
        found[coding] = charts.measure(http, request, encodings=coding, repeats=CHART_REPEATS[side])
    setup.say(f"{side}: {list(found.values())}")
    return found


def _chart_rows(work: str, theirs: charts.Chart | None, ours: charts.Chart) -> Iterator[Row]:
    for unit, name, bar in (
        ("p50 ms", "p50_ms", ""),
        ("p95 ms", "p95_ms", "≥ 10 ×"),
        ("bytes", "body_bytes", "≥ 10 ×"),
    ):
        yield Row(work, unit, None if theirs is None else getattr(theirs, name), getattr(ours, name), bar)


def _page_bytes(side: setup.Side, logdir: Path) -> float:
    running, url = side.start(logdir)
    with running, contextlib.closing(client.Client(url)) as http:
        starts.wait_for_page(http)
        return pages.first_page_bytes(http)
