"""Every transition of a board's state, one by one, with handed-in times.

Sequences of all of them are in test_model.py.
"""

from __future__ import annotations

import dataclasses

import pytest
from hub.life.makers import DAY, HOUR, T0, decide, pending, running, seen, starting, stepped, watched

from lightboard.hub import life
from lightboard.hub.life import commands, policy, steps
from lightboard.hub.life.nouns import Desired, Phase, State, StopReason


def kinds(decision: life.Decision) -> list[str]:
    return [each.kind for each in decision.events]


# -- starting


def test_a_new_board_starts_at_the_first_look() -> None:
    decision = decide(pending(), Phase.ABSENT, T0)
    assert (decision.board.state, decision.board.attempt) == (State.STARTING, 1)
    assert (decision.actions, kinds(decision)) == ((life.Act.START,), ["Starting"])


def test_a_process_of_an_earlier_life_is_stopped_before_the_start() -> None:
    decision = decide(pending(), Phase.ANSWERING, T0)
    assert (decision.board.state, decision.actions) == (State.PENDING, (life.Act.STOP,))


def test_a_board_runs_when_it_answers() -> None:
    decision = decide(starting(), Phase.ANSWERING, T0 + 1)
    assert (decision.board.state, decision.board.started, kinds(decision)) == (State.RUNNING, T0 + 1, ["Running"])
    assert decision.board.observed_generation == decision.board.generation


def test_a_starting_board_shows_its_phase_and_is_looked_at_soon() -> None:
    decision = decide(starting(), Phase.STARTING, T0 + 1, message="listing")
    assert (decision.board.state, decision.board.message, decision.actions) == (State.STARTING, "listing", ())
    assert decision.look_again_at is not None and T0 + 1 < decision.look_again_at <= T0 + 2


def test_a_start_that_was_lost_is_sent_again_without_a_new_attempt() -> None:
    decision = decide(starting(), Phase.ABSENT, T0 + 1)
    assert (decision.board.attempt, decision.actions) == (1, (life.Act.START,))
    decision = decide(starting(), Phase.EXITED, T0 + 1, attempt=0)
    assert (decision.board.failures, decision.actions) == (0, (life.Act.START,))


def test_an_old_process_is_not_taken_for_the_new_one() -> None:
    board = dataclasses.replace(starting(), attempt=7)
    decision = decide(board, Phase.ANSWERING, T0 + 1, attempt=6)
    assert (decision.board.state, decision.actions) == (State.STOPPING, (life.Act.STOP,))
    assert decision.board.desired is Desired.RUN


def test_a_start_without_an_answer_fails_after_two_minutes() -> None:
    assert stepped(starting(), Phase.STARTING, T0 + 120).state is State.STARTING
    decision = decide(starting(), Phase.STARTING, T0 + 121, message="listing")
    assert (decision.board.state, decision.board.reason) == (State.FAILED, "StartTimeout")
    assert decision.actions == (life.Act.STOP,) and "listing" in decision.board.message
    assert decision.board.observed_generation == decision.board.generation


def test_crashes_in_a_row_wait_longer_each_time_and_then_fail() -> None:
    board, now, waits = starting(), T0, []
    while board.state is not State.FAILED:
        board = stepped(board, Phase.EXITED, now, message="Traceback")
        if board.next_try is not None:
            waits.append(board.next_try - now)
            assert decide(board, Phase.EXITED, now).look_again_at == board.next_try
            now = board.next_try
            board = stepped(board, Phase.EXITED, now)
    assert waits == [1, 2, 4, 8]
    assert (board.reason, board.message, board.failures, board.look_again_at) == ("Crashed", "Traceback", 5, None)


def test_a_permanent_fault_fails_at_once() -> None:
    board = stepped(starting(), Phase.EXITED, T0, permanent=True, reason="SecretNotFound", message="no secret s")
    assert (board.state, board.reason, board.message) == (State.FAILED, "SecretNotFound", "no secret s")


# -- crashes of running boards


