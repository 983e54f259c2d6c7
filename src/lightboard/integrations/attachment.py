"""The run that an integration writes to: the current one of `lightboard.init`, or a new one."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Mapping
from typing import Any

from lightboard.sdk import destinations, heartbeat, runs


@dataclasses.dataclass(frozen=True)
class Attachment:
    run: runs.Run
    own: bool  # created by the integration, which also ends it

    def finish(self, error: BaseException | None = None) -> None:
        if self.own:
            self.run.finish(error)
            self.run.recorder.flush()


def attach(
    log_dir: str | os.PathLike[str] | None,
    *,
    default_dir: str | None = None,
    config: Mapping[str, Any] | None = None,
    track: bool = False,
) -> Attachment:
    """Priority: `log_dir`, the current run, the directory in the environment, `default_dir`.

    `track`: write metadata and heartbeats, as `lightboard.init` does.
    """
    current = runs.current()
    if log_dir is None and current is not None:
        current.config.update(config or {})
        return Attachment(current, own=False)
    if log_dir is None and default_dir is not None and not any(os.environ.get(name) for name in destinations.VARIABLES):
        log_dir = default_dir
    directory = destinations.logdir(log_dir)
    run = runs.Run(
        directory,
        name=pathlib.PurePath(directory).name,
        config=config,
        metadata=track,
        heartbeat_secs=heartbeat.INTERVAL_SECS if track else 0.0,
    )
    return Attachment(run, own=True)
