"""XGBoost and LightGBM: training, cross-validation, early stopping."""

from __future__ import annotations

import copy
import pathlib
from typing import Any

import numpy as np
import pytest
from run_records import records, states

import lightboard

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_STRICT", "1")


@pytest.fixture
def table() -> tuple[Any, Any]:
    features = np.random.default_rng(0).normal(size=(200, 5))
    return features, (features[:, 0] > 0).astype(int)


def test_xgboost(tmp_path: pathlib.Path, table: tuple[Any, Any]) -> None:
    xgboost = pytest.importorskip("xgboost")
    from lightboard.integrations.xgboost import LightboardCallback

    data = xgboost.DMatrix(*table)
    params = {"objective": "binary:logistic", "eval_metric": ["logloss", "auc"], "max_depth": 2}
    results: dict[str, Any] = {}
    xgboost.train(
        params,
        data,
        num_boost_round=5,
        evals=[(data, "train"), (data, "eval")],
        evals_result=results,
        callbacks=[LightboardCallback(tmp_path / "a", params=params, track=True)],
        verbose_eval=False,
    )
    history = xgboost.cv(params, data, num_boost_round=4, nfold=3, callbacks=[LightboardCallback(tmp_path / "cv")])
    with lightboard.open(tmp_path) as logs:
        for name in ("train", "eval"):
            for metric in ("logloss", "auc"):
                found = logs.scalars("a", f"{name}/{metric}")
                assert found.steps.tolist() == [0, 1, 2, 3, 4]
                assert found.values.tolist() == pytest.approx(results[name][metric])
        assert logs.scalars("cv", "test/auc").values.tolist() == pytest.approx(list(history["test-auc-mean"]))
        assert logs.scalars("cv", "test/auc_std").values.tolist() == pytest.approx(
            list(history["test-auc-std"]), abs=1e-6
        )
        assert logs.hparams("a")["max_depth"] == 2
        assert states(logs)["a"] == "finished"


def test_xgboost_stopped_early_tells_the_best_round(tmp_path: pathlib.Path, table: tuple[Any, Any]) -> None:
    xgboost = pytest.importorskip("xgboost")
    from lightboard.integrations.xgboost import LightboardCallback

    classifier = xgboost.XGBClassifier(
        n_estimators=50, early_stopping_rounds=2, eval_metric="auc", callbacks=[LightboardCallback(tmp_path / "a")]
    )
    classifier.fit(*table, eval_set=[table], verbose=False)
    with lightboard.open(tmp_path) as logs:
        assert len(logs.scalars("a", "validation_0/auc")) < 50
        assert records(logs, "a", "summary")[0]["best_iteration"] == classifier.best_iteration
    copy.deepcopy(classifier.get_params())  # as scikit-learn's clone() does


def test_lightgbm(tmp_path: pathlib.Path, table: tuple[Any, Any]) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    from lightboard.integrations.lightgbm import LightboardCallback

    data = lightgbm.Dataset(*table, free_raw_data=False)
    params = {"objective": "binary", "metric": ["auc", "binary_logloss"], "verbose": -1, "num_leaves": 4}
    results: dict[str, Any] = {}
    lightgbm.train(
        params,
        data,
        num_boost_round=6,
        valid_sets=[data],
        valid_names=["held_out"],
        callbacks=[LightboardCallback(tmp_path / "a", track=True), lightgbm.record_evaluation(results)],
    )
    history = lightgbm.cv(
        params, data, num_boost_round=4, nfold=3, callbacks=[LightboardCallback(tmp_path / "cv")], stratified=False
    )
    stopped = LightboardCallback(tmp_path / "stopped", track=True)
    early = lightgbm.early_stopping(2, verbose=False)
    lightgbm.train(params, data, num_boost_round=99, valid_sets=[data], callbacks=[stopped, early])
    stopped.close()
    with lightboard.open(tmp_path) as logs:
        for metric in ("auc", "binary_logloss"):
            found = logs.scalars("a", f"held_out/{metric}")
            assert found.steps.tolist() == [0, 1, 2, 3, 4, 5]
            assert found.values.tolist() == pytest.approx(results["held_out"][metric])
        assert logs.scalars("cv", "valid/auc").values.tolist() == pytest.approx(history["valid auc-mean"])
        assert logs.scalars("cv", "valid/auc_std").values.tolist() == pytest.approx(history["valid auc-stdv"], abs=1e-6)
        assert logs.hparams("a")["num_leaves"] == 4
        assert (states(logs)["a"], states(logs)["stopped"]) == ("finished", "finished")
