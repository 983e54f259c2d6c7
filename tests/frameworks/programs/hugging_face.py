"""Hugging Face: a tiny BERT made from a configuration, trained by `Trainer`, which reports every few steps."""

import os

os.environ["PAI_OUTPUT_TENSORBOARD"] = "output/tensorboard"
os.environ["TENSORBOARD_LOGGING_DIR"] = os.environ["PAI_OUTPUT_TENSORBOARD"]  # transformers 5 asks here for the place
os.environ["HF_HUB_OFFLINE"] = "1"

import digits
import torch
import transformers


class Rows(torch.utils.data.Dataset[dict[str, torch.Tensor]]):
    """Pixels as words: sixteen shades make a vocabulary."""

    def __init__(self, images: torch.Tensor, labels: torch.Tensor) -> None:
        self.words, self.labels = (images.reshape(-1, 64) * 16).long(), labels

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, at: int) -> dict[str, torch.Tensor]:
        return {"input_ids": self.words[at], "attention_mask": torch.ones(64), "labels": self.labels[at]}


data = digits.load(train=128, test=32)
transformers.set_seed(7)
config = transformers.BertConfig(
    vocab_size=17, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, num_labels=10
)
model = transformers.BertForSequenceClassification(config)
arguments = transformers.TrainingArguments(
    output_dir="checkpoints",
    report_to="none" if digits.OURS else "tensorboard",
    logging_strategy="steps",
    logging_steps=4,
    eval_strategy="epoch",
    save_strategy="no",
    num_train_epochs=2,
    per_device_train_batch_size=8,
    use_cpu=True,
    seed=7,
)
trainer = transformers.Trainer(
    model=model,
    args=arguments,
    train_dataset=Rows(torch.tensor(data.x_train), torch.tensor(data.y_train)),
    eval_dataset=Rows(torch.tensor(data.x_test), torch.tensor(data.y_test)),
)
if digits.OURS:
    from lightboard.integrations import transformers as ours

    trainer.add_callback(ours.LightboardCallback())
trainer.train()
