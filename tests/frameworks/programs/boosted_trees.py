"""XGBoost: a callback of one's own that logs every evaluation through tensorboardX's writer, into its default place."""

import importlib
from typing import Any

import digits
import xgboost
from xgboost import callback

SummaryWriter: Any = importlib.import_module("lightboard" if digits.OURS else "tensorboardX").SummaryWriter


class LogEvaluations(callback.TrainingCallback):
    def before_training(self, model: xgboost.Booster) -> xgboost.Booster:
        self.writer = SummaryWriter()
        return model

    def after_iteration(
        self, model: xgboost.Booster, epoch: int, evals_log: callback.TrainingCallback.EvalsLog
    ) -> bool:
        for data, metrics in evals_log.items():
            for metric, values in metrics.items():
                self.writer.add_scalar(f"{data}-{metric}", values[-1], epoch)
        return False

    def after_training(self, model: xgboost.Booster) -> xgboost.Booster:
        self.writer.close()
        return model


data = digits.load()
train = xgboost.DMatrix(data.x_train.reshape(-1, 64), data.y_train)
test = xgboost.DMatrix(data.x_test.reshape(-1, 64), data.y_test)
settings = {
    "objective": "multi:softprob",
    "num_class": 10,
    "max_depth": 3,
    "seed": 7,
    "eval_metric": ["mlogloss", "merror"],
}
xgboost.train(
    settings, train, 12, evals=[(train, "train"), (test, "eval")], callbacks=[LogEvaluations()], verbose_eval=False
)
