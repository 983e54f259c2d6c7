"""Accounts, as admins of the hub manage them, and finding people."""

from __future__ import annotations

import asyncio

import pytest
from hub.api import inside


async def test_an_account_has_a_workspace_of_its_own(inside_hub: inside.Hub) -> None:
    root = await inside_hub.user("root")
    made = await root.post("/users", name="Ann.Lee@Example.org", password=inside.PASSWORD, display_name="Ann 李")
    assert made.status_code == 201
    user = made.json()
    assert (user["name"], user["display_name"], user["admin"], user["enabled"]) == (
        "ann.lee@example.org", "Ann 李", False, True,
    )  # fmt: skip
    assert (user["link"], user["has_password"], user["boards"], user["boards_limit"]) == ("", True, 0, "default")
    browser = inside_hub.client()
    assert (await browser.sign_in("ann.lee@example.org")).json()["workspace"] == "ann-lee-example-org"
    assert (await root.get("/users/ann.lee@example.org")).json()["id"] == user["id"]
    assert (await root.get(f"/users/{user['id']}")).json()["name"] == "ann.lee@example.org"


async def test_an_account_without_a_password_gets_a_link(inside_hub: inside.Hub) -> None:
    root = await inside_hub.user("root")
    made = (await root.post("/users", name="ann")).json()
    assert made["link"].startswith(f"{inside.URL}/#/link/lbl_") and made["link_expires"]
    assert not made["has_password"]
    used = await inside_hub.client().post("/links:use", link=made["link"], password="chosen by ann")
    assert used.status_code == 201
    assert (await root.get("/users/ann")).json()["has_password"]


async def test_the_personal_workspace_gets_a_free_name(inside_hub: inside.Hub) -> None:
    root = await inside_hub.user("root")
    assert (await root.post("/workspaces", id="ann")).status_code == 201
    for name in ("ann", "admin", "a+b", "a.b"):
        assert (await root.post("/users", name=name, password=inside.PASSWORD)).status_code == 201
    own = [each for each in inside_hub.database.workspaces.all() if each.personal_of]
    assert len({each.id for each in own}) == 5
    assert not {"ann", "admin"} & {each.id for each in own}


async def test_of_several_accounts_with_one_name_one_is_made(inside_hub: inside.Hub) -> None:
    root = await inside_hub.user("root")
    answers = await asyncio.gather(
        *(root.post("/users", name=name, password=inside.PASSWORD) for name in ["ann", "Ann", "ＡＮＮ"] * 4)
    )
    codes = [each.status_code for each in answers]
    assert sorted(codes) == [201] + [409] * 11
    assert {each.json()["code"] for each in answers if each.status_code == 409} == {"NameConflict"}
    assert inside_hub.database.workspaces.count() == 2 == inside_hub.database.people.user_count()


