"""Workspaces, members and roles."""

from __future__ import annotations

import asyncio
import pathlib

import pytest
from hub.api import inside

from lightboard.hub import life
from lightboard.hub.life import accounts


async def lab(hub: inside.Hub, *members: str) -> dict[str, inside.Client]:
    """The workspace `lab` of `owner`; members are "name:role"."""
    clients = {"owner": await hub.user("owner")}
    assert (await clients["owner"].post("/workspaces", id="lab", name="The lab")).status_code == 201
    for each in members:
        name, _, role = each.partition(":")
        clients[name] = await hub.user(name)
        assert (await clients["owner"].post("/workspaces/lab/members", user=name, role=role)).status_code == 201
    return clients


async def test_a_workspace_is_made_shown_changed_and_deleted(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    made = await ann.post("/workspaces", id="lab", name="实验室 🧪", description="two\nlines")
    assert made.status_code == 201 and made.headers["location"] == f"{inside.URL}/api/v1/workspaces/lab"
    shown = (await ann.get("/workspaces/lab")).json()
    assert shown == made.json()
    assert (shown["name"], shown["description"], shown["role"], shown["personal"], shown["members"]) == (
        "实验室 🧪", "two\nlines", "owner", False, 1,
    )  # fmt: skip
    assert (shown["idle_after"], shown["effective"]["idle_after"], shown["boards_limit"]) == (None, 3600.0, "default")
    assert set(shown["may"]) >= {"edit", "delete", "owners", "secrets", "create_board"}
    changed = await ann.patch("/workspaces/lab", name="Lab", description="", idle_after="2h", max_runtime="1d")
    assert (changed.json()["name"], changed.json()["idle_after"], changed.json()["max_runtime"]) == (
        "Lab", 7200.0, 86400.0,
    )  # fmt: skip
    assert (await ann.patch("/workspaces/lab", idle_after=None)).json()["effective"]["idle_after"] == 3600.0
    inside_hub.board("b-1", "lab", "ann")
    busy = await ann.delete("/workspaces/lab")
    assert busy.status_code == 409 and busy.json()["boards"] == [{"id": "b-1", "name": "Board b-1", "state": "Pending"}]
    inside_hub.database.boards.remove("b-1")
    assert (await ann.delete("/workspaces/lab")).status_code == 204
    assert (await ann.get("/workspaces/lab")).status_code == 404


async def test_an_id_is_made_from_the_name(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    assert (await ann.post("/workspaces", name="Café & Co.")).json()["id"] == "cafe-co"
    named = (await ann.post("/workspaces", name="My Team")).json()
    assert (named["id"], named["name"]) == ("my-team", "My Team")
    refused = await ann.post("/workspaces", name="实验室")
    assert (refused.status_code, refused.json()["code"]) == (400, "InvalidName")


async def test_of_several_with_one_id_one_is_made(inside_hub: inside.Hub) -> None:
    clients = [await inside_hub.user(f"user{number}") for number in range(6)]
    answers = await asyncio.gather(*(each.post("/workspaces", id="lab") for each in clients))
    assert sorted(each.status_code for each in answers) == [201] + [409] * 5
    (winner,) = (each.json()["role"] for each in answers if each.status_code == 201)
    assert winner == "owner" and len(inside_hub.database.workspaces.members("lab")) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"id": ""}, {"id": "Lab"}, {"id": "-lab"}, {"id": "lab-"}, {"id": "a b"}, {"id": "l/b"}, {"id": "实验"},
        {"id": "x" * 64}, {"id": "admin"}, {"id": "lab", "name": "a\x07b"}, {"id": "lab", "name": "x" * 101},
        {"id": "lab", "description": "x" * 2001}, {"id": "lab", "description": "\x07"}, {"id": 7}, {"idd": "lab"},
    ],
)  # fmt: skip
async def test_odd_workspaces_are_refused(inside_hub: inside.Hub, body: dict[str, object]) -> None:
    ann = await inside_hub.user("ann")
    assert (await ann.send("POST", "/workspaces", body)).status_code == 400
    assert inside_hub.database.workspaces.count() == 2


async def test_without_self_service_admins_create_workspaces(
    tmp_path: pathlib.Path, empty_tables: pathlib.Path
) -> None:
    async with inside.running(tmp_path, empty_tables, self_service=False) as hub:
        ann, root = await hub.user("ann"), await hub.user("root")
        assert (await ann.post("/workspaces", id="lab")).status_code == 403
        assert (await ann.get("/me")).json()["hub"]["self_service"] is False
        assert (await root.post("/workspaces", id="lab")).status_code == 201


