"""API tokens: whose, for what, for how long; no token makes a stronger one."""

from __future__ import annotations

import pytest
from hub.api import inside

from lightboard.hub.life import accounts


async def test_a_token_is_shown_once_and_ends_at_once(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    made = await ann.post("/tokens", name="laptop", scopes=["boards:read", "own", "own"], expires_in="1h")
    assert made.status_code == 201
    token = made.json()
    assert (token["name"], token["user"], token["scopes"]) == ("laptop", "ann", ["boards:read", "own"])
    assert token["created"] == "1970-01-12T13:46:40.000Z" and token["expires"] == "1970-01-12T14:46:40.000Z"
    client = inside_hub.client(token["token"])
    me = (await client.get("/me")).json()
    assert (me["via"], me["scopes"], me["csrf"]) == ("token", ["boards:read", "own"], "")
    listed = (await ann.get("/tokens")).json()["items"]
    mine = next(each for each in listed if each["id"] == token["id"])
    assert mine["last_used"] is not None and "token" not in mine
    assert token["token"] not in str(listed)
    assert (await ann.delete(f"/tokens/{token['id']}")).status_code == 204
    assert (await client.get("/me")).status_code == 401
    assert (await ann.delete(f"/tokens/{token['id']}")).status_code == 404


async def test_a_token_expires(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    never = inside_hub.client((await ann.post("/tokens", name="n", expires_in="never")).json()["token"])
    soon = inside_hub.client((await ann.post("/tokens", name="s", expires_in=60)).json()["token"])
    inside_hub.clock.now += 60
    assert (await soon.get("/me")).status_code == 401
    assert (await never.get("/me")).status_code == 200


async def test_only_admins_touch_tokens_of_others(inside_hub: inside.Hub) -> None:
    ann, bob, root = await inside_hub.user("ann"), await inside_hub.user("bob"), await inside_hub.user("root")
    for name in ("ann", "nobody"):
        refused = await bob.post("/tokens", name="x", user=name)
        assert (refused.status_code, (await bob.get(f"/tokens?user={name}")).status_code) == (403, 403)
    own = (await ann.get("/tokens")).json()["items"][0]["id"]
    assert (await bob.delete(f"/tokens/{own}")).status_code == 404
    made = (await root.post("/tokens", name="for ann", user="ann")).json()
    assert (await inside_hub.client(made["token"]).get("/me")).json()["user"]["name"] == "ann"
    assert {each["id"] for each in (await root.get("/tokens?user=ann")).json()["items"]} == {own, made["id"]}
    assert (await root.get("/tokens?user=nobody")).status_code == 404
    assert (await root.delete(f"/tokens/{own}")).status_code == 204
    assert (await ann.get("/me")).status_code == 401
    entry = inside_hub.database.journal.audit(actor="root", thing=made["id"])[0]
    assert (entry.action, entry.detail["user"]) == ("token.create", "ann")


@pytest.mark.parametrize(
    ("has", "wants", "status"),
    [
        ("", "", 201),
        ("own", "", 403),
        ("own", "own", 201),
        ("own", "boards:read", 403),
        ("own boards:write", "boards:read", 201),
        ("own boards:read", "boards:write", 403),
        ("own boards:write!workspace=ann", "boards:write", 403),
        ("own boards:write!workspace=ann", "boards:read!workspace=ann", 201),
        ("boards:write", "boards:write", 403),
        ("workspaces:write", "", 403),
    ],
)
async def test_a_token_makes_no_stronger_one(inside_hub: inside.Hub, has: str, wants: str, status: int) -> None:
    await inside_hub.user("ann")
    client = await inside_hub.user("ann", scopes=tuple(has.split()))
    before = len(inside_hub.database.people.tokens(inside_hub.id_of("ann")))
    answer = await client.post("/tokens", name="more", scopes=wants.split())
    assert answer.status_code in (status, 404 if status == 403 and "own" not in has else status)
    assert len(inside_hub.database.people.tokens(inside_hub.id_of("ann"))) == before + (status == 201)


async def test_a_scoped_token_of_an_admin_does_not_reach_others(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    own = await inside_hub.user("root", scopes=("own",))
    assert (await own.post("/tokens", name="x", user="ann", scopes=["own"])).status_code == 403
    assert (await own.get("/tokens?user=ann")).status_code == 403
    assert (await own.get("/users")).status_code == 403
    token = inside_hub.database.people.tokens(inside_hub.id_of("ann"))[0]
    assert (await own.delete(f"/tokens/{token.id}")).status_code == 404
    admin = await inside_hub.user("root", scopes=("admin",))
    assert (await admin.post("/tokens", name="x", user="ann")).status_code == 201


async def test_a_token_makes_none_that_outlives_it(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    short = inside_hub.client((await ann.post("/tokens", name="day", expires_in="1d")).json()["token"])
    assert (await short.post("/tokens", name="x", expires_in="never")).status_code == 403
    assert (await short.post("/tokens", name="x", expires_in="2d")).status_code == 403
    assert (await short.post("/tokens", name="x", expires_in="1h")).status_code == 201
    same = (await short.post("/tokens", name="x")).json()
    assert same["expires"] == "1970-01-13T13:46:40.000Z"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"scopes": ["boards:delete"]}, "InvalidScope"),
        ({"scopes": ["boards:read!workspace="]}, "InvalidScope"),
        ({"scopes": ["boards:read!workspace=root"]}, "InvalidScope"),
        ({"scopes": ["boards:read!workspace=nowhere"]}, "InvalidScope"),
        ({"scopes": ["own!workspace=ann"]}, "InvalidScope"),
        ({"scopes": [f"boards:read!workspace={number}" for number in range(30)]}, "InvalidScope"),
        ({"scopes": "own"}, "BadRequest"),
        ({"name": ""}, "InvalidName"),
        ({"name": "x" * 101}, "InvalidName"),
        ({"name": "a\nb"}, "InvalidName"),
        ({"name": 7}, "BadRequest"),
        ({"expires_in": "soon"}, "InvalidDuration"),
        ({"expires_in": -1}, "InvalidDuration"),
        ({"admin": True}, "BadRequest"),
    ],
)
async def test_odd_tokens_are_refused(inside_hub: inside.Hub, body: dict[str, object], code: str) -> None:
    ann = await inside_hub.user("ann")
    answer = await ann.send("POST", "/tokens", {"name": "x", **body})
    assert (answer.status_code, answer.json()["code"]) == (400, code)


