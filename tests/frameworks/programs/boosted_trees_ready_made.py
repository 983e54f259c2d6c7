"""XGBoost: what `boosted_trees.py` does by hand, by the ready-made callback. Ours only: XGBoost has none."""

import digits
import xgboost

from lightboard.integrations import xgboost as ours

data = digits.load()
train = xgboost.DMatrix(data.x_train.reshape(-1, 64), data.y_train)
test = xgboost.DMatrix(data.x_test.reshape(-1, 64), data.y_test)
settings = {"objective": "multi:softprob", "num_class": 10, "max_depth": 3, "seed": 7}
xgboost.train(
    settings,
    train,
    12,
    evals=[(train, "train"), (test, "eval")],
    callbacks=[ours.LightboardCallback("logs")],
    verbose_eval=False,
)
