"""Boards in the database: round trips, quotas, commands, what the keeper stores, keys of repeated requests."""

from __future__ import annotations

import dataclasses
import queue

import pytest
from hub.db.samples import T0, add, add_people, new, stopped

from lightboard import errors
from lightboard.hub import db, life
from lightboard.hub.db import boards
from lightboard.hub.life import commands, refusals
from lightboard.hub.life.nouns import State

TIMING = life.Timing(3600.0, 86400.0, 0.0)


@pytest.fixture(autouse=True)
def people(database: db.Database) -> None:
    add_people(database, "ada", "bo")


def test_a_board_comes_back_as_it_was(database: db.Database) -> None:
    change = new(
        "b-1",
        name="数字 Größe",
        policy=life.Policy(idle_after_secs=5.0, max_runtime_secs=0.0),
        labels={"team": "vision", "état": "été"},
        visibility=life.Visibility.WORKSPACE,
        source_type="TrainingJob",
        source_id="job-1",
        wake_on_open=False,
    )
    made = database.boards.create(change, life.Limits())
    assert isinstance(made, boards.Created)
    assert database.boards.get("b-1") == made.board == dataclasses.replace(change.board, version=1)


def test_every_member_of_a_board_is_stored(database: db.Database) -> None:
    """A member that is added to `Board` and not to the table is lost without a word."""
    board = add(database, "b-1")
    values: dict[str, object] = {}
    for each in dataclasses.fields(life.Board):
        value = getattr(board, each.name)
        if each.name in ("id", "workspace", "owner", "sources", "policy", "labels", "version"):
            continue
        if isinstance(value, bool):
            values[each.name] = not value
        elif isinstance(value, life.Visibility | life.Desired | life.State):
            values[each.name] = list(type(value))[-1]
        elif isinstance(value, str):
            values[each.name] = "text"
        else:
            values[each.name] = life.StopReason.ADMIN if each.name == "stop_reason" else 77
    changed = dataclasses.replace(board, **values)  # type: ignore[arg-type]
    (stored,) = database.boards.store([(board, life.Decision(changed))])
    assert database.boards.get("b-1") == stored == dataclasses.replace(changed, version=2)


def test_the_sixth_board_is_refused_with_those_that_could_be_stopped(database: db.Database) -> None:
    for number in range(5):
        add(database, f"b-{number}", created=T0 - number)
    refused = database.boards.create(new("b-6"), life.Limits())
    assert isinstance(refused, life.LimitExceeded)
    assert (refused.limit, refused.used, refused.scope) == (5, 5, "account:ada")
    assert [each.id for each in refused.boards] == ["b-4", "b-3", "b-2", "b-1", "b-0"]
    assert refused.boards[0].state is State.PENDING
    assert database.boards.find("b-6") is None
    assert isinstance(database.boards.create(new("b-6", owner="bo"), life.Limits()), boards.Created)


def test_stopping_or_deleting_frees_a_slot(database: db.Database) -> None:
    limits = life.Limits(2)
    add(database, "b-1")
    add(database, "b-2")
    stopped(database, "b-1")
    assert isinstance(database.boards.create(new("b-3"), limits), boards.Created)
    assert isinstance(database.boards.create(new("b-4"), limits), life.LimitExceeded)
    database.boards.change("b-2", lambda each: commands.delete(each, T0 + 5, "ada"))
    assert isinstance(database.boards.create(new("b-4"), limits), boards.Created)


def test_a_start_is_checked_as_a_create_is(database: db.Database) -> None:
    add(database, "b-1")
    stopped(database, "b-1")
    add(database, "b-2")

    def start(board: life.Board) -> commands.Change:
        return commands.start(board, T0 + 9, "ada")

    refused = database.boards.change("b-1", start, limits=life.Limits(1))
    assert isinstance(refused, life.LimitExceeded) and [each.id for each in refused.boards] == ["b-2"]
    assert database.boards.get("b-1").state is State.STOPPED
    assert isinstance(database.boards.change("b-1", start), life.LimitExceeded), "without limits none may start"
    started = database.boards.change("b-1", start, limits=life.Limits(2))
    assert isinstance(started, life.Board) and started.state is State.PENDING
    again = database.boards.change("b-1", start, limits=life.Limits(0))
    assert again == started, "it runs already"


