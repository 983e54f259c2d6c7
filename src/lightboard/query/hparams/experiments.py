"""What experiments declare: hparams and metrics, their display names and domains.

    HParamsPluginData { experiment 2 }
    Experiment { description 1, user 2, time_created_secs 3, hparam_infos 4, metric_infos 5, name 6 }
    HParamInfo { name 1, display_name 2, description 3, type 4, domain_discrete 5: ListValue, domain_interval 6 }
    MetricInfo { name 1 { group 1, tag 2 }, display_name 3, description 4, dataset_type 5 }

TensorBoard uses only the first experiment it finds. Lightboard merges all, so that a schema that changed between two
trainings still has every column.
"""

from __future__ import annotations

import dataclasses
import threading

from lightboard import errors, types, wire
from lightboard import store as store_
from lightboard.query import order
from lightboard.query.runs import hparams as hparams_metadata

TYPES = ("unset", "string", "bool", "float64")  # index: number in HParamInfo
DATASETS = ("unknown", "training", "validation")


@dataclasses.dataclass(frozen=True)
class HparamInfo:
    name: str
    display: str = ""
    description: str = ""
    type: str = "unset"
    values: tuple[hparams_metadata.Value, ...] | None = None  # the discrete domain
    interval: tuple[float, float] | None = None


@dataclasses.dataclass(frozen=True)
class MetricInfo:
    tag: str
    group: str = ""  # path below the session's run
    display: str = ""
    description: str = ""
    dataset: str = "unknown"


@dataclasses.dataclass(frozen=True)
class Experiment:
    name: str = ""
    description: str = ""
    user: str = ""
    time_created: float = 0.0
    hparams: tuple[HparamInfo, ...] = ()
    metrics: tuple[MetricInfo, ...] = ()


class _Parsed:
    """State: parsed metadata by row, guarded by `lock`. Restoring a store changes the metadata of rows, so each entry
    also holds the metadata it was parsed from."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.by_row: dict[int, tuple[types.Metadata, Experiment | None]] = {}

    def maybe(self, row: int, metadata: types.Metadata) -> Experiment | None:
        with self.lock:
            known = self.by_row.get(row)
            if known is None or known[0] is not metadata:
                known = self.by_row[row] = metadata, maybe_parse(metadata.content)
            return known[1]


def of_runs(store: store_.Store) -> dict[int, Experiment]:
    """Experiments by run row, runs in natural order; unreadable ones are skipped."""
    parsed = store.cache.state(_Parsed)
    found: dict[int, Experiment] = {}
    cells = hparams_metadata.cells(store, hparams_metadata.EXPERIMENT_TAG)
    for run, number, metadata in sorted(cells, key=lambda cell: order.natural_key(store.run_names[cell[0]])):
        experiment = parsed.maybe(number, metadata)
        if experiment is not None:
            found[run] = experiment
    return found


def merged(experiments: list[Experiment]) -> Experiment:
    """Hparams and metrics of all experiments; duplicates take the first non-empty value of each field."""
    hparams: dict[str, HparamInfo] = {}
    metrics: dict[tuple[str, str], MetricInfo] = {}
    for experiment in experiments:
        for hparam in experiment.hparams:
            there = hparams.setdefault(hparam.name, hparam)
            hparams[hparam.name] = dataclasses.replace(
                there,
                display=there.display or hparam.display,
                description=there.description or hparam.description,
                values=there.values or hparam.values,
                interval=there.interval or hparam.interval,
            )
        for metric in experiment.metrics:
            known = metrics.setdefault((metric.group, metric.tag), metric)
            metrics[metric.group, metric.tag] = dataclasses.replace(
                known, display=known.display or metric.display, description=known.description or metric.description
            )
    named = [experiment for experiment in experiments if experiment.name or experiment.description] or [Experiment()]
    return dataclasses.replace(named[0], hparams=tuple(hparams.values()), metrics=tuple(metrics.values()))


def maybe_parse(content: bytes) -> Experiment | None:
    """None if this is not an experiment."""
    try:
        found = wire.parse(content).messages(2)
        return _experiment(found[-1]) if found else None
    except errors.Unreadable:
        return None


def _experiment(fields: wire.Fields) -> Experiment:
    return Experiment(
        fields.text(6),
        fields.text(1),
        fields.text(2),
        fields.double(3) or 0.0,
        tuple(map(_hparam, fields.messages(4))),
        tuple(map(_metric, fields.messages(5))),
    )


def _hparam(fields: wire.Fields) -> HparamInfo:
    values: tuple[hparams_metadata.Value, ...] | None = None
    for listed in fields.messages(5):
        values = (*(values or ()), *(hparams_metadata.value_of(value) for value in listed.messages(1)))
    interval = None
    for ends in fields.messages(6):
        interval = ends.double(1) or 0.0, ends.double(2) or 0.0
    name, display, description = (fields.text(number) for number in (1, 2, 3))
    return HparamInfo(name, display, description, _word(TYPES, fields.integer(4)), values, interval)


def _metric(fields: wire.Fields) -> MetricInfo:
    names = fields.messages(1)
    group, tag = (names[-1].text(1), names[-1].text(2)) if names else ("", "")
    display, description = fields.text(3), fields.text(4)
    return MetricInfo(tag, group, display, description, _word(DATASETS, fields.integer(5)))


def _word(words: tuple[str, ...], number: int) -> str:
    return words[number] if 0 <= number < len(words) else words[0]
