"""`/api/views`: saved views by name."""

from __future__ import annotations

import dataclasses

from lightboard import errors, sidecar
from lightboard.server import context, endpoints
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class ViewsQuestion:
    name: str | None = param("PUT or POST: name of the view to save; DELETE: to delete", None)
    view: str | None = param("PUT or POST: what is to be seen, the page's own text", None)
    description: str = param("PUT or POST: a description", "")


@dataclasses.dataclass(frozen=True)
class ViewQuestion:
    name: str = param("name of the view", in_path=True)


@dataclasses.dataclass(frozen=True)
class Views:
    """Saved views in the order of their names."""

    version: int  # of the store
    views: list[sidecar.View]
    writable: bool  # whether this board can keep more
    place: str  # the directory they are kept in; "" where they are not


def listing(context: context.Context, question: ViewsQuestion, request: endpoints.Request) -> Views:
    kept = context.sidecar
    if request.method in ("PUT", "POST"):
        if question.name is None or question.view is None:
            raise errors.BadQuestion("a view to save needs `name` and `view`")
        _kept(context).save_view(question.name, question.view, question.description)
    if request.method == "DELETE":
        if question.name is None:
            raise errors.BadQuestion("a view to delete needs `name`")
        _kept(context).delete_view(question.name)
    if kept is None:
        return Views(context.store.version, [], False, "")
    return Views(context.store.version, kept.views(), kept.writable, kept.directory)


def one(context: context.Context, question: ViewQuestion, request: endpoints.Request) -> sidecar.View:
    """Returns a view; with DELETE, the deleted one."""
    for view in context.sidecar.views() if context.sidecar is not None else ():
        if view.name == question.name:
            if request.method == "DELETE":
                _kept(context).delete_view(question.name)
            return view
    raise errors.NotFound(
        f"no view is named `{question.name[:100]}`",
        hint="/api/views lists them",
        code="view.unknown",
        name=question.name[:100],
    )


def _kept(context: context.Context) -> sidecar.Sidecar:
    if context.sidecar is None:
        raise errors.Denied("this board does not save views", code="notes.disabled")
    return context.sidecar


API = (
    endpoints.Api(
        "/api/views",
        listing,
        question=ViewsQuestion,
        answer=Views,
        methods=("GET", "POST", "PUT", "DELETE"),
        about="Saved views; PUT and POST save one, DELETE removes one.",
        wants_request=True,
    ),
    endpoints.Api(
        "/api/views/{name:path}",
        one,
        question=ViewQuestion,
        answer=sidecar.View,
        methods=("GET", "DELETE"),
        about="One saved view; DELETE removes it.",
        wants_request=True,
    ),
)
