"""Every route for everybody: not one answer too much, and none too little.

The routes come from the OpenAPI document, so a new one is tested as soon as it is in the table; it may need an entry in
`BODIES`. Who may do what is written out here, by action, apart from the code that decides it. Names of things that are
not for everybody contain "zebra": a refusal, or a list for somebody else, never contains the word.
"""

from __future__ import annotations

import asyncio
import dataclasses
import pathlib
import shutil
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hub.api import hubs

from lightboard.hub import db, life
from lightboard.hub.api import boards, openapi, table
from lightboard.hub.db import lists
from lightboard.hub.life import accounts, jobs, uploads
from lightboard.hub.people import tokens

MARK = "zebra"
# Lowest to highest; each may do what those before may.
LADDER = ("nobody", "stranger", "viewer", "editor", "manager", "owner", "root")
FOR_EVERYBODY = {
    ("get", "/openapi.json"), ("get", "/me"), ("post", "/session"), ("delete", "/session"), ("get", "/links:check"),
    ("post", "/links:use"),
}  # fmt: skip
HUB = {
    "hub.admin": "root", "hub.read": "stranger", "workspace.create": "stranger", "board.list": "stranger",
    "workspace.list": "stranger", "people.find": "stranger", "job.list": "stranger",
}  # fmt: skip
WORKSPACE = {
    "workspace.read": "viewer", "secrets.read": "editor", "board.create": "editor", "job.create": "editor",
    "workspace.edit": "manager",
    "members.edit": "manager", "members.remove": "manager", "secrets.edit": "manager", "workspace.delete": "owner",
}  # fmt: skip
BOARD = {
    "board.read": "viewer", "board.open": "viewer", "board.logs": "editor", "board.command": "editor",
    "board.edit": "manager", "board.delete": "manager", "board.share": "manager",
}  # fmt: skip
# The job is run by the owner. Only they report about it, whatever others may.
JOB = {"job.read": "viewer", "job.logs": "editor", "job.command": "editor", "job.delete": "manager"}
MANIFEST = (
    "apiVersion: boards.lightboard.dev/v1\nkind: Board\nmetadata: {name: b-zebra-private, namespace: team}\n"
    "spec: {sources: [{uri: 's3://b/c'}]}\n"
)
SECRET = {"kind": "s3", "members": {"access_key": "a", "secret_key": "b", "endpoint": "http://127.0.0.1:9"}}
BODIES: dict[tuple[str, str], Any] = {
    ("post", "/boards"): {"uri": "s3://b/c", "workspace": "team"},
    ("post", "/uploads"): {"name": "mine", "workspace": "team"},
    ("patch", "/uploads/{upload}"): {"name": "other"},
    ("post", "/uploads/{upload}:flush"): {"session": "none"},
    ("post", "/boards:ensure"): {"uri": "s3://b/c", "workspace": "team", "source_type": "a", "source_id": "b"},
    ("post", "/boards:check"): {"sources": [{"uri": "/etc"}], "workspace": "team"},
    ("post", "/boards:batch"): {"command": "stop", "boards": ["b-zebra-private"]},
    ("post", "/manifests:apply"): {"text": MANIFEST},
    ("post", "/manifests:delete"): {"text": MANIFEST},
    ("post", "/jobs"): {"name": "new", "workspace": "team", "logdir": "s3://b/c"},
    ("post", "/jobs:board"): {"label": "kind=zebra", "workspace": "team"},
    ("post", "/session"): {"name": "viewer", "password": "wrong password"},
    ("post", "/links:use"): {"link": "none", "password": "a long password"},
    ("post", "/tokens"): {"name": "new"},
    ("post", "/access_keys"): {"name": "new"},
    ("post", "/users"): {"name": "new", "password": "a long password"},
    ("post", "/workspaces"): {"id": "fresh"},
    ("post", "/workspaces/{workspace}/members"): {"user": "stranger", "role": "viewer"},
    ("put", "/workspaces/{workspace}/members/{user}"): {"role": "viewer"},
    ("post", "/workspaces/{workspace}/secrets"): {"name": "fresh", **SECRET, "save_anyway": True},
    ("put", "/workspaces/{workspace}/secrets/{secret}"): {**SECRET, "save_anyway": True},
    ("post", "/workspaces/{workspace}/secrets:check"): {**SECRET, "check": "s3://b/c"},
    ("post", "/workspaces/{workspace}/secrets/{secret}:check"): {"place": "s3://b/c"},
}
QUERIES = {
    ("get", "/uploads/{upload}/file"): "path=run/events.out.tfevents.1",
    ("get", "/quota"): "workspace=team", ("get", "/links:check"): "link=none", ("post", "/jobs/{job}/log"): "offset=0",
}  # fmt: skip
# Named by a path or a body, and "team" in `BODIES` means this workspace.
THINGS = {
    "board": "b-zebra-private", "share": "s-zebra", "workspace": "team", "secret": "zebra-keys", "user": "editor",
    "upload": f"up-{MARK}-private", "token": "t-owner", "session": "session-of-owner", "key": "LBAKowner",
    "job": "job-zebra",
}  # fmt: skip
# Routes of the hub whose handlers decide about each thing: who may change the private board with them.
PER_THING = {
    ("post", "/boards:batch"): "manager",
    ("post", "/manifests:apply"): "manager",
    ("post", "/manifests:delete"): "manager",
}


