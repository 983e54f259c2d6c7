"""`/api/board`: the first request of a page."""

from __future__ import annotations

import dataclasses

import lightboard
from lightboard import types
from lightboard.query import board
from lightboard.server import context, endpoints, parameters, root_checks


@dataclasses.dataclass(frozen=True, kw_only=True)
class Board:
    name: str  # for the window's title
    lightboard: str  # version of the program
    logdir: str  # as the user gave it
    rewinds: str  # what is shown unless a request says otherwise
    session: str  # changes when the board is started again: versions and run ids then mean something else
    version: int  # of the store; grows with every change
    progress: types.Progress
    counts: board.Counts
    faults: int
    unshown: list[board.Unshown]  # files that no page shows
    places: list[root_checks.Place]  # where the board looks for logs, and what it finds there


def answer(context: context.Context, question: parameters.Nothing) -> Board:
    settings = context.settings
    found = board.summary(context.store)
    return Board(
        name=settings.window_title or "Lightboard",
        lightboard=lightboard.__version__,
        logdir=settings.logdir,
        rewinds=settings.rewinds.value,
        session=context.session,
        version=found.version,
        progress=found.progress,
        counts=found.counts,
        faults=found.faults,
        unshown=found.unshown,
        places=root_checks.check(context.store, settings.roots, context.lookups),
    )


API = (
    endpoints.Api(
        "/api/board", answer, answer=Board, about="Name, loading progress and counts of the board.", first=True
    ),
)
