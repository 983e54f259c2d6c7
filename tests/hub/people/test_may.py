"""Who may do what: every action for every kind of identity and thing, against a table written out here."""

from __future__ import annotations

import dataclasses

import pytest

from lightboard.hub.life import accounts, nouns
from lightboard.hub.people import may as may_
from lightboard.hub.people.may import Action, Identity

ROLES = (None, accounts.Role.VIEWER, accounts.Role.EDITOR, accounts.Role.ADMIN, accounts.Role.OWNER)
NAMES = ("stranger", "viewer", "editor", "admin", "owner")
BOARD_ACTIONS = [each for each in Action if each.value.startswith("board.") and each is not Action.BOARD_CREATE]


def user(name: str = "ann", *, admin: bool = False, enabled: bool = True) -> accounts.User:
    return accounts.User(id=name, name=name, created=0.0, admin=admin, enabled=enabled)


def signed_in(name: str = "ann", *, admin: bool = False, scopes: tuple[str, ...] = ()) -> Identity:
    return Identity(user(name, admin=admin), "token" if scopes else "session", scopes)


def board(visibility: nouns.Visibility, *, owner: str = "bob", state: nouns.State = nouns.State.RUNNING) -> nouns.Board:
    return nouns.Board(
        id="b1",
        name="b",
        workspace="w1",
        owner=owner,
        sources=(nouns.Source("s3://x"),),
        created=0.0,
        visibility=visibility,
        state=state,
    )


def allowed(identity: Identity, thing: may_.Thing) -> str:
    return " ".join(sorted(each.value.partition(".")[2] for each in BOARD_ACTIONS if may_.may(identity, each, thing)))


ALL = "command delete edit logs open read share"
BOARDS = {
    "private": ("", "", "", ALL, ALL),
    "link": ("", "", "", ALL, ALL),
    "workspace": ("", "open read", "command logs open read", ALL, ALL),
    "public": ("open read", "open read", "command logs open read", ALL, ALL),
}


@pytest.mark.parametrize("visibility", list(nouns.Visibility))
@pytest.mark.parametrize("at", range(len(ROLES)), ids=NAMES)
def test_boards_of_others(visibility: nouns.Visibility, at: int) -> None:
    thing = may_.OneBoard(board(visibility), ROLES[at])
    assert allowed(signed_in(), thing) == BOARDS[visibility.value][at]
    assert may_.sees(signed_in(), thing) == bool(BOARDS[visibility.value][at])


@pytest.mark.parametrize("visibility", list(nouns.Visibility))
def test_the_owner_of_a_board_may_do_everything_with_it_while_a_member(visibility: nouns.Visibility) -> None:
    mine = board(visibility, owner="ann")
    assert allowed(signed_in(), may_.OneBoard(mine, accounts.Role.EDITOR)) == ALL
    expected = "open read" if visibility is nouns.Visibility.PUBLIC else ""
    assert allowed(signed_in(), may_.OneBoard(mine, None)) == expected


@pytest.mark.parametrize("visibility", list(nouns.Visibility))
def test_admins_of_the_hub_may_do_everything_with_boards(visibility: nouns.Visibility) -> None:
    assert allowed(signed_in(admin=True), may_.OneBoard(board(visibility), None)) == ALL


def test_nobody_opens_public_boards_only() -> None:
    for visibility in nouns.Visibility:
        expected = "open" if visibility is nouns.Visibility.PUBLIC else ""
        assert allowed(Identity(), may_.OneBoard(board(visibility), None)) == expected


def test_a_share_opens_its_board_and_no_other() -> None:
    share = Identity(via="share", shared_board="b1")
    private = board(nouns.Visibility.PRIVATE)
    assert allowed(share, may_.OneBoard(private, None)) == "open"
    assert allowed(share, may_.OneBoard(dataclasses.replace(private, id="b2"), None)) == ""
    assert not any(may_.may(share, each, may_.Hub()) for each in Action)
    assert not any(may_.may(share, each, may_.InWorkspace("w1", None)) for each in Action)


