"""`/api/annotations`: what people say about runs. They are read, changed, exported and imported as one document."""

from __future__ import annotations

import dataclasses
from typing import Any

from lightboard import errors
from lightboard.query.runs import annotations as annotations_
from lightboard.server import context, endpoints
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class AnnotationsQuestion:
    run: tuple[str, ...] | None = param("only these runs; repeatable", None)
    html: bool | None = param(
        "whether to render notes; by default unless there are more than 500, or a million characters in them", None
    )
    runs: dict[str, dict[str, Any]] | None = param(  # noqa: RUF009
        "POST only: fields to change by run; null removes a field, and in the place of a run's fields all of them", None
    )


@dataclasses.dataclass(frozen=True)
class Annotations:
    version: int  # of the store
    runs: dict[str, annotations_.Remarks]  # by name, runs that are gone too
    writable: bool  # whether this board can keep changes
    place: str  # the directory they are kept in; "" where they are not


def answer(context: context.Context, question: AnnotationsQuestion) -> Annotations:
    """After a change, returns the new state of the runs in the request."""
    sidecar, wanted = context.sidecar, question.run
    if question.runs is not None:
        if sidecar is None:
            raise errors.Denied("this board does not save notes", code="notes.disabled")
        sidecar.annotate(question.runs)
        wanted = tuple(question.runs)
    elif sidecar is not None:
        sidecar.refresh()
    found = annotations_.of_runs(context.store, wanted, html=question.html)
    if question.runs is not None:
        # a run that lost its last annotation is in the response, too
        found = {run: found.get(run, annotations_.Remarks()) for run in question.runs}
    writable, place = (sidecar.writable, sidecar.directory) if sidecar is not None else (False, "")
    return Annotations(context.store.version, found, writable, place)


API = (
    endpoints.Api(
        "/api/annotations",
        answer,
        question=AnnotationsQuestion,
        answer=Annotations,
        methods=("GET", "POST"),
        about="What people say about runs: names, notes, tags, colors. A POST changes it.",
    ),
)