@pytest.mark.parametrize(("phase", "reason"), [(Phase.EXITED, "Crashed"), (Phase.ABSENT, "Vanished")])
def test_a_running_board_that_is_gone_starts_again(phase: Phase, reason: str) -> None:
    decision = decide(running(), phase, T0 + 60)
    assert (decision.board.state, decision.board.reason, kinds(decision)) == (State.PENDING, reason, ["Crashed"])
    board = stepped(decision.board, phase, T0 + 61)
    assert (board.state, board.attempt, board.started) == (State.STARTING, 2, T0)


def test_a_board_that_ran_long_enough_has_not_crashed_in_a_row() -> None:
    board = dataclasses.replace(running(), failures=4)
    assert stepped(board, Phase.EXITED, T0 + steps.STABLE_SECS).failures == 1
    assert stepped(board, Phase.EXITED, T0 + 1).state is State.FAILED


def test_the_start_of_a_process_is_no_use() -> None:
    board = stepped(running(), Phase.ANSWERING, T0 + 50, used=T0 + 50, used_by="start")
    assert board.last_activity == T0


def test_deadlines_count_from_the_answer_after_a_crash_but_the_last_use_stays() -> None:
    board = stepped(running(), Phase.EXITED, T0 + 90)
    board = stepped(stepped(board, Phase.EXITED, T0 + 91), Phase.ANSWERING, T0 + 92)
    assert (board.last_activity, policy.idle_at(board, policy.effective())) == (T0, T0 + 92 + HOUR)


def test_a_board_that_waited_long_for_its_start_is_not_reclaimed_at_once() -> None:
    board = stepped(pending(), Phase.ABSENT, T0 + 3 * DAY)
    board = watched(board, T0 + 3 * DAY + 1, T0 + 3 * DAY + HOUR)
    assert (board.state, board.last_activity) == (State.RUNNING, T0)


def test_a_silent_board_is_started_again_after_two_minutes() -> None:
    board = stepped(running(), Phase.STARTING, T0 + 10)
    assert (board.state, board.silent_since) == (State.RUNNING, T0 + 10)
    assert stepped(board, Phase.ANSWERING, T0 + 20).silent_since is None
    decision = decide(board, Phase.STARTING, T0 + 131)
    assert (decision.board.state, decision.board.reason) == (State.PENDING, "NotAnswering")
    assert decision.actions == (life.Act.STOP,)


# -- idle and reclaim


def test_a_board_is_idle_an_hour_after_its_last_use() -> None:
    board = stepped(running(), Phase.ANSWERING, T0 + 100, used=T0 + 90, used_by="page")
    assert stepped(board, Phase.ANSWERING, T0 + 90 + HOUR - 1).state is State.RUNNING
    decision = decide(board, Phase.ANSWERING, T0 + 90 + HOUR)
    assert (decision.board.state, kinds(decision)) == (State.IDLE, ["Idle"])


def test_the_next_look_is_at_the_deadline() -> None:
    board = stepped(running(), Phase.ANSWERING, T0 + HOUR - 10)
    assert board.look_again_at == T0 + HOUR


def test_use_ends_idle() -> None:
    board = watched(running(), T0, T0 + 2 * HOUR)
    assert board.state is State.IDLE
    decision = decide(board, Phase.ANSWERING, T0 + 2 * HOUR, used=T0 + 2 * HOUR - 3, used_by="request")
    assert (decision.board.state, kinds(decision)) == (State.RUNNING, ["Used"])


def almost_reclaimed() -> life.Board:
    board = watched(running(), T0, T0 + 25 * HOUR)
    assert board.state is State.IDLE
    return board


def test_a_board_is_reclaimed_after_25_hours_in_two_looks() -> None:
    first = decide(almost_reclaimed(), Phase.ANSWERING, T0 + 25 * HOUR)
    assert (first.board.state, first.board.stop_reason, first.actions) == (
        State.STOPPING, StopReason.IDLE_RECLAIMED, (),
    )  # fmt: skip
    second = decide(first.board, Phase.ANSWERING, T0 + 25 * HOUR + 0.1)
    assert (second.board.state, second.actions) == (State.STOPPING, (life.Act.STOP,))
    third = decide(second.board, Phase.ABSENT, T0 + 25 * HOUR + 1)
    assert (third.board.state, third.board.reason, third.look_again_at) == (State.STOPPED, "IdleReclaimed", None)
    assert third.board.observed_generation == third.board.generation


