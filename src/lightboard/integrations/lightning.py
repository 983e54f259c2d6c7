"""Lightning: a logger, for the `Trainer` and for Fabric.

    from lightboard.integrations.lightning import LightboardLogger

    trainer = Trainer(logger=LightboardLogger("logs", name="digits"))

Directories, tags and `hparams.yaml` are those of Lightning's own TensorBoardLogger (`<save_dir>/<name>/version_<n>`),
so that checkpoints and scripts find their files. `logger.experiment` is a `SummaryWriter`.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import time
from collections.abc import Mapping
from typing import Any

from lightboard import errors
from lightboard.sdk import hparams_messages, optional, runs, tracking, trouble, writer

_PURPOSE = "lightboard.integrations.lightning"
_INSTALL = "pip install lightning"


def _module(name: str) -> Any:
    """Imports `lightning.…`, or `pytorch_lightning` and `lightning_fabric` if they are installed separately."""
    try:
        return optional.load(f"lightning.{name}", _INSTALL, _PURPOSE)
    except errors.Missing:
        room, _, rest = name.partition(".")
        return optional.load(
            {"pytorch": "pytorch_lightning", "fabric": "lightning_fabric"}[room] + f".{rest}", _INSTALL, _PURPOSE
        )


_logger: Any = _module("pytorch.loggers.logger")
_rank_zero: Any = _module("fabric.utilities.rank_zero")
_saving: Any = _module("pytorch.core.saving")


class LightboardLogger(_logger.Logger):  # type: ignore[misc]
    """`default_hp_metric`: log `hp_metric` = -1 with hyperparameters that have no metric, as Lightning does.

    `track`: write metadata and heartbeats, as `lightboard.init` does. Further arguments are passed to `SummaryWriter`.
    """

    NAME_HPARAMS_FILE = "hparams.yaml"
    LOGGER_JOIN_CHAR = "-"

    def __init__(
        self,
        save_dir: str | os.PathLike[str],
        name: str | None = "lightning_logs",
        version: int | str | None = None,
        log_graph: bool = False,
        default_hp_metric: bool = True,
        prefix: str = "",
        sub_dir: str | os.PathLike[str] | None = None,
        *,
        track: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        self._save_dir = os.fspath(save_dir)
        self._name = name or ""
        self._version = version
        self._log_graph = log_graph
        self._default_hp_metric = default_hp_metric
        self._prefix = prefix
        self._sub_dir = None if sub_dir is None else os.fspath(sub_dir)
        self._track = track
        self.strict = trouble.strict_by_environment()
        self._kwargs = kwargs
        self._experiment: writer.SummaryWriter | None = None
        self._tracking: tracking.Tracking | None = None
        self.hparams: dict[str, Any] = {}

    # ---- directories ----

    @property
    def name(self) -> str:
        return self._name

    @property
    def version(self) -> int | str:
        if self._version is None:
            self._version = self._next_version()
        return self._version

    @property
    def save_dir(self) -> str:
        return self._save_dir

    @property
    def root_dir(self) -> str:
        """The parent of all versions."""
        return str(pathlib.Path(self._save_dir, self._name))

    @property
    def log_dir(self) -> str:
        version = self.version if isinstance(self.version, str) else f"version_{self.version}"
        parts = [self.root_dir, version, *([self._sub_dir] if self._sub_dir is not None else [])]
        return os.path.expandvars(pathlib.Path(*parts).expanduser())

    @property
    def sub_dir(self) -> str | None:
        return self._sub_dir

    def _next_version(self) -> int:
        try:
            names = os.listdir(self.root_dir)
        except OSError:
            return 0
        numbers = [name.removeprefix("version_") for name in names if name.startswith("version_")]
        return max((int(number) for number in numbers if number.isdigit()), default=-1) + 1

    # ---- logging ----

    @property
    @_logger.rank_zero_experiment  # type: ignore[untyped-decorator, unused-ignore]
    def experiment(self) -> writer.SummaryWriter:
        """The `SummaryWriter`; on other ranks a dummy that does nothing."""
        if self._experiment is None:
            self._experiment = writer.SummaryWriter(self.log_dir, **self._kwargs)
            if self._track:
                self._tracking = tracking.Tracking(self._experiment.file_writer.recorder)
        return self._experiment

    @_rank_zero.rank_zero_only  # type: ignore[untyped-decorator, unused-ignore]
    @trouble.soft
    def log_metrics(self, metrics: Mapping[str, Any], step: int | None = None) -> None:
        row: dict[str, Any] = {}
        for name, value in metrics.items():
            tag = f"{self._prefix}{self.LOGGER_JOIN_CHAR}{name}" if self._prefix else name
            if isinstance(value, Mapping):
                self.experiment.add_scalars(tag, value, step)
            else:
                row[tag] = value
        if row:
            self.experiment.log(row, step)

    @_rank_zero.rank_zero_only  # type: ignore[untyped-decorator, unused-ignore]
    @trouble.soft
    def log_hyperparams(
        self,
        params: Mapping[str, Any] | argparse.Namespace | None,
        metrics: Mapping[str, Any] | float | None = None,
        step: int | None = None,
    ) -> None:
        config = runs.as_config(params)
        self.hparams.update(config)
        if metrics is None:
            metrics = {"hp_metric": -1} if self._default_hp_metric else {}
        elif not isinstance(metrics, Mapping):
            metrics = {"hp_metric": metrics}
        if metrics:
            self.log_metrics(metrics, step)
        self._tell_hparams(runs.hparams(config), list(metrics))

    def _tell_hparams(self, hparams: Mapping[str, Any], metrics: list[str]) -> None:
        kinds = {bool: hparams_messages.TYPE_BOOL, str: hparams_messages.TYPE_STRING}
        infos = [
            hparams_messages.hparam_info(name, type=kinds.get(type(value), hparams_messages.TYPE_FLOAT64))
            for name, value in hparams.items()
            if value is not None
        ]
        target = self.experiment.file_writer.recorder
        for value in (
            hparams_messages.experiment(infos, [hparams_messages.metric_info(tag) for tag in metrics]),
            hparams_messages.session_start(hparams, start_time_secs=time.time()),
        ):
            target.value(value, 0, time.time())

    @_rank_zero.rank_zero_only  # type: ignore[untyped-decorator, unused-ignore]
    @trouble.soft
    def log_graph(self, model: Any, input_array: Any = None) -> None:
        if not self._log_graph:
            return
        example = getattr(model, "example_input_array", None) if input_array is None else input_array
        if example is None:
            trouble.warn("no graph was logged: set `example_input_array` of the model, or pass `input_array`")
            return
        if hasattr(model, "_on_before_batch_transfer") and hasattr(model, "_apply_batch_transfer_handler"):
            example = model._apply_batch_transfer_handler(model._on_before_batch_transfer(example))
        scripting = getattr(_module("pytorch.core.module"), "_jit_is_scripting", None)
        if scripting is None:
            self.experiment.add_graph(model, example)
            return
        with scripting():  # Lightning's own properties must not be traced
            self.experiment.add_graph(model, example)

    @_rank_zero.rank_zero_only  # type: ignore[untyped-decorator, unused-ignore]
    @trouble.soft
    def save(self) -> None:
        self.experiment.flush()
        path = pathlib.Path(self.log_dir, self.NAME_HPARAMS_FILE)
        if path.parent.is_dir() and not path.is_file():
            _saving.save_hparams_to_yaml(str(path), self.hparams)

    @_rank_zero.rank_zero_only  # type: ignore[untyped-decorator, unused-ignore]
    @trouble.soft
    def finalize(self, status: str) -> None:
        if self._experiment is None:
            return
        if self.hparams:
            success = hparams_messages.STATUS_SUCCESS if status == "success" else hparams_messages.STATUS_FAILURE
            end = hparams_messages.session_end(success, time.time())
            self._experiment.file_writer.recorder.value(end, 0, time.time())
        if self._tracking is not None:
            self._tracking.stop(None if status == "success" else RuntimeError(f"the trainer says `{status}`"))
        if status == "success":
            self.save()
        self._experiment.close()

    def __getstate__(self) -> dict[str, Any]:
        """Loggers are sent to other processes; each opens its own file."""
        return {**self.__dict__, "_experiment": None, "_tracking": None}
