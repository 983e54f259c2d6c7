"""`lightboard.hparams`: domains, and what the messages say when they are read back."""

from __future__ import annotations

import pathlib
import random
from typing import Any

import numpy as np
import pytest

import lightboard
from lightboard import hparams as hp
from lightboard import summary


def test_intervals_and_sets_are_sampled_within_their_bounds() -> None:
    rng = random.Random(0)
    whole, real, some = hp.IntInterval(2, 4), hp.RealInterval(0.5, 1.5), hp.Discrete(["b", "a"])
    assert {whole.sample_uniform(rng) for _ in range(100)} == {2, 3, 4}
    assert all(0.5 <= real.sample_uniform(rng) <= 1.5 for _ in range(100))
    assert {some.sample_uniform(rng) for _ in range(100)} == {"a", "b"}
    assert whole.sample_uniform(random.Random(1)) == random.Random(1).randint(2, 4)


def test_domains_tell_their_type_and_print_well() -> None:
    assert [each.dtype for each in (hp.IntInterval(0, 1), hp.RealInterval(0.0, 1.0), hp.Discrete([True]))] == [
        int, float, bool,
    ]  # fmt: skip
    assert str(hp.IntInterval(0, 1)) == "[0, 1]" and repr(hp.RealInterval(0.0, 1.0)) == "RealInterval(0.0, 1.0)"
    assert str(hp.Discrete([2, 1])) == "{1, 2}" and hp.Discrete([2, 1]).values == [1, 2]
    assert str(hp.HParam("a", hp.IntInterval(0, 1))) == "<HParam 'a': [0, 1]>"


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: hp.IntInterval(0.5, 1), TypeError),  # type: ignore[arg-type]
        (lambda: hp.RealInterval(0, 1.0), TypeError),
        (lambda: hp.IntInterval(2, 1), ValueError),
        (lambda: hp.Discrete([]), ValueError),
        (lambda: hp.Discrete([1, "a"]), TypeError),
        (lambda: hp.Discrete([b"a"]), ValueError),  # type: ignore[list-item]
        (lambda: hp.HParam("a", [1, 2]), ValueError),  # type: ignore[arg-type]
        (lambda: hp.Metric("a", dataset_type=9), ValueError),
        (lambda: hp.hparams_pb({"a": None}), TypeError),
        (lambda: hp.hparams_pb({"a": 1}, trial_id=3), TypeError),  # type: ignore[arg-type]
        (lambda: hp.hparams_pb({hp.HParam("a"): 1, "a": 2}), ValueError),
    ],
)
def test_wrong_use_is_told(make: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make()


def test_an_empty_domain_may_have_a_type() -> None:
    assert hp.Discrete([], dtype=str).dtype is str


def test_the_group_is_the_one_tensorboard_would_choose() -> None:
    # sha256 of {"batch":32,"lr":0.1}, asked of tensorboard.plugins.hparams 2.21
    expected = b"4a313e1bd1c9ed9cd57165a406565cf0aceba9d180b469bbf6b0e2bb1ca51a83"
    assert expected in bytes(hp.hparams_pb({"lr": 0.1, "batch": 32}))
    assert expected in bytes(hp.hparams_pb({hp.HParam("batch"): np.int64(32), "lr": np.float64(0.1)}))
    assert b"mine" in bytes(hp.hparams_pb({"lr": 0.1}, trial_id="mine"))


def test_trials_are_read_back(tmp_path: pathlib.Path) -> None:
    rate = hp.HParam("lr", hp.RealInterval(0.0, 1.0), display_name="rate")
    with summary.create_file_writer(tmp_path, strict=True).as_default():
        assert hp.hparams_config(
            hparams=[rate, hp.HParam("optimizer", hp.Discrete(["adam", "sgd"]))],
            metrics=[hp.Metric("accuracy", group="validation", display_name="acc", dataset_type=hp.Metric.VALIDATION)],
        )
    for number, optimizer in enumerate(("adam", "sgd")):
        with summary.create_file_writer(tmp_path / f"run-{number}", strict=True).as_default():
            assert hp.hparams({rate: 0.25 * number, "optimizer": optimizer, "nesterov": bool(number)})
    with lightboard.open(str(tmp_path)) as logs:
        assert logs.hparams("run-1") == {"lr": 0.25, "optimizer": "sgd", "nesterov": True}
        assert logs.hparams("run-0") == {"lr": 0.0, "optimizer": "adam", "nesterov": False}


def test_without_a_writer_nothing_is_written() -> None:
    assert hp.hparams({"lr": 0.1}) is False
    assert hp.hparams_config([], []) is False


def test_a_summary_serializes_itself() -> None:
    made = hp.hparams_config_pb([hp.HParam("lr")], [])
    assert made.SerializeToString() == bytes(made)


def test_unknown_names_are_told() -> None:
    with pytest.raises(AttributeError, match="Nothing"):
        hp.Nothing  # type: ignore[attr-defined]  # noqa: B018
