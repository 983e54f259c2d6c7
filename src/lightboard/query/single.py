"""Find one point of a heavy series by its step, for pages and scripts that show a single value."""

from __future__ import annotations

import numpy as np

from lightboard import errors, store


def find(source: store.Store, run: str, tag: str) -> store.Series:
    found = source.series(run, tag)
    if found is None:
        raise errors.NotFound(
            f"run `{run}` has no tag `{tag}`", hint="/api/tags lists them", code="tag.unknown", run=run, tag=tag
        )
    return found


def place(points: store.Points, step: int | None, offset: int | None = None) -> int:
    """Return the index of the point of a step: the last of several, or the one at this offset of its file. No step: the
    last."""
    if not len(points):
        raise errors.NotFound(
            "the series has no point", hint="reload: it may have been written again", code="point.gone"
        )
    if step is None:
        return len(points) - 1
    same = points.steps == step
    if offset is not None:
        same &= points.values["offset"] == offset
    found = np.nonzero(same)[0]
    if not len(found):
        raise errors.NotFound(
            f"there is no point at step {step} (any more)", hint="/api/steps lists them", code="point.gone"
        )
    return int(found[-1])


def place_beside(points: store.Points, step: int, wall_time: float) -> int | None:
    """Return the index of the point that belongs to a point of another series: at the same step, or the last step
    before."""
    steps = points.steps
    found = np.nonzero(steps == step)[0]
    if len(found):
        apart = np.abs(points.wall_times[found] - wall_time)
        return int(found[int(np.argmin(np.where(np.isnan(apart), np.inf, apart)))])
    earlier = np.nonzero(steps < step)[0]
    return int(earlier[int(np.argmax(steps[earlier]))]) if len(earlier) else None
