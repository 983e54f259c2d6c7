"""Hyperparameters and metrics of an experiment, and values of each trial. `lightboard.hparams` is the public module."""

from __future__ import annotations

import abc
import hashlib
import json
import random
import time
from collections.abc import Iterable, Mapping
from typing import Any

from lightboard import wire
from lightboard.sdk import default_writer
from lightboard.sdk import hparams_messages as messages

# ---- domains ----


class Domain(abc.ABC):
    """The values that a hyperparameter may have, of type float, int, str or bool."""

    @property
    @abc.abstractmethod
    def dtype(self) -> type:
        """float, int, str or bool."""

    @abc.abstractmethod
    def sample_uniform(self, rng: Any = random) -> Any:
        """Returns a random value, each with equal probability. `rng` is a `random.Random`."""

    @abc.abstractmethod
    def describe(self) -> dict[str, Any]:
        """Returns the arguments of `hparams_messages.hparam_info` for this domain."""


class IntInterval(Domain):
    """All integers from `min_value` to `max_value`, both included."""

    def __init__(self, min_value: int, max_value: int) -> None:
        _check_interval(min_value, max_value, int)
        self._min_value, self._max_value = min_value, max_value

    def __str__(self) -> str:
        return f"[{self._min_value}, {self._max_value}]"

    def __repr__(self) -> str:
        return f"IntInterval({self._min_value!r}, {self._max_value!r})"

    @property
    def dtype(self) -> type:
        return int

    @property
    def min_value(self) -> int:
        return self._min_value

    @property
    def max_value(self) -> int:
        return self._max_value

    def sample_uniform(self, rng: Any = random) -> int:
        chosen: int = rng.randint(self._min_value, self._max_value)
        return chosen

    def describe(self) -> dict[str, Any]:
        return {"type": messages.TYPE_FLOAT64, "interval": (self._min_value, self._max_value)}


class RealInterval(Domain):
    """All numbers from `min_value` to `max_value`."""

    def __init__(self, min_value: float, max_value: float) -> None:
        _check_interval(min_value, max_value, float)
        self._min_value, self._max_value = min_value, max_value

    def __str__(self) -> str:
        return f"[{self._min_value}, {self._max_value}]"

    def __repr__(self) -> str:
        return f"RealInterval({self._min_value!r}, {self._max_value!r})"

    @property
    def dtype(self) -> type:
        return float

    @property
    def min_value(self) -> float:
        return self._min_value

    @property
    def max_value(self) -> float:
        return self._max_value

    def sample_uniform(self, rng: Any = random) -> float:
        chosen: float = rng.uniform(self._min_value, self._max_value)
        return chosen

    def describe(self) -> dict[str, Any]:
        return {"type": messages.TYPE_FLOAT64, "interval": (self._min_value, self._max_value)}


class Discrete(Domain):
    """A fixed set of values of one type, kept in order. `dtype` is that of the first value unless it is given."""

    def __init__(self, values: Iterable[messages.Scalar], dtype: type | None = None) -> None:
        self._values: list[Any] = list(values)
        if dtype is None:
            if not self._values:
                raise ValueError("an empty domain needs a dtype")
            dtype = type(self._values[0])
        if dtype not in _TYPES:
            raise ValueError(f"a domain holds int, float, bool or str, not {dtype!r}")
        self._dtype = dtype
        for value in self._values:
            if not isinstance(value, dtype):
                raise TypeError(f"the values of a domain are of one type: {value!r} is not of {dtype.__name__}")
        self._values.sort()

    def __str__(self) -> str:
        return "{" + ", ".join(map(repr, self._values)) + "}"

    def __repr__(self) -> str:
        return f"Discrete({self._values!r})"

    @property
    def dtype(self) -> type:
        return self._dtype

    @property
    def values(self) -> list[Any]:
        return list(self._values)

    def sample_uniform(self, rng: Any = random) -> Any:
        return rng.choice(self._values)

    def describe(self) -> dict[str, Any]:
        return {"type": _TYPES[self._dtype], "discrete": self._values}


_TYPES: dict[type, int] = {
    int: messages.TYPE_FLOAT64,
    float: messages.TYPE_FLOAT64,
    bool: messages.TYPE_BOOL,
    str: messages.TYPE_STRING,
}


def _check_interval(lowest: Any, highest: Any, kind: type) -> None:
    for name, bound in (("min_value", lowest), ("max_value", highest)):
        if not isinstance(bound, kind):
            raise TypeError(f"{name} must be of type {kind.__name__}: {bound!r}")
    if lowest > highest:
        raise ValueError(f"{lowest!r} > {highest!r}")


# ---- hyperparameters and metrics of an experiment ----


