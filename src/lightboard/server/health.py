"""`/api/health`: which files are damaged, where, and what was done about it."""

from __future__ import annotations

import pathlib

from lightboard import errors
from lightboard.query import health
from lightboard.server import context, endpoints, parameters


def answer(context: context.Context, question: parameters.Nothing) -> health.Health:
    settings = context.settings
    # checked at each request: a logdir may be created after the board starts, and be deleted before it stops
    absent = [_absent(root) for root in settings.roots if _is_absent(root)]
    return health.health(context.store, roots=settings.roots, notices=[*settings.notices, *absent, *_remarks(context)])


def _absent(root: str) -> errors.Explanation:
    message = f"no such directory, waiting for it: {root}"
    return errors.Explanation(message, code="logdir.absent", parameters={"path": root})


def _remarks(context: context.Context) -> list[errors.Explanation]:
    return context.sidecar.notices() if context.sidecar is not None else []


def _is_absent(root: str) -> bool:
    pattern = any(mark in root for mark in "*?[")
    return not pattern and "://" not in root and not pathlib.Path(root).exists()


API = (endpoints.Api("/api/health", answer, answer=health.Health, about="Damaged files: where, what, how much."),)
