"""Users, sessions, tokens, links, workspaces, secrets, shares, settings, leases, the audit log."""

from __future__ import annotations

import concurrent.futures
import dataclasses

import pytest
from hub.db.samples import T0, add, add_people

from lightboard import errors
from lightboard.hub import db, life
from lightboard.hub.life import accounts, policy, refusals
from lightboard.hub.life.accounts import Role


@pytest.fixture(autouse=True)
def people(database: db.Database) -> None:
    add_people(database, "ada", "bo")


def test_a_name_is_given_once(database: db.Database) -> None:
    assert not database.people.add_user(accounts.User(id="u-2", name="ada", created=T0))
    assert database.people.user_count() == 2
    found = database.people.user_named("ada")
    assert found is not None and found == database.people.user("ada") and found.admin
    assert database.people.user_named("nobody") is None
    assert [each.name for each in database.people.users()] == ["ada", "bo"]
    assert [each.name for each in database.people.users(after="ada")] == ["bo"]


def test_a_user_has_a_personal_workspace(database: db.Database) -> None:
    own = database.workspaces.get("own-bo")
    assert own is not None and own.personal_of == "bo"
    assert database.workspaces.roles("bo") == {"own-bo": Role.OWNER, "team": Role.EDITOR}


def test_a_new_password_ends_sessions(database: db.Database) -> None:
    database.people.add_session(
        accounts.Session(id="s-1", hash=b"hash", user="bo", created=T0, expires=T0 + 100, last_used=T0)
    )
    changed = database.people.change_user("bo", password_hash="new", end_sessions=True)
    assert changed.password_hash == "new" and database.people.user("bo") == changed
    assert database.people.session(b"hash", T0) is None
    with pytest.raises(errors.NotFound):
        database.people.change_user("nobody", enabled=False)


def test_the_last_admin_stays(database: db.Database) -> None:
    for members in ({"admin": False}, {"enabled": False}):
        with pytest.raises(refusals.Changed):
            database.people.change_user("ada", **members)
    with pytest.raises(refusals.Changed):
        database.people.remove_user("ada")
    database.people.change_user("bo", admin=True)
    assert not database.people.change_user("ada", admin=False).admin


def test_users_are_found_by_words(database: db.Database) -> None:
    database.people.change_user("bo", display_name="Bo 100% Li_ving")
    for text, names in (("", ["ada", "bo"]), ("LI bo", ["bo"]), ("0% l", ["bo"]), ("_", ["bo"]), ("%a", [])):
        assert [each.name for each in database.people.users(text=text)] == names, text
    database.people.change_user("bo", enabled=False)
    assert [each.name for each in database.people.users(enabled=True)] == ["ada"]


def test_a_taken_name_is_refused(database: db.Database) -> None:
    with pytest.raises(refusals.Needed):
        database.people.change_user("bo", name="ada")
    assert database.people.change_user("bo", name="bob").name == "bob"


def test_a_session_begins_only_with_the_password_that_was_checked(database: db.Database) -> None:
    database.people.change_user("bo", password_hash="now")

    def session(number: int) -> accounts.Session:
        return accounts.Session(
            id=f"s-{number}", hash=b"%d" % number, user="bo", created=T0, expires=T0 + 100, last_used=T0 + number
        )

    assert not database.people.sign_in(session(0), "before")
    assert all(database.people.sign_in(session(number), "now", most=3) for number in range(1, 6))
    assert [each.id for each in database.people.sessions("bo", T0)] == ["s-5", "s-4", "s-3"]
    database.people.change_password_hash("bo", "before", "other")
    assert not database.people.sign_in(session(6), "other")
    database.people.change_password_hash("bo", "now", "stronger")
    assert database.people.sign_in(session(7), "stronger")
    database.people.change_user("bo", enabled=False)
    assert not database.people.sign_in(session(8), "stronger")


def test_a_user_goes_with_the_personal_workspace(database: db.Database) -> None:
    add(database, "b-1", workspace="own-bo", owner="ada")
    with pytest.raises(refusals.Needed, match="owns boards"):
        database.people.remove_user("bo")
    database.boards.remove("b-1")
    assert database.workspaces.add(accounts.Workspace("bos", "bos", T0), "bo")
    with pytest.raises(refusals.Needed, match="only owner of: bos"):
        database.people.remove_user("bo")
    database.workspaces.set_member(accounts.Member("bos", "ada", Role.OWNER, T0))
    database.settings.put_limit("account:bo", 3)
    database.people.remove_user("bo")
    assert [each.id for each in database.workspaces.all()] == ["bos", "own-ada", "team"]
    assert database.settings.all("account:bo") == {}


