"""Lightning's Trainer and Fabric with our logger."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any

import pytest
from run_records import states

import lightboard

pytestmark = pytest.mark.filterwarnings("ignore")
torch = pytest.importorskip("torch")
lightning = pytest.importorskip("lightning")


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_STRICT", "1")


def model(**hparams: Any) -> Any:
    class Model(lightning.LightningModule):  # type: ignore[name-defined, misc]
        def __init__(self, lr: float, sizes: Any = None) -> None:
            super().__init__()
            self.save_hyperparameters()
            self.layer = torch.nn.Linear(4, 1)
            self.example_input_array = torch.zeros(1, 4)

        def forward(self, batch: Any) -> Any:
            return self.layer(batch)

        def training_step(self, batch: Any, number: int) -> Any:
            if self.hparams.lr == 0:
                raise ZeroDivisionError("no")
            loss = self(batch).mean()
            self.log("loss", loss)
            return loss

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=self.hparams.lr)

    return Model(**hparams)


def fit(logger: Any, **hparams: Any) -> None:
    data = torch.utils.data.DataLoader(torch.randn(32, 4), batch_size=4)
    quiet = {"enable_progress_bar": False, "enable_model_summary": False, "enable_checkpointing": False}
    lightning.Trainer(max_epochs=1, logger=logger, log_every_n_steps=2, accelerator="cpu", **quiet).fit(
        model(**hparams), data
    )


def test_two_trainings_are_two_versions(tmp_path: pathlib.Path) -> None:
    from lightboard.integrations.lightning import LightboardLogger

    for lr in (0.25, 0.5):
        fit(LightboardLogger(tmp_path, name="digits", log_graph=True, track=True), lr=lr, sizes={"a": [1, 2]})
    with lightboard.open(tmp_path) as logs:
        assert logs.runs == ["digits/version_0", "digits/version_1"]
        assert logs.hparams("digits/version_1") == {"lr": 0.5, "sizes/a": "[1, 2]"}
        assert logs.scalars("digits/version_1", "loss").steps.tolist() == [1, 3, 5, 7]
        assert logs.scalars("digits/version_1", "hp_metric").values.tolist() == [-1]
        assert b"Linear" in logs.graph("digits/version_0")
        assert set(states(logs).values()) == {"finished"}
    assert "lr: 0.5" in (tmp_path / "digits/version_1/hparams.yaml").read_text()


def test_a_failed_training_is_told_from_a_finished_one(tmp_path: pathlib.Path) -> None:
    from lightboard.integrations.lightning import LightboardLogger

    with pytest.raises(ZeroDivisionError):
        fit(LightboardLogger(tmp_path, name="", version="mine", track=True), lr=0.0)
    with lightboard.open(tmp_path) as logs:
        assert states(logs) == {"mine": "crashed"}


def test_fabric_logs_too(tmp_path: pathlib.Path) -> None:
    from lightboard.integrations.lightning import LightboardLogger

    fabric = lightning.Fabric(accelerator="cpu", loggers=LightboardLogger(tmp_path, prefix="p", sub_dir="sub"))
    fabric.log("a", torch.tensor(3.0), step=1)
    fabric.log_dict({"b": 1, "both": {"x": 1.0, "y": 2.0}}, step=2)
    fabric.logger.finalize("success")
    with lightboard.open(tmp_path) as logs:
        run = "lightning_logs/version_0/sub"
        assert logs.scalars(run, "p-a").values.tolist() == [3]
        assert logs.scalars(run, "p-b").steps.tolist() == [2]
        assert logs.scalars(f"{run}/p-both_x", "p-both").values.tolist() == [1]


def test_a_logger_can_be_sent_to_another_process(tmp_path: pathlib.Path) -> None:
    from lightboard.integrations.lightning import LightboardLogger

    logger = LightboardLogger(tmp_path, name="a", version=7)
    logger.log_metrics({"loss": 1.0}, step=0)
    copy = pickle.loads(pickle.dumps(logger))
    copy.log_metrics({"loss": 2.0}, step=1)
    for each in (logger, copy):
        each.finalize("success")
    with lightboard.open(tmp_path) as logs:
        assert sorted(logs.scalars("a/version_7", "loss").values.tolist()) == [1, 2]
