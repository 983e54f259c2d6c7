"""A route of the REST API as data, and what a handler gets.

    ROUTES = (
        Route("GET", "/boards/{board}", show, Action.BOARD_READ, thing=things.board, query=Wait, answer=shapes.Board),
    )

    def show(asked: Asked[Wait, None]) -> shapes.Board: ...

`thing` finds what the route is about; `app` answers 404 if the client may not see it, 403 if it may see it but not do
this, and only then calls the handler. There is no other way to a handler.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from lightboard.hub import db, keeper, runtimes
from lightboard.hub.api import failing, news
from lightboard.hub.jobs import boards as job_boards
from lightboard.hub.jobs import console
from lightboard.hub.life import accounts, jobs, nouns
from lightboard.hub.people import attempts, may, passwords, vault
from lightboard.hub.people.may import Action
from lightboard.hub.uploads import uploads

Query = TypeVar("Query")
Body = TypeVar("Body")
Scope = Any


class Struct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of bodies and queries: a member that does not exist is refused, with its path."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The base of answers."""


class NoQuery(Struct, frozen=True, kw_only=True):
    """Of routes without parameters."""


class Sources(Protocol):
    """What the API needs of `hub/sources`."""

    def check(self, workspace: str, sources: Sequence[nouns.Source], *, admin: bool) -> None:
        """Raises a refusal for a source that cannot be used: InvalidUri, UnsupportedScheme, SecretNotFound, …"""

    async def look(self, workspace: str, source: nouns.Source, *, admin: bool = False, user: str = "") -> Any:
        """Returns what is found at a source within a few seconds, or why nothing is (`sources.probing.Found`)."""

    async def try_secret(
        self, kind: str, members: Mapping[str, str], place: str, *, admin: bool, user: str = ""
    ) -> str:
        """Tries credentials; returns what they list ("lists 3 objects"). Raises errors.LightboardError. `admin`: an
        admin of the hub saves them, so their endpoint is trusted."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Services:
    """Everything handlers use. Made once, by `hub/server`."""

    database: db.Database
    passwords: passwords.Passwords
    vault: vault.Vault
    runtime: runtimes.Runtime
    keeper: keeper.Keeper
    sources: Sources
    uploads: uploads.Uploads
    consoles: console.Consoles  # what jobs printed
    job_boards: job_boards.JobBoards
    clock: Callable[[], float]
    url: Callable[[Scope], str]  # the address of the hub as this client opens it, without a slash at its end
    who: Callable[[Scope], Awaitable[may.Identity]]
    csrf_holds: Callable[[Scope, may.Identity], bool]  # whether a write of a session carries its token and our origin
    self_service: bool = True  # everybody signed in may create workspaces
    session_secs: float = 30 * 86400.0
    name: str = "Lightboard"  # of this hub, as pages show it
    roots: tuple[str, ...] = ()  # directories below which boards may read
    frame_ancestors: tuple[str, ...] = ("'self'",)  # pages that may show boards in frames
    claims: tuple[str, ...] = ()  # names of directories that stand for claims of Kubernetes
    attempts: attempts.Attempts = dataclasses.field(default_factory=attempts.Attempts)  # of passwords and links


@dataclasses.dataclass(frozen=True, kw_only=True)
class Asked(Generic[Query, Body]):
    """One request after everything was checked."""

    services: Services
    identity: may.Identity
    thing: may.Thing
    query: Query
    body: Body
    path: Mapping[str, str]  # parameters of the address
    headers: Mapping[str, str]  # names in lower case
    address: str  # of the client
    base_url: str
    secure: bool  # the client came over https
    news: news.News  # changes of boards
    failing: failing.Failing  # sources that running boards cannot read
    table: Sequence[Route]  # all routes
    # asks again who this is and what it may, for requests that take long. Raises as the first time
    again: Callable[[], Awaitable[Asked[Query, Body]]]
    # runs a function that blocks, such as one of the database, in a thread; for coroutine functions
    run: Callable[..., Awaitable[Any]]

    @property
    def user(self) -> accounts.User:
        """Of a signed-in client: `may` refuses others before the handler, except for routes for everybody."""
        assert self.identity.user is not None
        return self.identity.user

    @property
    def board(self) -> nouns.Board:
        assert isinstance(self.thing, may.OneBoard)
        return self.thing.board

    @property
    def job(self) -> jobs.Job:
        assert isinstance(self.thing, may.OneJob)
        return self.thing.job

    @property
    def workspace(self) -> str:
        assert isinstance(self.thing, may.InWorkspace)
        return self.thing.workspace

    @property
    def now(self) -> float:
        return self.services.clock()

    @property
    def is_admin(self) -> bool:
        """Of the hub, with everything that an admin may: a token may be for less."""
        return may.may(self.identity, Action.HUB_ADMIN, may.Hub())


@dataclasses.dataclass(frozen=True, kw_only=True)
class Note:
    """What the audit log says beside the route: who did it if the request had no identity, to what, and details."""

    actor: str = ""
    thing: str = ""
    detail: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Reply:
    """An answer that is not just 200 with JSON. `value` is encoded as JSON; bytes are sent as they are."""

    value: Any = None
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    media_type: str = "application/json"
    note: Note = Note()


# Finds what a route is about, from its address and its body; from its query if it has no body. Raises errors.NotFound.
Finder = Callable[[Services, may.Identity, Mapping[str, str], Any], may.Thing]


def the_hub(services: Services, identity: may.Identity, path: Mapping[str, str], body: Any) -> may.Thing:
    return may.Hub()


@dataclasses.dataclass(frozen=True)
class Route:
    """`action` None: for everybody, also without an account; only sign-in, one-time links and what is no secret."""

    method: str
    path: str  # below /api/v1; `{name}` is one part of it
    handle: Callable[..., Any]  # plain, in a thread; or a coroutine function, in the event loop
    action: Action | None
    _: dataclasses.KW_ONLY
    thing: Finder = the_hub
    query: type = NoQuery
    body: type | None = None
    answer: Any = None  # a type for the OpenAPI document; None: no content
    status: int = 200
    statuses: tuple[int, ...] = ()  # others that mean success
    about: str = ""
    # audited with this name if it succeeds, or is forbidden; "" for what only reads
    audit: str = ""
    # an event stream: the handler is a coroutine function (asked, send) that sends the whole answer
    streams: bool = False
    # reads its body as it comes: the handler is a coroutine function (asked, receive)
    reads: bool = False
    media_type: str = "application/json"  # of the answer
