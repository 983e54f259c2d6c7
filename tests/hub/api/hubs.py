"""A hub in this process for tests of the REST API: a real database, real identities, sources below a directory, and a
runtime that does what a test says.

People, each with a workspace of their own: root (admin of the hub); owner, manager (admin), editor and viewer of the
workspace "team"; stranger, who owns the workspace "elsewhere". Their tokens are `token_of(name)`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import pathlib
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import argon2
import httpx
from hub.keeper import scripted

from lightboard.hub import db, keeper, life
from lightboard.hub.api import app, routes, table
from lightboard.hub.jobs import boards as job_boards
from lightboard.hub.jobs import console
from lightboard.hub.life import accounts, commands
from lightboard.hub.people import identity, passwords, tokens, vault
from lightboard.hub.sources import sources
from lightboard.hub.uploads import uploads

URL = "http://hub.test"
API = f"{URL}/api/v1"
ROLES = {
    "owner": accounts.Role.OWNER,
    "manager": accounts.Role.ADMIN,
    "editor": accounts.Role.EDITOR,
    "viewer": accounts.Role.VIEWER,
}
PEOPLE = ("root", *ROLES, "stranger")
CHEAP = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD_HASH = CHEAP.hash("correct horse battery")


class Clock(scripted.Clock):
    """Real time, and what a test adds to it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return time.time() + self.now


class Hub:
    """State: everything that `hub/server` connects, but for the door and the sockets."""

    def __init__(self, dsn: str, root: pathlib.Path) -> None:
        self.clock = Clock()
        self.root = root
        self.database = db.Database(dsn)
        self.runtime = scripted.Scripted(self.clock)
        self.keeper = keeper.Keeper(self.database, self.runtime, scripted.launch, holder="test", clock=self.clock)
        keys = vault.Vault(bytes(32))
        self.sources = sources.Sources(self.database, keys, roots=[str(root)], claims={"claim": str(root)})
        self.uploads = uploads.Uploads(self.database, root.parent / "uploads", clock=self.clock)
        identities = identity.Identities(self.database, clock=self.clock, url=lambda _: URL)
        self.services = routes.Services(
            database=self.database,
            passwords=passwords.Passwords(CHEAP),
            vault=keys,
            runtime=self.runtime,
            keeper=self.keeper,
            sources=self.sources,
            uploads=self.uploads,
            consoles=console.Consoles(root / "consoles"),
            job_boards=job_boards.JobBoards(self.database, self.sources, self.clock),
            clock=self.clock,
            url=lambda _: URL,
            who=identities.who,
            csrf_holds=identities.csrf_holds,
        )
        self.app = app.App(self.services, table.all_routes())

    def client(self, name: str = "", **headers: str) -> httpx.AsyncClient:
        """Of a user with a token, or of nobody."""
        if name:
            headers["Authorization"] = f"Bearer {token_of(name)}"
        transport = httpx.ASGITransport(self.app)
        return httpx.AsyncClient(transport=transport, base_url=API, headers=headers, timeout=30)

    @contextlib.asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """With a keeper that runs."""
        task = asyncio.create_task(self.keeper.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def is_waiting(self) -> None:
        """Until a request waits for a board."""
        while not self.app._news._waits:  # noqa: ASYNC110 # nothing tells it
            await asyncio.sleep(0.01)

    async def aclose(self) -> None:
        await self.app.close()
        self.close()

    def close(self) -> None:
        self.sources.close()
        self.database.close()


def token_of(name: str) -> str:
    return f"lbt_token-of-{name}".ljust(40, "-")


def add_token(database: db.Database, name: str, user: str, scopes: tuple[str, ...] = ()) -> None:
    digest = tokens.digest(token_of(name))
    database.people.add_token(
        accounts.Token(id=f"t-{name}", hash=digest, user=f"u-{user}", name=name, created=1.0, scopes=scopes)
    )


def fill(dsn: str) -> None:
    """People and workspaces."""
    database = db.Database(dsn)
    now = time.time()
    for name in PEOPLE:
        user = accounts.User(
            id=f"u-{name}", name=name, created=now, admin=name == "root", password_hash=PASSWORD_HASH, last_seen=now
        )
        assert database.people.add_user(user, accounts.Workspace(name, name, now, personal_of=user.id))
        add_token(database, name, name)
    assert database.workspaces.add(accounts.Workspace("team", "The team", now), "u-owner")
    assert database.workspaces.add(accounts.Workspace("elsewhere", "Elsewhere", now), "u-stranger")
    for name, role in ROLES.items():
        if name != "owner":
            add_member(database, "team", name, role)
    database.close()


def add_member(database: db.Database, workspace: str, name: str, role: accounts.Role) -> None:
    database.workspaces.set_member(accounts.Member(workspace, f"u-{name}", role, time.time()))


def add_board(database: db.Database, word: str, /, **members: Any) -> life.Board:
    """A board of the owner in the team, which the keeper has not seen yet. Its id and its name are made of the word."""
    values: dict[str, Any] = {
        "id": f"b-{word}",
        "name": word,
        "workspace": "team",
        "owner": "u-owner",
        "sources": (life.Source(f"s3://{word}-bucket/logs"),),
        "created": time.time(),
        **members,
    }
    made = database.boards.create(commands.created(life.Board(**values), values["owner"]), life.Limits(None))
    assert not isinstance(made, life.LimitExceeded)
    return made.board


def events(text: str) -> Iterator[tuple[str, Any]]:
    """The events of a stream."""
    for part in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in part.splitlines() if ": " in line)
        if "event" in lines:
            yield lines["event"], json.loads(lines["data"])


class Reader:
    """Reads an event stream of the application, as the client of a server would. State: what came, and the task."""

    def __init__(self, hub: Hub, name: str, path: str = "/changes", query: str = "") -> None:
        self.status = 0
        self.text = ""
        self.ended = False
        self._came = asyncio.Condition()
        self._left = asyncio.Event()
        self._asked = False
        self._stalls = asyncio.Event()
        self._stalls.set()
        scope = {
            "type": "http",
            "method": "GET",
            "path": f"/api/v1{path}",
            "query_string": query.encode(),
            "headers": [(b"authorization", f"Bearer {token_of(name)}".encode())],
            "scheme": "http",
            "client": ("127.0.0.1", 1),
        }
        self.task = asyncio.create_task(hub.app(scope, self._receive, self._send))

    async def _receive(self) -> Any:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await self._stalls.wait()
        async with self._came:
            self.status = message.get("status", self.status)
            self.text += message.get("body", b"").decode()
            self.ended = message["type"] == "http.response.body" and not message.get("more_body", False)
            self._came.notify_all()

    def stall(self) -> None:
        """Take nothing until `go_on`."""
        self._stalls.clear()

    def go_on(self) -> None:
        self._stalls.set()

    async def until(self, kind: str, **members: Any) -> Any:
        """The data of the first event of this kind with these members."""

        def found() -> list[Any]:
            return [
                data
                for each, data in events(self.text)
                if each == kind and all(data[name] == value for name, value in members.items())
            ]

        async with self._came:
            await asyncio.wait_for(self._came.wait_for(lambda: found() or self.ended), 20)
        assert found(), self.text
        return found()[0]

    async def until_ended(self) -> None:
        async with self._came:
            await asyncio.wait_for(self._came.wait_for(lambda: self.ended), 20)

    async def leave(self) -> None:
        self._left.set()
        self._stalls.set()
        await asyncio.wait_for(self.task, 20)
