"""`/api/health`: which files are damaged, where, and what was done about it."""

from __future__ import annotations

from lightboard.query import health
from lightboard.server import context, endpoints, parameters


def answer(context: context.Context, question: parameters.Nothing) -> health.Health:
    return health.health(context.store, roots=context.settings.roots, notices=context.settings.notices)


API = (endpoints.Api("/api/health", answer, answer=health.Health, about="Damaged files: where, what, how much."),)