def test_limits_and_active_boards_of_accounts(database: db.Database) -> None:
    database.settings.put_limit("account:bo", None)
    database.settings.put_limit("account:ada", 7)
    assert database.settings.own_limits("account", ["bo", "ada", "x"]) == {"bo": None, "ada": 7}
    add(database, "b-1")
    assert database.lists.active_by_owner(["ada", "bo"]) == {"ada": 1}


def test_admins_and_owners_do_not_end_each_other_at_once(database: db.Database) -> None:
    """Each sees the other one still there, unless one of them waits."""

    def demote(name: str) -> bool:
        try:
            database.people.change_user(name, admin=False)
        except refusals.Needed:
            return False
        return True

    def leave(name: str) -> bool:
        try:
            if name == "bo":
                database.people.remove_user("bo")
            else:
                database.workspaces.remove_member("team", name)
        except refusals.Needed:
            return False
        return True

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for _ in range(10):
            for name in ("ada", "bo"):
                database.people.change_user(name, admin=True)
            assert sum(pool.map(demote, ("ada", "bo"))) == 1
        database.people.change_user("ada", admin=True)
        database.workspaces.set_member(accounts.Member("team", "bo", Role.OWNER, T0))
        assert sum(pool.map(leave, ("ada", "bo"))) == 1
    assert [each.role for each in database.workspaces.members("team")].count(Role.OWNER) == 1


def test_a_user_with_boards_is_not_removed(database: db.Database) -> None:
    add(database, "b-1", owner="bo")
    with pytest.raises(refusals.Changed):
        database.people.remove_user("bo")
    database.boards.remove("b-1")
    database.people.remove_user("bo")
    assert database.people.user("bo") is None and database.workspaces.role("team", "bo") is None


def test_sessions_expire_and_note_their_use(database: db.Database) -> None:
    session = accounts.Session(
        id="s-1",
        hash=b"\x00\xff",
        user="bo",
        created=T0,
        expires=T0 + 100,
        last_used=T0,
        address="127.0.0.1",
        agent="Firefox",
    )
    database.people.add_session(session)
    assert database.people.session(b"\x00\xff", T0 + 10) == session
    assert database.people.session(b"\x00\xff", T0 + 70) == session
    (listed,) = database.people.sessions("bo", T0 + 71)
    assert listed.last_used == T0 + 70
    assert database.people.session(b"\x00\xff", T0 + 100) is None
    assert database.people.sessions("bo", T0 + 100) == []
    assert not database.people.remove_session("ada", "s-1"), "of somebody else"
    assert database.people.remove_session("bo", "s-1")


def test_tokens_are_found_by_hash(database: db.Database) -> None:
    token = accounts.Token(
        id="t-1", hash=b"hash", user="bo", name="laptop", created=T0, scopes=("boards:read",), expires=T0 + 100
    )
    database.people.add_token(token)
    database.people.add_token(accounts.Token(id="t-2", hash=b"other", user="bo", name="forever", created=T0 + 1))
    assert database.people.token(b"hash", T0 + 5) == token
    assert database.people.token(b"unknown", T0 + 5) is None
    assert database.people.token(b"hash", T0 + 100) is None
    assert database.people.token(b"other", T0 + 1e9) is not None
    assert [(each.id, each.last_used) for each in database.people.tokens("bo")] == [("t-2", T0 + 1e9), ("t-1", T0 + 5)]
    assert (database.people.token_owner("t-1"), database.people.token_owner("t-9")) == ("bo", None)
    assert database.people.remove_token("bo", "t-1") and not database.people.remove_token("bo", "t-1")


def test_access_keys_have_a_place(database: db.Database) -> None:
    key = accounts.AccessKey("LTAI1", "bo", "script", b"cipher", T0)
    database.people.add_access_key(key)
    assert database.people.access_key("LTAI1", T0) == key
    assert [each.id for each in database.people.access_keys("bo")] == ["LTAI1"]
    assert database.people.remove_access_key("bo", "LTAI1")


def test_a_one_time_link_works_once(database: db.Database) -> None:
    database.people.add_link(accounts.OneTimeLink(b"hash", "bo", "reset", T0, T0 + 100))
    assert database.people.use_link(b"hash", "first-admin", T0 + 1) is None
    found = database.people.link(b"hash", T0 + 1)
    assert found is not None and found.user == "bo" and database.people.link(b"hash", T0 + 100) is None
    assert database.people.use_link(b"hash", "reset", T0 + 100) is None
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        used = list(pool.map(lambda _: database.people.use_link(b"hash", "reset", T0 + 1), range(8)))
    assert sum(each is not None for each in used) == 1 and database.people.link(b"hash", T0 + 1) is None
    database.people.add_link(accounts.OneTimeLink(b"one", "bo", "reset", T0, T0 + 100))
    database.people.add_link(accounts.OneTimeLink(b"two", "bo", "reset", T0, T0 + 100))
    assert database.people.use_link(b"one", "reset", T0 + 1) is None, "a newer link replaced it"


