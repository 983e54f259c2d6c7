"""Links that open one board without an account. A link is told once, when it is created; only its hash is kept."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

import msgspec

from lightboard.hub.api import definitions, problems, shapes, things
from lightboard.hub.api.routes import Answer, Asked, NoQuery, Note, Reply, Route, Struct
from lightboard.hub.life import accounts, durations, names
from lightboard.hub.people import tokens
from lightboard.hub.people.may import Action

# That still work, of one board.
MOST_SHARES = 100


class Share(Answer, frozen=True, kw_only=True):
    id: str
    created: str
    created_by: str  # the name of a user
    role: accounts.Role
    view: str  # the part of the board's address after #
    expires: str | None  # null: never
    revoked: str | None
    uses: int
    last_used: str | None


class NewShare(Share, frozen=True, kw_only=True):
    url: str  # shown only now


class ShareList(Answer, frozen=True, kw_only=True):
    """Newest first, revoked and expired ones included."""

    items: list[Share]


class CreateShare(Struct, frozen=True, kw_only=True):
    expires_in: definitions.Duration = "7d"  # or "never"
    view: Annotated[str, msgspec.Meta(max_length=8000)] = ""  # the part of the board's address after #


def show_list(asked: Asked[NoQuery, None]) -> ShareList:
    found = asked.services.database.shares.of_board(asked.board.id)
    users = asked.services.database.people.names(each.created_by for each in found)
    return ShareList(items=[Share(**_shown(each, users.get(each.created_by, ""))) for each in found])


def create(asked: Asked[NoQuery, CreateShare]) -> Reply:
    body, now = asked.body, asked.now
    known = asked.services.database.shares.of_board(asked.board.id)
    if sum(each.revoked is None and (each.expires is None or each.expires > now) for each in known) >= MOST_SHARES:
        hint = "revoke one of them"
        raise problems.Problem(409, "TooManyShares", f"the board has {MOST_SHARES} links", hint=hint)
    secs = durations.parse(body.expires_in)
    made = tokens.make(tokens.SHARE)
    share = accounts.Share(
        id=names.new_id("s", secrets.token_bytes(names.ID_BYTES)),
        board=asked.board.id,
        hash=made.hash,
        created=now,
        created_by=asked.user.id,
        view=_view(body.view),
        expires=now + secs if secs else None,
    )
    asked.services.database.shares.add(share)
    shown = NewShare(**_shown(share, asked.user.name), url=f"{asked.base_url}/s/{made.value}")
    return Reply(value=shown, status=201, note=Note(detail={"expires": shown.expires}))


def revoke(asked: Asked[NoQuery, None]) -> None:
    if not asked.services.database.shares.revoke(asked.board.id, asked.path["share"], asked.now):
        raise problems.not_found(asked.path["share"])


def _view(written: str) -> str:
    """What follows the # of a page's address, on one line."""
    view = written.strip().removeprefix("#")
    if any(ord(each) < 33 or ord(each) == 127 for each in view):
        hint = "copy what follows the # in the board's address"
        raise problems.Problem(400, "BadRequest", "the view has spaces or control characters", hint=hint)
    return view


def _shown(share: accounts.Share, created_by: str) -> dict[str, Any]:
    return {
        "id": share.id,
        "created": shapes.time(share.created),
        "created_by": created_by,
        "role": share.role,
        "view": share.view,
        "expires": shapes.maybe_time(share.expires),
        "revoked": shapes.maybe_time(share.revoked),
        "uses": share.uses,
        "last_used": shapes.maybe_time(share.last_used),
    }


ROUTES = (
    Route("GET", "/boards/{board}/shares", show_list, Action.BOARD_SHARE, thing=things.board, answer=ShareList,
          about="Lists links to a board."),
    Route("POST", "/boards/{board}/shares", create, Action.BOARD_SHARE, thing=things.board, body=CreateShare,
          answer=NewShare, status=201, audit="share.create",
          about="Creates a link to a board. Its address is shown only now."),
    Route("DELETE", "/boards/{board}/shares/{share}", revoke, Action.BOARD_SHARE, thing=things.board, status=204,
          about="Revokes a link.", audit="share.revoke"),
)  # fmt: skip
