"""Importance: what matters is found, what does not is not, and small samples are warned of."""

from __future__ import annotations

import numpy as np
import pytest
from made_trials import Sessions

from lightboard import store
from lightboard.query.hparams import trial_importance, trial_metrics, trial_tables

RNG = np.random.default_rng(1)


def logs(count: int, noise: float = 0.05) -> Sessions:
    """Loss depends on the logarithm of lr (much), on opt (some), and on both together; not on seed nor on name."""
    made = Sessions()
    for run in range(count):
        lr, opt = 10 ** RNG.uniform(-4, -1), str(RNG.choice(["adam", "sgd", "rmsprop"]))
        hparams = {"lr": lr, "opt": opt, "seed": int(RNG.integers(10_000)), "flag": bool(RNG.integers(2)), "same": 3}
        loss = (np.log10(lr) + 2.5) ** 2 + 0.5 * (opt == "sgd") + noise * RNG.normal()
        made.session(f"r{run:04d}", {**hparams, "name": f"run-{run}"}, loss=float(loss))
    return made


def importance(made: Sessions) -> trial_importance.MetricImportance:
    (found,) = trial_importance.importance(made.build(), None, trial_tables.Wanted()).metrics
    return found


def test_what_matters_comes_first_and_noise_gets_next_to_nothing() -> None:
    found = importance(logs(300))
    told = {each.name: each for each in found.hparams}
    assert [each.name for each in found.hparams][:2] == ["lr", "opt"]
    assert "same" not in told
    assert found.warnings == []
    assert found.explained is not None and found.explained > 0.7
    shares = {name: each.importance or 0.0 for name, each in told.items()}
    assert shares["lr"] > 0.6
    assert shares["opt"] > 0.05
    assert all(shares[name] < 0.05 for name in ("seed", "flag", "name"))
    assert sum(shares.values()) == pytest.approx(1.0)


def test_correlations_see_straight_relations_only() -> None:
    made = Sessions()
    for run in range(50):
        made.session(f"r{run:02d}", {"up": run, "down": -(run**3), "arch": (run - 24.5) ** 2}, loss=float(run))
    told = {each.name: each for each in importance(made).hparams}
    assert told["up"].pearson == pytest.approx(1.0)
    assert told["down"].spearman == pytest.approx(-1.0)
    assert told["up"].spearman == pytest.approx(1.0)
    assert told["down"].pearson is not None and -1.0 < told["down"].pearson < -0.8
    assert told["arch"].spearman == pytest.approx(0.0, abs=0.05)


def test_association_of_words() -> None:
    made = Sessions()
    for run in range(30):
        made.session(f"r{run:02d}", {"opt": "ab"[run % 2], "name": f"n{run}"}, loss=float(run % 2))
    told = {each.name: each for each in importance(made).hparams}
    assert told["opt"].association == pytest.approx(1.0)
    assert told["name"].association is None, "a value of its own in every trial says nothing"
    assert told["opt"].pearson is None


def test_few_trials_noise_and_nothing_to_compare_are_warned_of() -> None:
    assert "few_trials" in importance(logs(6)).warnings
    made = Sessions()
    for run in range(100):
        made.session(f"r{run:03d}", {"lr": float(RNG.normal())}, loss=float(RNG.normal()))
    assert importance(made).warnings == ["little_explained"]
    made = Sessions()
    for run in range(20):
        made.session(f"r{run:03d}", {"lr": run}, loss=1.0, other=float(run))
    store = made.build()
    asked = trial_tables.Wanted(metrics=[("loss", "", ""), ("nothing", "", "")])
    constant, absent = trial_importance.importance(store, None, asked).metrics
    assert (constant.warnings, absent.warnings) == (["no_variation"], ["no_hparams"])
    assert constant.explained is None


def test_missing_infinite_and_huge_values_do_no_harm() -> None:
    made = Sessions()
    for run in range(40):
        hparams: dict[str, float] = {"a": run} if run % 3 else {}
        hparams |= {
            "huge": 1e308 * (1 if run % 2 else -1),
            "inf": float("inf") if run % 5 else 1.0,
            "nan": float("nan"),
        }
        loss = float("inf") if run == 3 else float("nan") if run == 4 else 1e300 * run
        made.session(f"r{run:02d}", hparams, loss=loss)
    found = importance(made)
    assert found.trials == 38
    for each in found.hparams:
        for number in (each.importance, each.lost, each.pearson, each.spearman, each.association):
            assert number is None or np.isfinite(number)


def test_the_same_trials_give_the_same_answer() -> None:
    made = logs(60)
    first = importance(made)
    made.build().cache = store.Cache()
    assert importance(made) == first


def test_many_trials_and_hparams_are_thinned() -> None:
    values = np.random.default_rng(2).normal(size=(60, 2500))
    features = [trial_importance.Feature(f"h{i}", "number", row, False) for i, row in enumerate(values)]
    y = values[7] + 0.1 * values[8]
    metric = trial_metrics.Metric("loss", "", "", "", "min", False, 2500)
    found = trial_importance._of_metric(store.Cache(), metric, y, features)
    assert (found.trials, found.used, found.hparams[0].name) == (2500, trial_importance.MAX_TRIALS, "h7")
    assert sum(each.importance is not None for each in found.hparams) == trial_importance.MAX_FEATURES


def test_ranks_of_equal_values_are_their_mean() -> None:
    assert trial_importance.ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [2.5, 0.0, 2.5, 1.0]
    assert trial_importance.ranks(np.zeros(0)).tolist() == []
