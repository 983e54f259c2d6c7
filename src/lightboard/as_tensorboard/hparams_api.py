"""`tensorboard.plugins.hparams.api`: our hparams, written to the default writer, ours or TensorFlow's."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from lightboard.sdk import default_writer
from lightboard.sdk import hparams as trials


def hparams(hparams: Mapping[Any, Any], trial_id: str | None = None, start_time_secs: float | None = None) -> Any:
    return _write(trials.hparams_pb(hparams, trial_id, start_time_secs))


def hparams_config(
    hparams: Iterable[trials.HParam], metrics: Iterable[trials.Metric], time_created_secs: float | None = None
) -> Any:
    return _write(trials.hparams_config_pb(hparams, metrics, time_created_secs))


def names() -> dict[str, Any]:
    ours = ("Discrete", "Domain", "HParam", "IntInterval", "Metric", "RealInterval", "hparams_config_pb", "hparams_pb")
    return {
        **{name: getattr(trials, name) for name in ours},
        "hparams": hparams,
        "hparams_config": hparams_config,
        "__getattr__": _lazily,
    }


def _lazily(name: str) -> Any:
    if name != "KerasCallback":
        raise AttributeError(f"`tensorboard.plugins.hparams.api` is Lightboard's stand-in and has no `{name}`")
    from lightboard.sdk import hparams_keras

    return hparams_keras.KerasCallback


def _write(summary: bytes) -> Any:
    tensorflow: Any = sys.modules.get("tensorflow")
    if default_writer.current() is None and tensorflow is not None:
        return tensorflow.summary.experimental.write_raw_pb(bytes(summary), step=0)
    return default_writer.write_raw_pb(summary, step=0)
