"""A board left open during a training: memory of the page and of the board must not grow with the updates.

An update is a flush of one step of every card. Hours of training are written in minutes: the board notices every flush,
and the page sends requests at its highest rate (once a second and card). Memory is read after the board had time to
merge what it read, and after a garbage collection.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from bench import live, processes, records, report, setup
from bench.web import bars, boards, unwatched

CARDS = 12
UPDATES = 200_000  # four hours at 14 a second
UPDATES_A_SECOND = 250
SAMPLES = 10
SETTLE_SECS = 15.0  # longer than a board waits between two merges
FIRST_STEPS = 2_000
GROWTH_BAR = 1.1


@dataclass(frozen=True)
class Sample:
    heap_bytes: int
    page_bytes: int
    board_bytes: int


async def measure(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure only our page: TensorBoard's reloads every 30 s."""
    name = "lightboard"
    updates = max(SAMPLES, int(UPDATES * conditions.scale))
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "logs" / live.RUN / "events.out.tfevents.1750000000.bench.1.0"
        path.parent.mkdir(parents=True)
        path.write_bytes(records.file_version(time.time()) + b"".join(map(_update, range(FIRST_STEPS))))
        with (
            conditions.measured_board(name, Path(scratch) / "logs") as (url, board),
            unwatched.chromium(url, Path(scratch)) as shown,
        ):
            samples = await _soak(shown, board, path, updates)
    for what, figures in (
        ("page, objects", [float(sample.heap_bytes) for sample in samples]),
        ("page, process", [float(sample.page_bytes) for sample in samples]),
        ("board", [float(sample.board_bytes) for sample in samples]),
    ):
        yield bars.row(f"{updates} live updates of {CARDS} cards: {what}", "MB", {name: figures[-1] / 1e6})
        growth = bars.row(f"… {what}: the end / the beginning", "×", {name: _growth(figures)})
        yield bars.at_most(growth, GROWTH_BAR)


async def _soak(shown: unwatched.Browser, board: processes.Running, path: Path, updates: int) -> list[Sample]:
    samples, step = [], FIRST_STEPS
    with path.open("ab", buffering=0) as file:
        for sample in range(SAMPLES):
            began, first = time.monotonic(), step
            for _ in range(updates // SAMPLES):
                file.write(_update(step))
                step += 1
                due = began + (step - first) / UPDATES_A_SECOND
                await asyncio.sleep(max(0.0, due - time.monotonic()))
            await asyncio.sleep(SETTLE_SECS)
            samples.append(_sample(shown, board))
            setup.say(f"soak {sample + 1}/{SAMPLES}: {samples[-1]}")
    return samples


def _sample(shown: unwatched.Browser, board: processes.Running) -> Sample:
    cards = shown.count("[data-card] canvas")
    if cards < CARDS:
        raise RuntimeError(f"the page shows {cards} of {CARDS} cards")
    return Sample(*shown.memory(), board.anon_bytes())


def _growth(figures: list[float]) -> float:
    """Return the growth without the first sample, because first use allocates memory that is kept."""
    return statistics.median(figures[-2:]) / statistics.median(figures[1:3])


def _update(step: int) -> bytes:
    return b"".join(live.point(step, f"train/metric_{card:02}") for card in range(CARDS))
