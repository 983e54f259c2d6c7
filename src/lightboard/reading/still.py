"""Logs in a notebook: a static picture of some charts. `%lightboard` shows a live board."""

from __future__ import annotations

import base64
import html
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from lightboard import picture, store
from lightboard.query.scalars import thinning

if TYPE_CHECKING:
    from lightboard.reading import logs as logs_


def html_of(logs: logs_.Logs) -> str:
    entries = logs.series("scalars")
    runs = logs.runs
    newest = _newest(logs, entries)
    counts = Counter(entry.tag for entry in entries if entry.run in newest)
    chosen = [tag for tag, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[: picture.MAX_CHARTS]]
    charts = []
    slots = logs._store.slots()
    for tag in chosen:
        having = [entry.run for entry in entries if entry.tag == tag and entry.run in newest]
        lines = [_line(logs.scalars(run, tag), len(newest) * len(chosen), slots[run]) for run in having]
        charts.append(picture.Chart(tag, tuple(line for line in lines if line is not None)))
    rest = picture.rest(min(len(runs), len(newest)) if newest else len(runs), len(runs), len(chosen), len(counts))
    digest = picture.Digest(
        picture.many(len(runs), "run"),
        f"{picture.many(len(counts), 'scalar tag')}, {picture.many(sum(entry.points for entry in entries), 'point')}",
        tuple(charts),
        rest,
    )
    return _image(digest)


def html_of_scalars(scalars: logs_.Scalars) -> str:
    line = _line(scalars, 1)
    chart = picture.Chart(scalars.tag, () if line is None else (line,))
    facts = picture.many(len(scalars), "point") + ("" if line is None else f", the last {picture.number(line.last)}")
    return _image(picture.Digest(f"{scalars.tag} of {scalars.run}", facts, (chart,)))


def _newest(logs: logs_.Logs, entries: list[logs_.Entry]) -> set[str]:
    """Returns the runs that were written last, as many as a picture shows."""
    table = logs._store
    with table.lock:
        last = table.runs_table.rows["max_wall"]
        ages = {
            run: float(last[row]) for run in {entry.run for entry in entries} if (row := table.run_row(run)) is not None
        }
    ordered = sorted(ages, key=lambda run: (-ages[run] if ages[run] == ages[run] else np.inf, run))
    return set(ordered[: picture.MAX_LINES])


def _line(scalars: logs_.Scalars, lines: int, slot: int = 0) -> picture.Line | None:
    if not len(scalars):
        return None
    points = store.Points(scalars.steps, scalars.wall_times, scalars.values)
    kept = thinning.kept(points, columns=picture.columns_for(lines))
    steps, values = scalars.steps[kept].tolist(), scalars.values[kept].tolist()
    return picture.Line(scalars.run, steps, values, float(scalars.values[-1]), slot)


def _image(digest: picture.Digest) -> str:
    encoded = base64.b64encode(picture.svg(digest).encode()).decode()
    words = html.escape(picture.text(digest))
    return f'<img alt="{words}" src="data:image/svg+xml;base64,{encoded}" style="max-width:100%">'
