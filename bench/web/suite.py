"""The measurements by name, in the order of execution."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from bench import report
from bench.web import (
    boards,
    following,
    graphs,
    kinds,
    lists,
    moving,
    opening,
    projector,
    sliding,
    soaking,
    trials,
    weight,
)

MEASUREMENTS: dict[str, Callable[[boards.Conditions], AsyncIterator[report.Row]]] = {
    "weight": weight.measure,
    "open": opening.measure,
    "pan": moving.twelve,
    "thousand": moving.thousand,
    "smoothing": sliding.measure,
    "runs": lists.runs,
    "tags": lists.tags,
    "live": following.measure,
    "kinds": kinds.measure,
    "trials": trials.measure,
    "graphs": graphs.measure,
    "projector": projector.measure,
    "soak": soaking.measure,
}