def test_a_board_that_is_being_deleted_can_only_be_seen() -> None:
    going = board(nouns.Visibility.PRIVATE, owner="ann", state=nouns.State.DELETING)
    assert allowed(signed_in(), may_.OneBoard(going, accounts.Role.OWNER)) == "read"


WORKSPACE = {
    Action.WORKSPACE_READ: 1,
    Action.SECRETS_READ: 2,
    Action.BOARD_CREATE: 2,
    Action.JOB_CREATE: 2,
    Action.WORKSPACE_EDIT: 3,
    Action.MEMBERS_EDIT: 3,
    Action.MEMBERS_REMOVE: 3,
    Action.SECRETS_EDIT: 3,
    Action.OWNERS_EDIT: 4,
    Action.WORKSPACE_DELETE: 4,
}


@pytest.mark.parametrize("action", list(Action))
@pytest.mark.parametrize("at", range(len(ROLES)), ids=NAMES)
def test_workspaces_by_role(action: Action, at: int) -> None:
    thing = may_.InWorkspace("w1", ROLES[at])
    assert may_.may(signed_in(), action, thing) == (action in WORKSPACE and at >= WORKSPACE[action])
    assert may_.may(signed_in(admin=True), action, thing) == (action in WORKSPACE)


@pytest.mark.parametrize("action", list(Action))
def test_the_hub_belongs_to_its_admins(action: Action) -> None:
    assert may_.may(signed_in(admin=True), action, may_.Hub())
    for_everybody = (
        Action.HUB_READ,
        Action.WORKSPACE_CREATE,
        Action.PEOPLE_FIND,
        Action.BOARD_LIST,
        Action.JOB_LIST,
        Action.WORKSPACE_LIST,
    )
    assert may_.may(signed_in(), action, may_.Hub()) == (action in for_everybody)
    assert not may_.may(Identity(), action, may_.Hub())


def test_only_admins_create_workspaces_without_self_service() -> None:
    strict = may_.Hub(self_service=False)
    assert not may_.may(signed_in(), Action.WORKSPACE_CREATE, strict)
    assert may_.may(signed_in(admin=True), Action.WORKSPACE_CREATE, strict)
    assert may_.may(signed_in(), Action.HUB_READ, strict)


def test_members_may_leave_and_take_nobody_with_them() -> None:
    for role in ROLES:
        me = may_.InWorkspace("w1", role, member="ann")
        assert may_.may(signed_in(), Action.MEMBERS_REMOVE, me) == (role is not None)
        assert may_.may(signed_in(scopes=("boards:write",)), Action.MEMBERS_REMOVE, me) is False
        assert may_.may(signed_in(), Action.MEMBERS_EDIT, me) == (role in ROLES[3:])
        other = may_.InWorkspace("w1", role, member="bob")
        assert may_.may(signed_in(), Action.MEMBERS_REMOVE, other) == (role in ROLES[3:])


def test_a_token_for_the_account_of_an_admin_does_not_reach_other_accounts() -> None:
    token = signed_in(admin=True, scopes=("own",))
    assert may_.may(token, Action.OWN_EDIT, may_.Own("ann"))
    assert not may_.may(token, Action.OWN_EDIT, may_.Own("bob"))
    assert may_.may(signed_in(admin=True, scopes=("admin",)), Action.OWN_EDIT, may_.Own("bob"))


def test_a_token_for_boards_does_not_list_people() -> None:
    assert not may_.may(signed_in(scopes=("boards:write",)), Action.PEOPLE_FIND, may_.Hub())
    assert may_.may(signed_in(scopes=("workspaces:write",)), Action.PEOPLE_FIND, may_.Hub())


