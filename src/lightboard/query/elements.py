"""One element of a heavy value, found by run, tag, index of the point and index of the element."""

from __future__ import annotations

from lightboard import errors, types
from lightboard import store as store_
from lightboard.query import blobs
from lightboard.query import series as series_


def at(
    store: store_.Store,
    run: str,
    tag: str,
    index: int,
    sample: int,
    *,
    rewinds: types.Rewinds = types.Rewinds.LATEST,
) -> blobs.Blob:
    series = store.series(run, tag)
    if series is None:
        raise errors.NotFound(
            f"run `{run}` has no tag `{tag}`", hint="/api/tags lists them", code="tag.unknown", run=run, tag=tag
        )
    if series.kind is types.Kind.SCALARS:
        raise errors.BadQuestion(f"`{tag}` holds plain numbers", hint="ask /api/points for them")
    points = series.points(rewinds)
    if not -len(points) <= index < len(points):
        raise errors.NotFound(f"`{tag}` of run `{run}` has {len(points)} points, none at {index}", code="point.gone")
    tensor = series.tensor(range(len(points))[index], points)
    element = sample + series_.leading(series.kind)
    if tensor.strings is None:
        raise errors.BadQuestion(f"`{tag}` holds arrays of numbers, not blobs")
    if element >= len(tensor.strings):
        raise errors.NotFound(f"point {index} of `{tag}` has no element {sample}", code="point.gone")
    return blobs.Blob(series.kind, tensor.strings[element], tensor.content_type)
