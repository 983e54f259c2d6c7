"""Lists: every sort in both directions, page by page; filters; who sees what. Left out: speed."""

from __future__ import annotations

import pytest
from hub.db.samples import T0, add, add_people, stopped

from lightboard import errors
from lightboard.hub import db, life
from lightboard.hub.db import lists
from lightboard.hub.life.accounts import Role

STATES = (life.State.PENDING, life.State.STOPPED)


@pytest.fixture(autouse=True)
def boards(database: db.Database) -> None:
    """Twelve boards; names differ in case, two are created in the same second, some are stopped."""
    add_people(database, "ada", "bo")
    names = ["zeta", "Alpha", "beta", "Ünder", "über", "alpha", "B_ta", "100%", "gamma", "数字", "z", "Z"]
    for number, name in enumerate(names):
        owner = "ada" if number % 3 else "bo"
        add(database, f"b-{number:02}", name=name, owner=owner, created=T0 + number // 2)
        if number % 4 == 0:
            stopped(database, f"b-{number:02}")


def paged(database: db.Database, query: lists.Query, limit: int) -> list[str]:
    found, token = [], ""
    while True:
        page = database.lists.page(query, limit, token)
        assert len(page.boards) <= limit
        found += [each.id for each in page.boards]
        if not page.next_page:
            return found
        token = page.next_page


@pytest.mark.parametrize("sort", lists.SORTS)
@pytest.mark.parametrize("descending", [False, True])
def test_pages_together_are_the_whole_list(database: db.Database, sort: str, descending: bool) -> None:
    query = lists.Query(sort=sort, descending=descending)
    whole = paged(database, query, 100)
    assert sorted(whole) == [f"b-{number:02}" for number in range(12)]
    for limit in (1, 5, 11, 12):
        assert paged(database, query, limit) == whole
    assert paged(database, lists.Query(sort=sort, descending=not descending), 4) == whole[::-1]


def test_names_are_sorted_without_regard_to_case(database: db.Database) -> None:
    page = database.lists.page(lists.Query(sort="name", descending=False))
    folded = [each.name.casefold() for each in page.boards]
    assert folded == sorted(folded)


def test_a_board_that_is_created_between_two_pages_shifts_nothing(database: db.Database) -> None:
    query = lists.Query()
    first = database.lists.page(query, 5)
    add(database, "b-99", created=T0 + 99)
    second = database.lists.page(query, 100, first.next_page)
    ids = [each.id for each in (*first.boards, *second.boards)]
    assert len(ids) == len(set(ids)) == 12


@pytest.mark.parametrize(
    ("query", "count"),
    [
        (lists.Query(states=(life.State.STOPPED,)), 3),
        (lists.Query(states=STATES), 12),
        (lists.Query(owner="bo"), 4),
        (lists.Query(workspace="team"), 12),
        (lists.Query(workspace="own-ada"), 0),
        (lists.Query(text="ALPHA"), 2),
        (lists.Query(text="ÜB"), 1),
        (lists.Query(text="%"), 1),
        (lists.Query(text="_"), 1),
        (lists.Query(text="数"), 1),
        (lists.Query(text="bucket b-03"), 1),
        (lists.Query(text="\\"), 0),
        (lists.Query(source_type="Job", source_id="1"), 0),
    ],
)
def test_filters(database: db.Database, query: lists.Query, count: int) -> None:
    assert len(paged(database, query, 4)) == database.lists.count(query) == count


def test_states_are_counted(database: db.Database) -> None:
    counts = database.lists.count_by_state()
    assert (counts[life.State.PENDING], counts[life.State.STOPPED], counts[life.State.FAILED]) == (9, 3, 0)
    assert set(counts) == set(life.State)


def test_people_see_their_own_and_what_is_shared_with_them(database: db.Database) -> None:
    add(database, "c-shared", visibility=life.Visibility.WORKSPACE)
    add(database, "c-link", visibility=life.Visibility.LINK)
    add(database, "c-public", workspace="own-ada", visibility=life.Visibility.PUBLIC)
    add(database, "c-private", workspace="own-ada")

    def seen(user: str, **roles: Role) -> set[str]:
        who = lists.Visible(user, {name.replace("_", "-"): role for name, role in roles.items()})
        return set(paged(database, lists.Query(visible=who), 5))

    bos = {"b-00", "b-03", "b-06", "b-09"}
    assert seen("bo", team=Role.EDITOR, own_bo=Role.OWNER) == bos | {"c-shared", "c-public"}
    assert seen("bo", team=Role.ADMIN) == {f"b-{number:02}" for number in range(12)} | {
        "c-shared", "c-link", "c-public",
    }  # fmt: skip
    assert seen("bo") == {"c-public"}, "who left the workspace sees the own boards in it no more"
    assert "c-private" in seen("ada", own_ada=Role.OWNER)


@pytest.mark.parametrize("token", ["x", "!!!!", "e30=", "WzEsMl0=", "\x00", "é"])
def test_a_foreign_page_token_is_refused(database: db.Database, token: str) -> None:
    with pytest.raises(errors.BadInput):
        database.lists.page(lists.Query(), after=token)


def test_the_token_of_another_sort_is_refused(database: db.Database) -> None:
    token = database.lists.page(lists.Query(sort="name"), 2).next_page
    for query in (lists.Query(), lists.Query(sort="name", descending=False)):
        with pytest.raises(errors.BadInput):
            database.lists.page(query, after=token)
    with pytest.raises(errors.BadInput, match="sort"):
        database.lists.page(lists.Query(sort="password_hash"))


def test_owners_are_sorted_by_name_and_not_by_id(database: db.Database) -> None:
    database.people.change_user("ada", name="zoe")
    page = database.lists.page(lists.Query(sort="owner", descending=False))
    assert [each.owner for each in page.boards] == ["bo"] * 4 + ["ada"] * 8


def test_some_boards_and_the_outlines_of_all(database: db.Database) -> None:
    assert set(database.lists.some({"b-01", "b-02", "b-none"})) == {"b-01", "b-02"}
    assert database.lists.some(()) == {}
    outlines = database.lists.outlines()
    assert len(outlines) == 12 and outlines["b-01"] == ("team", "ada", "private")


def test_names_roles_and_use_of_several(database: db.Database) -> None:
    assert database.people.names(["ada", "bo", "none", "hub"]) == {"ada": "ada", "bo": "bo"}
    roles = database.workspaces.roles_of(["bo", "none"])
    assert roles == {"bo": {"own-bo": Role.OWNER, "team": Role.EDITOR}, "none": {}}
    used = database.boards.used("bo", "team")
    assert (used.account, used.workspace, used.hub) == (3, 9, 9)