async def test_nobody_owns_too_many_workspaces(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    for number in range(99):
        inside_hub.database.workspaces.add(accounts.Workspace(f"w{number}", "w", 0.0), inside_hub.id_of("ann"))
    answer = await ann.post("/workspaces", id="lab")
    assert (answer.status_code, answer.json()["code"]) == (409, "Conflict")


async def test_others_do_not_see_a_workspace(inside_hub: inside.Hub) -> None:
    await lab(inside_hub)
    mallory = await inside_hub.user("mallory")
    paths = ["/workspaces/lab", "/workspaces/lab/members", "/workspaces/lab/secrets"]
    for path in paths:
        hidden, absent = await mallory.get(path), await mallory.get(path.replace("lab", "none"))
        assert hidden.status_code == absent.status_code == 404
        assert hidden.json()["code"] == absent.json()["code"]
    for method, path, body in (
        ("PATCH", "/workspaces/lab", {"name": "x"}),
        ("DELETE", "/workspaces/lab", None),
        ("POST", "/workspaces/lab/members", {"user": "mallory", "role": "owner"}),
        ("PUT", "/workspaces/lab/members/mallory", {"role": "owner"}),
        ("PUT", "/workspaces/lab/members/nobody", {"role": "owner"}),
        ("DELETE", "/workspaces/lab/members/owner", None),
    ):
        assert (await mallory.send(method, path, body)).status_code == 404, (method, path)
    assert [each["id"] for each in (await mallory.get("/workspaces")).json()["items"]] == ["mallory"]
    root = await inside_hub.user("root")
    assert [each["id"] for each in (await root.get("/workspaces")).json()["items"]] == [
        "lab", "mallory", "owner", "root",
    ]  # fmt: skip
    assert [each["id"] for each in (await root.get("/workspaces?mine=1")).json()["items"]] == ["root"]
    assert (await root.get("/workspaces/lab")).json()["role"] is None


async def test_workspaces_are_listed_in_pages_and_searched(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    for number in range(5):
        await ann.post("/workspaces", id=f"w{number}", name=f"Team {number} 队")
    found, token = [], ""
    while True:
        page = (await ann.get(f"/workspaces?limit=2&page_token={token}")).json()
        found += [each["id"] for each in page["items"]]
        token = page["next_page_token"]
        if not token:
            break
    assert found == ["ann", "w0", "w1", "w2", "w3", "w4"]
    assert [each["id"] for each in (await ann.get("/workspaces?q=TEAM%203")).json()["items"]] == ["w3"]
    scoped = await inside_hub.user("root", scopes=("boards:read!workspace=w1",))
    assert [each["id"] for each in (await scoped.get("/workspaces")).json()["items"]] == ["w1"]


async def test_members_are_added_changed_and_removed(inside_hub: inside.Hub) -> None:
    clients = await lab(inside_hub, "ann:viewer")
    owner, ann = clients["owner"], clients["ann"]
    await inside_hub.user("bob")
    assert (await ann.get("/workspaces/lab")).json()["may"] == ["read"]
    put = await owner.put("/workspaces/lab/members/ann", role="admin")
    assert (put.status_code, put.json()["role"], put.json()["user"]) == (200, "admin", "ann")
    assert (await ann.post("/workspaces/lab/members", user=inside_hub.id_of("bob"))).json()["role"] == "viewer"
    items = (await ann.get("/workspaces/lab/members")).json()["items"]
    assert {each["user"]: each["role"] for each in items} == {"owner": "owner", "ann": "admin", "bob": "viewer"}
    assert all(each["since"].endswith("Z") for each in items)
    assert (await owner.get("/workspaces/lab")).json()["members"] == 3
    assert (await ann.delete("/workspaces/lab/members/bob")).status_code == 204
    assert (await ann.delete("/workspaces/lab/members/bob")).status_code == 404
    for wrong in ({"user": "nobody"}, {"user": ""}):
        assert (await owner.post("/workspaces/lab/members", **wrong)).status_code == 404
    assert (await owner.post("/workspaces/lab/members", user="bob", role="king")).status_code == 400


async def test_who_is_removed_loses_access_at_once(inside_hub: inside.Hub) -> None:
    await lab(inside_hub, "ann:editor")
    browser = inside_hub.client()
    await browser.sign_in("ann")
    assert (await browser.get("/workspaces/lab")).status_code == 200
    owner = await inside_hub.user("owner")
    await owner.delete("/workspaces/lab/members/ann")
    assert (await browser.get("/workspaces/lab")).status_code == 404
    assert (await browser.get("/me")).status_code == 200, "the session stays"


async def test_only_owners_make_and_change_owners(inside_hub: inside.Hub) -> None:
    clients = await lab(inside_hub, "ann:admin", "bob:viewer", "eve:editor")
    ann, owner = clients["ann"], clients["owner"]
    assert (await ann.put("/workspaces/lab/members/bob", role="owner")).status_code == 403
    assert (await ann.put("/workspaces/lab/members/ann", role="owner")).status_code == 403
    assert (await ann.put("/workspaces/lab/members/owner", role="viewer")).status_code == 403
    assert (await ann.delete("/workspaces/lab/members/owner")).status_code == 403
    assert (await clients["eve"].put("/workspaces/lab/members/eve", role="admin")).status_code == 403
    assert (await clients["bob"].delete("/workspaces/lab/members/eve")).status_code == 403
    assert (await ann.delete("/workspaces/lab")).status_code == 403
    assert (await owner.put("/workspaces/lab/members/bob", role="owner")).status_code == 200
    assert (await clients["bob"].put("/workspaces/lab/members/owner", role="viewer")).status_code == 200
    root = await inside_hub.user("root")
    assert (await root.put("/workspaces/lab/members/owner", role="owner")).status_code == 200
    scoped = await inside_hub.user("root", scopes=("boards:write",))
    assert (await scoped.put("/workspaces/lab/members/ann", role="owner")).status_code == 403


async def test_everybody_may_leave_but_the_last_owner(inside_hub: inside.Hub) -> None:
    clients = await lab(inside_hub, "ann:viewer", "bob:owner")
    assert (await clients["ann"].delete("/workspaces/lab/members/ann")).status_code == 204
    assert (await clients["ann"].get("/workspaces/lab")).status_code == 404
    answers = await asyncio.gather(
        *(clients[name].delete(f"/workspaces/lab/members/{name}") for name in ("owner", "bob"))
    )
    assert sorted(each.status_code for each in answers) == [204, 409]
    (left,) = inside_hub.database.workspaces.members("lab")
    last = clients["owner"] if left.user == inside_hub.id_of("owner") else clients["bob"]
    stays = await last.put(f"/workspaces/lab/members/{left.user}", role="viewer")
    assert (stays.status_code, stays.json()["message"]) == (409, "a workspace needs an owner")


async def test_a_personal_workspace_stays_with_its_user(inside_hub: inside.Hub) -> None:
    ann, root = await inside_hub.user("ann"), await inside_hub.user("root")
    assert (await ann.delete("/workspaces/ann")).status_code == 409
    assert (await ann.post("/workspaces/ann/members", user="root", role="owner")).status_code == 201
    for client in (ann, root):
        assert (await client.delete("/workspaces/ann/members/ann")).status_code == 409
        assert (await client.put("/workspaces/ann/members/ann", role="viewer")).status_code == 409
    assert (await root.delete("/workspaces/ann")).status_code == 409
    assert (await ann.get("/me")).json()["workspace"] == "ann"


async def test_admins_of_a_workspace_choose_within_the_bounds(inside_hub: inside.Hub) -> None:
    clients = await lab(inside_hub, "ann:admin", "bob:editor")
    ann, root = clients["ann"], await inside_hub.user("root")
    long = await ann.patch("/workspaces/lab", idle_after="7d")
    assert (long.status_code, long.json()["code"]) == (400, "InvalidDuration")
    assert (await ann.patch("/workspaces/lab", idle_after="never")).status_code == 400
    assert (await ann.patch("/workspaces/lab", idle_after=1)).status_code == 400
    assert (await root.patch("/workspaces/lab", idle_after="never")).json()["idle_after"] == 0
    kept = await ann.patch("/workspaces/lab", name="Renamed", reclaim_after="2d")
    assert (kept.json()["idle_after"], kept.json()["reclaim_after"]) == (0, 172800), "what the admin chose stays"
    odd: list[object] = [True, "x", [], {}, -1, 1e300, "9" * 400]
    for wrong in odd:
        assert (await ann.patch("/workspaces/lab", idle_after=wrong)).status_code == 400
    assert (await clients["bob"].patch("/workspaces/lab", name="x")).status_code == 403
    assert inside_hub.database.settings.policies().workspaces["lab"] == life.Policy(0.0, 172800.0)


async def test_only_admins_of_the_hub_set_limits(inside_hub: inside.Hub) -> None:
    clients = await lab(inside_hub)
    root = await inside_hub.user("root")
    refused = await clients["owner"].patch("/workspaces/lab", boards_limit=100, name="Not this")
    assert refused.status_code == 403
    assert (await root.patch("/workspaces/lab", boards_limit=3)).json()["boards_limit"] == 3
    assert (await clients["owner"].get("/workspaces/lab")).json()["name"] == "The lab"
    assert inside_hub.database.settings.limits(inside_hub.id_of("owner"), "lab").workspace == 3
    assert (await root.patch("/workspaces/lab", boards_limit="default")).json()["boards_limit"] == "default"


async def test_changes_are_audited(inside_hub: inside.Hub) -> None:
    clients = await lab(inside_hub, "ann:editor")
    await clients["ann"].patch("/workspaces/lab", name="x")
    entries = inside_hub.database.journal.audit(workspace="lab")
    assert [(each.actor, each.action, each.thing, each.outcome) for each in entries] == [
        ("ann", "workspace.edit", "lab", "Forbidden"),
        ("owner", "member.put", "lab/ann", "ok"),
    ]
    (made,) = inside_hub.database.journal.audit(thing="lab", actor="owner")
    assert made.action == "workspace.create"
