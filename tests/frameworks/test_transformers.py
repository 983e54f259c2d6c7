"""A tiny Transformers training that reports to Lightboard, by name and by callback."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
from run_records import states

import lightboard

pytestmark = pytest.mark.filterwarnings("ignore")
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_STRICT", "1")
    for name in ("LIGHTBOARD_LOGDIR", "PAI_OUTPUT_TENSORBOARD", "TENSORBOARD_LOGDIR", "TENSORBOARD_LOGGING_DIR"):
        monkeypatch.delenv(name, raising=False)


def trainer(directory: pathlib.Path, report_to: str, callbacks: list[Any]) -> Any:
    sizes = {"vocab_size": 30, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.BertConfig(**sizes, intermediate_size=8, max_position_embeddings=16)
    words, seen = torch.arange(8), torch.ones(8, dtype=torch.long)
    data = [{"input_ids": words + number, "attention_mask": seen, "labels": number % 2} for number in range(16)]
    arguments = transformers.TrainingArguments(
        output_dir=str(directory / "out"),
        report_to=report_to,
        max_steps=4,
        logging_steps=1,
        per_device_train_batch_size=4,
        use_cpu=True,
        disable_tqdm=True,
        save_strategy="no",
        learning_rate=0.01,
    )
    model = transformers.BertForSequenceClassification(config)
    return transformers.Trainer(model, arguments, train_dataset=data, eval_dataset=data, callbacks=callbacks)


def test_report_to_lightboard(tmp_path: pathlib.Path) -> None:
    import lightboard.integrations.transformers

    training = trainer(tmp_path, "lightboard", [])
    training.train()
    training.evaluate()
    with lightboard.open(tmp_path) as logs:
        (run,) = logs.runs
        assert run.startswith("out/runs/")
        told = [entry["loss"] for entry in training.state.log_history if "loss" in entry]
        assert logs.scalars(run, "train/loss").steps.tolist() == [1, 2, 3, 4]
        assert logs.scalars(run, "train/loss").values.tolist() == pytest.approx(told)
        assert len(logs.scalars(run, "eval/loss")) == 1
        assert logs.hparams(run)["learning_rate"] == 0.01
        assert {tag.split("/")[0] for tag in logs.tags("text")} == {"args", "model_config"}


def test_the_callback_has_a_directory_and_says_how_it_ended(tmp_path: pathlib.Path) -> None:
    from lightboard.integrations.transformers import LightboardCallback

    trainer(tmp_path, "none", [LightboardCallback(tmp_path / "runs" / "a", track=True)]).train()
    with lightboard.open(tmp_path) as logs:
        assert len(logs.scalars("runs/a", "train/loss")) == 4
        assert states(logs) == {"runs/a": "finished"}


def test_a_run_that_was_begun_is_joined(tmp_path: pathlib.Path) -> None:
    from lightboard.integrations.transformers import LightboardCallback

    with lightboard.init(name="mine", dir=tmp_path, metadata=False, system_metrics=False, console=False) as run:
        trainer(tmp_path, "none", [LightboardCallback()]).train()
        run.log({"after": 1.0})
    with lightboard.open(tmp_path) as logs:
        assert logs.runs == ["mine"]
        assert {"train/loss", "after"} <= set(logs.tags("scalars"))
        assert states(logs) == {"mine": "finished"}