def test_workspaces_and_the_hub_have_limits_too(database: db.Database) -> None:
    add(database, "b-1", owner="bo")
    for limits, scope in (
        (life.Limits(5, workspace=1), "workspace:team"),
        (life.Limits(5, workspace=2, hub=1), "hub"),
        (life.Limits(0, workspace=1, hub=1), "account:ada"),
    ):
        refused = database.boards.create(new("b-2"), limits)
        assert isinstance(refused, life.LimitExceeded) and refused.scope == scope
    other = new("b-2", workspace="own-ada")
    assert isinstance(database.boards.create(other, life.Limits(5, workspace=1)), boards.Created)


def test_a_command_with_an_old_generation_is_refused(database: db.Database) -> None:
    board = add(database, "b-1")

    def rename(name: str) -> boards.Command:
        return lambda each: commands.redefine(each, T0 + 5, "ada", name=name)

    changed = database.boards.change("b-1", rename("one"), generation=board.generation)
    assert isinstance(changed, life.Board) and changed.generation == board.generation + 1
    with pytest.raises(refusals.Changed):
        database.boards.change("b-1", rename("two"), generation=board.generation)
    assert database.boards.get("b-1").name == "one"


def test_a_decision_about_an_old_read_is_not_stored(database: db.Database) -> None:
    before = add(database, "b-1")
    database.boards.change("b-1", lambda each: commands.stop(each, T0 + 1, "ada"))
    decision = life.step(before, life.Seen(at=T0 + 1, phase=life.Phase.ABSENT), T0 + 1, TIMING)
    assert database.boards.store([(before, decision)]) == [None]
    assert database.boards.get("b-1").state is State.STOPPING
    assert [each.kind for each in database.journal.events("b-1")] == ["StopRequested", "Created"]


def test_one_old_read_does_not_hold_up_the_others(database: db.Database) -> None:
    old, new_one = add(database, "b-1"), add(database, "b-2")
    database.boards.change("b-1", lambda each: commands.stop(each, T0 + 1, "ada"))
    seen = life.Seen(at=T0 + 1, phase=life.Phase.ABSENT)
    decisions = [(each, life.step(each, seen, T0 + 1, TIMING)) for each in (old, new_one)]
    assert [each is None for each in database.boards.store(decisions)] == [True, False]
    assert database.boards.get("b-2").state is State.STARTING


def test_due_boards_come_in_order(database: db.Database) -> None:
    for number in range(3):
        add(database, f"b-{number}", created=T0 - number)
    stopped(database, "b-1")
    assert [each.id for each in database.boards.due(T0)] == ["b-2", "b-0"]
    assert database.boards.due(T0 - 3) == []
    assert database.boards.next_due() == T0 - 2
    assert [each.id for each in database.boards.active()] == ["b-0", "b-2"]
    database.boards.wake(["b-1"], T0 - 9)
    assert database.boards.next_due() == T0 - 9


def test_a_deleted_board_leaves_nothing(database: db.Database) -> None:
    add(database, "b-1")
    assert database.boards.remove("b-1")
    assert not database.boards.remove("b-1")
    assert (database.boards.find("b-1"), database.journal.events("b-1")) == (None, [])
    with pytest.raises(errors.NotFound, match="b-1"):
        database.boards.get("b-1")


def test_a_repeated_key_makes_no_second_board(database: db.Database) -> None:
    key = boards.Key("ada", "k1", b"request")
    made = database.boards.create(new("b-1"), life.Limits(1), key)
    again = database.boards.create(new("b-2"), life.Limits(1), key)
    assert isinstance(made, boards.Created) and isinstance(again, boards.Created)
    assert (again.again, again.board) == (True, made.board)
    assert database.boards.find("b-2") is None
    with pytest.raises(refusals.KeyReused):
        database.boards.create(new("b-2"), life.Limits(2), boards.Key("ada", "k1", b"other"))
    other = database.boards.create(new("b-2", owner="bo"), life.Limits(1), boards.Key("bo", "k1", b"other"))
    assert isinstance(other, boards.Created) and not other.again