@dataclasses.dataclass(frozen=True)
class Operation:
    method: str
    path: str
    action: str | None

    @property
    def key(self) -> tuple[str, str]:
        return self.method, self.path


def operations() -> Iterator[Operation]:
    document = openapi.document(table.all_routes())
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield Operation(method, path.removeprefix("/api/v1"), operation.get("x-action"))


def furnish(dsn: str) -> None:
    """A board of each visibility, and one of everything else, in the team; all owned by "owner"."""
    database = db.Database(dsn)
    now = time.time()
    for visibility in life.Visibility:
        word = f"{MARK}-{visibility.value}" if visibility is not life.Visibility.PUBLIC else "public"
        hubs.add_board(database, word, visibility=visibility)
        database.uploads.add(
            uploads.Upload(
                id=f"up-{word}",
                board=f"b-{word}",
                owner="u-owner",
                workspace="team",
                created=now,
                updated=now,
                name=word,
            )
        )
        share = f"s-{MARK}" if visibility is life.Visibility.PRIVATE else f"s-{word}"
        database.shares.add(
            accounts.Share(id=share, board=f"b-{word}", hash=word.encode(), created=now, created_by="u-owner")
        )
    secret = accounts.Secret(
        id="x-1", workspace="team", name=f"{MARK}-keys", kind="s3", ciphertext=b"1", created=now, created_by="u-owner",
        updated=now,
    )  # fmt: skip
    assert database.workspaces.add_secret(secret)
    database.people.add_session(
        accounts.Session(
            id="session-of-owner", hash=tokens.digest("s"), user="u-owner", created=now, expires=now + 9e6,
            last_used=now, agent=f"{MARK} browser",
        )
    )  # fmt: skip
    database.people.add_access_key(accounts.AccessKey("LBAKowner", "u-owner", f"{MARK} key", b"1", now))
    database.people.change_user("u-owner", display_name="An owner")
    database.jobs.add(
        jobs.Job(
            id=f"job-{MARK}", name=f"{MARK} job", workspace="team", user="u-owner", created=now, logdir="s3://b/c",
            labels={"kind": MARK}, state=jobs.JobState.LOST, environment={"A": MARK}, heartbeat_secs=1e6,
        )
    )  # fmt: skip
    database.close()


class Furnished:
    """State: a hub that is put back to how it was."""

    def __init__(self, template: pathlib.Path, folder: pathlib.Path) -> None:
        self._template = template
        self._file = folder / "hub.sqlite3"
        shutil.copy(template, self._file)
        (folder / "logs").mkdir()
        self.hub = hubs.Hub(str(self._file), folder / "logs")
        self._store_files()

    def restore(self) -> None:
        with sqlite3.connect(self._template) as source, sqlite3.connect(self._file) as target:
            source.backup(target)
        source.close()
        target.close()
        self._store_files()

    def _store_files(self) -> None:
        for each in self.hub.database.uploads.all():
            run = self.hub.uploads.directory(each) / "run"
            run.mkdir(parents=True, exist_ok=True)
            (run / "events.out.tfevents.1").write_text(each.name)

    async def ask(self, name: str, operation: Operation, things: dict[str, str]) -> tuple[int, str]:
        path = operation.path.format(**things)
        if operation.path == "/changes":
            return await self._stream(name)
        async with self.hub.client("" if name == "nobody" else name) as client:
            body = BODIES.get(operation.key, {} if operation.method in ("post", "put", "patch") else None)
            if isinstance(body, dict) and "workspace" in body:
                body = {**body, "workspace": things["workspace"]}
            query = QUERIES.get(operation.key, "").replace("team", things["workspace"])
            answer = await client.request(operation.method.upper(), f"{path}?{query}", json=body)
            return answer.status_code, answer.text

    async def _stream(self, name: str) -> tuple[int, str]:
        reader = hubs.Reader(self.hub, name)
        if name != "nobody":
            await reader.until("resync")
            await asyncio.to_thread(hubs.add_board, self.hub.database, f"{MARK}-new")
            await asyncio.to_thread(hubs.add_board, self.hub.database, "last", visibility=life.Visibility.PUBLIC)
            await reader.until("board", id="b-last")
        await reader.leave()
        return reader.status, reader.text


