"""Data of a running board for a picture: requested over HTTP, drawn by `picture`.

A few scalar tags that most runs have, of the runs that were written last.
"""

from __future__ import annotations

import json
import time
from typing import Any, Protocol

from lightboard import instances, picture

# A small logdir is read much faster; for a large one the picture shows what has been read by then.
PATIENCE_SECS = 3.0
POLL_SECS = 0.05


class Fetch(Protocol):
    """Returns what a board answers at an address below its own; raises OSError, or an error of the hub."""

    def __call__(self, address: str, body: bytes | None = None) -> bytes: ...


def of_board(instance: instances.Instance, *, patience_secs: float = PATIENCE_SECS) -> picture.Digest:
    """Raises OSError if the board does not respond."""

    def fetch(address: str, body: bytes | None = None) -> bytes:
        return instances.fetch(instance, address, body=body)

    return of_answers(fetch, f"Lightboard on {instance.logdir}", patience_secs=patience_secs)


def session_of(fetch: Fetch) -> str:
    return str(_ask(fetch, "api/board")["session"])


def of_answers(fetch: Fetch, title: str, *, patience_secs: float = PATIENCE_SECS) -> picture.Digest:
    board = _loaded(fetch, patience_secs)
    runs = _ask(fetch, f"api/runs?sort=-last_time&limit={picture.MAX_LINES}")
    tags = _ask(fetch, "api/tags", run=runs["name"]).get("kinds", {}).get("scalars", {"tag": [], "runs": []})
    ranked = sorted(zip(tags["tag"], tags["runs"], strict=True), key=lambda one: -int(one[1]))
    chosen = [tag for tag, _ in ranked[: picture.MAX_CHARTS]]
    return picture.Digest(
        title,
        facts(board),
        tuple(_charts(fetch, chosen, dict(zip(runs["name"], runs["slot"], strict=True)))) if chosen else (),
        picture.rest(len(runs["name"]), runs["total"], len(chosen), len(tags["tag"])),
    )


def facts(board: dict[str, Any]) -> str:
    counts, progress = board["counts"], board["progress"]
    words = [picture.many(counts["runs"], "run"), picture.many(counts["points"], "point")]
    words += [f"{n:,} {kind.replace('_', ' ')}" for kind, n in counts["tags"].items()]
    return " · ".join(words) + ("" if progress["done"] else " (still reading)")


def _loaded(fetch: Fetch, patience_secs: float) -> dict[str, Any]:
    end = time.monotonic() + patience_secs
    while True:
        board: dict[str, Any] = _ask(fetch, "api/board")
        if board["progress"]["done"] or time.monotonic() > end:
            return board
        time.sleep(POLL_SECS)


def _ask(fetch: Fetch, address: str, **question: Any) -> Any:
    body = json.dumps(question).encode() if question else None
    try:
        return json.loads(fetch(address, body))
    except ValueError as error:
        raise OSError(f"not the answer of a board: {address}") from error


def _charts(fetch: Fetch, tags: list[str], runs: dict[str, int]) -> list[picture.Chart]:
    """`runs`: name → number of its color."""
    from lightboard.server import frames  # NumPy; the Jupyter server imports this package for its launcher

    width = picture.columns_for(len(tags) * len(runs))
    body = json.dumps({"tag": tags, "run": list(runs), "width": width}).encode()
    header, arrays = frames.decode(fetch("api/scalars", body))
    lines: dict[str, list[picture.Line]] = {tag: [] for tag in tags}
    start = 0
    for series, kept in zip(header["exact"], header["kept"], strict=True):
        steps = arrays["step"][start : start + kept].tolist()
        values = arrays["value"][start : start + kept].tolist()
        start += kept
        if kept:
            run = header["runs"][header["run"][series]]
            lines[header["tags"][header["tag"][series]]].append(
                picture.Line(run, steps, values, values[-1], runs.get(run, 0))
            )
    return [picture.Chart(tag, tuple(found)) for tag, found in lines.items() if found]