def test_what_is_ones_own_is_for_oneself_and_for_admins() -> None:
    assert may_.may(signed_in(), Action.OWN_EDIT, may_.Own("ann"))
    assert not may_.may(signed_in(), Action.OWN_READ, may_.Own("bob"))
    assert may_.may(signed_in(admin=True), Action.OWN_EDIT, may_.Own("bob"))
    assert not may_.may(Identity(), Action.OWN_READ, may_.Own("ann"))


def test_a_disabled_user_may_nothing() -> None:
    off = Identity(user("ann", admin=True, enabled=False), "session")
    things: list[may_.Thing] = [
        may_.Hub(),
        may_.Own("ann"),
        may_.InWorkspace("w1", accounts.Role.OWNER),
        may_.OneBoard(board(nouns.Visibility.PUBLIC), accounts.Role.OWNER),
    ]
    assert not any(may_.may(off, action, thing) for action in Action for thing in things)


def test_scopes_take_away_and_never_give() -> None:
    mine = may_.OneBoard(board(nouns.Visibility.PRIVATE, owner="ann"), accounts.Role.EDITOR)
    assert allowed(signed_in(scopes=("boards:read",)), mine) == "logs open read"
    assert allowed(signed_in(scopes=("boards:write",)), mine) == ALL
    assert allowed(signed_in(scopes=("own",)), mine) == ""
    assert allowed(signed_in(scopes=("boards:write",)), may_.OneBoard(board(nouns.Visibility.PRIVATE), None)) == ""
    assert not may_.may(signed_in(admin=True, scopes=("boards:write",)), Action.HUB_ADMIN, may_.Hub())
    assert allowed(signed_in(scopes=("no such scope",)), mine) == ""


def test_a_scope_for_one_workspace_ends_there() -> None:
    here = may_.OneBoard(board(nouns.Visibility.PRIVATE, owner="ann"), accounts.Role.EDITOR)
    there = dataclasses.replace(here, board=dataclasses.replace(here.board, workspace="w2"))
    token = signed_in(scopes=("boards:read!workspace=w1",))
    assert allowed(token, here) == "logs open read"
    assert allowed(token, there) == ""
    assert may_.may(token, Action.WORKSPACE_READ, may_.InWorkspace("w1", accounts.Role.VIEWER))
    assert not may_.may(token, Action.WORKSPACE_READ, may_.InWorkspace("w2", accounts.Role.VIEWER))


def test_a_token_for_one_workspace_lists_boards_of_that_workspace_only() -> None:
    token = signed_in(scopes=("boards:read!workspace=w1", "own"))
    assert may_.may(token, Action.BOARD_LIST, may_.Hub())
    assert may_.workspaces_of(token) == frozenset({"w1"})
    assert may_.workspaces_of(signed_in(scopes=("boards:read!workspace=w1", "boards:write"))) is None
    assert may_.workspaces_of(signed_in()) is None
    assert not may_.may(signed_in(scopes=("own",)), Action.BOARD_LIST, may_.Hub())


@pytest.mark.parametrize(
    ("scopes", "wanted", "expected"),
    [
        ("", "", True),
        ("", "admin own", True),
        ("admin", "", True),
        ("admin", "own boards:write!workspace=w1", True),
        ("admin!workspace=w1", "", False),
        ("admin!workspace=w1", "boards:write!workspace=w1", True),
        ("admin!workspace=w1", "boards:write!workspace=w2", False),
        ("admin!workspace=w1", "own", False),
        ("own boards:write", "", False),
        ("own boards:write", "boards:read own", True),
        ("own boards:write", "admin", False),
        ("own boards:write", "workspaces:write", False),
        ("own boards:read", "boards:write", False),
        ("own boards:read!workspace=w1", "boards:read", False),
        ("own nonsense", "nonsense", False),
    ],
)
def test_a_token_makes_no_token_that_may_more(scopes: str, wanted: str, expected: bool) -> None:
    assert may_.covers(tuple(scopes.split()), tuple(wanted.split())) is expected