class HParam:
    """A hyperparameter: its name and the values that it may have."""

    def __init__(
        self, name: str, domain: Domain | None = None, display_name: str | None = None, description: str | None = None
    ) -> None:
        if domain is not None and not isinstance(domain, Domain):
            raise ValueError(f"not a domain: {domain!r}")
        self._name = name
        self._domain = domain
        self._display_name = display_name
        self._description = description

    def __str__(self) -> str:
        return f"<HParam {self._name!r}: {self._domain}>"

    def __repr__(self) -> str:
        return (
            f"HParam(name={self._name!r}, domain={self._domain!r}, "
            f"display_name={self._display_name!r}, description={self._description!r})"
        )

    @property
    def name(self) -> str:
        return self._name

    @property
    def domain(self) -> Domain | None:
        return self._domain

    @property
    def display_name(self) -> str | None:
        return self._display_name

    @property
    def description(self) -> str | None:
        return self._description


class Metric:
    """A scalar that measures how good a trial is. `group` is the sub-run that logs it, such as `validation`."""

    TRAINING = messages.DATASET_TRAINING
    VALIDATION = messages.DATASET_VALIDATION

    def __init__(
        self,
        tag: str,
        group: str | None = None,
        display_name: str | None = None,
        description: str | None = None,
        dataset_type: int | None = None,
    ) -> None:
        if dataset_type not in (None, Metric.TRAINING, Metric.VALIDATION):
            raise ValueError(f"a dataset type is Metric.TRAINING or Metric.VALIDATION: {dataset_type!r}")
        self._tag = tag
        self._group = group
        self._display_name = display_name
        self._description = description
        self._dataset_type = dataset_type

    def describe(self) -> bytes:
        """Returns a serialized MetricInfo."""
        return messages.metric_info(
            self._tag,
            group=self._group,
            display_name=self._display_name,
            description=self._description,
            dataset_type=self._dataset_type,
        )


# ---- writing ----


def hparams(
    hparams: Mapping[HParam | str, Any], trial_id: str | None = None, start_time_secs: float | None = None
) -> bool:
    """Write the hyperparameters of this trial to the default writer. False if there is none.

    `trial_id` names the trial; runs of one trial are repetitions. Without it, runs with equal hyperparameters are a
    trial.
    """
    return default_writer.write_raw_pb(hparams_pb(hparams, trial_id, start_time_secs), step=0, name="hparams")


def hparams_pb(
    hparams: Mapping[HParam | str, Any], trial_id: str | None = None, start_time_secs: float | None = None
) -> default_writer.RawSummary:
    """Returns the record of `hparams` as a serialized Summary."""
    values = _normalized(hparams)
    value = messages.session_start(
        values,
        group_name=_group_name(trial_id, values),
        start_time_secs=time.time() if start_time_secs is None else start_time_secs,
    )
    return default_writer.RawSummary(wire.message(1, value))


def hparams_config(
    hparams: Iterable[HParam], metrics: Iterable[Metric], time_created_secs: float | None = None
) -> bool:
    """Write hyperparameters and metrics of an experiment to the default writer, once, above its runs."""
    return default_writer.write_raw_pb(
        hparams_config_pb(hparams, metrics, time_created_secs), step=0, name="hparams_config"
    )


def hparams_config_pb(
    hparams: Iterable[HParam], metrics: Iterable[Metric], time_created_secs: float | None = None
) -> default_writer.RawSummary:
    """Returns the record of `hparams_config` as a serialized Summary."""
    infos = [
        messages.hparam_info(
            each.name,
            display_name=each.display_name,
            description=each.description,
            **({} if each.domain is None else each.domain.describe()),
        )
        for each in hparams
    ]
    value = messages.experiment(infos, [each.describe() for each in metrics], time_created_secs=time_created_secs)
    return default_writer.RawSummary(wire.message(1, value))


def _normalized(hparams: Mapping[HParam | str, Any]) -> dict[str, messages.Scalar]:
    """Names for keys, Python scalars for values."""
    values: dict[str, messages.Scalar] = {}
    for key, value in hparams.items():
        name = key.name if isinstance(key, HParam) else key
        if name in values:
            raise ValueError(f"several values for hparam {name!r}")
        if hasattr(value, "dtype") and hasattr(value, "item"):
            value = value.item()  # a NumPy scalar or a tensor of one element
        if not isinstance(value, (bool, int, float, str)):
            raise TypeError(f"hparam {name!r} is a bool, int, float or str, not {value!r} of {type(value)}")
        values[name] = value
    return values


def _group_name(trial_id: str | None, hparams: Mapping[str, messages.Scalar]) -> str:
    if trial_id is None:
        # Exactly as TensorBoard's module does it, so that runs written by both fall into one trial.
        return hashlib.sha256(json.dumps(hparams, sort_keys=True, separators=(",", ":")).encode("utf-8")).hexdigest()
    if not isinstance(trial_id, str):
        raise TypeError(f"a trial_id is a str: {trial_id!r}")
    return trial_id
