"""Commands: what each changes, that it may be repeated, and what is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from hub.life.makers import T0, defined, pending, running, stepped

from lightboard.hub import life
from lightboard.hub.life import commands, refusals
from lightboard.hub.life.nouns import Desired, Phase, State, StopReason


def stopped(reason: StopReason = StopReason.USER) -> life.Board:
    board = dataclasses.replace(commands.stop(running(), T0 + 5, "ada", reason).board, stop_sent=T0 + 5)
    board = stepped(board, Phase.ABSENT, T0 + 6)
    assert (board.state, board.reason) == (State.STOPPED, reason.value)
    return board


def test_a_created_board_is_pending_and_due_at_once() -> None:
    change = commands.created(defined(), "ada")
    board = change.board
    assert (board.state, board.look_again_at, board.last_activity, board.generation) == (State.PENDING, T0, T0, 1)
    assert [(each.kind, each.actor) for each in change.events] == [("Created", "ada")]


@pytest.mark.parametrize(
    "command",
    [
        lambda board: commands.start(board, T0 + 9, "ada"),
        lambda board: commands.stop(board, T0 + 9, "ada"),
        lambda board: commands.delete(board, T0 + 9, "ada"),
        lambda board: commands.redefine(board, T0 + 9, "ada", name="other"),
    ],
)
@pytest.mark.parametrize("board", [pending(), running(), stopped()])
def test_a_repeated_command_changes_nothing(
    board: life.Board, command: Callable[[life.Board], commands.Change]
) -> None:
    once = command(board).board
    again = command(once)
    assert (again.board, again.events) == (once, ())
    assert once.generation in (board.generation, board.generation + 1)


def test_start_resumes_a_stopped_board_and_counts_as_use() -> None:
    before = stopped()
    board = commands.start(before, T0 + 100, "bo").board
    assert (board.state, board.desired, board.last_activity) == (State.PENDING, Desired.RUN, T0 + 100)
    assert board.generation == before.generation + 1
    assert not commands.is_settled(board, board.generation)


def test_start_of_a_failed_board_tries_again_from_zero() -> None:
    failed = dataclasses.replace(running(), state=State.FAILED, failures=5, reason="Crashed")
    board = commands.start(failed, T0 + 9, "ada").board
    assert (board.state, board.failures, board.reason) == (State.PENDING, 0, "")


def test_stop_of_a_failed_board_changes_nothing() -> None:
    failed = dataclasses.replace(running(), state=State.FAILED)
    assert commands.stop(failed, T0 + 9, "ada").events == ()


def test_a_wait_is_not_fooled_by_the_old_state() -> None:
    board = stopped()
    assert commands.is_settled(board, board.generation)
    board = commands.start(board, T0 + 9, "ada").board
    assert not commands.is_settled(dataclasses.replace(board, state=State.STOPPED), board.generation)


def test_the_link_wakes_a_stopped_board() -> None:
    for reason in (StopReason.USER, StopReason.IDLE_RECLAIMED, StopReason.MAX_RUNTIME):
        assert commands.opened(stopped(reason), T0 + 9, "bo").board.state is State.PENDING


def test_the_link_wakes_no_board_that_an_admin_stopped_or_that_failed_or_that_says_no() -> None:
    for board in (
        stopped(StopReason.ADMIN),
        dataclasses.replace(running(), state=State.FAILED),
        dataclasses.replace(stopped(), wake_on_open=False),
        running(),
        commands.delete(stopped(), T0 + 7, "ada").board,
    ):
        assert commands.opened(board, T0 + 9, "bo") == commands.Change(board)


def test_a_visitor_of_a_board_that_is_being_reclaimed_gets_it_back() -> None:
    board = dataclasses.replace(
        running(), state=State.STOPPING, desired=Desired.STOP, stop_reason=StopReason.IDLE_RECLAIMED
    )
    board = commands.opened(board, T0 + 9, "bo").board
    assert stepped(board, Phase.ANSWERING, T0 + 9).state is State.RUNNING


def test_keep_alive_needs_a_board_that_runs() -> None:
    with pytest.raises(refusals.NotRunning) as caught:
        commands.keep_alive(stopped(), T0 + 900, T0 + 9, "ada")
    assert (caught.value.status, caught.value.code) == (409, "BoardNotRunning")


def test_keep_alive_with_a_past_end_ends_it() -> None:
    board = commands.keep_alive(running(), T0 + 900, T0 + 9, "ada").board
    assert commands.keep_alive(board, T0, T0 + 10, "ada").board.keep_alive_until is None


@pytest.mark.parametrize(
    "command",
    [
        lambda board: commands.start(board, T0 + 9, "ada"),
        lambda board: commands.stop(board, T0 + 9, "ada"),
        lambda board: commands.keep_alive(board, T0 + 99, T0 + 9, "ada"),
        lambda board: commands.redefine(board, T0 + 9, "ada", name="other"),
    ],
)
def test_no_command_works_on_a_board_that_is_being_deleted(command: Callable[[life.Board], commands.Change]) -> None:
    board = commands.delete(running(), T0 + 8, "ada").board
    with pytest.raises(refusals.BeingDeleted):
        command(board)


def test_a_new_name_needs_no_new_process_and_new_sources_do() -> None:
    board = running()
    assert commands.redefine(board, T0 + 9, "ada", name="other").board.revision == board.revision
    changed = commands.redefine(board, T0 + 9, "ada", sources=(life.Source("file:///b"),)).board
    assert changed.revision == board.revision + 1


def test_a_change_of_a_stopped_board_is_settled_at_once() -> None:
    board = commands.redefine(stopped(), T0 + 9, "ada", name="other").board
    assert commands.is_settled(board, board.generation)


def test_a_rotated_secret_starts_running_boards_again() -> None:
    assert commands.renew(running(), T0 + 9, "ada", "SecretChanged").board.revision == 2
    assert commands.renew(stopped(), T0 + 9, "ada", "SecretChanged").events == ()
