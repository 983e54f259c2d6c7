"""`/api/snapshot`: runs and tags of the board as one HTML file that opens without a server.

The board hands in the function that takes it (`Context.take_snapshot`), because a snapshot is built from answers of
these routes. It is taken in the heavy lane; what would be too large is refused before any work.
"""

from __future__ import annotations

import dataclasses

from lightboard import errors, types
from lightboard.query import series
from lightboard.query.runs import runs
from lightboard.server import context, endpoints, exports, responses
from lightboard.server.parameters import param

HTML = "text/html; charset=utf-8"
HEADERS = (("Content-Disposition", exports.disposition("board.html")), ("Cache-Control", "no-store"))
MIB = 1 << 20
MAX_BYTES = 50 * MIB
# of a point in the file, smoothed value included; and while the file is made
POINT_BYTES = 8
POINT_MEMORY_BYTES = 16
MEMORY_BYTES = 64 * MIB
MAX_MEMORY_BYTES = 192 * MIB
# If all lines were long. Many are short, so this is more than fits into MAX_BYTES.
MAX_POINTS = 4 * MAX_BYTES // POINT_BYTES


@dataclasses.dataclass(frozen=True)
class SnapshotQuestion:
    run: tuple[str, ...] | None = param("only these runs; may be repeated; an empty list is no run", None)
    tag: tuple[str, ...] = param("only these tags; may be repeated; all of them without", ())
    view: str = param("what the page shows when it is opened: its address after #", "")
    points: int = param("at most so many points of each line", 400, lo=4, hi=100_000)


def take(context: context.Context, question: SnapshotQuestion) -> responses.Heavy:
    take_snapshot = context.take_snapshot
    if take_snapshot is None:
        raise errors.NotFound("this board takes no snapshots", code="address.unknown")
    points = _most_points(context, question)
    if points > MAX_POINTS:
        raise _too_large(points * POINT_BYTES)

    def work() -> responses.Reply:
        taken = take_snapshot(context, question)
        if taken.size_bytes > MAX_BYTES:
            raise _too_large(taken.size_bytes)
        # its data is compressed inside
        return responses.Reply(b"".join(taken.pieces), HTML, headers=HEADERS, may_compress=False)

    return responses.Heavy(min(MEMORY_BYTES + points * POINT_MEMORY_BYTES, MAX_MEMORY_BYTES), work)


def _most_points(context: context.Context, question: SnapshotQuestion) -> int:
    """Returns how many points the lines have at most; short series have fewer."""
    rows = runs.select(context.store, question.run, "")
    lines = series.rows(context.store, types.Kind.SCALARS, question.tag or None, rows, most=None)
    return len(lines) * question.points


def _too_large(size: int) -> errors.LightboardError:
    return errors.Denied(
        f"the snapshot would have {size // MIB} MiB, at most {MAX_BYTES // MIB} MiB are possible",
        hint="choose fewer runs or tags",
        code="snapshot.too_large",
        size=size // MIB,
        limit=MAX_BYTES // MIB,
    )


API = (
    endpoints.Api(
        "/api/snapshot",
        take,
        question=SnapshotQuestion,
        methods=("POST",),
        about="Runs and tags as one HTML file that opens without a server.",
        media_types=(HTML,),
    ),
)