async def test_a_name_in_any_script_is_fine(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    assert (await ann.post("/tokens", name="  笔记本 🚀 ")).json()["name"] == "笔记本 🚀"


async def test_a_token_ends_with_the_rights_of_its_user(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    there = await inside_hub.user("ann", scopes=("boards:read!workspace=lab",))
    inside_hub.database.workspaces.add(accounts.Workspace("lab", "Lab", 0.0), inside_hub.id_of("root"))
    member = accounts.Member("lab", inside_hub.id_of("ann"), accounts.Role.VIEWER, 0.0)
    inside_hub.database.workspaces.set_member(member)
    me = (await there.get("/me")).json()
    assert [each["id"] for each in me["workspaces"]] == ["lab"], "its own workspace is out of scope"
    assert (await there.get("/workspaces/lab")).status_code == 200
    assert (await there.get("/workspaces/ann")).status_code == 404
    assert [each["id"] for each in (await there.get("/workspaces")).json()["items"]] == ["lab"]
    inside_hub.database.workspaces.remove_member("lab", inside_hub.id_of("ann"))
    assert (await there.get("/workspaces/lab")).status_code == 404
    inside_hub.database.people.change_user(inside_hub.id_of("ann"), enabled=False)
    assert (await there.get("/me")).status_code == 401
