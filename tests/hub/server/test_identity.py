"""Who sends a request: tokens, sessions, shares; and whether a write was meant. With a real database."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.hub import db, life
from lightboard.hub.life import accounts, commands
from lightboard.hub.people import identity, newcomers, tokens

NOW = 1_000_000.0
URL = "https://hub.example"
VALUES = {name: f"value-of-{name}-0123456789abcdef" for name in ("token", "late", "session", "share", "other", "off")}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[db.Database]:
    made = db.Database(str(pathlib.Path(tmp_path_factory.mktemp("hub")) / "hub.sqlite3"))
    ann, bob = newcomers.add(made, "ann", NOW), newcomers.add(made, "bob", NOW)
    assert ann is not None and bob is not None
    for number, (name, owner, expires) in enumerate([("token", ann, None), ("late", ann, NOW - 1), ("off", bob, None)]):
        made.people.add_token(
            accounts.Token(
                id=f"t{number}",
                hash=tokens.digest(VALUES[name]),
                user=owner.id,
                name=name,
                created=NOW,
                expires=expires,
                scopes=("boards:read",),
            )
        )
    made.people.add_session(
        accounts.Session(
            id="s1",
            hash=tokens.digest(VALUES["session"]),
            user=ann.id,
            created=NOW,
            expires=NOW + 100,
            last_used=NOW,
        )
    )
    workspace = made.workspaces.all(ann.id)[0].id
    for board, share in (("b-one", "share"), ("b-two", "other")):
        change = commands.created(
            life.Board(
                id=board, name=board, workspace=workspace, owner=ann.id, sources=(life.Source("/x"),), created=NOW
            ),
            ann.id,
        )
        made.boards.create(change, life.Limits())
        made.shares.add(
            accounts.Share(id=share, board=board, hash=tokens.digest(VALUES[share]), created=NOW, created_by=ann.id)
        )
    made.people.change_user(ann.id, admin=True)
    made.people.change_user(bob.id, enabled=False)
    yield made
    made.close()


@pytest.fixture
def identities(database: db.Database) -> identity.Identities:
    return identity.Identities(database, clock=lambda: NOW, url=lambda scope: URL)


def scope(*headers: tuple[str, str], path: str = "/api/v1/me", scheme: str = "http") -> Any:
    sent = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    return {"type": "http", "method": "POST", "path": path, "scheme": scheme, "headers": sent}


def bearer(name: str) -> tuple[str, str]:
    return "Authorization", f"Bearer {VALUES[name]}"


def cookie(name: str, value: str) -> tuple[str, str]:
    return "Cookie", f"{name}={VALUES[value]}"


SESSION = cookie("lightboard_session", "session")


def who(identities: identity.Identities, *headers: tuple[str, str], **more: str) -> Any:
    return identities.identity_of(identity.proofs_of(scope(*headers, **more)))


def test_a_token_has_its_user_and_scopes(identities: identity.Identities) -> None:
    found = who(identities, bearer("token"))
    assert (found.name, found.via, found.scopes) == ("ann", "token", ("boards:read",))


@pytest.mark.parametrize(
    "headers",
    [
        [("Authorization", "Bearer wrong")],
        [("Authorization", "Bearer ")],
        [("Authorization", "Bearer")],
        [("Authorization", "")],
        [("Authorization", VALUES["token"])],
        [("Authorization", f"Basic {VALUES['token']}")],
        [("Authorization", f"Bearer {VALUES['token']} more")],
        [("Authorization", f"Bearer {VALUES['token']}é")],
        [("Authorization", f"Bearer {'x' * 100_000}")],
        [bearer("token"), bearer("token")],
        [bearer("late")],
        [bearer("off")],
        [bearer("session")],
        [bearer("share")],
        [("Authorization", "Bearer wrong"), SESSION],
        [cookie("lightboard_session", "token")],
        [cookie("other", "session")],
        [],
    ],
)
def test_everything_else_is_nobody(identities: identity.Identities, headers: list[tuple[str, str]]) -> None:
    assert who(identities, *headers) == identity.NOBODY


def test_a_session(identities: identity.Identities) -> None:
    found = who(identities, SESSION)
    assert (found.name, found.via, found.session) == ("ann", "session", "s1")


def test_over_https_only_the_name_that_other_hosts_cannot_set_counts(identities: identity.Identities) -> None:
    assert who(identities, SESSION, scheme="https") == identity.NOBODY
    assert who(identities, cookie("__Host-lightboard_session", "session"), scheme="https").name == "ann"
    planted = ("Cookie", f"lightboard_session=planted; __Host-lightboard_session={VALUES['session']}")
    assert who(identities, planted, scheme="https").name == "ann"


def test_a_share_opens_its_board_and_nothing_else(identities: identity.Identities) -> None:
    share = cookie("lightboard_share_b-one", "share")
    found = who(identities, share, path="/boards/b-one/")
    assert (found.user, found.via, found.shared_board) == (None, "share", "b-one")
    assert who(identities, share, path="/boards/b-two/") == identity.NOBODY
    assert who(identities, share, path="/api/v1/boards") == identity.NOBODY
    # the value of another board's share under this board's name
    assert who(identities, cookie("lightboard_share_b-one", "other"), path="/boards/b-one/") == identity.NOBODY


def test_who_is_signed_in_keeps_the_name_beside_a_share(identities: identity.Identities) -> None:
    both = ("Cookie", f"{SESSION[1]}; lightboard_share_b-one={VALUES['share']}")
    found = who(identities, both, path="/boards/b-one/x")
    assert (found.name, found.via, found.shared_board) == ("ann", "session", "b-one")


def test_cookies_are_for_this_host_only_and_hidden_from_scripts() -> None:
    ((_, plain),) = identity.cookies_for("value", False, 60)
    assert plain == "lightboard_session=value; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"
    ((_, secure),) = identity.cookies_for("value", True, 60)
    assert secure.startswith("__Host-lightboard_session=value; Path=/;") and secure.endswith("; Secure")
    ((_, cleared),) = identity.cookies_cleared(True)
    assert cleared.startswith("__Host-lightboard_session=; Path=/; Max-Age=0;")
    _, share = identity.share_cookie("b-one", "value", True, 60)
    assert share.startswith("__Secure-lightboard_share_b-one=value; Path=/boards/b-one/;")


# ---- CSRF

CSRF = ("X-Lightboard-CSRF", tokens.csrf_of(VALUES["session"]))
OURS = ("Origin", URL)


@pytest.mark.parametrize(
    ("headers", "holds"),
    [
        ([SESSION, CSRF], True),
        ([SESSION, CSRF, OURS, ("Sec-Fetch-Site", "same-origin")], True),
        ([SESSION], False),
        ([SESSION, OURS], False),
        ([SESSION, ("X-Lightboard-CSRF", tokens.csrf_of("another session"))], False),
        ([SESSION, ("X-Lightboard-CSRF", "é")], False),
        ([SESSION, CSRF, CSRF], False),
        ([SESSION, CSRF, ("Origin", "null")], False),
        ([SESSION, CSRF, ("Origin", "https://evil.example")], False),
        ([SESSION, CSRF, ("Origin", "http://hub.example")], False),
        ([SESSION, CSRF, ("Origin", "https://hub.example:8443")], False),
        ([SESSION, CSRF, ("Origin", "https://hub.example.evil.example")], False),
        ([SESSION, CSRF, OURS, ("Origin", "null")], False),
        ([SESSION, CSRF, ("Sec-Fetch-Site", "cross-site")], False),
        ([bearer("token")], True),
        ([bearer("token"), ("Origin", "https://elsewhere.example")], True),
        ([], True),
        ([OURS], True),
        ([("Origin", "null")], False),
        ([("Origin", "https://evil.example")], False),
        ([("Sec-Fetch-Site", "cross-site")], False),
        ([("Sec-Fetch-Site", "same-site")], False),
    ],
)
def test_a_write_is_meant(identities: identity.Identities, headers: list[tuple[str, str]], holds: bool) -> None:
    sent = scope(*headers)
    assert identities.csrf_holds(sent, who(identities, *headers)) is holds