@pytest.fixture(autouse=True)
def no_keeper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody stops boards here, so nobody waits for it."""
    monkeypatch.setattr(boards, "STOP_WAIT_SECS", 0.0)


@pytest.fixture(scope="module")
def template(peopled: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    made = pathlib.Path(shutil.copy(peopled, tmp_path_factory.mktemp("furnished")))
    furnish(str(made))
    return made


def at_least(name: str, least: str) -> bool:
    return LADDER.index(name) >= LADDER.index(least)


def expected(operation: Operation, name: str, visibility: str) -> tuple[bool, bool]:
    """Whether somebody may do it to things of the team, and whether the thing exists for them."""
    action = operation.action
    if action is None:
        return True, True
    if action in HUB:
        return at_least(name, HUB[action]), at_least(name, "stranger")
    if action in WORKSPACE:
        leaves = action == "members.remove" and name == THINGS["user"]
        return leaves or at_least(name, WORKSPACE[action]), at_least(name, "viewer")
    if action in BOARD:
        return _with_board(action, name, visibility)
    if action in JOB:
        return at_least(name, JOB[action]), at_least(name, "viewer")
    if action == "job.report":
        return name == "owner", at_least(name, "viewer")
    assert action in ("own.read", "own.edit"), f"add the action {action} to the tables above"
    if any(each in operation.path for each in ("{token}", "{key}", "{session}")):
        mine = name == "owner" or (name == "root" and "{session}" not in operation.path)
        return mine, mine
    return at_least(name, "stranger"), at_least(name, "stranger")


def _with_board(action: str, name: str, visibility: str) -> tuple[bool, bool]:
    if visibility in ("private", "link"):
        return at_least(name, "manager"), at_least(name, "manager")
    if visibility == "public" and action in ("board.read", "board.open"):
        return at_least(name, "stranger"), True
    return at_least(name, BOARD[action]), visibility == "public" or at_least(name, "viewer")


def cases(operation: Operation) -> Iterator[tuple[str, dict[str, str]]]:
    """Boards of each visibility for routes of boards; otherwise one."""
    if "{board}" not in operation.path and "{upload}" not in operation.path:
        yield "private", THINGS
        return
    for visibility in life.Visibility:
        word = f"{MARK}-{visibility.value}" if visibility is not life.Visibility.PUBLIC else "public"
        share = f"s-{MARK}" if visibility is life.Visibility.PRIVATE else f"s-{word}"
        yield visibility.value, {**THINGS, "board": f"b-{word}", "upload": f"up-{word}", "share": share}


def test_every_route_has_a_rule_or_is_on_the_short_list() -> None:
    assert {each.key for each in operations() if each.action is None} == FOR_EVERYBODY
    assert len({each.key for each in operations()}) == len(table.all_routes())
    operation_ids = [openapi.operation_id(each) for each in table.all_routes()]
    assert len(set(operation_ids)) == len(operation_ids)


@pytest.mark.parametrize("operation", list(operations()), ids=lambda each: f"{each.method} {each.path}")
async def test_everybody_gets_what_is_theirs(
    operation: Operation, template: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    furnished = Furnished(template, tmp_path)
    try:
        for visibility, things in cases(operation):
            for name in LADDER:
                status, text = await furnished.ask(name, operation, things)
                say = f"{name}, {visibility}: {status} {text[:300]}"
                assert status < 500, say
                allowed, exists = expected(operation, name, visibility)
                if operation.action is None:
                    assert MARK not in text, say
                elif not allowed:
                    refusals = {401} if name == "nobody" else {403} if exists else {404}
                    assert status in refusals, say
                    # a refusal repeats what was asked for, and nothing else
                    assert MARK not in text.replace(things["board"], "").replace(things["upload"], "").replace(
                        things["share"], ""
                    ).replace(things["secret"], "").replace(things["job"], ""), say
                elif operation.key in PER_THING:
                    board = furnished.hub.database.boards.get(THINGS["board"])
                    assert (board.generation > 1) == at_least(name, PER_THING[operation.key]), say
                else:
                    assert status not in (400, 401, 403, 404, 405, 415), say
                    assert at_least(name, "viewer") or MARK not in text, say
                if operation.method != "get" or operation.path == "/changes":
                    furnished.restore()
    finally:
        await furnished.hub.aclose()


@pytest.mark.parametrize("name", ["stranger", "nobody"])
async def test_strangers_change_nothing(name: str, template: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """All writes one after the other; then the team is as it was."""
    furnished = Furnished(template, tmp_path)
    before = dumped(furnished.hub.database)
    for operation in operations():
        if operation.method != "get" and operation.action not in ("own.edit", "workspace.create", None):
            for _, things in cases(operation):
                await furnished.ask(name, operation, things)
    assert dumped(furnished.hub.database) == before
    await furnished.hub.aclose()


def dumped(database: db.Database) -> list[Any]:
    details = database.lists.page(lists.Query(sort="name")).boards
    shares = [share for each in details for share in database.shares.of_board(each.id)]
    members = database.workspaces.members("team")
    secrets = database.workspaces.secrets("team")
    return [details, shares, members, secrets, database.workspaces.all()]


@pytest.mark.parametrize(
    ("scopes", "may_read", "may_write"),
    [
        (("boards:read",), True, False),
        (("boards:read!workspace=team",), True, False),
        (("boards:read!workspace=elsewhere",), False, False),
        (("boards:write!workspace=team",), True, True),
        (("own",), False, False),
    ],
)
async def test_tokens_do_no_more_than_their_scopes(
    template: pathlib.Path, tmp_path: pathlib.Path, scopes: tuple[str, ...], may_read: bool, may_write: bool
) -> None:
    furnished = Furnished(template, tmp_path)
    hubs.add_token(furnished.hub.database, "narrow", "owner", scopes)
    board_reads = ("board.read", "board.open", "board.logs")
    for operation in operations():
        if operation.action is None or operation.path == "/changes" or "{board}" not in operation.path:
            continue
        status, text = await furnished.ask("narrow", operation, THINGS)
        allowed = may_read if operation.action in board_reads else may_write
        assert (status in (200, 201, 202, 204, 409)) == allowed, (operation, status, text)
        if operation.method == "delete":
            furnished.restore()
            hubs.add_token(furnished.hub.database, "narrow", "owner", scopes)
    for path in ("/users", "/settings", "/audit", "/overview"):
        async with furnished.hub.client("narrow") as client:
            assert (await client.get(path)).status_code in (403, 404)
    await furnished.hub.aclose()


async def test_an_account_that_is_disabled_is_nobody(template: pathlib.Path, tmp_path: pathlib.Path) -> None:
    furnished = Furnished(template, tmp_path)
    furnished.hub.database.people.change_user("u-editor", enabled=False)
    for operation in operations():
        if operation.action is not None:
            status, _ = await furnished.ask("editor", operation, THINGS) if operation.path != "/changes" else (401, "")
            assert status == 401, operation
    await furnished.hub.aclose()


async def test_lists_have_what_may_be_seen_one_by_one(template: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The condition of the database and the function `may` decide the same."""
    furnished = Furnished(template, tmp_path)
    database = furnished.hub.database
    for workspace in ("team", "elsewhere", "editor"):
        for owner in ("owner", "editor", "stranger"):
            for visibility in life.Visibility:
                word = f"{workspace}-{owner}-{visibility.value}"
                hubs.add_board(database, word, workspace=workspace, owner=f"u-{owner}", visibility=visibility)
    whole = database.lists.page(lists.Query(), 1000).boards
    for name in LADDER[1:]:
        async with furnished.hub.client(name) as client:
            listed = {each["id"] for each in (await client.get("/boards?limit=1000")).json()["items"]}
            one_by_one = {each.id for each in whole if (await client.get(f"/boards/{each.id}")).status_code == 200}
            assert listed == one_by_one, name
    await furnished.hub.aclose()


