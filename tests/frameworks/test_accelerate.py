"""Accelerate's tracker, by name and by object."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from run_records import states

import lightboard

pytestmark = pytest.mark.filterwarnings("ignore")
accelerate = pytest.importorskip("accelerate")


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_STRICT", "1")


def test_a_tracker_by_name(tmp_path: pathlib.Path) -> None:
    import lightboard.integrations.accelerate

    accelerator = accelerate.Accelerator(log_with="lightboard", project_dir=str(tmp_path), cpu=True)
    accelerator.init_trackers("digits", config={"lr": 0.25, "optimizer": "sgd"})
    accelerator.log({"loss": 0.5, "note": "hello", "eval": {"acc": 1}}, step=3)
    accelerator.get_tracker("lightboard").log_images({"seen": [np.zeros((8, 6, 3), np.uint8)]}, step=4)
    accelerator.end_training()
    with lightboard.open(tmp_path) as logs:
        assert logs.runs == ["digits"]
        assert logs.hparams("digits") == {"lr": 0.25, "optimizer": "sgd"}
        assert logs.scalars("digits", "loss").steps.tolist() == [3]
        assert logs.scalars("digits", "eval/acc").values.tolist() == [1]
        assert logs.images("digits", "seen/0")[0].width == 6


def test_a_tracker_by_object(tmp_path: pathlib.Path) -> None:
    from lightboard.integrations.accelerate import LightboardTracker

    tracker = LightboardTracker("mine", tmp_path, track=True)
    accelerator = accelerate.Accelerator(log_with=tracker, cpu=True)
    accelerator.init_trackers("ignored", config={"lr": 1})
    accelerator.log({"loss": 1.0}, step=0)
    accelerator.end_training()
    with lightboard.open(tmp_path) as logs:
        assert logs.scalars("mine", "loss").values.tolist() == [1]
        assert states(logs) == {"mine": "finished"}