def test_a_click_between_decision_and_stop_wins() -> None:
    board = stepped(almost_reclaimed(), Phase.ANSWERING, T0 + 25 * HOUR)
    click = T0 + 25 * HOUR + 0.05
    decision = decide(board, Phase.ANSWERING, click + 0.05, used=click, used_by="page")
    assert (decision.board.state, decision.board.desired, decision.actions) == (State.RUNNING, Desired.RUN, ())
    assert kinds(decision) == ["Used"] and decision.board.generation > board.generation


def test_a_crash_between_decision_and_stop_is_a_crash() -> None:
    board = stepped(almost_reclaimed(), Phase.ANSWERING, T0 + 25 * HOUR)
    board = stepped(board, Phase.EXITED, T0 + 25 * HOUR + 1)
    assert (board.state, board.desired) == (State.PENDING, Desired.RUN)


def test_nothing_is_decided_without_an_observation() -> None:
    board = almost_reclaimed()
    decision = decide(board, None, T0 + 30 * DAY)
    assert dataclasses.replace(decision.board, look_again_at=None) == dataclasses.replace(board, look_again_at=None)
    assert (decision.actions, decision.events) == ((), ())


def test_an_observation_from_before_the_last_change_counts_as_none() -> None:
    board = running()
    stopped = commands.stop(board, T0 + 50, "ada").board
    decision = life.step(stopped, seen(board, Phase.ABSENT, T0 + 40), T0 + 51, policy.effective())
    assert decision.board.state is State.STOPPING


def test_a_clock_that_was_set_back_does_not_block_a_board() -> None:
    board = commands.stop(running(), T0 + HOUR, "ada").board
    assert stepped(board, Phase.ABSENT, T0 + 10).state is State.STOPPED


def test_after_a_gap_a_reclaim_waits_for_open_pages() -> None:
    board = watched(running(), T0, T0 + 2 * HOUR)
    woken = T0 + 3 * DAY
    board = stepped(board, Phase.ANSWERING, woken)
    assert (board.state, board.look_again_at) == (State.IDLE, woken + 30)
    board = stepped(board, Phase.ANSWERING, woken + 30)
    assert board.state is State.IDLE
    assert stepped(board, Phase.ANSWERING, woken + 60).state is State.STOPPING
    used = stepped(board, Phase.ANSWERING, woken + 60, used=woken + 45, used_by="page")
    assert used.state is State.RUNNING


def test_an_idle_board_is_not_reclaimed_in_the_look_that_finds_it_idle() -> None:
    board = stepped(running(), Phase.ANSWERING, T0 + 3 * DAY)
    assert board.state is State.IDLE


def test_use_in_the_future_counts_as_now() -> None:
    board = stepped(running(), Phase.ANSWERING, T0 + 10, used=T0 + 9 * DAY, used_by="page")
    assert board.last_activity == T0 + 10


# -- keep-alive and max runtime


def test_keep_alive_moves_both_deadlines_and_ends() -> None:
    board = commands.keep_alive(running(), T0 + 8 * HOUR, T0 + 10, "ada").board
    timing = policy.effective()
    assert (policy.idle_at(board, timing), policy.reclaim_at(board, timing)) == (T0 + 8 * HOUR, T0 + 32 * HOUR)
    board = watched(board, T0 + 30, T0 + 8 * HOUR)
    assert board.state is State.RUNNING
    assert stepped(board, Phase.ANSWERING, T0 + 8 * HOUR).state is State.IDLE


def test_max_runtime_stops_a_used_board() -> None:
    timing = policy.effective(life.Policy(max_runtime_secs=600.0))
    board = running()
    assert decide(board, Phase.ANSWERING, T0 + 590, timing=timing).look_again_at == T0 + 600
    decision = decide(board, Phase.ANSWERING, T0 + 600, used=T0 + 600, used_by="page", timing=timing)
    assert (decision.board.state, decision.board.stop_reason) == (State.STOPPING, StopReason.MAX_RUNTIME)
    assert decision.actions == (life.Act.STOP,)
    stopped = stepped(decision.board, Phase.ABSENT, T0 + 601)
    assert (stopped.state, stopped.reason) == (State.STOPPED, "MaxRuntime")