def test_a_refused_create_does_not_use_up_its_key(database: db.Database) -> None:
    key = boards.Key("ada", "k1", b"request")
    assert isinstance(database.boards.create(new("b-1"), life.Limits(0), key), life.LimitExceeded)
    made = database.boards.create(new("b-1"), life.Limits(1), key)
    assert isinstance(made, boards.Created) and not made.again


def test_the_key_of_a_deleted_board_makes_no_other(database: db.Database) -> None:
    key = boards.Key("ada", "k1", b"request")
    database.boards.create(new("b-1"), life.Limits(), key)
    database.boards.remove("b-1")
    with pytest.raises(errors.Gone):
        database.boards.create(new("b-2"), life.Limits(), key)
    database.prune(T0 + 8 * 86400)
    assert isinstance(database.boards.create(new("b-2"), life.Limits(), key), boards.Created)


def test_ensure_creates_once_and_then_starts(database: db.Database) -> None:
    def start(board: life.Board) -> commands.Change:
        return commands.start(board, T0 + 9, "ada")

    def ensure(name: str) -> boards.Created | life.LimitExceeded:
        change = new(name, source_type="TrainingJob", source_id="job")
        return database.boards.ensure(change, life.Limits(1), start)

    first, second = ensure("b-1"), ensure("b-2")
    assert isinstance(first, boards.Created) and isinstance(second, boards.Created)
    assert (first.again, second.again, second.board.id) == (False, True, "b-1")
    stopped(database, "b-1")
    third = ensure("b-3")
    assert isinstance(third, boards.Created) and third.board.state is State.PENDING
    stopped(database, "b-1")
    add(database, "b-4")
    assert isinstance(ensure("b-5"), life.LimitExceeded)
    assert [each.id for each in database.boards.by_source("team", "TrainingJob", "job")] == ["b-1"]


def test_the_last_hundred_events_are_kept(database: db.Database) -> None:
    board = add(database, "b-1")
    add(database, "b-2")
    for number in range(130):
        event = life.Event("b-1", T0 + number, "Used", message=str(number))
        (stored,) = database.boards.store([(board, life.Decision(board, events=(event,)))])
        assert stored is not None
        board = stored
    events = database.journal.events("b-1")
    assert (len(events), events[0].message, events[-1].message) == (100, "129", "30")
    assert len(database.journal.events("b-2")) == 1


def test_changes_are_told_after_the_commit(database: db.Database) -> None:
    told: queue.Queue[str] = queue.Queue()
    end = database.changes.subscribe(told.put)

    def next_one() -> str:
        while not (board := told.get(timeout=30)):  # "" at the start of listening: anything may have changed
            pass
        return board

    add(database, "b-1")
    assert next_one() == "b-1"
    database.boards.change("b-1", lambda each: commands.stop(each, T0 + 1, "ada"))
    assert next_one() == "b-1"
    board = database.boards.get("b-1")
    database.boards.store([(board, life.Decision(dataclasses.replace(board, look_again_at=T0 + 99)))])  # not visible
    database.boards.remove("b-1")
    assert next_one() == "b-1"
    assert told.empty()
    end()
    end()


def test_a_change_that_fails_is_told_to_nobody(database: db.Database) -> None:
    told: queue.Queue[str] = queue.Queue()
    add(database, "b-1")
    stopped(database, "b-1")
    database.changes.subscribe(told.put)
    with pytest.raises(refusals.NotRunning):
        database.boards.change("b-1", lambda each: commands.keep_alive(each, T0 + 9, T0 + 5, "ada"))
    add(database, "b-2")
    while (board := told.get(timeout=30)) == "":
        pass
    assert board == "b-2"
