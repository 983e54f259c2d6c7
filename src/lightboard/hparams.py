"""Hyperparameters of an experiment, with the calls of `tensorboard.plugins.hparams.api`.

    from lightboard import hparams as hp, summary

    rate = hp.HParam("learning_rate", hp.RealInterval(1e-4, 1e-1))
    with summary.create_file_writer("logs").as_default():
        hp.hparams_config(hparams=[rate], metrics=[hp.Metric("accuracy")])
    with summary.create_file_writer("logs/run-1").as_default():
        hp.hparams({rate: 0.01})
        summary.scalar("accuracy", 0.93, step=1)

`KerasCallback` needs Keras 3, with any backend; it is imported at first use.
"""

from __future__ import annotations

from lightboard.sdk.hparams import (
    Discrete,
    Domain,
    HParam,
    IntInterval,
    Metric,
    RealInterval,
    hparams,
    hparams_config,
    hparams_config_pb,
    hparams_pb,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lightboard.sdk.hparams_keras import KerasCallback

__all__ = [
    "Discrete", "Domain", "HParam", "IntInterval", "KerasCallback", "Metric", "RealInterval",
    "hparams", "hparams_config", "hparams_config_pb", "hparams_pb",
]  # fmt: skip


if not TYPE_CHECKING:  # type checkers must not see `__getattr__`: they would accept any name

    def __getattr__(name: str) -> object:
        if name != "KerasCallback":
            raise AttributeError(f"module 'lightboard.hparams' has no attribute {name!r}")
        from lightboard.sdk import hparams_keras

        return hparams_keras.KerasCallback
