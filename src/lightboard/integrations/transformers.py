"""Hugging Face Transformers: a callback of `Trainer`.

    import lightboard.integrations.transformers

    arguments = TrainingArguments(output_dir="out", report_to="lightboard")

or, without a name, `Trainer(…, callbacks=[LightboardCallback("runs/a")])`. Tags are those of the library's TensorBoard
callback: `train/loss`, `eval/accuracy` and so on; the arguments and the model's configuration are logged as texts, and
the arguments are the run's hparams.
"""

from __future__ import annotations

import json
import os
import pathlib
import socket
import time
from typing import Any

from lightboard.integrations import attachment
from lightboard.sdk import optional, trouble

_PURPOSE = "lightboard.integrations.transformers"
_trainer_callback: Any = optional.load("transformers.trainer_callback", "pip install transformers", _PURPOSE)
_integrations: Any = optional.load(
    "transformers.integrations.integration_utils", "pip install 'transformers[torch]'", _PURPOSE
)

NAME = "lightboard"


class LightboardCallback(_trainer_callback.TrainerCallback):  # type: ignore[misc]
    """The default of `log_dir`, in this order: the current run of `lightboard.init`, `TENSORBOARD_LOGGING_DIR`,
    `logging_dir` of `TrainingArguments` (if the version has it), the directory of the environment,
    `<output_dir>/runs/<time>_<host>`.
    """

    def __init__(self, log_dir: str | os.PathLike[str] | None = None, *, track: bool = False) -> None:
        super().__init__()
        self._log_dir = log_dir or os.environ.get("TENSORBOARD_LOGGING_DIR")
        self._track = track
        self.strict = trouble.strict_by_environment()
        self._attached: attachment.Attachment | None = None

    @trouble.soft
    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if not state.is_world_process_zero:
            return
        attached = self._begin(args, state)
        texts = {"args": args.to_json_string()}
        config = getattr(kwargs.get("model"), "config", None)
        if config is not None:
            texts["model_config"] = config.to_json_string() if hasattr(config, "to_json_string") else str(config)
        attached.run.config.update(args.to_sanitized_dict())
        attached.run.log({name: _as_code(text) for name, text in texts.items()}, step=state.global_step)

    @trouble.soft
    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        if not state.is_world_process_zero or not logs:
            return
        run = self._begin(args, state).run
        run.log({_tag(name): value for name, value in logs.items()}, step=state.global_step)
        run.recorder.flush()

    @trouble.soft
    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """A later evaluation is written to the same run."""
        if self._attached is not None:
            self._attached.finish()

    def _begin(self, args: Any, state: Any) -> attachment.Attachment:
        trial = getattr(state, "trial_name", None) if getattr(state, "is_hyper_param_search", False) else None
        if self._attached is None or (trial is not None and self._attached.run.name != trial):
            log_dir, default = self._log_dir, getattr(args, "logging_dir", None)
            if default is None or os.fspath(default) == "":
                default = str(pathlib.Path(args.output_dir, _own_name()))
            if trial is not None:
                log_dir = pathlib.Path(args.output_dir, _own_name(), trial)
            self._attached = attachment.attach(log_dir, default_dir=default, track=self._track)
        return self._attached


def _own_name() -> str:
    """Returns a name like those of PyTorch's writer."""
    return f"runs/{time.strftime('%b%d_%H-%M-%S')}_{socket.gethostname()}"


def _tag(name: str) -> str:
    for prefix in ("eval", "test"):
        if name.startswith(f"{prefix}_"):
            return f"{prefix}/{name.removeprefix(prefix + '_')}"
    return f"train/{name}"


def _as_code(text: str) -> str:
    """Formats JSON as a code block of Markdown."""
    try:
        text = json.dumps(json.loads(text), indent=2, sort_keys=True, ensure_ascii=False)
    except ValueError:
        pass
    return "\n".join(f"    {line}" for line in text.splitlines())


def register() -> None:
    """Register `report_to="lightboard"`; importing this module does it."""
    known = getattr(_integrations, "INTEGRATION_TO_CALLBACK", None)
    if isinstance(known, dict):
        known.setdefault(NAME, LightboardCallback)


register()
