"""The printed output of a run, as `lightboard.init` recorded it: JSON texts with the lines of two seconds each.

    _lightboard_/console   {"lines": [[time, "stdout", "text"], ...], "dropped": 3}

Records are read from the newest on, until there are enough lines. A record that cannot be read is skipped.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from lightboard import errors, types
from lightboard import store as store_

TAG = "_lightboard_/console"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ConsoleText:
    """Columns, one entry per line, the newest last."""

    time: list[float]
    stream: list[str]  # `stdout` or `stderr`
    text: list[str]
    dropped: int  # lines between these that were not recorded, because the program printed too fast
    earlier: bool  # there are lines before these


def records(store: store_.Store, run: str) -> int:
    """Return the number of records."""
    series = store.series(run, TAG)
    return 0 if series is None else len(series.points().steps)


def tail(store: store_.Store, run: str, *, lines: int) -> ConsoleText:
    """Return the last lines."""
    if store.run_row(run) is None:
        raise errors.NotFound(f"no run is called `{run}`", hint="/api/runs lists them", code="run.unknown", run=run)
    found: list[tuple[float, str, str]] = []  # the newest first
    dropped, place = 0, records(store, run)
    series = store.series(run, TAG)
    while series is not None and place > 0 and len(found) < lines:
        place -= 1
        try:
            record = _decoded(series.tensor(place))
        except (errors.LightboardError, OSError, IndexError):
            continue
        found += reversed(_lines(record))
        dropped += record["dropped"] if isinstance(record.get("dropped"), int) else 0
    shown = found[:lines][::-1]
    return ConsoleText(
        time=[when for when, _, _ in shown],
        stream=[stream for _, stream, _ in shown],
        text=[text for _, _, text in shown],
        dropped=dropped,
        earlier=place > 0 or len(found) > lines,
    )


def _decoded(value: types.Tensor) -> dict[str, Any]:
    try:
        record = json.loads((value.strings or (b"",))[0])
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _lines(record: dict[str, Any]) -> list[tuple[float, str, str]]:
    lines = record.get("lines")
    found = []
    for line in lines if isinstance(lines, list) else []:
        match line:
            case [int() | float() as when, str() as stream, str() as text]:
                found.append((float(when), stream, text))
    return found
