"""Who sends a request, from its headers; and whether a write was meant.

    bearer token     `Authorization: Bearer …`. Any other such header, or two of them, is nobody: a cookie is not asked
    session cookie   of a signed-in browser
    share cookie     opens one board; it is sent only below the address of that board
    frame cookie     of a notebook that shows one board: what its API token allows, sent only below that address
    nobody

Proofs are looked up by their digest, so a wrong value takes as long as any other.

CSRF. A browser attaches cookies to requests that other pages make. A write with a session therefore carries
`X-Lightboard-CSRF`, which only pages of this host can learn from `/api/v1/me`, and an `Origin`, if there is one, that
is ours. Pages of logged content have the origin `null`. A write without an identity (signing in, using a one-time link)
comes from our own page or from a program, so that nobody is signed in as somebody else without noticing.

One cookie for the whole host, not one for the API and one for boards: a page of this host can send requests to any
path, so paths protect nothing between them, whereas the prefix `__Host-` (https only) needs `Path=/` and keeps other
hosts of the same domain from planting a session. Every sign-in makes a new value.
"""

from __future__ import annotations

import asyncio
import dataclasses
import urllib.parse
from collections.abc import Callable, Iterable
from concurrent import futures
from typing import Any

from lightboard.hub import db
from lightboard.hub.life import accounts
from lightboard.hub.people import frames, may, tokens

SESSION_COOKIE = "lightboard_session"
SHARE_COOKIE = "lightboard_share_"  # and the id of the board
FRAME_COOKIE = "lightboard_frame_"  # likewise
CSRF_HEADER = b"x-lightboard-csrf"
BOARDS = "/boards/"
NOBODY = may.Identity()
# `User.last_seen` is written at most this often
SEEN_SECS = 300.0

Scope = Any
Header = tuple[str, str]


@dataclasses.dataclass(frozen=True)
class Proofs:
    """What a request says about its sender. `bearer` None: no such header, "": one that counts for nobody."""

    bearer: str | None = dataclasses.field(default=None, repr=False)
    session: str = dataclasses.field(default="", repr=False)
    share: str = dataclasses.field(default="", repr=False)
    frame: str = dataclasses.field(default="", repr=False)
    board: str = ""  # of the share and the frame

    @property
    def digest(self) -> bytes:
        """Of all together: the key of a cache."""
        bearer = "-" if self.bearer is None else f"+{self.bearer}"
        return tokens.digest(f"{bearer}\n{self.session}\n{self.share}\n{self.frame}\n{self.board}")


class Identities:
    """`url` tells the address of the hub as the client opens it; `threads` run what asks the database."""

    def __init__(
        self,
        database: db.Database,
        *,
        clock: Callable[[], float],
        url: Callable[[Scope], str],
        threads: futures.Executor | None = None,
        frame_tickets: frames.Frames | None = None,
    ) -> None:
        self._frames = frame_tickets
        self._database, self._clock, self._url, self._threads = database, clock, url, threads

    async def who(self, scope: Scope) -> may.Identity:
        proofs = proofs_of(scope)
        if proofs == Proofs():
            return NOBODY
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.identity_of, proofs)

    def identity_of(self, proofs: Proofs) -> may.Identity:
        """Asks the database: not in the event loop."""
        now = self._clock()
        if proofs.bearer is not None:
            return self._of_token(proofs.bearer, now)
        identity = self._of_session(proofs.session, now) if proofs.session else NOBODY
        if identity.user is None and proofs.frame:
            identity = self._of_frame(proofs, now)
        share = self._database.shares.find(tokens.digest(proofs.share), now) if proofs.share else None
        if share is None or share.board != proofs.board:
            return identity
        via = identity.via if identity.user is not None else "share"
        return dataclasses.replace(identity, via=via, shared_board=share.board)

    def _of_frame(self, proofs: Proofs, now: float) -> may.Identity:
        found = self._frames.maybe_token(frames.COOKIE, proofs.board, proofs.frame, now) if self._frames else None
        return NOBODY if found is None else self._of_hash(found, "frame", now)

    def _of_token(self, value: str, now: float) -> may.Identity:
        return self._of_hash(tokens.digest(value), "token", now) if value else NOBODY

    def _of_hash(self, hashed: bytes, via: str, now: float) -> may.Identity:
        token = self._database.people.token(hashed, now)
        user = self._user(token.user, now) if token is not None else None
        if token is None or user is None:
            return NOBODY
        return may.Identity(user, via=via, scopes=token.scopes)

    def _of_session(self, value: str, now: float) -> may.Identity:
        session = self._database.people.session(tokens.digest(value), now)
        user = self._user(session.user, now) if session is not None else None
        if session is None or user is None:
            return NOBODY
        return may.Identity(user, via="session", session=session.id)

    def _user(self, user: str, now: float) -> accounts.User | None:
        found = self._database.people.user(user)
        if found is None or not found.enabled:
            return None
        if found.last_seen is None or now - found.last_seen >= SEEN_SECS:
            self._database.people.note_seen(user, now)
        return found

    def is_ours(self, scope: Scope) -> bool:
        """Whether a request comes from a page of the hub or from a program: other pages say where they are from."""
        return _is_ours(scope, self._url(scope))

    def csrf_holds(self, scope: Scope, identity: may.Identity) -> bool:
        if identity.via == "token":
            return True
        if not self.is_ours(scope):
            return False
        if identity.via != "session":
            return True
        sent = _values(scope, CSRF_HEADER)
        return len(sent) == 1 and tokens.same(sent[0], tokens.csrf_of(proofs_of(scope).session))


