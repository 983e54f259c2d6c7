"""What is found at sources, before a board is created of them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec

from lightboard.hub.api import definitions, shapes, things
from lightboard.hub.api.routes import Answer, Asked, NoQuery, Route, Struct
from lightboard.hub.people.may import Action


class CheckSources(Struct, frozen=True, kw_only=True):
    workspace: definitions.Text = ""
    sources: Annotated[tuple[definitions.SourceBody, ...], msgspec.Meta(min_length=1, max_length=10)]


class Found(Answer, frozen=True, kw_only=True):
    """`code` without `ok` is a problem, with it a warning."""

    uri: str
    ok: bool
    code: str
    message: str
    hint: str
    type: str
    runs: int
    files: int
    bytes: int
    newest: str | None
    more: bool  # there was no time to count everything
    names: list[str]  # of the first runs


class CheckedSources(Answer, frozen=True, kw_only=True):
    items: list[Found]


async def check(asked: Asked[NoQuery, CheckSources]) -> CheckedSources:
    sources = definitions.sources(asked.body.sources)
    looks = [
        asked.services.sources.look(asked.workspace, each, admin=asked.is_admin, user=asked.user.id) for each in sources
    ]
    found = await asyncio.gather(*looks)
    return CheckedSources(items=[_shown(each, source.uri) for each, source in zip(found, sources, strict=True)])


def _shown(found: Any, uri: str) -> Found:
    return Found(
        uri=uri,
        ok=found.ok,
        code=found.code,
        message=found.message,
        hint=found.hint,
        type=found.type,
        runs=found.runs,
        files=found.files,
        bytes=found.bytes,
        newest=shapes.maybe_time(found.newest),
        more=found.more,
        names=list(found.names),
    )


ROUTES = (
    Route("POST", "/boards:check", check, Action.BOARD_CREATE, thing=things.workspace_of_body, body=CheckSources,
          answer=CheckedSources, about="Looks what is found at sources, for a few seconds."),
)  # fmt: skip
