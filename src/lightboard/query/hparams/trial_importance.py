"""The importance of hparams for a metric: computed by a forest of random trees, with correlations in addition.

*Importance* is the loss of a forest when one hparam is shuffled. 64 extremely randomized trees are grown on samples of
the trials (each split tries one random threshold or category of every hparam and takes the best); the trials a tree has
not seen show how much of the metric's variance the forest explains (`explained`, 1 is all), and how much of that is
lost when the values of one hparam are shuffled (`lost`). `importance` is each hparam's share of the sum of `lost`.
Only trials that the tree has not seen are shuffled. Else an hparam with unique values would look important.

All trees grow together, level by level, so every step is one pass of NumPy over all trees. The random seed is fixed:
the same trials give the same result.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import store as store_
from lightboard.query.hparams import trial_metrics, trial_tables

TREES = 64
DEPTH = 9
MIN_LEAF = 2
MAX_TRIALS = 1000  # if there are more, a random sample of this size is used
MAX_FEATURES = 32  # if there are more hparams, those most associated with the metric are used
FEW_TRIALS = 10
LITTLE = 0.05  # below this explained variance, shares are meaningless
# Results of forests, by a hash of their training data.
_FORESTS = store_.Share("importance", 1 << 20)

Warning_ = Literal["few_trials", "no_variation", "little_explained", "no_hparams"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class HparamImportance:
    """Of one hparam for one metric; None where it makes no sense for this kind."""

    name: str
    kind: str
    importance: float | None  # share of what the forest loses without it, 0 … 1
    lost: float | None  # explained variance that is lost without it
    pearson: float | None
    spearman: float | None
    association: float | None  # share of variance between its values (correlation ratio), for words and truth values
    trials: int  # that have both


@dataclasses.dataclass(frozen=True, kw_only=True)
class MetricImportance:
    tag: str
    group: str
    display: str
    goal: Literal["min", "max"] | None
    trials: int  # with a finite value
    used: int  # of these, by the forest
    explained: float | None
    warnings: list[Warning_]
    hparams: list[HparamImportance]  # most important first


@dataclasses.dataclass(frozen=True)
class Importance:
    version: int
    metrics: list[MetricImportance]


@dataclasses.dataclass(frozen=True)
class Feature:
    """One hparam as numbers; `words`: the numbers are codes that can only be equal or not. NaN: not given."""

    name: str
    kind: str
    values: NDArray[np.float64]
    words: bool


def importance(store: store_.Store, runs: NDArray[np.int64] | None, wanted: trial_tables.Wanted) -> Importance:
    found = trial_tables.table(store, runs, wanted)
    features = [_feature(each) for each in found.hparams if each.differs]
    return Importance(
        found.version, [_of_metric(store.cache, metric, got.value, features) for metric, got in found.metrics]
    )


def _feature(hparam: trial_tables.HparamCells) -> Feature:
    column = hparam.column
    values = hparam.cells.astype(np.float64)
    if column.numbers is None:
        values[hparam.cells < 0] = np.nan
    return Feature(column.name, column.kind, values, column.kind == "text")


def _of_metric(
    cache: store_.Cache, metric: trial_metrics.Metric, values: NDArray[np.float64], features: Sequence[Feature]
) -> MetricImportance:
    usable = np.isfinite(values)
    y = values[usable]
    y = y / (np.abs(y).max(initial=0.0) or 1.0)  # squares of large numbers overflow; the scale does not matter here
    varying = [dataclasses.replace(each, values=each.values[usable]) for each in features]
    varying = [each for each in varying if _varies(each.values)]
    warnings: list[Warning_] = []
    explained: float | None = None
    losses: dict[str, float] = {}
    used = 0
    if not varying:
        warnings.append("no_hparams")
    elif len(y) < 4 or not y.std() > 1e-12:
        warnings.append("no_variation" if len(y) >= 4 else "few_trials")
    else:
        tried = sorted(varying, key=lambda each: -_strength(each, y))[:MAX_FEATURES]
        used = min(len(y), MAX_TRIALS)
        explained, lost = _cached_forest(cache, tried, y)
        losses = {each.name: loss for each, loss in zip(tried, lost.tolist(), strict=True)}
        if used < max(FEW_TRIALS, 2 * len(tried)):
            warnings.append("few_trials")
        if explained < LITTLE:
            warnings.append("little_explained")
    total = sum(losses.values())
    listed = [_hparam(each, y, losses.get(each.name), total) for each in varying]
    listed.sort(key=lambda each: (-(each.importance or 0.0), -abs(each.spearman or each.association or 0.0)))
    return MetricImportance(
        tag=metric.tag,
        group=metric.group,
        display=metric.display,
        goal=metric.goal,
        trials=len(y),
        used=used,
        explained=explained,
        warnings=warnings,
        hparams=listed,
    )


def _varies(values: NDArray[np.float64]) -> bool:
    present = values[~np.isnan(values)]
    return bool(len(present)) and (len(present) < len(values) or bool((present != present[0]).any()))


def _hparam(feature: Feature, y: NDArray[np.float64], lost: float | None, total: float) -> HparamImportance:
    both = np.isfinite(feature.values)
    x, paired = feature.values[both], y[both]
    pearson = spearman = association = None
    if feature.words or feature.kind == "bool":
        association = _ratio(x, paired)
    if not feature.words:
        pearson, spearman = _correlation(x, paired), _correlation(ranks(x), ranks(paired))
    share = None if lost is None else (lost / total if total > 0 else 0.0)
    return HparamImportance(
        name=feature.name,
        kind=feature.kind,
        importance=share,
        lost=lost,
        pearson=pearson,
        spearman=spearman,
        association=association,
        trials=len(x),
    )


def _strength(feature: Feature, y: NDArray[np.float64]) -> float:
    both = np.isfinite(feature.values)
    x, paired = feature.values[both], y[both]
    found = _ratio(x, paired) if feature.words else _correlation(ranks(x), ranks(paired))
    return abs(found or 0.0)


def _correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    if len(x) < 3:
        return None
    # Squares of very large numbers overflow.
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        x, y = x / (np.abs(x).max() or 1.0), y / (np.abs(y).max() or 1.0)
        x, y = x - x.mean(), y - y.mean()
        below = float(np.sqrt((x * x).sum() * (y * y).sum()))
        found = float((x * y).sum()) / below if below > 1e-300 else np.nan
    return min(1.0, max(-1.0, found)) if np.isfinite(found) else None


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value; equal values get the mean of their ranks."""
    unique, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middle: NDArray[np.float64] = ends - (counts + 1) / 2
    return middle[inverse] if len(unique) else np.zeros(0)


