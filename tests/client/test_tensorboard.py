"""`TensorBoard` has the signatures of PAI's class, and works as it does."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from client import real

import lightboard.hub
from lightboard import client, errors
from lightboard.hub import TensorBoard

# pai.tensorboard.TensorBoard of pai-python-sdk: parameters and defaults
PAI = {
    "create": "uri wait=True display_name=None max_runtime_in_minutes=None "
    "source_id=None source_type=None session=None",
    "wait": "self",
    "start": "self wait=True",
    "stop": "self",
    "delete": "self",
    "__init__": "self tensorboard_id session=None",
}


@pytest.mark.parametrize("name", PAI)
def test_calls_of_pai_work(name: str) -> None:
    ours = inspect.signature(getattr(TensorBoard, name)).parameters.values()
    shown = [each.name if each.default is each.empty else f"{each.name}={each.default}" for each in ours]
    theirs = PAI[name].split()
    assert shown[: len(theirs)] == theirs
    more = [each for each in ours if each.name not in {word.partition("=")[0] for word in theirs}]
    assert all(each.default is not each.empty or each.kind is each.VAR_KEYWORD for each in more)


def test_a_board_as_pai_users_know_it(team: real.Team, monkeypatch: pytest.MonkeyPatch) -> None:
    _, token = team.person()
    monkeypatch.setenv("LIGHTBOARD_HUB", team.hub.url)
    monkeypatch.setenv("LIGHTBOARD_HUB_TOKEN", token)
    board = TensorBoard.create(
        str(team.logs), display_name="resnet", max_runtime_in_minutes=60, source_type="TrainingJob", source_id="job-1"
    )
    assert (board.status, board.display_name, board.summary_uri) == ("Running", "resnet", str(team.logs))
    assert board.app_uri == f"{team.hub.url}/boards/{board.tensorboard_id}/"
    assert board.board.data["max_runtime"] == 3600
    assert board.app_uri in repr(board)
    board.stop()
    board.start()
    assert board.status == "Running"
    assert [each.tensorboard_id for each in TensorBoard.list(source_id="job-1")] == [board.tensorboard_id]
    with TensorBoard(board.tensorboard_id) as attached:
        assert attached.status == "Running"
    attached.wait()
    assert board.status == "Stopped"
    board.delete()
    board.wait()
    with pytest.raises(lightboard.hub.NotFound):
        TensorBoard(board.tensorboard_id)


def test_the_name_is_the_last_part_of_the_address(team: real.Team) -> None:
    hub = team.connected()
    board = TensorBoard.create(f"{team.logs}/", wait=False, session=hub)
    assert board.display_name == team.logs.name
    for uri in ("", "/", "oss://", "oss:///"):
        with pytest.raises(RuntimeError, match="no name") as caught:
            TensorBoard.create(uri, session=hub)
        assert isinstance(caught.value, errors.BadInput)


def test_an_address_at_oss_is_read_as_for_pais_own_clients(team: real.Team) -> None:
    board = TensorBoard.create(f"oss://data/{team.logs.name}/", session=team.connected())
    assert (board.status, board.summary_uri) == ("Running", f"pvc://data/{team.logs.name}")


def test_start_and_stop_of_what_runs_and_what_does_not_change_nothing(team: real.Team) -> None:
    board = TensorBoard.create(str(team.logs), session=team.connected())
    generation = board.board.generation
    board.start()
    assert (board.status, board.board.generation) == ("Running", generation)
    board.stop(wait=True)
    generation = board.board.generation
    board.stop(wait=True)
    assert (board.status, board.board.generation) == ("Stopped", generation)


def test_who_waits_for_a_board_that_was_stopped_is_told(team: real.Team) -> None:
    hub = team.connected()
    board = TensorBoard.create(str(team.logs), session=hub)
    other = TensorBoard(board.tensorboard_id, session=hub)
    board.stop(wait=True)
    with pytest.raises(lightboard.hub.StartFailed) as caught:
        other.wait()
    assert (caught.value.state, "start()" in caught.value.hint) == ("Stopped", True)
    board.delete()
    assert other.status in ("Deleting", "Deleted")
    board.wait()
    assert (board.status, other.status) == ("Deleted", "Deleted")
    with board:
        pass  # stops nothing, and says nothing of it


def test_the_limit_is_an_error_with_members(team: real.Team) -> None:
    name, token = team.person()
    team.admin.users.change(name, boards_limit=1)
    hub = client.Hub(team.hub.url, token)
    board = TensorBoard.create(str(team.logs), session=hub)
    with pytest.raises(lightboard.hub.TensorboardLimitExceeded) as caught:
        TensorBoard.create(str(team.logs), session=hub)
    error = caught.value
    assert (error.limit, error.used, error.status, error.code) == (1, 1, 403, "TensorboardLimitExceeded")
    assert [each["id"] for each in error.boards] == [board.tensorboard_id]


def test_progress_is_told_while_a_board_starts(
    team: real.Team, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first answers are changed to those of a board that takes seconds."""
    board = TensorBoard.create(str(team.logs), wait=False, session=team.connected())
    board.board.wait()
    answers = iter([{"state": "Starting", "observed_generation": 0}, {"state": "Starting", "observed_generation": 0}])
    ask = board.board._requests.get

    def slow(path: str, *arguments: Any, **more: Any) -> Any:
        if path.endswith("/progress"):
            return {"phase": "reading", "files_read": 1200, "files_total": 3400}
        return {**ask(path, *arguments, **more), **next(answers, {})}

    monkeypatch.setattr(board.board._requests, "get", slow)
    board.wait(progress=True)
    assert "logs: reading, 1,200 of 3,400 files" in capsys.readouterr().err
    answers = iter([{"state": "Starting", "observed_generation": 0}] * 2)
    seen: list[str] = []
    board.wait(progress=lambda each: seen.append(each.state))
    assert seen == ["Starting"]
    assert capsys.readouterr().err == ""


def test_another_hub_as_the_session(team: real.Team) -> None:
    hub = team.connected()
    board = TensorBoard.create(str(team.logs), wait=False, session=hub)
    board.wait(timeout=60)
    assert isinstance(hub.boards.get(board.tensorboard_id), client.Board)


def test_names_of_the_package() -> None:
    assert set(lightboard.hub.__all__) == {*client.__all__, "notebook"}
    assert set(lightboard.hub.__all__) <= set(dir(lightboard.hub))
    with pytest.raises(AttributeError):
        _ = lightboard.hub.Absent  # type: ignore[attr-defined]
