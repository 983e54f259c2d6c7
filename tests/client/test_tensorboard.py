"""`TensorBoard` has the signatures of PAI's class, and works as it does."""

from __future__ import annotations

import inspect

import pytest
from client import real

import lightboard.hub
from lightboard import client
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
