"""Logs of histograms whose buckets tell run and step, for the pages of histograms and distributions."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable, Sequence

import event_files

RUNS = ("alpha", "beta")
STEPS = range(0, 360, 3)
HISTOGRAMS = event_files.summary_metadata("histograms")
Row = tuple[float, float, float]


def event(tag: str, rows: Sequence[Row], step: int, *, shape: Iterable[int] | None = None) -> bytes:
    """Written as TensorFlow 2 does. Times are ten seconds to a step."""
    cells = [cell for row in rows for cell in row]
    tensor = event_files.tensor(cells, dtype="float64", shape=[len(rows), 3] if shape is None else shape)
    value = event_files.value(tag, event_files.field_bytes(8, tensor), HISTOGRAMS)
    return event_files.summary_event(value, step=step, wall_time=event_files.WALL + 10 * step)


def rows(run: int, step: int) -> list[Row]:
    """Four buckets from -2 to 2; the counts tell step and run."""
    return [(-2.0, -1.0, 100.0 + run), (-1.0, 0.0, 1000.0 + step), (0.0, 1.0, 500.0), (1.0, 2.0, 7.0)]


def write_run(folder: pathlib.Path, name: str, number: int) -> pathlib.Path:
    events = [event_files.version_event(), *event_files.scalars("loss", [1.0] * 30)]
    events += [event("layer/weights", rows(number, step), step) for step in STEPS]
    events += [event("layer/bias", rows(number, step), step) for step in (0, 1, 2)]
    if name == "beta":
        events += [event("odd/shape", [(0, 1, 2), (1, 2, 3)], step, shape=[6]) for step in range(3)]
        events += [event("odd/some", [(0, 1, 2), (1, 2, 3)], step, shape=[6] if step else [2, 3]) for step in range(3)]
        events.append(event("odd/none", [], 0))
        events.append(event("odd/zero", [(0, 1, 0), (1, 2, 0)], 0))
        events.append(event("odd/endless", [(-float("inf"), 0, 3), (0, float("inf"), 5), (1, 2, float("nan"))], 0))
        events.append(event("odd/single", [(3, 3, 9)], 0))
        events.append(event("odd/huge", [(-1e308, 1e308, 1e300), (1e308, 1.7e308, 2.0)], 0))
    return event_files.write(folder / name / "events.out.tfevents.1", events)
