"""Annotations of runs, as a page shows them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable

from lightboard import store as store_
from lightboard import types
from lightboard.formats import markup

# Limits on rendering: a note takes a third of a millisecond or more, five million characters a second. They apply when
# the caller does not choose.
MOST_RENDERED = 500
MOST_RENDERED_CHARS = 1_000_000


_OPTIONAL = {"may_be_absent": True}  # left out of the response if empty


@dataclasses.dataclass(frozen=True)
class Remarks:
    """What people say about one run. Members are left out where nothing was said."""

    name: str | None = dataclasses.field(default=None, metadata=_OPTIONAL)  # to be shown in place of the run's own
    note: str | None = dataclasses.field(default=None, metadata=_OPTIONAL)  # Markdown
    note_html: str | None = dataclasses.field(default=None, metadata=_OPTIONAL)  # the note, rendered and safe
    tags: list[str] | None = dataclasses.field(default=None, metadata=_OPTIONAL)
    archived: bool | None = dataclasses.field(default=None, metadata=_OPTIONAL)
    color: str | None = dataclasses.field(default=None, metadata=_OPTIONAL)  # "#rrggbb"


def of_runs(store: store_.Store, runs: Iterable[str] | None = None, *, html: bool | None = None) -> dict[str, Remarks]:
    """Annotations by run name; `runs` None: of all runs, also deleted ones. Runs without any are left out.

    `html` None: notes are rendered unless there are too many.
    """
    known = store.annotations
    wanted = list(known if runs is None else [run for run in dict.fromkeys(runs) if run in known])
    if html is None:
        notes = [note for run in wanted if (note := known[run].note) is not None]
        html = len(notes) <= MOST_RENDERED and sum(map(len, notes)) <= MOST_RENDERED_CHARS
    return {run: remarks(known[run], html=html) for run in wanted}


def remarks(said: types.Annotation, *, html: bool = True) -> Remarks:
    return Remarks(
        said.name,
        said.note,
        _rendered(said.note) if html and said.note else None,
        list(said.tags) or None,
        said.archived or None,
        said.color,
    )


@functools.lru_cache(maxsize=2 * MOST_RENDERED)
def _rendered(note: str) -> str:
    return markup.render(note.encode("utf-8", "replace"))