def proofs_of(scope: Scope) -> Proofs:
    bearers = _values(scope, b"authorization")
    if bearers:
        return Proofs(bearer=_bearer(bearers))
    cookies = _cookies(scope)
    board = board_of(scope["path"])
    return Proofs(
        session=_first(cookies, (f"__Host-{SESSION_COOKIE}", SESSION_COOKIE), _is_secure(scope)),
        share=_of_board(cookies, SHARE_COOKIE, board, scope),
        frame=_of_board(cookies, FRAME_COOKIE, board, scope),
        board=board,
    )


def _of_board(cookies: list[Header], name: str, board: str, scope: Scope) -> str:
    return _first(cookies, (f"__Secure-{name}{board}", name + board), _is_secure(scope)) if board else ""


def board_of(path: str) -> str:
    """The id of the board below whose address a path is, "" for others."""
    return path[len(BOARDS) :].partition("/")[0] if path.startswith(BOARDS) else ""


def _bearer(headers: list[str]) -> str:
    if len(headers) != 1:
        return ""
    scheme, _, value = headers[0].partition(" ")
    value = value.strip()
    if scheme.lower() != "bearer" or not value.isascii() or " " in value or len(value) > tokens.MOST_LENGTH:
        return ""
    return value


def _cookies(scope: Scope) -> list[Header]:
    parts = [part.strip().partition("=") for line in _values(scope, b"cookie") for part in line.split(";")]
    return [(name, value) for name, _, value in parts]


def _first(cookies: Iterable[Header], names: tuple[str, str], secure: bool) -> str:
    """Over https only the name with its prefix counts: other hosts cannot set it."""
    wanted = names[0] if secure else names[1]
    found = [value for name, value in cookies if name == wanted]
    return found[0] if found and found[0].isascii() and len(found[0]) <= tokens.MOST_LENGTH else ""


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for each, value in scope["headers"] if each == name]


def _is_secure(scope: Scope) -> bool:
    return bool(scope.get("scheme") == "https")


def _is_ours(scope: Scope, url: str) -> bool:
    """Programs send neither header."""
    sites = _values(scope, b"sec-fetch-site")
    if any(site not in ("same-origin", "none") for site in sites):
        return False
    return all(origin_of(each) == origin_of(url) for each in _values(scope, b"origin"))


def origin_of(url: str) -> tuple[str, str, int | None] | None:
    """None for what is no origin, such as `null`: it equals no address of the hub."""
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


# -- cookies


def cookies_for(session_value: str, secure: bool, max_age: float) -> tuple[Header, ...]:
    """The headers that sign a browser in. The value is always a new one, never one that the browser sent."""
    return (("Set-Cookie", _cookie(_session_name(secure), session_value, "/", secure, max_age)),)


def cookies_cleared(secure: bool) -> tuple[Header, ...]:
    return (("Set-Cookie", _cookie(_session_name(secure), "", "/", secure, 0)),)


def share_cookie(board: str, value: str, secure: bool, max_age: float) -> Header:
    name = f"__Secure-{SHARE_COOKIE}{board}" if secure else SHARE_COOKIE + board
    return "Set-Cookie", _cookie(name, value, f"{BOARDS}{board}/", secure, max_age)


def frame_cookie(board: str, value: str, secure: bool, max_age: float) -> Header:
    """Over https browsers also send it to a frame of another site, for pages of that site alone."""
    name = f"__Secure-{FRAME_COOKIE}{board}" if secure else FRAME_COOKIE + board
    made = _cookie(name, value, f"{BOARDS}{board}/", secure, max_age)
    return "Set-Cookie", made.replace("SameSite=Lax", "SameSite=None; Partitioned") if secure else made


def _session_name(secure: bool) -> str:
    return f"__Host-{SESSION_COOKIE}" if secure else SESSION_COOKIE


def _cookie(name: str, value: str, path: str, secure: bool, max_age: float) -> str:
    ending = "; Secure" if secure else ""
    return f"{name}={value}; Path={path}; Max-Age={max(0, int(max_age))}; HttpOnly; SameSite=Lax{ending}"
