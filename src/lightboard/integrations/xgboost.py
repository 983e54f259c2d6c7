"""XGBoost: each evaluation as scalars.

    from lightboard.integrations.xgboost import LightboardCallback

    xgboost.train(params, data, evals=[(data, "train"), (held_out, "eval")], callbacks=[LightboardCallback("runs/a")])

Tags are `<data set>/<metric>`; cross-validation logs mean and `<metric>_std`. The step is the boosting round.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from lightboard.integrations import attachment
from lightboard.sdk import optional, trouble

_callback: Any = optional.load("xgboost.callback", "pip install xgboost", "lightboard.integrations.xgboost")


class LightboardCallback(_callback.TrainingCallback):  # type: ignore[misc]
    """`params` become the run's hparams; XGBoost does not pass them to a callback."""

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        *,
        params: Mapping[str, Any] | None = None,
        track: bool = False,
    ) -> None:
        super().__init__()
        self._log_dir = log_dir
        self._params = params
        self._track = track
        self.strict = trouble.strict_by_environment()
        self._attached: attachment.Attachment | None = None

    def before_training(self, model: Any) -> Any:
        self._begin()
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: Mapping[str, Mapping[str, list[Any]]]) -> bool:
        self._write(epoch, evals_log)
        return False  # continue training

    def after_training(self, model: Any) -> Any:
        self._end(model)
        return model

    @trouble.soft
    def _begin(self) -> None:
        self._attached = attachment.attach(self._log_dir, config=self._params, track=self._track)

    @trouble.soft
    def _write(self, epoch: int, evals_log: Mapping[str, Mapping[str, list[Any]]]) -> None:
        if self._attached is not None:
            row = {
                tag: number
                for data, metrics in evals_log.items()
                for metric, history in metrics.items()
                for tag, number in _numbers(f"{data}/{metric}", history[-1])
            }
            self._attached.run.log(row, step=epoch)

    @trouble.soft
    def _end(self, model: Any) -> None:
        if self._attached is not None:
            if (best := _best_iteration(model)) is not None:
                self._attached.run.summary["best_iteration"] = best
            self._attached.finish()

    def __getstate__(self) -> dict[str, Any]:
        """Hyperparameter searches copy estimators with their callbacks; a copy does not get the run."""
        return {**self.__dict__, "_attached": None}


def _numbers(tag: str, result: Any) -> list[tuple[str, float]]:
    """Returns a number, or mean and standard deviation of a cross-validation."""
    if isinstance(result, tuple):
        return [(tag, float(result[0])), (f"{tag}_std", float(result[1]))]
    return [(tag, float(result))]


def _best_iteration(model: Any) -> int | None:
    """Returns None if training was not stopped early: then XGBoost raises."""
    try:
        return int(model.best_iteration)
    except (AttributeError, TypeError, ValueError):
        return None
