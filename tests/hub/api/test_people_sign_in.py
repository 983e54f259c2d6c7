"""Signing in: passwords, sessions, one-time links, attempts; and what nobody learns from the answers."""

from __future__ import annotations

import asyncio
import dataclasses
import pathlib

import argon2
import pytest
from hub.api import inside

from lightboard.hub.life import accounts
from lightboard.hub.people import attempts, passwords, tokens

COOKIE = "lightboard_session"


async def test_a_browser_signs_in_and_out(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    browser = inside_hub.client()
    answer = await browser.sign_in(" Ann ")
    assert answer.status_code == 201
    me = answer.json()
    assert (me["user"]["name"], me["via"], me["workspace"]) == ("ann", "session", "ann")
    assert me["workspaces"] == [{"id": "ann", "name": "ann", "role": "owner", "personal": True}]
    assert me["quota"] == {"limit": 5, "used": 0} and me["hub"]["roots"] == []
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Secure" not in cookie
    again = (await browser.get("/me")).json()
    assert again["csrf"] == me["csrf"] and again["user"]["id"] == me["user"]["id"]
    assert (await browser.delete("/session")).status_code == 204
    refused = await browser.get("/me")
    assert (refused.status_code, refused.json()["code"]) == (401, "Unauthenticated")
    assert (await inside_hub.client().delete("/session")).status_code == 204


async def test_the_cookie_of_https_belongs_to_this_host_alone(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    browser = inside_hub.client(url="https://hub.test")
    cookie = (await browser.sign_in("ann")).headers["set-cookie"]
    assert cookie.startswith(f"__Host-{COOKIE}=") and "; Secure" in cookie and "Path=/;" in cookie
    assert (await browser.get("/me")).json()["csrf"] == browser.csrf


async def test_a_planted_session_is_not_taken_over(inside_hub: inside.Hub) -> None:
    """Session fixation: the value after the sign-in is a new one, and the one before is no session."""
    await inside_hub.user("ann")
    browser = inside_hub.client()
    planted = tokens.make(tokens.SESSION).value
    browser.http.cookies.set(COOKIE, planted, domain="hub.test")
    answer = await browser.sign_in("ann")
    value = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert answer.status_code == 201 and value != planted
    other = inside_hub.client()
    other.http.cookies.set(COOKIE, planted, domain="hub.test")
    assert (await other.get("/me")).status_code == 401


async def test_a_second_sign_in_ends_the_session_before(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    browser, other = inside_hub.client(), inside_hub.client()
    await browser.sign_in("ann")
    other.http.cookies.update(browser.http.cookies)
    assert (await other.get("/me")).status_code == 200
    assert (await browser.sign_in("ann")).status_code == 201
    assert (await other.get("/me")).status_code == 401
    assert len((await browser.get("/sessions")).json()["items"]) == 1


async def test_writes_of_a_session_need_its_csrf_token(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    browser = inside_hub.client()
    await browser.sign_in("ann")
    csrf, browser.csrf = browser.csrf, ""
    assert (await browser.patch("/me", display_name="Mallory")).status_code == 403
    assert (await browser.delete("/session")).status_code == 403
    browser.csrf = csrf
    foreign = await browser.send("PATCH", "/me", {"display_name": "Mallory"}, Origin="http://evil.test")
    assert foreign.status_code == 403
    assert (await browser.patch("/me", display_name="Ann")).json()["user"]["display_name"] == "Ann"
    planted = await inside_hub.client().send(
        "POST", "/session", {"name": "ann", "password": inside.PASSWORD}, Origin="http://evil.test"
    )
    assert planted.status_code == 403, "another site signs nobody in"


async def test_every_wrong_sign_in_gets_the_same_answer(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    await inside_hub.user("off")
    inside_hub.database.people.change_user(inside_hub.id_of("off"), enabled=False)
    tried = [("ann", "wrong password"), ("nobody", inside.PASSWORD), ("off", inside.PASSWORD), ("", ""), ("安", "x"),
             ("a" * 5000, "x" * 5000), ("ann", "x" * 5000)]  # fmt: skip
    answers = [await inside_hub.client().sign_in(name, password) for name, password in tried]
    assert {each.status_code for each in answers} == {401}
    assert len({each.text for each in answers}) == 1
    assert all("set-cookie" not in each.headers for each in answers)


class Counting(passwords.Passwords):
    """State: how often something was checked."""

    checked = 0

    def matches(self, password_hash: str | None, password: str) -> bool:
        self.checked += 1
        return super().matches(password_hash, password)


async def test_unknown_names_take_the_way_of_wrong_passwords(
    tmp_path: pathlib.Path, empty_tables: pathlib.Path
) -> None:
    """No clock is read: the same work is done for each."""
    counting = Counting(inside.QUICK)
    async with inside.running(tmp_path, empty_tables, passwords=counting) as hub:
        for name in ("root", "nobody", "not a name!"):
            before = counting.checked
            assert (await hub.client().sign_in(name, "wrong password")).status_code == 401
            assert counting.checked == before + 1


async def test_attempts_are_limited_by_name(tmp_path: pathlib.Path, empty_tables: pathlib.Path) -> None:
    few = attempts.Attempts(per_name=3, per_network=100)
    async with inside.running(tmp_path, empty_tables, attempts=few) as hub:
        await hub.user("ann")
        codes = [(await hub.client(address=f"192.0.2.{each}").sign_in("Ann", "wrong")).status_code for each in range(5)]
        assert codes == [401, 401, 401, 429, 429]
        refused = await hub.client().sign_in("ann")
        assert (refused.status_code, refused.json()["code"]) == (429, "RateLimited")
        wait = int(refused.headers["retry-after"])
        assert 0 < wait <= 100
        assert (await hub.client().sign_in("root")).status_code == 201, "others sign in"
        hub.clock.now += wait
        assert (await hub.client().sign_in("ann")).status_code == 201


async def test_who_tries_passwords_elsewhere_locks_nobody_out(
    tmp_path: pathlib.Path, empty_tables: pathlib.Path
) -> None:
    few = attempts.Attempts(per_name=3, per_network=100)
    async with inside.running(tmp_path, empty_tables, attempts=few) as hub:
        home = hub.client(address="192.0.2.1")
        assert (await home.sign_in("root")).status_code == 201
        codes = [
            (await hub.client(address=f"198.51.100.{each}").sign_in("root", "wrong")).status_code for each in range(5)
        ]
        assert codes == [401, 401, 401, 429, 429]
        assert (await home.sign_in("root")).status_code == 201
        codes = [(await hub.client(address="192.0.2.1").sign_in("root", "wrong")).status_code for _ in range(4)]
        assert codes == [401, 401, 401, 429], "at home there is a limit, too"


async def test_attempts_are_limited_by_network(tmp_path: pathlib.Path, empty_tables: pathlib.Path) -> None:
    few = attempts.Attempts(per_name=100, per_network=3)
    async with inside.running(tmp_path, empty_tables, attempts=few) as hub:
        addresses = [f"2001:db8::{each}" for each in range(1, 6)]
        codes = [(await hub.client(address=each).sign_in(f"n{each[-1]}", "wrong")).status_code for each in addresses]
        assert codes == [401, 401, 401, 429, 429]
        assert (await hub.client(address="2001:db8:0:1::1").sign_in("root")).status_code == 201
        guess = await hub.client(address="2001:db8::9").get("/links:check?link=guess")
        assert guess.status_code == 429


async def test_parallel_attempts_do_not_outrun_the_count(tmp_path: pathlib.Path, empty_tables: pathlib.Path) -> None:
    few = attempts.Attempts(per_name=5, per_network=1000)
    async with inside.running(tmp_path, empty_tables, attempts=few) as hub:
        client = hub.client()
        answers = await asyncio.gather(*(client.sign_in("root", "wrong") for _ in range(30)))
        assert sorted(each.status_code for each in answers) == [401] * 5 + [429] * 25


async def test_waiting_attempts_are_bounded() -> None:
    few, ends = attempts.Attempts(), asyncio.Event()

    async def attempt() -> None:
        async with few.turn():
            await ends.wait()

    waiting = [asyncio.ensure_future(attempt()) for _ in range(attempts.MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(attempts.TooMany):
        await attempt()
    ends.set()
    await asyncio.gather(*waiting)
    await attempt()


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MOST_BUCKETS", 10)
    monkeypatch.setattr(attempts, "MOST_HOMES", 10)
    few = attempts.Attempts()
    for number in range(50):
        few.take(f"n{number}", f"192.0.2.{number}", 0.0)
        few.succeeded(f"m{number}", f"192.0.2.{number}", 0.0)
    assert len(few._buckets) <= 10 and len(few._homes) == 10


async def test_weak_hashes_are_renewed_at_the_next_sign_in(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    weak = argon2.PasswordHasher(time_cost=2, memory_cost=16, parallelism=1).hash(inside.PASSWORD)
    inside_hub.database.people.change_user(inside_hub.id_of("ann"), password_hash=weak)
    assert (await inside_hub.client().sign_in("ann")).status_code == 201
    user = inside_hub.database.people.user_named("ann")
    assert user is not None and user.password_hash != weak
    assert (await inside_hub.client().sign_in("ann")).status_code == 201


async def test_sessions_are_listed_and_end_at_once(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    await inside_hub.user("bob")
    one, two, bob = inside_hub.client(), inside_hub.client(address="198.51.100.7"), inside_hub.client()
    one.http.headers["User-Agent"] = "Firefox " + "x" * 500
    for browser, name in ((one, "ann"), (two, "ann"), (bob, "bob")):
        await browser.sign_in(name)
    items = (await one.get("/sessions")).json()["items"]
    assert sorted((each["address"], each["current"]) for each in items) == [
        ("192.0.2.1", True), ("198.51.100.7", False),
    ]  # fmt: skip
    assert all(each["expires"] > each["created"] and len(each["agent"]) <= 200 for each in items)
    (other,) = (each["id"] for each in items if not each["current"])
    assert (await bob.delete(f"/sessions/{other}")).status_code == 404
    assert (await one.delete(f"/sessions/{other}")).status_code == 204
    assert (await two.get("/me")).status_code == 401
    assert (await one.delete(f"/sessions/{other}")).status_code == 404
    inside_hub.clock.now += inside_hub.services.session_secs
    assert (await one.get("/me")).status_code == 401, "expired"


async def test_a_new_password_needs_the_old_one_and_ends_other_sessions(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    here, there = inside_hub.client(), inside_hub.client()
    await here.sign_in("ann")
    await there.sign_in("ann")
    refused = await here.patch("/me", password="a new long password", old_password="wrong")
    assert (refused.status_code, refused.json()["code"]) == (403, "WrongPassword")
    short = await here.patch("/me", password="short", old_password=inside.PASSWORD)
    assert (short.status_code, short.json()["code"]) == (400, "InvalidPassword")
    changed = await here.patch("/me", password="a new long password", old_password=inside.PASSWORD)
    assert changed.status_code == 200
    here.csrf = changed.json()["csrf"]
    assert (await here.get("/me")).json()["csrf"] == here.csrf
    assert (await there.get("/me")).status_code == 401
    assert (await there.sign_in("ann")).status_code == 401
    assert (await there.sign_in("ann", "a new long password")).status_code == 201


async def test_a_token_for_less_cannot_set_the_first_password(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    inside_hub.database.people.change_user(inside_hub.id_of("ann"), password_hash="")
    scoped, whole = await inside_hub.user("ann", scopes=("own",)), await inside_hub.user("ann")
    assert (await inside_hub.client().sign_in("ann", "")).status_code == 401
    assert (await scoped.patch("/me", password="a new long password")).status_code == 403
    assert (await whole.patch("/me", password="a new long password")).status_code == 200
    assert (await inside_hub.client().sign_in("ann", "a new long password")).status_code == 201


async def test_a_reset_link_works_once_and_ends_sessions(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    root, browser = await inside_hub.user("root"), inside_hub.client()
    await browser.sign_in("ann")
    made = (await root.post("/users/ann:reset")).json()
    value = made["link"].removeprefix(f"{inside.URL}/#/link/")
    assert value.startswith("lbl_") and made["expires"].endswith("Z")
    newer = (await root.post("/users/ann:reset")).json()["link"]
    nobody = inside_hub.client()
    assert (await nobody.get(f"/links:check?link={value}")).status_code == 410, "a newer one replaced it"
    value = newer.rpartition("/")[2]
    checked = (await nobody.get(f"/links:check?link={value}")).json()
    assert (checked["purpose"], checked["user"]) == ("reset", "ann")
    assert (await nobody.post("/links:use", link=value, password="short")).status_code == 400
    used = await nobody.post("/links:use", link=newer, password="from the link 1", name="mallory")
    assert used.status_code == 201 and used.json()["user"]["name"] == "ann", "a reset changes no name"
    assert (await nobody.get("/me")).json()["user"]["name"] == "ann"
    assert (await browser.get("/me")).status_code == 401
    assert (await inside_hub.client().post("/links:use", link=value, password="another one 2")).status_code == 410
    assert (await inside_hub.client().sign_in("ann", "from the link 1")).status_code == 201


async def test_of_several_uses_of_a_link_one_counts(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    link = (await (await inside_hub.user("root")).post("/users/ann:reset")).json()["link"]
    clients = [inside_hub.client() for _ in range(8)]
    answers = await asyncio.gather(
        *(each.post("/links:use", link=link, password=f"password number {at}") for at, each in enumerate(clients))
    )
    codes = [each.status_code for each in answers]
    assert sorted(codes) == [201] + [410] * 7
    winner = codes.index(201)
    assert (await inside_hub.client().sign_in("ann", f"password number {winner}")).status_code == 201


async def test_a_link_of_a_disabled_user_and_an_old_one_do_not_work(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    root = await inside_hub.user("root")
    link = (await root.post("/users/ann:reset")).json()["link"]
    inside_hub.database.people.change_user(inside_hub.id_of("ann"), enabled=False)
    assert (await inside_hub.client().post("/links:use", link=link, password="a long password")).status_code == 410
    inside_hub.database.people.change_user(inside_hub.id_of("ann"), enabled=True)
    inside_hub.clock.now += 86400
    assert (await inside_hub.client().post("/links:use", link=link, password="a long password")).status_code == 410


async def test_the_first_admin_chooses_name_and_password(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    root = inside_hub.id_of("root")
    inside_hub.database.people.change_user(root, password_hash="")
    made = tokens.make(tokens.LINK)
    now = inside_hub.clock()
    inside_hub.database.people.add_link(accounts.OneTimeLink(made.hash, root, "first-admin", now, now + 100))
    browser = inside_hub.client()
    taken = await browser.post("/links:use", link=made.value, password="a long password", name="ANN")
    assert (taken.status_code, taken.json()["code"]) == (409, "NameConflict")
    bad = await browser.post("/links:use", link=made.value, password="a long password", name="no spaces!")
    assert (bad.status_code, bad.json()["code"]) == (400, "InvalidName")
    used = await browser.post("/links:use", link=made.value, password="a long password", name="Grace")
    assert used.status_code == 201
    assert (used.json()["user"]["name"], used.json()["user"]["admin"]) == ("grace", True)
    assert [each["name"] for each in used.json()["workspaces"] if each["personal"]] == ["grace"]
    assert (await inside_hub.client().sign_in("grace", "a long password")).status_code == 201


async def test_signing_in_is_audited_without_what_was_typed(inside_hub: inside.Hub) -> None:
    await inside_hub.user("ann")
    await inside_hub.client().sign_in("ann")
    await inside_hub.client().sign_in("ann", "wrong one")
    await inside_hub.client().sign_in("my-secret-password", "x")
    entries = inside_hub.database.journal.audit()
    assert [(each.actor, each.action, each.thing, each.outcome, each.address) for each in entries] == [
        ("nobody", "session.create", "", "WrongPassword", "192.0.2.1"),
        ("nobody", "session.create", "ann", "WrongPassword", "192.0.2.1"),
        ("ann", "session.create", "ann", "ok", "192.0.2.1"),
    ]
    assert "my-secret-password" not in str([dataclasses.asdict(each) for each in entries])


async def test_a_share_is_told_only_about_itself(inside_hub: inside.Hub) -> None:
    """Cookies of shares are sent below their board only, so `/me` never sees one; a token of a share is none."""
    share = tokens.make(tokens.SHARE).value
    assert (await inside_hub.client(share).get("/me")).status_code == 401
