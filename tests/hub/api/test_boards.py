"""Boards over REST: create, limits, idempotency, waits, changes of the definition, lists. Left out: who may do what
(test_authority), speed (bench)."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
from typing import Any

import httpx
import pytest
from hub.api import hubs

from lightboard.hub import life, runtimes
from lightboard.hub.api import shapes
from lightboard.hub.life import accounts, policy
from lightboard.hub.people import may


async def created(client: httpx.AsyncClient, hub: hubs.Hub, **body: Any) -> Any:
    answer = await client.post("/boards", json={"uri": str(hub.root / "runs"), **body})
    assert answer.status_code == 202, answer.text
    return answer.json()


async def test_a_board_is_created_runs_is_stopped_and_deleted(hub: hubs.Hub) -> None:
    async with hub.kept(), hub.client("editor") as client:
        answer = await client.post("/boards", json={"uri": str(hub.root / "mnist")})
        board = answer.json()
        assert answer.status_code == 202 and answer.headers["location"] == f"/api/v1/boards/{board['id']}"
        assert board["name"] == "mnist" and board["workspace"] == "editor" and board["owner"] == "editor"
        assert board["state"] == "Pending" and board["type"] == "local" and board["visibility"] == "private"
        assert board["url"] == f"{hubs.URL}/boards/{board['id']}/"
        board = (await client.get(f"/boards/{board['id']}", params={"wait": 20, "generation": 1})).json()
        assert board["state"] == "Running" and board["idle_at"] < board["reclaim_at"]
        assert board["effective"] == {"idle_after": 3600, "reclaim_after": 86400, "max_runtime": 0}
        board = (await client.post(f"/boards/{board['id']}:stop")).json()
        assert (board["state"], board["reason"]) == ("Stopped", "User") and board["idle_at"] is None
        board = (await client.post(f"/boards/{board['id']}:start")).json()
        assert board["state"] == "Pending"
        board = (await client.get(f"/boards/{board['id']}?wait=20")).json()
        assert board["state"] == "Running"
        kinds = [each["kind"] for each in (await client.get(f"/boards/{board['id']}/events")).json()["items"]]
        assert kinds[0] == "Running" and kinds[-1] == "Created" and "Stopped" in kinds
        answer = await client.delete(f"/boards/{board['id']}")
        assert answer.status_code == 202 and answer.json()["state"] == "Deleting"
        assert (await client.get(f"/boards/{board['id']}?wait=20")).status_code == 404
        assert (await client.delete(f"/boards/{board['id']}")).status_code == 404


async def test_the_sixth_board_is_refused_until_another_stops(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "hidden", owner="u-owner", workspace="team")
    async with hub.kept(), hub.client("editor") as client:
        boards = [await created(client, hub, name=f"n{number}") for number in range(5)]
        answer = await client.post("/boards", json={"uri": str(hub.root)})
        refused = answer.json()
        assert answer.status_code == 403 and answer.headers["content-type"] == "application/problem+json"
        assert refused["code"] == "TensorboardLimitExceeded" and refused["scope"] == "account:editor"
        assert (refused["limit"], refused["used"]) == (5, 5)
        assert {each["id"] for each in refused["boards"]} == {each["id"] for each in boards}
        assert set(refused["boards"][0]) == {"id", "name", "state", "last_activity"}
        assert (await client.post(f"/boards/{boards[0]['id']}:stop")).json()["state"] == "Stopped"
        await created(client, hub)
        answer = await client.post(f"/boards/{boards[0]['id']}:start")
        assert answer.status_code == 403 and answer.json()["code"] == "TensorboardLimitExceeded"


async def test_a_full_workspace_names_only_boards_that_the_client_may_see(hub: hubs.Hub) -> None:
    hub.database.settings.put_limit("workspace:team", 2)
    hubs.add_board(hub.database, "secret")
    hubs.add_board(hub.database, "open", visibility=life.Visibility.WORKSPACE)
    async with hub.client("editor") as client:
        refused = (await client.post("/boards", json={"uri": str(hub.root), "workspace": "team"})).json()
    assert refused["scope"] == "workspace:team" and refused["used"] == 2
    assert [each["id"] for each in refused["boards"]] == ["b-open"]


async def test_a_repeated_key_makes_one_board(hub: hubs.Hub) -> None:
    body = {"uri": str(hub.root), "labels": {"a": "1", "b": "2"}}
    async with hub.client("editor") as client:
        key = {"Idempotency-Key": "9f1c"}
        answers = await asyncio.gather(*(client.post("/boards", json=body, headers=key) for _ in range(10)))
        assert {each.status_code for each in answers} == {202}
        assert len({each.json()["id"] for each in answers}) == 1
        swapped = {"labels": {"b": "2", "a": "1"}, "uri": str(hub.root)}
        assert (await client.post("/boards", json=swapped, headers=key)).json()["id"] == answers[0].json()["id"]
        other = await client.post("/boards", json={**body, "name": "x"}, headers=key)
        assert other.status_code == 422 and other.json()["code"] == "IdempotencyKeyReused"
        wrong = await client.post("/boards", json=body, headers={"Idempotency-Key": "two words"})
        assert wrong.status_code == 400
        assert (await client.get("/boards")).json()["total"] == 1
    async with hub.client("viewer") as client:  # a key belongs to its user
        assert (await client.post("/boards", json=body, headers=key)).status_code == 202


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "InvalidUri"),
        ({"uri": "/etc"}, 400, "InvalidUri"),
        ({"uri": "relative"}, 400, "InvalidUri"),
        ({"uri": "ftp://x/y"}, 400, "UnsupportedScheme"),
        ({"uri": "pvc://unknown/x"}, 422, "PvcNotFound"),
        ({"sources": [{"uri": "s3://bucket/x", "secret": "none"}]}, 422, "SecretNotFound"),
        ({"uri": "{root}", "sources": [{"uri": "{root}"}]}, 400, "InvalidUri"),
        ({"uri": "{root}", "name": "a\nb"}, 400, "InvalidName"),
        ({"uri": "{root}", "name": "x" * 200}, 400, "InvalidName"),
        ({"uri": "{root}", "idle_after": "soon"}, 400, "InvalidDuration"),
        ({"uri": "{root}", "idle_after": -1}, 400, "InvalidDuration"),
        ({"uri": "{root}", "idle_after": 1e300}, 400, "InvalidDuration"),
        ({"uri": "{root}", "idle_after": True}, 400, "BadRequest"),
        ({"uri": "{root}", "idle_after": "1s"}, 400, "InvalidDuration"),
        ({"uri": "{root}", "reclaim_after": "never"}, 400, "InvalidDuration"),
        ({"uri": "{root}", "visibility": "secret"}, 400, "BadRequest"),
        ({"uri": "{root}", "visibility": "public"}, 422, "PublicNotConfirmed"),
        ({"uri": "{root}", "unknown": 1}, 400, "BadRequest"),
        ({"uri": "{root}", "workspace": "team2"}, 404, "NotFound"),
        ({"uri": "{root}", "labels": {"a": "x" * 300}}, 400, "BadRequest"),
        ({"uri": "{root}", "name": "a\0b"}, 400, "BadRequest"),
        ({"uri": 7}, 400, "BadRequest"),
        ([], 400, "BadRequest"),
    ],
)
async def test_a_wrong_body_is_refused_with_a_code(hub: hubs.Hub, body: Any, status: int, code: str) -> None:
    text = httpx.Request("POST", "http://x", json=body).content.replace(b"{root}", str(hub.root).encode())
    async with hub.client("editor") as client:
        answer = await client.post("/boards", content=text, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
        assert answer.json()["message"] and answer.headers["content-type"] == "application/problem+json"
        assert (await client.get("/boards")).json()["total"] == 0


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"uri": "' + b"x" * (2 << 20) + b'"}', "application/json", 413),
        (b"uri=/x", "application/x-www-form-urlencoded", 415),
        (b'{"idle_after": 1e999}', "application/json", 400),
        (b'{"idle_after": ' + b"9" * 5000 + b"}", "application/json", 400),
        (b'{"name": "\\ud800"}', "application/json", 400),
    ],
    ids=range(8),
)
async def test_bodies_that_are_no_bodies(hub: hubs.Hub, content: bytes, kind: str, status: int) -> None:
    async with hub.client("editor") as client:
        answer = await client.post("/boards", content=content, headers={"Content-Type": kind})
    assert answer.status_code == status and answer.json()["status"] == status


async def test_bounds_of_durations_hold_for_others_than_admins(hub: hubs.Hub) -> None:
    bounds = policy.Bounds(life.Policy(idle_after_secs=600.0), life.Policy(idle_after_secs=7200.0))
    hub.database.settings.put_bounds(bounds)
    async with hub.client("editor") as editor, hub.client("root") as root:
        assert (await editor.post("/boards", json={"uri": str(hub.root), "idle_after": "5m"})).status_code == 400
        board = await created(editor, hub, idle_after="10m", max_runtime="never")
        assert board["idle_after"] == 600 and board["effective"]["idle_after"] == 600 and board["max_runtime"] == 0
        refused = await editor.patch(f"/boards/{board['id']}", json={"idle_after": 90000})
        assert refused.status_code == 400 and "10m" in refused.json()["hint"]
        changed = await root.patch(f"/boards/{board['id']}", json={"idle_after": "never"})
        assert changed.json()["idle_after"] == 0
        # others may change the rest of a board whose times an admin chose
        changed = await editor.patch(f"/boards/{board['id']}", json={"reclaim_after": 60, "idle_after": None})
        assert changed.json()["idle_after"] is None and changed.json()["effective"]["reclaim_after"] == 60


async def test_an_owner_who_became_a_viewer_chooses_no_sources(hub: hubs.Hub) -> None:
    async with hub.client("editor") as client:
        board = await created(client, hub, workspace="team")
        address, sources = f"/boards/{board['id']}", [{"uri": str(hub.root), "prefix": "p"}]
        hubs.add_member(hub.database, "team", "editor", hubs.ROLES["viewer"])
        assert (await client.patch(address, json={"sources": sources})).status_code == 403
        assert (await client.patch(address, json={"name": "still mine"})).status_code == 200
        hubs.add_member(hub.database, "team", "editor", hubs.ROLES["editor"])
        assert (await client.patch(address, json={"sources": sources})).status_code == 200


async def test_a_change_of_sources_restarts_and_a_change_of_the_name_does_not(hub: hubs.Hub) -> None:
    async with hub.kept(), hub.client("editor") as client:
        board = await created(client, hub)
        address = f"/boards/{board['id']}"
        board = (await client.get(address, params={"wait": 20})).json()
        board = (await client.patch(address, json={"name": " New ", "labels": {"k": "v"}})).json()
        assert board["name"] == "New" and board["labels"] == {"k": "v"} and board["generation"] == 2
        board = (await client.get(address, params={"wait": 20})).json()
        assert [each for each in hub.runtime.asked if each[0] == "start"] == [("start", board["id"])]
        changed = await client.patch(address, json={"sources": [{"uri": str(hub.root / "b"), "prefix": "b"}]})
        assert changed.json()["sources"] == [{"uri": str(hub.root / "b"), "prefix": "b", "secret": ""}]
        board = (await client.get(address, params={"wait": 20})).json()
        assert board["state"] == "Running" and len([each for each in hub.runtime.asked if each[0] == "start"]) == 2
        same = await client.patch(address, json={"name": "New"})
        assert same.json()["generation"] == board["generation"]


async def test_if_match_refuses_a_change_of_something_else(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one")
    async with hub.client("owner") as client:
        shown = await client.get("/boards/b-one")
        assert shown.headers["etag"] == '"1"'
        changed = await client.patch("/boards/b-one", json={"name": "x"}, headers={"If-Match": '"1"'})
        assert changed.status_code == 200 and changed.headers["etag"] == '"2"'
        refused = await client.patch("/boards/b-one", json={"name": "y"}, headers={"If-Match": "1"})
        assert refused.status_code == 412 and refused.json()["code"] == "GenerationConflict"
        wrong = await client.patch("/boards/b-one", json={"name": "y"}, headers={"If-Match": "newest"})
        assert wrong.status_code == 400


async def test_public_is_asked_for_twice(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one")
    async with hub.client("owner") as client:
        refused = await client.patch("/boards/b-one", json={"visibility": "public"})
        assert refused.status_code == 422 and refused.json()["code"] == "PublicNotConfirmed"
        changed = await client.patch("/boards/b-one", json={"visibility": "public", "confirm_public": True})
        assert changed.json()["visibility"] == "public"
        again = await client.patch("/boards/b-one", json={"visibility": "public", "name": "x"})
        assert again.status_code == 200


async def test_only_admins_of_the_hub_give_boards_to_others(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one")
    async with hub.kept(), hub.client("owner") as owner, hub.client("root") as root:
        assert (await owner.patch("/boards/b-one", json={"owner": "editor"})).status_code == 403
        assert (await root.patch("/boards/b-one", json={"owner": "nobody"})).json()["code"] == "UserNotFound"
        assert (await root.patch("/boards/b-one", json={"owner": "stranger"})).json()["code"] == "NotAMember"
        active = await root.patch("/boards/b-one", json={"owner": "editor"})
        assert active.status_code == 409 and active.json()["code"] == "BoardActive"
        await owner.post("/boards/b-one:stop")
        assert (await root.patch("/boards/b-one", json={"owner": "editor"})).json()["owner"] == "editor"
        assert (await owner.get("/boards/b-one")).json()["owner"] == "editor"  # the workspace's owner sees it


async def test_a_board_that_an_admin_stopped_says_so(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one")
    async with hub.kept(), hub.client("root") as root, hub.client("owner") as owner:
        assert (await root.post("/boards/b-one:stop")).json()["reason"] == "Admin"
        await owner.post("/boards/b-one:start")
        assert (await owner.post("/boards/b-one:stop")).json()["reason"] == "User"


async def test_a_delete_may_be_repeated_and_other_commands_find_nothing(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one", visibility=life.Visibility.WORKSPACE)
    async with hub.client("owner") as owner, hub.client("editor") as editor:  # no keeper: it stays Deleting
        assert (await owner.delete("/boards/b-one")).json()["state"] == "Deleting"
        assert (await owner.delete("/boards/b-one")).status_code == 202
        assert (await editor.delete("/boards/b-one")).status_code == 403
        refused = await editor.post("/boards/b-one:start")
        assert refused.status_code == 404 and "being deleted" in refused.json()["message"]
        assert (await owner.get("/boards/b-one")).json()["may"] == ["read"]
        batch = await owner.post("/boards:batch", json={"command": "delete", "boards": ["b-one"]})
        assert batch.json()["items"] == [{"id": "b-one", "ok": True, "state": "Deleting"}]


async def test_keep_alive(hub: hubs.Hub) -> None:
    async with hub.kept(), hub.client("editor") as client:
        board = await created(client, hub)
        address = f"/boards/{board['id']}"
        assert (await client.get(address, params={"wait": 20})).json()["keep_alive_until"] is None
        kept = (await client.post(f"{address}:keepalive")).json()
        assert kept["idle_at"] == kept["keep_alive_until"]
        longer = (await client.post(f"{address}:keepalive", json={"for": "2d"})).json()
        assert longer["keep_alive_until"] > kept["keep_alive_until"]
        assert (await client.post(f"{address}:keepalive", json={"for": "never"})).json()["keep_alive_until"] is None
        for wrong in ("x", "31d"):
            answer = await client.post(f"{address}:keepalive", json={"for": wrong})
            assert answer.json()["code"] == "InvalidDuration", wrong
        await client.post(f"{address}:stop")
        refused = await client.post(f"{address}:keepalive")
        assert refused.status_code == 409 and refused.json()["code"] == "BoardNotRunning"


async def test_ensure_creates_once_and_starts_what_was_stopped(hub: hubs.Hub) -> None:
    body = {"uri": str(hub.root), "source_type": "job", "source_id": "j-1", "workspace": "team"}
    async with hub.kept(), hub.client("editor") as client:
        assert (await client.post("/boards:ensure", json={"uri": str(hub.root)})).status_code == 400
        answers = await asyncio.gather(*(client.post("/boards:ensure", json=body) for _ in range(8)))
        assert len({each.json()["id"] for each in answers}) == 1
        assert sorted(each.status_code for each in answers)[:-1] == [200] * 7
        name = answers[0].json()["id"]
        await client.post(f"/boards/{name}:stop")
        again = await client.post("/boards:ensure", json=body)
        assert again.status_code == 200 and again.json()["id"] == name and again.json()["desired"] == "Run"
        # somebody else does not get the private board, and does not learn of it
        hubs.add_member(hub.database, "team", "viewer", hubs.ROLES["editor"])
        async with hub.client("viewer") as other:
            mine = await other.post("/boards:ensure", json=body)
            assert mine.status_code == 202 and mine.json()["id"] != name and mine.json()["owner"] == "viewer"


async def test_a_wait_ends_with_its_time_and_with_the_board(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one")
    async with hub.client("owner") as client:  # no keeper: nothing happens
        held = await client.get("/boards/b-one", params={"wait": 0.05})
        assert held.json()["state"] == "Pending"
        waiting = asyncio.create_task(client.get("/boards/b-one", params={"wait": 6000}))
        await hub.is_waiting()
        await asyncio.to_thread(hub.database.boards.remove, "b-one")
        assert (await waiting).status_code == 404
    assert not hub.app._news._waits


async def test_a_wait_ends_with_the_token_and_with_the_hub(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one")
    async with hub.client("owner") as client:
        waiting = asyncio.create_task(client.get("/boards/b-one", params={"wait": 60}))
        await hub.is_waiting()
        assert hub.database.people.remove_token("u-owner", "t-owner")
        hub.app._news.tell("b-one")
        assert (await waiting).status_code == 401
    async with hub.client("manager") as client:
        waiting = asyncio.create_task(client.get("/boards/b-one", params={"wait": 60}))
        await hub.is_waiting()
        hub.app.end_streams()
        assert (await waiting).json()["state"] == "Pending"


async def test_lists_are_filtered_sorted_and_paged(hub: hubs.Hub) -> None:
    for number in range(7):
        hubs.add_board(hub.database, f"n{number}", owner="u-owner" if number % 2 else "u-editor", created=float(number))
    async with hub.client("root") as client:
        whole = (await client.get("/boards")).json()
        assert [each["name"] for each in whole["items"]] == [f"n{number}" for number in reversed(range(7))]
        assert whole["total"] == 7 and whole["next_page_token"] == ""
        first = (await client.get("/boards", params={"sort": "name", "limit": 4})).json()
        assert [each["name"] for each in first["items"]] == ["n0", "n1", "n2", "n3"] and first["total"] == 7
        rest = {"sort": "name", "limit": 4, "page_token": first["next_page_token"]}
        second = (await client.get("/boards", params=rest)).json()
        assert [each["name"] for each in second["items"]] == ["n4", "n5", "n6"] and not second["next_page_token"]
        for owner in ("editor", "u-editor"):
            assert (await client.get("/boards", params={"owner": owner})).json()["total"] == 4
        assert (await client.get("/boards", params={"owner": "nobody"})).json()["total"] == 0
        assert (await client.get("/boards", params={"state": "Pending,Running"})).json()["total"] == 7
        assert (await client.get("/boards", params={"state": "stopped"})).json()["total"] == 0
        assert (await client.get("/boards", params={"q": "N3 bucket"})).json()["items"][0]["name"] == "n3"
        assert (await client.get("/boards", params={"workspace": "elsewhere"})).json()["total"] == 0
        by_owner = (await client.get("/boards", params={"sort": "owner"})).json()["items"]
        assert [each["owner"] for each in by_owner] == ["editor"] * 4 + ["owner"] * 3
        for wrong in ("state=Gone", "sort=size", "limit=0", "limit=1001", "page_token=x", "limit=x", "q=a&q=b", "z=1"):
            assert (await client.get(f"/boards?{wrong}")).status_code == 400, wrong


@pytest.mark.parametrize("place", ["5", "{}", '["created", true]', '["created", true, "x", "y"]', "[" * 5000, "null"])
async def test_a_page_token_that_nobody_gave_is_refused(hub: hubs.Hub, place: str) -> None:
    token = base64.urlsafe_b64encode(place.encode()).decode()[:4000]
    async with hub.client("root") as client:
        assert (await client.get("/boards", params={"page_token": token})).status_code == 400


async def test_a_token_for_one_workspace_lists_and_creates_there(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one")
    hubs.add_board(hub.database, "two", workspace="owner")
    hubs.add_token(hub.database, "narrow", "owner", ("boards:write!workspace=team",))
    async with hub.client("narrow") as client:
        assert [each["id"] for each in (await client.get("/boards")).json()["items"]] == ["b-one"]
        assert (await client.get("/boards/b-two")).status_code == 404
        assert (await created(client, hub))["workspace"] == "team"
        refused = await client.post("/boards", json={"uri": str(hub.root), "workspace": "owner"})
        assert refused.status_code == 404
        batch = await client.post("/boards:batch", json={"command": "delete", "boards": ["b-two", "b-one"]})
        assert [each["ok"] for each in batch.json()["items"]] == [False, True]


async def test_what_a_viewer_sees_of_a_failure_has_no_lines_of_the_log(hub: hubs.Hub) -> None:
    board = hubs.add_board(hub.database, "one", visibility=life.Visibility.WORKSPACE)
    failed = dataclasses.replace(board, state=life.State.FAILED, reason="Crashed", message="it ended\nTraceback: /x/y")
    hub.database.boards.store([(board, life.Decision(failed))])
    async with hub.client("viewer") as viewer, hub.client("editor") as editor:
        assert (await viewer.get("/boards/b-one")).json()["message"] == "it ended"
        assert "Traceback" in (await editor.get("/boards/b-one")).json()["message"]
        assert (await viewer.get("/boards")).json()["items"][0]["may"] == ["read", "open"]
        assert (await editor.get("/boards")).json()["items"][0]["may"] == ["read", "open", "command", "logs"]


async def test_sources_that_fail_are_shown_in_the_detail_and_then_in_the_list(
    hub: hubs.Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def progress(board: str) -> runtimes.Progress:
        broken = runtimes.Place("/real/directory", "denied", "permission denied")
        return runtimes.Progress(phase="ready", places=(broken, runtimes.Place("/b", "empty", "no logs")))

    monkeypatch.setattr(hub.runtime, "progress", progress)
    two = [{"uri": "pvc://claim/a", "prefix": "a"}, {"uri": str(hub.root), "prefix": "b"}]
    async with hub.kept(), hub.client("editor") as client:
        answer = await client.post("/boards", json={"sources": two, "name": "x"})
        board = (await client.get(f"/boards/{answer.json()['id']}", params={"wait": 20})).json()
        wanted = [{"uri": "pvc://claim/a", "code": "denied", "message": "permission denied"}]
        assert board["type"] == "mixed" and board["problems"] == wanted
        assert (await client.get("/boards")).json()["items"][0]["problems"] == wanted
        shown = (await client.get(f"/boards/{board['id']}/progress")).json()
        assert [each["path"] for each in shown["places"]] == ["pvc://claim/a", str(hub.root)]
        stopped = (await client.post(f"/boards/{board['id']}:stop")).json()
        assert stopped["problems"] == []


async def test_logs_usage_and_progress(hub: hubs.Hub) -> None:
    async with hub.kept(), hub.client("editor") as client:
        board = await created(client, hub)
        await client.get(f"/boards/{board['id']}?wait=20")
        assert (await client.get(f"/boards/{board['id']}/logs?lines=5")).json() == {"lines": []}
        assert (await client.get(f"/boards/{board['id']}/logs?lines=0")).status_code == 400
        assert (await client.get(f"/boards/{board['id']}/usage")).json()["memory_bytes"] == 0
        assert (await client.get(f"/boards/{board['id']}/progress")).json()["phase"] == "ready"


async def test_check_says_what_is_there(hub: hubs.Hub) -> None:
    (hub.root / "run").mkdir()
    (hub.root / "run" / "events.out.tfevents.1.host").write_bytes(b"")
    sources = [{"uri": str(hub.root)}, {"uri": "/etc"}]
    async with hub.client("editor") as client:
        found = (await client.post("/boards:check", json={"sources": sources})).json()["items"]
    assert found[0]["ok"] and found[0]["runs"] == 1 and found[0]["names"] == ["run"]
    assert not found[1]["ok"] and found[1]["code"] == "InvalidUri"


async def test_batches_do_what_they_can(hub: hubs.Hub) -> None:
    for name in ("one", "two"):
        hubs.add_board(hub.database, name, visibility=life.Visibility.WORKSPACE)
    hubs.add_board(hub.database, "hidden")
    async with hub.client("editor") as client:
        body = {"command": "stop", "boards": ["b-one", "b-hidden", "b-none", "b-two", "b-one"]}
        items = (await client.post("/boards:batch", json=body)).json()["items"]
        assert [(each["id"], each["ok"]) for each in items] == [
            ("b-one", True), ("b-hidden", False), ("b-none", False), ("b-two", True)
        ]  # fmt: skip
        hidden, absent = items[1]["problem"], items[2]["problem"]
        assert hidden["status"] == 404 and hidden["message"].replace("hidden", "none") == absent["message"]
        items = (await client.post("/boards:batch", json={"command": "delete", "boards": ["b-one"]})).json()["items"]
        assert items[0]["problem"]["code"] == "Forbidden"
        assert (await client.post("/boards:batch", json={"command": "stop", "boards": []})).status_code == 400
    assert {(each.action, each.thing) for each in hub.database.journal.audit()} == {
        ("board.stop", "b-one"), ("board.stop", "b-two")
    }  # fmt: skip


async def test_quota(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one")
    hubs.add_board(hub.database, "two", workspace="owner")
    hub.database.settings.put_limits(life.Limits(account=7, workspace=9, hub=None))
    async with hub.client("owner") as client:
        assert (await client.get("/quota", params={"workspace": "team"})).json() == {
            "account": {"limit": 7, "used": 2},
            "workspace": {"id": "team", "limit": 9, "used": 1},
            "hub": {"limit": None, "used": 2},
        }
        assert (await client.get("/quota")).json()["workspace"]["id"] == "owner"
        assert (await client.get("/quota", params={"workspace": "elsewhere"})).status_code == 404


async def test_shares_are_told_once_and_revoked(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one")
    async with hub.client("owner") as client:
        made = await client.post("/boards/b-one/shares", json={"view": "#runs=1"})
        share = made.json()
        assert made.status_code == 201 and share["url"].startswith(f"{hubs.URL}/s/lbh_") and share["view"] == "runs=1"
        assert share["expires"] is not None and share["created_by"] == "owner" and share["role"] == "viewer"
        lasting = (await client.post("/boards/b-one/shares", json={"expires_in": "never"})).json()
        assert lasting["expires"] is None
        shown = (await client.get("/boards/b-one/shares")).text
        assert "lbh_" not in shown and share["id"] in shown
        assert (await client.delete(f"/boards/b-one/shares/{share['id']}")).status_code == 204
        items = {each["id"]: each for each in (await client.get("/boards/b-one/shares")).json()["items"]}
        assert items[share["id"]]["revoked"] and not items[lasting["id"]]["revoked"]
        assert (await client.delete("/boards/b-one/shares/s-none")).status_code == 404
        wrong = await client.post("/boards/b-one/shares", json={"view": "a b\nc"})
        assert wrong.status_code == 400


async def test_audit_has_what_was_done_and_what_was_forbidden(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one", visibility=life.Visibility.WORKSPACE)
    async with hub.client("editor") as client:
        board = await created(client, hub)
        assert (await client.patch("/boards/b-one", json={"name": "x"})).status_code == 403
    entries = [(each.actor, each.action, each.thing, each.outcome) for each in hub.database.journal.audit()]
    assert entries == [
        ("editor", "board.change", "b-one", "Forbidden"),
        ("editor", "board.create", board["id"], "ok"),
    ]


async def test_an_error_of_ours_is_told_without_its_text(hub: hubs.Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the password is 1234")

    monkeypatch.setattr(hub.database.lists, "page", broken)
    async with hub.client("editor") as client:
        answer = await client.get("/boards")
    assert answer.status_code == 500 and "1234" not in answer.text and answer.json()["code"] == "InternalError"


async def test_addresses_that_do_not_exist(hub: hubs.Hub) -> None:
    async with hub.client("editor") as client:
        for path in ("/nothing", "/boards/", "/boards/b-one/nothing", "/boards/%00", "/boards/b-one:explode"):
            assert (await client.get(path)).status_code == 404, path
        wrong = await client.put("/boards", json={})
        assert wrong.status_code == 405 and "GET" in wrong.json()["hint"]
        assert (await client.head("/boards")).content == b""


def test_a_view_decides_for_every_board_as_for_one_alone() -> None:
    from lightboard.hub.db import settings

    boards = [
        life.Board(
            id=f"b-{owner}-{visibility.value}-{state.value}-{workspace}", name="x", workspace=workspace, owner=owner,
            sources=(), created=1.0, visibility=visibility, state=state, policy=life.Policy(idle),
        )
        for owner in ("ann", "bob")
        for visibility in life.Visibility
        for state in (life.State.RUNNING, life.State.DELETING)
        for workspace, idle in (("a", None), ("b", 60.0), ("c", 0.0))
    ]  # fmt: skip
    roles = {"a": accounts.Role.VIEWER, "b": accounts.Role.ADMIN}
    policies = settings.Policies(life.Policy(7.0), {"a": life.Policy(5.0)})
    for scopes in ((), ("boards:read!workspace=a",)):
        user = accounts.User(id="ann", name="ann", created=1.0)
        identity = may.Identity(user, "token", scopes, shared_board=boards[-1].id)

        def view(identity: may.Identity = identity) -> shapes.View:
            return shapes.View(
                identity=identity, roles=roles, policies=policies, names={}, base_url="", places=lambda _: ()
            )

        together = view()
        assert [together.board(each) for each in boards] == [view().board(each) for each in boards]
        assert len({each.may for each in map(together.board, boards)}) > 3


def test_times_and_types_of_sources() -> None:
    assert shapes.time(0.1239) == "1970-01-01T00:00:00.123Z" and shapes.time(1e20).endswith("Z")
    kinds = {
        "/logs": "local", "file:///x": "local", "pvc://a": "claim", "t9k://pvc/a": "claim", "t9k://minio/s/b": "s3",
        "S3://b": "s3", "oss://b": "oss", "gcs://b": "gs", "abfss://b": "az", "https://x": "web",
    }  # fmt: skip
    assert {uri: shapes.type_of([life.Source(uri)]) for uri in kinds} == kinds
