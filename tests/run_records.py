"""Reads back what a run told about itself (`_lightboard_/…`)."""

from __future__ import annotations

import json
from typing import Any

from lightboard import query
from lightboard.query.runs import runs
from lightboard.reading import Logs


def records(logs: Logs, run: str, name: str) -> list[Any]:
    """The JSON values of `_lightboard_/<name>`."""
    found = []
    for value in logs.tensors(run, f"_lightboard_/{name}"):
        assert value.strings is not None
        found.append(json.loads(value.strings[0]))
    return found


def states(logs: Logs, *, now: float | None = None) -> dict[str, str]:
    store: query.Store = logs._store
    listing = runs.listing(store, now=now)
    return dict(zip(listing.name, listing.state, strict=True))
