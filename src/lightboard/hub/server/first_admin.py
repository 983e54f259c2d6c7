"""The first admin of a new hub.

With LIGHTBOARD_HUB_ADMIN_TOKEN in the environment, the first start makes the user `admin` with this token. Otherwise it
makes `admin` without a password and returns a one-time link, by which somebody chooses name and password. As long as no
admin can sign in, every start makes a new link, which ends the one before.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping

from lightboard import errors
from lightboard.hub import db
from lightboard.hub.life import accounts, names
from lightboard.hub.people import newcomers, tokens

VARIABLE = "LIGHTBOARD_HUB_ADMIN_TOKEN"
NAME = "admin"
PURPOSE = "first-admin"
LINK_SECS = 7 * 86400.0


def prepare(database: db.Database, environment: Mapping[str, str], now: float) -> str:
    """Returns the value of a one-time link, "" if none is needed."""
    token = checked(environment.get(VARIABLE, ""))
    admins = [each for each in _everybody(database) if each.admin and each.enabled]
    if not database.people.user_count():
        user = newcomers.add(database, NAME, now, display_name="Admin", admin=True)
        if user is None:  # another hub process makes it at this moment
            return ""
        admins = [user]
        if token:
            _add_token(database, user, token, now)
    if any(each.password_hash or database.people.tokens(each.id) for each in admins) or not admins:
        return ""
    made = tokens.make(tokens.LINK)
    database.people.add_link(accounts.OneTimeLink(made.hash, admins[0].id, PURPOSE, now, now + LINK_SECS))
    return made.value


def _everybody(database: db.Database) -> Iterator[accounts.User]:
    after = ""
    while page := database.people.users(after=after):
        yield from page
        after = page[-1].name


def checked(token: str) -> str:
    if token and not tokens.LEAST_LENGTH <= len(token) <= tokens.MOST_LENGTH:
        raise errors.BadInput(
            f"{VARIABLE} has {len(token)} characters; a token has {tokens.LEAST_LENGTH} to {tokens.MOST_LENGTH}",
            hint="make one with `openssl rand -hex 32`",
        )
    if not token.isascii() or any(each.isspace() or not each.isprintable() for each in token):
        raise errors.BadInput(f"{VARIABLE} has a space or a letter beyond ASCII, which no header can carry")
    return token


def _add_token(database: db.Database, user: accounts.User, value: str, now: float) -> None:
    token = accounts.Token(
        id=names.new_id("t", secrets.token_bytes(names.ID_BYTES)),
        hash=tokens.digest(value),
        user=user.id,
        name="first admin",
        created=now,
    )
    database.people.add_token(token)
