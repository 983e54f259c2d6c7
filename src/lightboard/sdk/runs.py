"""`lightboard.init`, `log` and `finish`: one run per program, as with wandb, in ordinary event files.

    lightboard.init(project="digits", config={"lr": 0.1})
    lightboard.log({"loss": 0.3, "eval": {"accuracy": 0.9}})     # step 0, tags `loss` and `eval/accuracy`
    lightboard.finish()

`log` without a step uses the next one. The run's directory is `<dir>/<project>/<name>`; `config` becomes the run's
hparams. `tracking` writes heartbeats, metadata and so on.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import socket
import threading
import time
import weakref
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from lightboard import errors
from lightboard.sdk import (
    destinations,
    heartbeat,
    hparams_messages,
    media,
    run_records,
    tracking,
    trouble,
    values,
    writer,
)

if TYPE_CHECKING:
    import argparse

_EVENT_FILE = "*tfevents*"


class Config(dict[str, Any]):
    """A dictionary whose keys are also attributes, except those that begin with `_`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self:
            raise AttributeError(name)
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class Run:
    """State: `_step` is the step the next `log` without one writes at; guarded by `_lock`, as are the records made when
    configuration or summary change."""

    def __init__(
        self,
        directory: str,
        *,
        name: str,
        project: str | None = None,
        config: Mapping[str, Any] | None = None,
        group: str | None = None,
        tags: tuple[str, ...] = (),
        notes: str | None = None,
        metadata: bool = True,
        heartbeat_secs: float = heartbeat.INTERVAL_SECS,
        system_secs: float = 0.0,
        console: bool = False,
        strict: bool = False,
    ) -> None:
        self.name = name
        self.project = project
        self.group = group
        self.tags = tags
        self.notes = notes
        self.dir = directory
        self.config = Config(config or {})
        self.summary = Config()
        # for values that `log` does not support
        self.writer = writer.SummaryWriter(directory, strict=strict)
        self.recorder = self.writer.file_writer.recorder
        self.strict = self.writer.strict
        self._step = 0
        self._lock = threading.RLock()
        _runs.add(self)
        self._written_config = b""
        self._configs = 0
        self._hparams_written = False
        self._finished = False
        self._tracking = tracking.Tracking(
            self.recorder,
            metadata=metadata,
            heartbeat_secs=heartbeat_secs,
            system_secs=system_secs,
            console=console,
            every_beat=self._write_config_later,
            at_end=self._end,
        )

    @property
    def step(self) -> int:
        """The step of the next `log` without a step."""
        return self._step

    @trouble.soft
    def log(self, data: Mapping[str, Any], step: int | None = None, commit: bool = True) -> None:
        """Write a row of values. `commit=False`: more values of the same step follow."""
        with self._lock:
            if step is not None:
                self._step = int(step)
            at = self._step
            if commit:
                self._step += 1
            self._write_config()
        flat = flattened(data)
        numbers: dict[str, float] = {}
        others: dict[str, Any] = {}
        for tag, value in flat.items():
            number = _as_number(value)
            if number is not None:
                numbers[tag] = number
            elif value is not None:
                others[tag] = value
        if numbers:
            self.recorder.row(numbers, at, time.time())
            self.summary.update(numbers)
        for tag, value in others.items():
            self._log_other(tag, value, at)

    def _log_other(self, tag: str, value: Any, step: int) -> None:
        if isinstance(value, (list, tuple)) and value and all(isinstance(each, media.Media) for each in value):
            for number, each in enumerate(value):
                self._log_other(f"{tag}/{number}", each, step)
        elif isinstance(value, media.Media):
            value.write(self.writer, tag, step)
        else:
            self.writer.log({tag: value}, step)

    def finish(self, error: BaseException | None = None) -> None:
        """End the run, with success unless an exception is given. Further calls do nothing."""
        self._tracking.stop(error)

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.finish(error)
        _forget(self)

    def __repr__(self) -> str:
        return f"<lightboard run {self.name!r} in {self.dir!r}>"

    # ---- records about the run ----

    def _write_config_later(self) -> None:
        """At each heartbeat, but only after the first `log`: programs set their configuration before it."""
        with self._lock:
            if self._hparams_written:
                self._write_config()

    def _write_config(self) -> None:
        about = {"name": self.name, "project": self.project, "group": self.group, "tags": self.tags}
        text = run_records.to_json({**about, "notes": self.notes, "config": self.config})
        if text == self._written_config:
            return
        if not self._hparams_written:
            self._hparams_written = True
            if self.config:
                start = hparams_messages.session_start(
                    hparams(self.config), group_name=self.group, start_time_secs=time.time()
                )
                self.recorder.value(start, 0, time.time())
        content = {**about, "notes": self.notes, "config": self.config}
        run_records.write(self.recorder, run_records.CONFIG_TAG, content, step=self._configs)
        self._configs += 1
        self._written_config = text

    def _end(self, error: BaseException | None, signal_number: int) -> None:
        self._last_words(error is None and not signal_number)

    @trouble.soft
    def _last_words(self, success: bool) -> None:
        with self._lock:
            self._write_config()
            if self.summary:
                run_records.write(self.recorder, run_records.SUMMARY_TAG, self.summary)
            if self.config:
                status = hparams_messages.STATUS_SUCCESS if success else hparams_messages.STATUS_FAILURE
                self.recorder.value(hparams_messages.session_end(status, time.time()), 0, time.time())
        self.writer.flush()


