"""Which run an integration writes to."""

from __future__ import annotations

import pathlib

import pytest

import lightboard
from lightboard.integrations import attachment


@pytest.fixture(autouse=True)
def nowhere(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("LIGHTBOARD_LOGDIR", "PAI_OUTPUT_TENSORBOARD", "TENSORBOARD_LOGDIR"):
        monkeypatch.delenv(name, raising=False)


def place(attached: attachment.Attachment) -> str:
    attached.finish()
    return pathlib.Path(attached.run.dir).as_posix()


def test_what_is_given_wins(tmp_path: pathlib.Path) -> None:
    with lightboard.init(name="current", dir=tmp_path, metadata=False, system_metrics=False, console=False):
        assert place(attachment.attach("given", default_dir="other")) == "given"


def test_a_run_going_on_is_joined_and_left_going(tmp_path: pathlib.Path) -> None:
    with lightboard.init(name="current", dir=tmp_path, metadata=False, system_metrics=False, console=False) as run:
        attached = attachment.attach(None, default_dir="other", config={"lr": 0.5})
        attached.run.log({"loss": 1.0}, step=3)
        attached.finish()
        assert attached.run is run
        run.log({"loss": 0.5})
    with lightboard.open(tmp_path) as logs:
        assert logs.scalars("current", "loss").steps.tolist() == [3, 4]
        assert logs.hparams("current") == {"lr": 0.5}


def test_then_the_environment_then_the_default(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert place(attachment.attach(None, default_dir="other")) == "other"
    assert place(attachment.attach(None)).startswith("runs/")
    monkeypatch.setenv("TENSORBOARD_LOGDIR", str(tmp_path / "told"))
    assert place(attachment.attach(None, default_dir="other")) == (tmp_path / "told").as_posix()