async def test_parallel_accounts_with_one_slug_are_all_made(inside_hub: inside.Hub) -> None:
    root = await inside_hub.user("root")
    names = ["a.b", "a-b", "a_b", "a+b", "a@b"]
    answers = await asyncio.gather(*(root.post("/users", name=each, password=inside.PASSWORD) for each in names))
    assert [each.status_code for each in answers] == [201] * 5


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": ""}, "InvalidName"),
        ({"name": "两个字"}, "InvalidName"),
        ({"name": "a b"}, "InvalidName"),
        ({"name": "a/b"}, "InvalidName"),
        ({"name": "x" * 65}, "InvalidName"),
        ({"name": "x" * 100_000}, "InvalidName"),
        ({"name": None}, "BadRequest"),
        ({"name": "ann", "password": "short"}, "InvalidPassword"),
        ({"name": "ann", "password": "x" * 1001}, "InvalidPassword"),
        ({"name": "ann", "display_name": "a\nb"}, "InvalidName"),
        ({"name": "ann", "display_name": "x" * 101}, "InvalidName"),
        ({"name": "ann", "owner": True}, "BadRequest"),
        ({}, "BadRequest"),
        ([], "BadRequest"),
    ],
)
async def test_odd_accounts_are_refused(inside_hub: inside.Hub, body: object, code: str) -> None:
    root = await inside_hub.user("root")
    answer = await root.send("POST", "/users", body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert inside_hub.database.people.user_count() == 1


async def test_an_id_of_somebody_is_no_name_for_another(inside_hub: inside.Hub) -> None:
    root = await inside_hub.user("root")
    assert (await root.post("/users", name=inside_hub.id_of("root"))).status_code == 409


async def test_only_admins_manage_accounts(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    for method, path in (("GET", "/users"), ("POST", "/users"), ("GET", "/users/root"), ("PATCH", "/users/ann"),
                         ("DELETE", "/users/root"), ("POST", "/users/root:reset"), ("GET", "/settings"),
                         ("PATCH", "/settings"), ("GET", "/audit"), ("GET", "/overview")):  # fmt: skip
        body = {"name": "x"} if path == "/users" and method == "POST" else {}
        answer = await ann.send(method, path, body if method in ("POST", "PATCH") else None)
        assert answer.status_code == 403, (method, path)
        nobody = await inside_hub.client().send(method, path, body if method in ("POST", "PATCH") else None)
        assert nobody.status_code == 401, (method, path)
    refused = inside_hub.database.journal.audit(actor="ann")
    assert {(each.action, each.outcome) for each in refused} >= {
        ("user.delete", "Forbidden"),
        ("user.edit", "Forbidden"),
    }


async def test_an_account_is_changed(inside_hub: inside.Hub) -> None:
    root, ann = await inside_hub.user("root"), await inside_hub.user("ann")
    browser = inside_hub.client()
    await browser.sign_in("ann")
    changed = await root.patch("/users/ann", display_name=" Ann ", admin=True, boards_limit=9)
    assert {name: changed.json()[name] for name in ("display_name", "admin", "boards_limit")} == {
        "display_name": "Ann", "admin": True, "boards_limit": 9,
    }  # fmt: skip
    assert (await browser.get("/me")).json()["quota"] == {"limit": 9, "used": 0}
    assert (await root.patch("/users/ann", boards_limit=None)).json()["boards_limit"] is None
    assert (await root.patch("/users/ann", boards_limit="default")).json()["boards_limit"] == "default"
    for wrong in (-1, 10**9, "many", 1.5, True):
        assert (await root.patch("/users/ann", boards_limit=wrong)).status_code == 400
    assert (await root.patch("/users/ann", password="set by root 1")).status_code == 200
    assert (await browser.get("/me")).status_code == 401, "a new password ends sessions"
    assert (await browser.sign_in("ann", "set by root 1")).status_code == 201
    assert (await root.patch("/users/ann", enabled=False)).json()["enabled"] is False
    assert (await browser.get("/me")).status_code == 401
    assert (await ann.get("/me")).status_code == 401, "tokens, too"
    assert (await browser.sign_in("ann", "set by root 1")).status_code == 401
    await root.patch("/users/ann", enabled=True)
    assert (await ann.get("/me")).status_code == 200
    assert (await root.patch("/users/nobody", admin=True)).status_code == 404


async def test_the_last_admin_stays(inside_hub: inside.Hub) -> None:
    root = await inside_hub.user("root")
    for body in ({"admin": False}, {"enabled": False}):
        answer = await root.patch("/users/root", **body)
        assert (answer.status_code, answer.json()["code"]) == (409, "Conflict")
        assert "last admin" in answer.json()["message"]
    assert (await root.delete("/users/root")).status_code == 409
    ann = await inside_hub.user("ann", admin=True)
    answers = await asyncio.gather(root.patch("/users/ann", admin=False), ann.patch("/users/root", admin=False))
    assert sorted(each.status_code for each in answers) in ([200, 403], [200, 409])
    assert sum(each.admin for each in inside_hub.database.people.users()) == 1


async def test_an_account_is_deleted_with_what_is_its_own(inside_hub: inside.Hub) -> None:
    root, ann = await inside_hub.user("root"), await inside_hub.user("ann")
    inside_hub.board("b-1", "ann", "ann")
    busy = await root.delete("/users/ann")
    assert (busy.status_code, busy.json()["message"]) == (409, "the user owns boards")
    inside_hub.database.boards.remove("b-1")
    await ann.post("/workspaces", id="lab")
    alone = await root.delete("/users/ann")
    assert alone.status_code == 409 and "lab" in alone.json()["message"]
    await ann.post("/workspaces/lab/members", user="root", role="owner")
    assert (await root.delete("/users/ann")).status_code == 204
    assert (await ann.get("/me")).status_code == 401
    assert (await root.get("/users/ann")).status_code == 404
    assert (await root.delete("/users/ann")).status_code == 404
    assert inside_hub.database.workspaces.get("ann") is None
    assert (await root.post("/users", name="ann", password=inside.PASSWORD)).status_code == 201


async def test_accounts_are_listed_in_pages_and_searched(inside_hub: inside.Hub) -> None:
    root = await inside_hub.user("root")
    for number in range(5):
        await inside_hub.user(f"user{number}")
    inside_hub.board("b-1", "user3", "user3")
    inside_hub.database.people.change_user(inside_hub.id_of("user1"), display_name="Zoë Ångström")
    names, token = [], ""
    while True:
        page = (await root.get(f"/users?limit=2&page_token={token}")).json()
        names += [(each["name"], each["boards"]) for each in page["items"]]
        token = page["next_page_token"]
        if not token:
            break
    assert names == [("root", 0), *((f"user{number}", int(number == 3)) for number in range(5))]
    found = await root.get("/users?q=zo%C3%AB")
    assert [each["name"] for each in found.json()["items"]] == ["user1"]
    assert (await root.get("/users?limit=0")).status_code == 200
    assert (await root.get("/users?limit=x")).status_code == 400


async def test_people_find_each_other(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    for number in range(25):
        await inside_hub.user(f"bob{number:02}")
    inside_hub.database.people.change_user(inside_hub.id_of("bob00"), enabled=False)
    found = (await ann.get("/people?q=BOB")).json()
    assert len(found) == 20 and found[0] == {"name": "bob01", "display_name": ""}
    assert (await ann.get("/people?q=%25")).json() == []
    assert (await inside_hub.client().get("/people")).status_code == 401
    scoped = await inside_hub.user("ann", scopes=("boards:write",))
    assert (await scoped.get("/people?q=bob")).status_code == 403
