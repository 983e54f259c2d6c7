"""LightGBM: each evaluation as scalars.

    from lightboard.integrations.lightgbm import LightboardCallback

    lightgbm.train(params, data, valid_sets=[held_out], callbacks=[LightboardCallback("runs/a")])

Tags are `<data set>/<metric>`; a cross-validation has the mean and `<metric>_std`. The step is the boosting round;
the training's parameters become the run's hparams.
"""

from __future__ import annotations

import os
from typing import Any

from lightboard.integrations import attachment
from lightboard.sdk import optional, trouble

optional.load("lightgbm", "pip install lightgbm", "lightboard.integrations.lightgbm")


class LightboardCallback:
    """LightGBM calls it after each round, before early stopping is decided (which has order 30).

    Early stopping ends the training without another call: all points are still written, and the run ends with `close()`
    or at the end of the program.
    """

    order = 20
    before_iteration = False

    def __init__(self, log_dir: str | os.PathLike[str] | None = None, *, track: bool = False) -> None:
        self._log_dir = log_dir
        self._track = track
        self.strict = trouble.strict_by_environment()
        self._attached: attachment.Attachment | None = None

    @trouble.soft
    def __call__(self, env: Any) -> None:
        if self._attached is None or env.iteration == env.begin_iteration:
            self.close()
            self._attached = attachment.attach(self._log_dir, config=env.params, track=self._track)
        row: dict[str, float] = {}
        for data, metric, value, _, *spread in env.evaluation_result_list or ():
            # in a cross-validation the metric's name contains the data set already: "cv_agg", "valid auc"
            tag = "/".join(metric.split(" ", 1)) if data == "cv_agg" else f"{data}/{metric}"
            row[tag] = float(value)
            if spread:
                row[f"{tag}_std"] = float(spread[0])
        self._attached.run.log(row, step=env.iteration)
        if env.iteration + 1 >= env.end_iteration:
            self.close()

    def close(self) -> None:
        attached, self._attached = self._attached, None
        if attached is not None:
            attached.finish()

    def __getstate__(self) -> dict[str, Any]:
        """Parameter searches copy estimators with their callbacks; a run belongs only to the original."""
        return {**self.__dict__, "_attached": None}
