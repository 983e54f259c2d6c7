"""Signing in and out, and the sessions of an account.

An unknown name, a wrong password and a disabled account take the same way and get the same answer. A sign-in always
makes a new session and ends the one that the browser had.
"""

from __future__ import annotations

import secrets
from typing import Any

from lightboard.hub.api import me, problems, routes, shapes, things
from lightboard.hub.api.routes import Asked, Reply, Route
from lightboard.hub.life import accounts, names, refusals
from lightboard.hub.people import identity, tokens
from lightboard.hub.people.may import Action

LONGEST_AGENT = 200
MOST_SESSIONS = 100


class SignIn(routes.Struct, frozen=True, kw_only=True):
    name: str
    password: str


class Session(routes.Answer, frozen=True, kw_only=True):
    id: str
    created: str
    last_used: str
    expires: str
    address: str
    agent: str
    current: bool


class Sessions(routes.Answer, frozen=True, kw_only=True):
    items: list[Session]
    next_page_token: str = ""


async def sign_in(asked: Asked[None, SignIn]) -> Reply:
    async with asked.services.attempts.turn():
        reply: Reply = await asked.run(_sign_in, asked)
        return reply


def _sign_in(asked: Asked[None, SignIn]) -> Reply:
    services, name = asked.services, _folded(asked.body.name)
    services.attempts.take(name, asked.address, asked.now)
    user = services.database.people.user_named(name) if name else None
    password_hash = user.password_hash if user is not None and user.enabled else None
    matches = services.passwords.matches(password_hash, asked.body.password)
    reply = begin(asked, user) if matches and user is not None else None
    if reply is None:
        _note_failure(asked, name)
        raise problems.Problem(401, "WrongPassword", "the name or the password is wrong", hint="try again")
    services.attempts.succeeded(name, asked.address, asked.now)
    _renew_hash(asked, user)
    return reply


def _folded(name: str) -> str:
    """The name as accounts have it, "" for one that no account can have."""
    try:
        return names.checked_user(name)
    except refusals.BadName:
        return ""


def _note_failure(asked: Asked[None, SignIn], name: str) -> None:
    """What was typed may be a password, so only names of accounts are written."""
    known = name and asked.services.database.people.user_named(name) is not None
    entry = accounts.AuditEntry(
        time=asked.now,
        actor="nobody",
        action="session.create",
        thing=name if known else "",
        outcome="WrongPassword",
        address=asked.address,
    )
    asked.services.database.journal.record(entry)


def _renew_hash(asked: Asked[None, SignIn], user: accounts.User | None) -> None:
    """The parameters of argon2 have grown since the password was set."""
    passwords = asked.services.passwords
    if user is None or not passwords.is_outdated(user.password_hash):
        return
    try:
        renewed = passwords.hash(asked.body.password)
    except refusals.BadPassword:  # from a time when shorter ones were allowed
        return
    asked.services.database.people.change_password_hash(user.id, user.password_hash, renewed)


def begin(asked: Asked[Any, Any], user: accounts.User) -> Reply | None:
    """Makes a session; None if the password was changed or the account disabled since `user` was read."""
    services, made = asked.services, tokens.make(tokens.SESSION)
    session = accounts.Session(
        id=names.new_id("n", secrets.token_bytes(names.ID_BYTES)),
        hash=made.hash,
        user=user.id,
        created=asked.now,
        expires=asked.now + services.session_secs,
        last_used=asked.now,
        address=asked.address[:100],
        agent=asked.headers.get("user-agent", "")[:LONGEST_AGENT],
    )
    if not services.database.people.sign_in(session, user.password_hash, most=MOST_SESSIONS):
        return None
    if asked.identity.session and asked.identity.user is not None:
        services.database.people.remove_session(asked.identity.user.id, asked.identity.session)
    return Reply(
        value=me.of_session(asked, user, made.value),
        status=201,
        headers=identity.cookies_for(made.value, asked.secure, services.session_secs),
        note=routes.Note(actor=user.name, thing=user.name),
    )


def sign_out(asked: Asked[None, None]) -> Reply:
    """Also without a session: the cookie goes in any case."""
    if asked.identity.session:
        asked.services.database.people.remove_session(asked.user.id, asked.identity.session)
    return Reply(
        status=204, headers=identity.cookies_cleared(asked.secure), note=routes.Note(thing=asked.identity.name)
    )


def show_all(asked: Asked[None, None]) -> Sessions:
    found = asked.services.database.people.sessions(asked.user.id, asked.now)
    return Sessions(items=[_shown(each, asked.identity.session) for each in found])


def _shown(session: accounts.Session, current: str) -> Session:
    return Session(
        id=session.id,
        created=shapes.time(session.created),
        last_used=shapes.time(session.last_used),
        expires=shapes.time(session.expires),
        address=session.address,
        agent=session.agent,
        current=session.id == current,
    )


def end(asked: Asked[None, None]) -> None:
    if not asked.services.database.people.remove_session(asked.user.id, asked.path["session"]):
        raise problems.not_found(f"session {asked.path['session']}")


ROUTES = (
    Route("POST", "/session", sign_in, None, body=SignIn, answer=me.Me, status=201, audit="session.create",
          about="Signs in with name and password; the answer sets the session cookie."),
    Route("DELETE", "/session", sign_out, None, audit="session.end", about="Signs out."),
    Route("GET", "/sessions", show_all, Action.OWN_READ, thing=things.own, answer=Sessions,
          about="Lists the browsers that are signed in to the account."),
    Route("DELETE", "/sessions/{session}", end, Action.OWN_EDIT, thing=things.own, audit="session.end",
          about="Signs one browser out, at once."),
)  # fmt: skip