def flattened(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flattens nested dictionaries: names are joined by `/`."""
    flat: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, Mapping):
            flat.update(flattened(value, f"{prefix}{name}/"))
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def hparams(config: Mapping[str, Any]) -> dict[str, bool | int | float | str | None]:
    """Converts a configuration to hparams: flat, with numbers, strings and booleans."""
    return {
        name: value if value is None or isinstance(value, (bool, int, float, str)) else _word(run_records.plain(value))
        for name, value in flattened(config).items()
    }


def _word(value: Any) -> bool | int | float | str:
    return value if isinstance(value, (bool, int, float)) else str(value)


def _as_number(value: Any) -> float | None:
    if isinstance(value, (bool, int, float)):
        return float(value)
    if isinstance(value, (str, bytes, list, tuple)) or value is None or isinstance(value, media.Media):
        return None
    return values.maybe_number(value)


# ---- the current run ----

_current: Run | None = None
_changing = threading.RLock()
_runs: weakref.WeakSet[Run] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    """Create the lock again: a thread of the parent that held it does not exist here."""
    global _changing
    _changing = threading.RLock()
    for run in _runs:
        run._lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)


def init(
    project: str | None = None,
    name: str | None = None,
    config: Mapping[str, Any] | argparse.Namespace | Any = None,
    dir: str | os.PathLike[str] | None = None,
    *,
    group: str | None = None,
    tags: tuple[str, ...] | list[str] = (),
    notes: str | None = None,
    metadata: bool = True,
    heartbeat_secs: float = heartbeat.INTERVAL_SECS,
    system_metrics: bool | float = True,
    console: bool = True,
    strict: bool = False,
) -> Run:
    """Begin a run and make it the current one; the current run is finished first.

    `config` may be a dictionary, an argparse namespace or a dataclass. `system_metrics` may be the seconds between two
    readings. `dir` defaults to the directory of `SummaryWriter`.
    """
    global _current
    base = _base(dir)
    name = name or _free_name(base, project)
    directory = _joined(base, project, name)
    with _changing:
        if _current is not None:
            _current.finish()
        _current = Run(
            directory,
            name=name,
            project=project,
            config=as_config(config),
            group=group,
            tags=tuple(tags),
            notes=notes,
            metadata=metadata,
            heartbeat_secs=heartbeat_secs,
            system_secs=tracking.system_secs(system_metrics),
            console=console,
            strict=strict,
        )
        return _current


def log(data: Mapping[str, Any], step: int | None = None, commit: bool = True) -> None:
    """Write a row of values to the current run."""
    run = _current
    if run is None:
        message = "nothing was logged: no run is going on, call `lightboard.init()` first"
        if trouble.strict_by_environment():
            raise errors.BadInput(message)
        trouble.warn(message)
        return
    run.log(data, step, commit)


def finish(error: BaseException | None = None) -> None:
    """End the current run, if there is one."""
    run = _current
    if run is not None:
        run.finish(error)
        _forget(run)


def current() -> Run | None:
    return _current


def as_config(config: Any) -> dict[str, Any]:
    if config is None:
        return {}
    if isinstance(config, Mapping):
        return dict(config)
    if dataclasses.is_dataclass(config) and not isinstance(config, type):
        return dataclasses.asdict(config)
    if hasattr(config, "to_dict"):
        return dict(config.to_dict())
    try:
        return dict(vars(config))
    except TypeError:
        trouble.warn(f"a configuration is a dictionary, a namespace or a dataclass, not {type(config).__name__}")
        return {}


def _forget(run: Run) -> None:
    global _current
    with _changing:
        if _current is run:
            _current = None


def _base(directory: str | os.PathLike[str] | None) -> str:
    if directory is not None:
        return destinations.local_path(os.fspath(directory))
    configured = next((each for name in destinations.VARIABLES if (each := os.environ.get(name, "").strip())), "")
    return destinations.local_path(configured) if configured else "runs"


def _free_name(base: str, project: str | None) -> str:
    """Returns a name from time and host; runs that begin in the same second get a number."""
    name = stem = f"{time.strftime('%b%d_%H-%M-%S')}_{socket.gethostname()}"
    number = 1
    while not destinations.is_remote(base) and any(pathlib.Path(_joined(base, project, name)).glob(_EVENT_FILE)):
        number += 1
        name = f"{stem}_{number}"
    return name


def _joined(base: str, project: str | None, name: str) -> str:
    parts = [_safe(each) for each in (project, name) if each]
    return "/".join([base.rstrip("/"), *parts]) if destinations.is_remote(base) else str(pathlib.Path(base, *parts))


def _safe(name: str) -> str:
    """Returns a run's name as a path below the base: it may contain directories, but must not leave the base."""
    parts = [part for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")]
    return "/".join(parts) or "run"