async def test_what_may_not_be_seen_is_answered_like_what_does_not_exist(
    template: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """Word for word: workspaces have names that people choose, so they can be guessed."""
    furnished = Furnished(template, tmp_path)
    source = {"uri": "s3://b/c"}
    manifest = MANIFEST.replace("b-zebra-private", "other")
    async with furnished.hub.client("stranger") as client:
        for method, path, body in (
            ("POST", "/boards", {**source, "workspace": "team"}),
            ("POST", "/boards:ensure", {**source, "workspace": "team", "source_type": "a", "source_id": "b"}),
            ("POST", "/boards:check", {"sources": [source], "workspace": "team"}),
            ("POST", "/manifests:apply", {"text": manifest}),
            ("GET", "/quota?workspace=team", None),
            ("PUT", "/workspaces/team/members/editor", {"role": "owner"}),
            ("DELETE", "/workspaces/team/secrets/zebra-keys", None),
            ("DELETE", "/boards/b-zebra-private/shares/s-zebra", None),
        ):
            hidden = await client.request(method, path, json=body)
            text = msgspec.json.encode([path, body]).replace(b"b-zebra-private", b"b-none").replace(b"team", b"none")
            path, body = msgspec.json.decode(text)
            absent = await client.request(method, path, json=body)
            assert hidden.status_code == absent.status_code == 404, (path, hidden.text, absent.text)
            told = hidden.text.replace("b-zebra-private", "b-none").replace("team", "none")
            assert told == absent.text, path
    await furnished.hub.aclose()