def test_what_has_expired_is_pruned(database: db.Database) -> None:
    database.people.add_token(
        accounts.Token(id="t-1", hash=b"1", user="bo", name="", created=T0, scopes=(), expires=T0 + 100)
    )
    database.people.add_token(accounts.Token(id="t-2", hash=b"2", user="bo", name="", created=T0))
    database.prune(T0 + 100)
    assert [each.id for each in database.people.tokens("bo")] == ["t-2"]


def test_members_and_their_roles(database: db.Database) -> None:
    assert [(each.user, each.role) for each in database.workspaces.members("team")] == [
        ("ada", Role.OWNER), ("bo", Role.EDITOR),
    ]  # fmt: skip
    database.workspaces.set_member(accounts.Member("team", "bo", Role.VIEWER, T0))
    assert database.workspaces.role("team", "bo") is Role.VIEWER
    assert database.workspaces.role("team", "nobody") is None
    assert database.workspaces.remove_member("team", "bo") and not database.workspaces.remove_member("team", "bo")
    with pytest.raises(refusals.Changed):
        database.workspaces.remove_member("team", "ada")
    with pytest.raises(refusals.Changed):
        database.workspaces.set_member(accounts.Member("team", "ada", Role.VIEWER, T0))
    with pytest.raises(errors.NotFound):
        database.workspaces.set_member(accounts.Member("none", "ada", Role.VIEWER, T0))
    assert database.workspaces.role("team", "ada") is Role.OWNER


def test_only_owners_change_owners(database: db.Database) -> None:
    for role in (Role.OWNER, Role.VIEWER):
        with pytest.raises(errors.Denied):
            database.workspaces.set_member(accounts.Member("team", "ada", role, T0), owners=False)
    with pytest.raises(errors.Denied):
        database.workspaces.set_member(accounts.Member("team", "bo", Role.OWNER, T0), owners=False)
    with pytest.raises(errors.Denied):
        database.workspaces.remove_member("team", "ada", owners=False)
    changed = database.workspaces.set_member(accounts.Member("team", "bo", Role.ADMIN, T0 + 9), owners=False)
    assert changed == accounts.Member("team", "bo", Role.ADMIN, T0)
    with pytest.raises(errors.NotFound):
        database.workspaces.set_member(accounts.Member("team", "nobody", Role.VIEWER, T0))
    assert database.workspaces.remove_member("team", "bo", owners=False)


def test_sizes_of_workspaces(database: db.Database) -> None:
    add(database, "b-1")
    assert database.workspaces.sizes() == {"own-ada": (1, 0), "own-bo": (1, 0), "team": (2, 1)}


def test_workspaces(database: db.Database) -> None:
    assert not database.workspaces.add(accounts.Workspace("team", "again", T0), "bo")
    assert [each.id for each in database.workspaces.all()] == ["own-ada", "own-bo", "team"]
    assert [each.id for each in database.workspaces.all("bo")] == ["own-bo", "team"]
    database.workspaces.change("team", name="The team")
    found = database.workspaces.get("team")
    assert found is not None and found.name == "The team"
    add(database, "b-1")
    with pytest.raises(refusals.Changed):
        database.workspaces.remove("team")
    database.boards.remove("b-1")
    database.settings.put_limit("workspace:team", 3)
    database.workspaces.remove("team")
    assert database.workspaces.get("team") is None and database.settings.all("workspace:team") == {}
    with pytest.raises(errors.NotFound):
        database.workspaces.remove("team")


def test_secrets_are_ciphertext(database: db.Database) -> None:
    secret = accounts.Secret(
        id="s-1",
        workspace="team",
        name="minio",
        kind="s3",
        ciphertext=b"\x00cipher",
        created=T0,
        created_by="ada",
        updated=T0,
        shown={"endpoint": "http://m"},
    )
    assert database.workspaces.add_secret(secret)
    assert not database.workspaces.add_secret(dataclasses.replace(secret, id="s-2"))
    assert database.workspaces.secret("team", "minio") == secret
    assert database.workspaces.secret("own-ada", "minio") is None
    database.workspaces.change_secret("team", "minio", checked=T0 + 1, check_message="lists 3 objects")
    (found,) = database.workspaces.secrets("team")
    assert (found.checked, found.check_message) == (T0 + 1, "lists 3 objects")
    assert "cipher" not in repr(found)
    assert database.workspaces.remove_secret("team", "minio") and database.workspaces.secrets("team") == []
    with pytest.raises(errors.NotFound):
        database.workspaces.change_secret("team", "minio", checked=T0)


