"""A board as one HTML file that opens without a server: `lightboard snapshot`.

    choice.py      which runs, tags, kinds and points; the view
    recording.py   the answers the page will ask for, from the routes of the server (`asking.py`), as blocks
    lines.py       points of scalars as a compact block
    page.py        the built page, packed into one file together with the blocks

The page inside is the built page, unchanged. Where it would send a request, `web/src/api/snapshot/` answers from the
blocks. See docs/design/0023-snapshots.md.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lightboard.snapshot import page, recording
from lightboard.snapshot.choice import (
    DEFAULT_IMAGE_BYTES,
    DEFAULT_MAX_BYTES,
    DEFAULT_POINTS,
    KINDS,
    Choice,
    view_of,
)
from lightboard.snapshot.recording import Part

if TYPE_CHECKING:
    from lightboard.server import context

__all__ = [
    "DEFAULT_IMAGE_BYTES",
    "DEFAULT_MAX_BYTES",
    "DEFAULT_POINTS",
    "KINDS",
    "Choice",
    "Part",
    "Snapshot",
    "take",
    "view_of",
]


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """A complete file in memory, and what is in it."""

    pieces: tuple[bytes, ...]
    runs: int
    parts: tuple[Part, ...]
    page_bytes: int  # scripts and styles

    @property
    def size_bytes(self) -> int:
        return sum(map(len, self.pieces))

    @property
    def tags(self) -> int:
        return sum(part.tags for part in self.parts)


def take(context: context.Context, chosen: Choice) -> Snapshot:
    """Takes a snapshot of a board that has been loaded."""
    recorded = recording.record(context, chosen)
    static_dir = context.settings.static_dir
    scripts = page.scripts(static_dir, recorded.kinds).element()
    info = {
        "name": recorded.name,
        "taken": time.time(),
        "kinds": recorded.kinds,
        "points": chosen.points,
        "smoothing": recorded.smoothing,
        "view": recorded.view,
    }
    elements, sizes = _elements(recorded)
    pieces = tuple(page.document(info, [scripts, *elements], static_dir))
    parts = tuple(dataclasses.replace(part, bytes=sizes.get(part.kind, 0)) for part in recorded.parts)
    return Snapshot(pieces, recorded.runs, parts, len(scripts))


def _elements(recorded: recording.Recorded) -> tuple[Iterable[bytes], dict[str, int]]:
    elements: list[bytes] = []
    sizes: dict[str, int] = {}
    for kind, block in recorded.blocks:
        elements.append(block.element())
        sizes[kind] = sizes.get(kind, 0) + len(elements[-1])
    return elements, sizes
