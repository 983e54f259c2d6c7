"""Hugging Face's Trainer as PAI's documentation has it: the log directory is that of PAI_OUTPUT_TENSORBOARD.

`logging_dir` is of transformers 4; 5 asks for TENSORBOARD_LOGGING_DIR instead. After some steps the training waits for
the file `seen`: the test looks at the board meanwhile.
"""

import os
import pathlib
import time
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"

import digits
import torch
import transformers
from transformers import Trainer, TrainingArguments

PATIENCE_SECS = 120
WAITS_AT = 8


class Rows(torch.utils.data.Dataset[dict[str, torch.Tensor]]):
    """Pixels as words: sixteen shades make a vocabulary."""

    def __init__(self, images: torch.Tensor, labels: torch.Tensor) -> None:
        self.words, self.labels = (images.reshape(-1, 64) * 16).long(), labels

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, at: int) -> dict[str, torch.Tensor]:
        return {"input_ids": self.words[at], "attention_mask": torch.ones(64), "labels": self.labels[at]}


class Waiting(transformers.TrainerCallback):
    def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        end = time.monotonic() + PATIENCE_SECS
        while state.global_step == WAITS_AT and not pathlib.Path("seen").exists():
            assert time.monotonic() < end, "nobody looked"
            time.sleep(0.05)


data = digits.load(train=128, test=32)
transformers.set_seed(7)
model = transformers.BertForSequenceClassification(
    transformers.BertConfig(
        vocab_size=17, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, num_labels=10
    )
)
log_dir = os.environ.get("PAI_OUTPUT_TENSORBOARD")
more: dict[str, Any] = {"logging_dir": log_dir} if transformers.__version__.startswith("4.") else {}
training_args = TrainingArguments(
    report_to="tensorboard",
    logging_strategy="steps",
    logging_steps=4,
    output_dir="checkpoints",
    num_train_epochs=1,
    per_device_train_batch_size=8,
    save_strategy="no",
    use_cpu=True,
    **more,
)
trainer = Trainer(
    model=model,
    args=training_args,
    train_dataset=Rows(torch.tensor(data.x_train), torch.tensor(data.y_train)),
    callbacks=[Waiting()],
)
trainer.train()
