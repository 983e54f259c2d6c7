"""Keras callback that records a trial's hyperparameters. Importing this imports Keras."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Mapping
from typing import Any

from lightboard import wire
from lightboard.sdk import default_writer, hparams_messages
from lightboard.sdk import hparams as trials

keras: Any = importlib.import_module("keras")


class KerasCallback(keras.callbacks.Callback):  # type: ignore[misc]  # Keras comes without types
    """Writes the hyperparameters when training begins, and success when it ends.

    `writer` is one of `lightboard.summary.create_file_writer`, one of TensorFlow's, or a directory. One callback is for
    one `fit()`.
    """

    def __init__(self, writer: Any, hparams: Mapping[Any, Any], trial_id: str | None = None) -> None:
        super().__init__()
        if writer is None:
            raise TypeError("a writer or a directory is needed, not None")
        self._hparams = dict(hparams)
        self._trial_id = trial_id
        self._start()  # wrong hyperparameters raise now, not after the data have been loaded
        self._writer = default_writer.create_file_writer(writer) if isinstance(writer, str) else writer

    def on_train_begin(self, logs: Any = None) -> None:
        self._write(self._start())

    def on_train_end(self, logs: Any = None) -> None:
        ended = hparams_messages.session_end(hparams_messages.STATUS_SUCCESS, time.time())
        self._write(wire.message(1, ended))
        self._writer = None

    def _start(self) -> bytes:
        return trials.hparams_pb(self._hparams, trial_id=self._trial_id)

    def _write(self, summary: bytes) -> None:
        if self._writer is None:
            raise RuntimeError("a callback of hparams serves one training; make another one")
        with self._writer.as_default():
            if isinstance(self._writer, default_writer.SummaryWriter):
                default_writer.write_raw_pb(summary, step=0)
            else:
                sys.modules["tensorflow"].summary.experimental.write_raw_pb(bytes(summary), step=0)