def test_shares_end_by_time_by_hand_and_with_their_board(database: db.Database) -> None:
    add(database, "b-1")
    share = accounts.Share(
        id="h-1", board="b-1", hash=b"hash", created=T0, created_by="ada", view="#/runs", expires=T0 + 100
    )
    database.shares.add(share)
    assert database.shares.find(b"hash", T0 + 1) == share
    assert database.shares.find(b"hash", T0 + 100) is None
    database.shares.note_use("h-1", T0 + 5)
    assert [(each.uses, each.last_used) for each in database.shares.of_board("b-1")] == [(1, T0 + 5)]
    assert not database.shares.revoke("b-2", "h-1", T0 + 6)
    assert database.shares.revoke("b-1", "h-1", T0 + 6) and database.shares.revoke("b-1", "h-1", T0 + 9)
    assert database.shares.of_board("b-1")[0].revoked == T0 + 6
    assert database.shares.find(b"hash", T0 + 7) is None
    database.boards.remove("b-1")
    assert database.shares.of_board("b-1") == []


def test_policies_and_limits_are_inherited(database: db.Database) -> None:
    board = add(database, "b-1", policy=life.Policy(max_runtime_secs=60.0))
    assert database.settings.policies().timing(board).idle_after_secs == 3600
    database.settings.put_policy("hub", life.Policy(idle_after_secs=7.0, reclaim_after_secs=8.0))
    database.settings.put_policy("workspace:team", life.Policy(idle_after_secs=5.0))
    assert database.settings.policies().timing(board) == life.Timing(5.0, 8.0, 60.0)
    assert database.settings.limits("ada", "team") == life.Limits(5, None, None)
    database.settings.put_limits(life.Limits(3, 10, 100))
    database.settings.put_limit("account:ada", None)
    database.settings.put_limit("workspace:team", 4)
    assert database.settings.limits("ada", "team") == life.Limits(None, 4, 100)
    assert database.settings.limits("bo", "own-bo") == life.Limits(3, 10, 100)
    database.settings.remove("account:ada", "quota")
    assert database.settings.limits("ada", "own-ada") == life.Limits(3, 10, 100)
    assert database.settings.bounds() == policy.Bounds()
    bounds = policy.Bounds(life.Policy(idle_after_secs=1.0), life.Policy())
    database.settings.put_bounds(bounds)
    assert database.settings.bounds() == bounds
    assert set(database.settings.all("hub")) == {"policy", "quota", "bounds"}


def test_a_lease_passes_on_when_it_ends(database: db.Database) -> None:
    leases = database.leases
    assert leases.take("keeper", "one", T0, 15)
    assert not leases.take("keeper", "two", T0 + 14, 15)
    assert leases.take("keeper", "one", T0 + 10, 15)
    assert not leases.take("keeper", "two", T0 + 24, 15)
    assert leases.take("keeper", "two", T0 + 25, 15)
    assert (leases.holder("keeper", T0 + 26), leases.holder("keeper", T0 + 40)) == ("two", "")
    leases.release("keeper", "one")
    assert leases.holder("keeper", T0 + 26) == "two"
    leases.release("keeper", "two")
    assert leases.take("keeper", "one", T0 + 26, 15)


def test_the_audit_log(database: db.Database) -> None:
    for number in range(5):
        thing = f"board:b-{number % 2}"
        database.journal.record(
            accounts.AuditEntry(
                time=T0 + number, actor="ada", action="board.stop", thing=thing, workspace="team", detail={"n": number}
            )
        )
    assert [each.detail["n"] for each in database.journal.audit()] == [4, 3, 2, 1, 0]
    assert [each.detail["n"] for each in database.journal.audit(thing="board:b-1")] == [3, 1]
    assert database.journal.audit(actor="bo") == []
    newest, *_ = database.journal.audit(limit=1)
    assert [each.detail["n"] for each in database.journal.audit(before=newest.id, limit=2)] == [3, 2]
    assert database.journal.prune(T0 + 3) == 3
    assert len(database.journal.audit(workspace="team")) == 2


def test_hostile_texts_are_stored_as_they_are(database: db.Database) -> None:
    name = "'; DROP TABLE boards; --\\ \u202e😀"
    add(database, "b-1", name=name, labels={name: name})
    assert database.boards.get("b-1").name == name
    assert database.boards.get("b-1").labels == {name: name}
    database.check()
