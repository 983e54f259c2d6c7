"""The REST API in this process: a real database, real passwords and secrets, no server and no boards.

    async with inside.running(tmp_path) as hub:
        ann = await hub.user("ann")                      a client with a token
        answer = await ann.post("/workspaces", id="lab")
        assert answer.status_code == 201

Passwords are hashed with small parameters. The clock stands until a test moves it.
"""

from __future__ import annotations

import contextlib
import pathlib
import shutil
from collections.abc import AsyncIterator
from typing import Any

import argon2
import httpx
from hub.keeper import scripted

from lightboard.hub import db, keeper, life, sources
from lightboard.hub.api import app, routes, table
from lightboard.hub.jobs import boards as job_boards
from lightboard.hub.jobs import console
from lightboard.hub.life import accounts, commands
from lightboard.hub.people import identity, newcomers, passwords, tokens, vault
from lightboard.hub.uploads import uploads

URL = "http://hub.test"
PASSWORD = "correct horse battery"
QUICK = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Client:
    """Requests of somebody: with a token, or with the cookies of a browser."""

    def __init__(self, hub: Hub, token: str = "", address: str = "192.0.2.1", url: str = URL) -> None:
        transport = httpx.ASGITransport(hub.app, client=(address, 1234))
        self.http = httpx.AsyncClient(transport=transport, base_url=url)
        if token:
            self.http.headers["Authorization"] = f"Bearer {token}"
        self.token = token
        self.csrf = ""

    async def send(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        sent = {"X-Lightboard-CSRF": self.csrf} if self.csrf else {}
        content = {"json": body} if body is not None else {}
        return await self.http.request(method, f"/api/v1{path}", headers={**sent, **headers}, **content)

    async def get(self, path: str) -> httpx.Response:
        return await self.send("GET", path)

    async def post(self, path: str, **body: Any) -> httpx.Response:
        return await self.send("POST", path, body)

    async def put(self, path: str, **body: Any) -> httpx.Response:
        return await self.send("PUT", path, body)

    async def patch(self, path: str, **body: Any) -> httpx.Response:
        return await self.send("PATCH", path, body)

    async def delete(self, path: str) -> httpx.Response:
        return await self.send("DELETE", path)

    async def sign_in(self, name: str, password: str = PASSWORD) -> httpx.Response:
        answer = await self.post("/session", name=name, password=password)
        if answer.status_code == 201:
            self.csrf = answer.json()["csrf"]
        return answer


class Hub:
    """State: everything of a hub that the API uses, and the clients that were made."""

    def __init__(self, folder: pathlib.Path, **settings: Any) -> None:
        self.clock = scripted.Clock()
        self.database = db.Database(str(folder / "hub.sqlite3"))
        self.vault = vault.Vault(bytes(range(32)))
        self.sources = sources.Sources(self.database, self.vault, roots=[str(folder)])
        self.runtime = scripted.Scripted(self.clock)
        identities = identity.Identities(self.database, clock=self.clock, url=_url)
        keep = keeper.Keeper(self.database, self.runtime, self.sources.launch, holder="test", clock=self.clock)
        values: dict[str, Any] = {
            "database": self.database,
            "passwords": passwords.Passwords(QUICK),
            "vault": self.vault,
            "runtime": self.runtime,
            "keeper": keep,
            "sources": self.sources,
            "consoles": console.Consoles(folder / "consoles"),
            "job_boards": job_boards.JobBoards(self.database, self.sources, self.clock),
            "uploads": uploads.Uploads(self.database, folder / "uploads", clock=self.clock),
            "clock": self.clock,
            "url": _url,
            "who": identities.who,
            "csrf_holds": identities.csrf_holds,
            **settings,
        }
        self.services = routes.Services(**values)
        self.app = app.App(self.services, table.all_routes())
        self._clients: list[Client] = []

    def client(self, token: str = "", **more: str) -> Client:
        made = Client(self, token, **more)
        self._clients.append(made)
        return made

    async def user(self, name: str, *, admin: bool = False, scopes: tuple[str, ...] = ()) -> Client:
        """A new or known user, with a token."""
        user = self.database.people.user_named(name)
        if user is None:
            user = newcomers.add(self.database, name, self.clock(), password_hash=QUICK.hash(PASSWORD), admin=admin)
        assert user is not None
        made = tokens.make(tokens.TOKEN)
        number = len(self._clients)
        self.database.people.add_token(
            accounts.Token(
                id=f"t-{number}", hash=made.hash, user=user.id, name="test", created=self.clock(), scopes=scopes
            )
        )
        return self.client(made.value)

    def id_of(self, name: str) -> str:
        user = self.database.people.user_named(name)
        assert user is not None
        return user.id

    def board(self, number: str, workspace: str, owner: str, **members: Any) -> life.Board:
        values: dict[str, Any] = {"sources": (life.Source("s3://bucket/logs"),), "created": self.clock(), **members}
        board = life.Board(id=number, name=f"Board {number}", workspace=workspace, owner=self.id_of(owner), **values)
        made = self.database.boards.create(commands.created(board, board.owner), life.Limits(None))
        assert not isinstance(made, life.LimitExceeded)
        return made.board

    async def close(self) -> None:
        for each in self._clients:
            await each.http.aclose()
        await self.app.close()
        self.sources.close()
        self.database.close()


def _url(scope: Any) -> str:
    return f"{scope['scheme']}://hub.test"


def template(folder: pathlib.Path) -> pathlib.Path:
    """A database with tables, made once for a run of tests."""
    file = folder / "hub.sqlite3"
    db.Database(str(file)).close()
    return file


@contextlib.asynccontextmanager
async def running(folder: pathlib.Path, tables: pathlib.Path | None = None, **settings: Any) -> AsyncIterator[Hub]:
    """`settings` are members of `routes.Services`. The hub has the admin `root`."""
    if tables is not None:
        shutil.copy(tables, folder / "hub.sqlite3")
    hub = Hub(folder, **settings)
    try:
        newcomers.add(hub.database, "root", hub.clock(), password_hash=QUICK.hash(PASSWORD), admin=True)
        yield hub
    finally:
        await hub.close()