# -- stopping, changing, deleting


def test_a_stop_is_repeated_until_the_process_is_gone() -> None:
    board = commands.stop(running(), T0 + 5, "ada").board
    for at in (T0 + 5, T0 + 6, T0 + 7):
        decision = decide(board, Phase.ANSWERING, at)
        assert (decision.actions, decision.board.stop_sent) == ((life.Act.STOP,), T0 + 5)
        board = decision.board
    assert stepped(board, Phase.ABSENT, T0 + 8).reason == "User"


def test_a_start_during_a_stop_starts_again_afterwards() -> None:
    board = stepped(commands.stop(running(), T0 + 5, "ada").board, Phase.ANSWERING, T0 + 5)
    board = commands.start(board, T0 + 6, "ada").board
    assert board.state is State.STOPPING
    board = stepped(board, Phase.ABSENT, T0 + 7)
    assert (board.state, board.look_again_at) == (State.PENDING, T0 + 7)
    assert stepped(board, Phase.ABSENT, T0 + 7).state is State.STARTING


def test_a_start_before_the_stop_was_sent_undoes_it() -> None:
    board = commands.stop(running(), T0 + 5, "ada").board
    board = commands.start(board, T0 + 5.1, "ada").board
    decision = decide(board, Phase.ANSWERING, T0 + 5.2)
    assert (decision.board.state, decision.actions, decision.board.started) == (State.RUNNING, (), T0)


def test_a_board_that_was_stopped_before_it_answered_starts_from_the_beginning() -> None:
    board = commands.stop(starting(), T0 + 1, "ada").board
    board = commands.start(board, T0 + 1.1, "ada").board
    assert stepped(board, Phase.STARTING, T0 + 1.2).state is State.PENDING


def test_new_sources_start_the_process_again() -> None:
    board = running()
    changed = commands.redefine(board, T0 + 5, "ada", sources=(life.Source("s3://b/x"),)).board
    decision = life.step(changed, seen(board, Phase.ANSWERING, T0 + 6), T0 + 6, policy.effective())
    assert (decision.board.state, decision.board.desired, decision.actions) == (
        State.STOPPING, Desired.RUN, (life.Act.STOP,),
    )  # fmt: skip
    board = stepped(decision.board, Phase.ABSENT, T0 + 7)
    board = stepped(board, Phase.ABSENT, T0 + 7)
    board = stepped(board, Phase.ANSWERING, T0 + 8)
    assert (board.state, commands.is_settled(board, changed.generation)) == (State.RUNNING, True)


@pytest.mark.parametrize("state", [State.STOPPED, State.FAILED])
def test_nothing_runs_for_a_board_at_rest(state: State) -> None:
    board = dataclasses.replace(running(), state=state, desired=Desired.STOP)
    decision = decide(board, Phase.ANSWERING, T0 + 5)
    assert (decision.board.state, decision.actions) == (state, (life.Act.STOP,))
    assert decide(board, Phase.ABSENT, T0 + 5).look_again_at is None


def test_deleting_stops_then_removes_everything() -> None:
    board = commands.delete(running(), T0 + 5, "ada").board
    decision = decide(board, Phase.ANSWERING, T0 + 5)
    assert (decision.actions, decision.gone) == ((life.Act.STOP,), False)
    decision = decide(decision.board, Phase.ABSENT, T0 + 6)
    assert (decision.actions, decision.gone) == ((life.Act.REMOVE,), True)


def test_the_end_of_a_long_log_is_kept() -> None:
    board = stepped(starting(), Phase.EXITED, T0, permanent=True, message="x" * 10_000 + "the reason")
    assert len(board.message) <= steps.LONGEST_MESSAGE + 1 and board.message.endswith("the reason")


@pytest.mark.parametrize("state", list(State))
@pytest.mark.parametrize("phase", list(Phase))
def test_every_state_has_an_answer_to_every_observation(state: State, phase: Phase) -> None:
    board = dataclasses.replace(running(), state=state)
    decision = decide(board, phase, T0 + 5)
    assert decision.board.id == board.id
    rests = decision.board.state in (State.STOPPED, State.FAILED) and decision.actions == ()
    assert rests or decision.look_again_at is not None
