"""An in-process client for a board, and stores to ask about."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import numpy as np

from lightboard import query, sidecar, types
from lightboard.server import app, settings


@contextlib.asynccontextmanager
async def board(
    store: query.Store | None = None,
    *,
    base: str = "http://localhost",
    logdir_of_remarks: str = "",
    take_snapshot: Callable[..., Any] | None = None,
    **given: Any,
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a board on the store; keywords are settings. `logdir_of_remarks` has a sidecar in it."""
    store = store or small().build()
    kept = sidecar.Sidecar(store, [logdir_of_remarks]) if logdir_of_remarks else None
    made = app.create(store, settings.Settings(**given), sidecar=kept, take_snapshot=take_snapshot)
    transport = httpx.ASGITransport(made, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=base) as client:
        yield client


def small() -> query.Builder:
    """Three runs with a loss, one of them with a picture."""
    builder = query.Builder()
    for number in (10, 2, 1):
        values = np.linspace(1, 0.1 * number, 20, dtype=np.float32)
        builder.scalars(f"run{number}", "loss", values)
    builder.tensors("run1", "sample", types.Kind.IMAGES, [picture(b"\x89PNG\r\n\x1a\nfirst"), picture(b"<svg>second")])
    return builder


def picture(*images: bytes) -> types.Tensor:
    strings = (b"4", b"3", *images)
    return types.Tensor((len(strings),), strings=strings)
