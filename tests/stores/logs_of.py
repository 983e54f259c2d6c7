"""Small event files as bytes, and their points as they are read."""

from __future__ import annotations

import event_files

from lightboard.reading import Logs

NAME = "events.out.tfevents.1700000000.host.1.0"


def scalars(steps: range, *, tag: str = "loss", add: float = 0.0) -> bytes:
    """An event file, or its continuation if the steps do not begin at 0."""
    events = [] if steps.start else [event_files.version_event()]
    events += [
        event_files.scalar_event(tag, step + add, step=step, wall_time=event_files.WALL + step) for step in steps
    ]
    return b"".join(event_files.record(each) for each in events)


def texts(count: int, length: int) -> bytes:
    """An event file with long texts."""
    events = [event_files.version_event()]
    events += [event_files.text_event("words", [f"{step:08}" * (length // 8)], step=step) for step in range(count)]
    return b"".join(event_files.record(each) for each in events)


def points(logs: Logs, tag: str = "loss") -> dict[str, list[tuple[int, float]]]:
    """Steps and values of a tag by run."""
    found = {}
    for run in logs.runs:
        if tag in logs.tags("scalars", run=run):
            found[run] = [(step, value) for step, _, value in logs.scalars(run, tag)]
    return found


def expected(steps: range, add: float = 0.0) -> list[tuple[int, float]]:
    return [(step, step + add) for step in steps]
