"""Time from process start to the first page."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Protocol

from bench import client, processes

POLL_SECS = 0.005
LIMIT_SECS = 60.0


class Side(Protocol):
    """The interface that both boards implement."""

    def start(self, logdir: Path, *, fresh: bool = True) -> tuple[processes.Running, str]: ...


def first_page_secs(side: Side, logdir: Path) -> float:
    """Return the seconds until `GET /` first returns 200."""
    running, url = side.start(logdir)
    with running, contextlib.closing(client.Client(url)) as http:
        wait_for_page(http)
        return running.elapsed_secs()


def wait_for_page(http: client.Client) -> None:
    """Block until `GET /` returns 200."""
    if not client.wait_until(
        lambda: http.send(client.Request("/")).status == 200, every_secs=POLL_SECS, limit_secs=LIMIT_SECS
    ):
        raise TimeoutError(f"no page within {LIMIT_SECS} s")
