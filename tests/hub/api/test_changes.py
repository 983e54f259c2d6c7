"""The event stream: who is told of what, slow clients, ends."""

from __future__ import annotations

import asyncio
import pathlib

import pytest
from hub import postgres
from hub.api import hubs

from lightboard.hub import db, life
from lightboard.hub.api import changes, news
from lightboard.hub.life import accounts, commands


def changed(hub: hubs.Hub, board: str, **members: object) -> None:
    hub.database.boards.change(board, lambda each: commands.redefine(each, 1.0, "u-owner", **members))


async def test_boards_are_told_when_they_change_and_when_they_are_gone(hub: hubs.Hub) -> None:
    reader = hubs.Reader(hub, "owner")
    await reader.until("resync")
    async with hub.kept(), hub.client("owner") as client:
        board = (await client.post("/boards", json={"uri": str(hub.root)})).json()
        told = await reader.until("board", id=board["id"], state="Running")
        assert told["owner"] == "owner" and told["url"] == board["url"] and "delete" in told["may"]
        assert told == (await client.get(f"/boards/{board['id']}")).json()
        await client.delete(f"/boards/{board['id']}")
        await reader.until("removed", id=board["id"])
    await reader.leave()
    assert hub.app._news.streams == 0


async def test_nobody_is_told_of_boards_that_they_may_not_see(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "old")
    readers = {name: hubs.Reader(hub, name) for name in ("root", "manager", "editor", "viewer", "stranger")}
    for reader in readers.values():
        await reader.until("resync")
    hubs.add_board(hub.database, "hidden")
    hubs.add_board(hub.database, "shown", visibility=life.Visibility.WORKSPACE)
    hubs.add_board(hub.database, "public", visibility=life.Visibility.PUBLIC)
    changed(hub, "b-old", name="older")
    hub.database.boards.remove("b-old")
    hub.database.boards.remove("b-hidden")
    hubs.add_board(hub.database, "last", visibility=life.Visibility.PUBLIC)
    for name, reader in readers.items():
        await reader.until("board", id="b-last")
        assert ("shown" in reader.text) == (name != "stranger"), name
        assert ("hidden" in reader.text or "b-old" in reader.text) == (name in ("root", "manager")), name
        assert "b-public" in reader.text
        await reader.leave()


async def test_a_board_that_becomes_private_is_removed_for_others(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one", visibility=life.Visibility.WORKSPACE)
    viewer, owner = hubs.Reader(hub, "viewer"), hubs.Reader(hub, "owner")
    await viewer.until("resync")
    await owner.until("resync")
    changed(hub, "b-one", visibility=life.Visibility.PRIVATE)
    await viewer.until("removed", id="b-one")
    assert (await owner.until("board", id="b-one"))["visibility"] == "private"
    await viewer.leave()
    await owner.leave()


async def test_a_new_role_makes_the_client_read_again(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one", visibility=life.Visibility.WORKSPACE)
    reader = hubs.Reader(hub, "stranger")
    await reader.until("resync")
    hubs.add_member(hub.database, "team", "stranger", accounts.Role.VIEWER)
    changed(hub, "b-one", name="two")
    await reader.until("board", id="b-one")
    assert [kind for kind, _ in hubs.events(reader.text)] == ["resync", "resync", "board"]
    await reader.leave()


async def test_one_workspace(hub: hubs.Hub) -> None:
    reader = hubs.Reader(hub, "owner", query="workspace=team")
    await reader.until("resync")
    hubs.add_board(hub.database, "own", workspace="owner")
    hubs.add_board(hub.database, "team")
    await reader.until("board", id="b-team")
    assert "b-own" not in reader.text
    await reader.leave()


async def test_a_slow_client_is_told_to_read_again(hub: hubs.Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "MOST_BULLETINS", 2)
    monkeypatch.setattr(news, "GATHER_SECS", 0.0)
    slow, quick = hubs.Reader(hub, "owner"), hubs.Reader(hub, "owner")
    await slow.until("resync")
    await quick.until("resync")
    slow.stall()
    for number in range(6):
        hubs.add_board(hub.database, f"n{number}")
        await quick.until("board", id=f"b-n{number}")
    slow.text = ""
    slow.go_on()
    await slow.until("resync")
    hubs.add_board(hub.database, "last")
    await slow.until("board", id="b-last")
    assert "b-n5" not in slow.text
    await slow.leave()
    await quick.leave()


async def test_a_stream_ends_with_its_token(hub: hubs.Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "CHECK_SECS", 0.05)
    reader = hubs.Reader(hub, "editor")
    await reader.until("resync")
    hub.database.people.remove_token("u-editor", "t-editor")
    await reader.until_ended()
    await reader.task
    assert hub.app._news.streams == 0


async def test_streams_end_when_the_hub_stops(hub: hubs.Hub) -> None:
    reader = hubs.Reader(hub, "editor")
    await reader.until("resync")
    hub.app.end_streams()
    await reader.until_ended()
    await asyncio.wait_for(reader.task, 20)


async def test_streams_of_a_user_are_bounded(hub: hubs.Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "STREAMS_PER_USER", 2)
    readers = [hubs.Reader(hub, "editor") for _ in range(2)]
    for reader in readers:
        await reader.until("resync")
    async with hub.client("editor") as client:
        refused = await client.get("/changes")
    assert refused.status_code == 429 and refused.headers["retry-after"]
    other = hubs.Reader(hub, "viewer")
    await other.until("resync")
    for reader in (*readers, other):
        await reader.leave()


async def test_when_anything_may_have_changed_everything_is_read_again(hub: hubs.Hub) -> None:
    reader = hubs.Reader(hub, "editor")
    await reader.until("resync")
    reader.text = ""
    hub.app._news.tell("")  # the connection to the database was lost
    await reader.until("resync")
    await reader.leave()


async def test_nobody_gets_no_stream(hub: hubs.Hub) -> None:
    reader = hubs.Reader(hub, "unknown")
    await asyncio.wait_for(reader.task, 20)
    assert reader.status == 401


async def test_a_change_through_one_hub_is_told_by_another(
    postgres_server: postgres.Server, tmp_path: pathlib.Path
) -> None:
    dsn = postgres_server.new_database()
    db.Database(dsn).close()
    hubs.fill(dsn)
    one, other = hubs.Hub(dsn, tmp_path), hubs.Hub(dsn, tmp_path)
    try:
        reader = hubs.Reader(one, "owner")
        await reader.until("resync")
        async with other.kept(), one.client("owner") as here, other.client("owner") as there:
            board = (await there.post("/boards", json={"uri": str(tmp_path)})).json()
            await reader.until("board", id=board["id"])
            waited = await here.get(f"/boards/{board['id']}", params={"wait": 20})
            assert waited.json()["state"] == "Running"
            await there.delete(f"/boards/{board['id']}")
            await reader.until("removed", id=board["id"])
        await reader.leave()
    finally:
        await one.aclose()
        await other.aclose()
        postgres_server.drop(dsn)
