"""Hugging Face Accelerate: a tracker.

    import lightboard.integrations.accelerate

    accelerator = Accelerator(log_with="lightboard", project_dir="runs")
    accelerator.init_trackers("digits", config={"lr": 0.1})
    accelerator.log({"loss": 0.3}, step=1)
    accelerator.end_training()

Older versions do not support trackers by name: `Accelerator(log_with=LightboardTracker("digits", "runs"))`.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Any

from lightboard.integrations import attachment
from lightboard.sdk import media, optional, runs, trouble

_tracking: Any = optional.load("accelerate.tracking", "pip install accelerate", "lightboard.integrations.accelerate")


class LightboardTracker(_tracking.GeneralTracker):  # type: ignore[misc]
    """The run is `<logging_dir>/<run_name>`; the configuration becomes its hparams."""

    name = "lightboard"
    requires_logging_directory = True
    main_process_only = True

    def __init__(self, run_name: str, logging_dir: str | os.PathLike[str] = "runs", *, track: bool = False) -> None:
        super().__init__()
        self.run_name = run_name
        self.logging_dir = os.fspath(logging_dir)
        self._track = track
        self.strict = trouble.strict_by_environment()
        self._attached: attachment.Attachment | None = None
        if not hasattr(_tracking.GeneralTracker, "start"):  # versions before 1.8 do not call it
            self.start()

    @_tracking.on_main_process  # type: ignore[untyped-decorator, unused-ignore]
    @trouble.soft
    def start(self) -> None:
        if self._attached is None:
            self._attached = attachment.attach(pathlib.Path(self.logging_dir, self.run_name), track=self._track)

    @property
    def tracker(self) -> runs.Run:
        """The run; `tracker.writer` is a `SummaryWriter`."""
        self.start()
        assert self._attached is not None
        return self._attached.run

    @_tracking.on_main_process  # type: ignore[untyped-decorator, unused-ignore]
    @trouble.soft
    def store_init_configuration(self, values: Mapping[str, Any]) -> None:
        self.tracker.config.update(values)

    @_tracking.on_main_process  # type: ignore[untyped-decorator, unused-ignore]
    @trouble.soft
    def log(self, values: Mapping[str, Any], step: int | None = None, **kwargs: Any) -> None:
        self.tracker.log(values, step=step)

    @_tracking.on_main_process  # type: ignore[untyped-decorator, unused-ignore]
    @trouble.soft
    def log_images(self, values: Mapping[str, Any], step: int | None = None, **kwargs: Any) -> None:
        """Log lists of images, or batches as one array."""
        pictures = {tag: [media.Image(each, **kwargs) for each in batch] for tag, batch in values.items()}
        self.tracker.log(pictures, step=step)

    @_tracking.on_main_process  # type: ignore[untyped-decorator, unused-ignore]
    @trouble.soft
    def finish(self) -> None:
        if self._attached is not None:
            self._attached.finish()


def register() -> None:
    """Register `log_with="lightboard"`; importing this module does it."""
    known = getattr(_tracking, "LOGGER_TYPE_TO_CLASS", {})
    if hasattr(_tracking, "register_tracker_class") and known.get("lightboard") is not LightboardTracker:
        _tracking.register_tracker_class(LightboardTracker)


register()