def _ratio(codes: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    """Return the share of the variance between the groups of equal codes, minus the share expected by chance."""
    if len(y) < 3:
        return None
    y = y / (np.abs(y).max() or 1.0)
    _, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    total = float(((y - y.mean()) ** 2).sum())
    if total <= 1e-300 or len(counts) >= len(y):
        return None
    means = np.bincount(inverse, y) / counts
    within = float(((y - means[inverse]) ** 2).sum())
    return max(0.0, 1.0 - (within / (len(y) - len(counts))) / (total / (len(y) - 1)))


# ---- the forest


def _cached_forest(
    cache: store_.Cache, features: Sequence[Feature], y: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    digest = hashlib.blake2b(y.tobytes(), digest_size=16)
    for feature in features:
        digest.update(bytes([feature.words]) + feature.values.tobytes())
    return cache.get(_FORESTS, digest.digest(), lambda: forest(features, y), size=lambda answer: answer[1].nbytes)


def forest(features: Sequence[Feature], y: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """Return the explained share of the variance, and how much of it is lost when each feature is shuffled."""
    table = np.stack([_filled(each) for each in features])
    return _grown(table, np.array([each.words for each in features]), y)


def _filled(feature: Feature) -> NDArray[np.float64]:
    """Replace numbers by ranks, so that the result does not depend on a log scale; missing values are -1."""
    present = ~np.isnan(feature.values)
    filled = np.full(len(feature.values), -1.0)
    filled[present] = feature.values[present] if feature.words else ranks(feature.values[present])
    return filled


def _grown(
    table: NDArray[np.float64], words: NDArray[np.bool_], y: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    rng = np.random.default_rng(20_26)
    if len(y) > MAX_TRIALS:
        drawn = np.sort(rng.choice(len(y), MAX_TRIALS, replace=False))
        table, y = np.ascontiguousarray(table[:, drawn]), y[drawn]
    y = (y - y.mean()) / (y.std() or 1.0)
    count = len(y)
    taught = rng.random((TREES, count)) < 0.632  # the expected share of distinct trials in a bootstrap sample
    taught[:, 0] |= ~taught.any(axis=1)
    tree, sample = np.nonzero(taught)
    trees = _trees(rng, table, words, y, tree, sample)
    other_tree, other = np.nonzero(~taught)
    if not len(other):
        return 0.0, np.zeros(len(table))
    seen = np.bincount(other, minlength=count) > 0
    places = table[:, other]

    def error(features: NDArray[np.float64]) -> float:
        sums = np.bincount(other, _predicted(trees, words, features, other_tree), count)
        guess = sums[seen] / np.bincount(other, minlength=count)[seen]
        return float(((guess - y[seen]) ** 2).mean())

    variance = float(y[seen].var()) or 1.0
    base = error(places)
    lost = np.zeros(len(table))
    for number in range(len(table)):
        # Average of three shuffles, so that the result depends less on chance.
        for _ in range(3):
            shuffled = places.copy()
            shuffled[number] = table[number, rng.permutation(count)][other]
            lost[number] += (error(shuffled) - base) / variance / 3
    return 1.0 - base / variance, np.maximum(lost, 0.0)


@dataclasses.dataclass(frozen=True)
class _Trees:
    """Trees level by level; for each node the feature (-1: a leaf) and threshold of its split. Children of n are 2n and
    2n + 1."""

    feature: list[NDArray[np.int64]]
    threshold: list[NDArray[np.float64]]
    mean: list[NDArray[np.float64]]


def _trees(
    rng: np.random.Generator,
    table: NDArray[np.float64],
    words: NDArray[np.bool_],
    y: NDArray[np.float64],
    tree: NDArray[np.int64],
    sample: NDArray[np.int64],
) -> _Trees:
    trees = _Trees([], [], [])
    node, targets = tree.copy(), y[sample]
    nodes = TREES
    for level in range(DEPTH + 1):
        counts = np.bincount(node, minlength=nodes)
        sums = np.bincount(node, targets, nodes)
        mean = sums / np.maximum(counts, 1)
        feature, threshold = np.full(nodes, -1, np.int64), np.zeros(nodes)
        if level < DEPTH:
            best = np.full(nodes, 1e-9)
            mix = rng.permutation(len(node))
            for number in range(len(table)):
                x = table[number, sample]
                # The threshold of each node is a random value of its trials: the last write wins.
                mixed = np.roll(mix, int(rng.integers(len(mix))))
                at = np.zeros(nodes)
                at[node[mixed]] = x[mixed]
                left = _left(x, at[node], bool(words[number]))
                counts_left = np.bincount(node, left, nodes)
                sums_left = np.bincount(node, left * targets, nodes)
                counts_right, sums_right = counts - counts_left, sums - sums_left
                with np.errstate(divide="ignore", invalid="ignore"):
                    gain = sums_left**2 / counts_left + sums_right**2 / counts_right - sums**2 / counts
                better = (counts_left >= MIN_LEAF) & (counts_right >= MIN_LEAF) & (gain > best)
                best[better], feature[better], threshold[better] = gain[better], number, at[better]
        trees.feature.append(feature)
        trees.threshold.append(threshold)
        trees.mean.append(mean)
        split = feature[node] >= 0
        if not split.any():
            break
        node, sample, targets = node[split], sample[split], targets[split]
        left = _sides(table[feature[node], sample], threshold[node], words[feature[node]])
        node = 2 * node + np.where(left, 0, 1)
        nodes *= 2
    return trees


def _left(x: NDArray[np.float64], at: NDArray[np.float64], word: bool) -> NDArray[np.bool_]:
    return x == at if word else x <= at


def _sides(x: NDArray[np.float64], at: NDArray[np.float64], word: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.where(word, x == at, x <= at)


def _predicted(
    trees: _Trees, words: NDArray[np.bool_], features: NDArray[np.float64], tree: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the prediction of each tree for each trial that it has not seen; `features` has a row per hparam."""
    guess = np.zeros(len(tree))
    node, at = tree.copy(), np.arange(len(tree))
    for feature, threshold, mean in zip(trees.feature, trees.threshold, trees.mean, strict=True):
        guess[at] = mean[node]
        split = feature[node] >= 0
        node, at = node[split], at[split]
        if not len(node):
            break
        number = feature[node]
        left = _sides(features[number, at], threshold[node], words[number])
        node = 2 * node + np.where(left, 0, 1)
    return guess
