"""Hyperparameters: every combination of units, dropout and optimizer is trained, each in a run of its own."""

import importlib
import itertools
from typing import Any

import digits

hp: Any = importlib.import_module("lightboard.hparams" if digits.OURS else "tensorboard.plugins.hparams.api")
summary = digits.tf_summary()
digits.seed_keras()
data = digits.load(train=256, test=64)
UNITS = hp.HParam("num_units", hp.Discrete([8, 16, 32]))
DROPOUT = hp.HParam("dropout", hp.RealInterval(0.1, 0.5))
OPTIMIZER = hp.HParam("optimizer", hp.Discrete(["adam", "sgd"]))

with summary.create_file_writer("logs/hparam_tuning").as_default():
    hp.hparams_config(hparams=[UNITS, DROPOUT, OPTIMIZER], metrics=[hp.Metric("accuracy", display_name="Accuracy")])

choices = itertools.product(
    UNITS.domain.values, (DROPOUT.domain.min_value, DROPOUT.domain.max_value), OPTIMIZER.domain.values
)
for number, (units, dropout, optimizer) in enumerate(choices):
    with summary.create_file_writer(f"logs/hparam_tuning/Experiment {number}").as_default():
        hp.hparams({UNITS: units, DROPOUT: dropout, OPTIMIZER: optimizer}, trial_id=f"trial {number}")
        model = digits.small_model(units, dropout, optimizer)
        model.fit(data.x_train, data.y_train, epochs=1, verbose=0)
        loss, accuracy = model.evaluate(data.x_test, data.y_test, verbose=0)
        summary.scalar("accuracy", accuracy, step=1)
