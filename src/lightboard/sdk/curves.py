"""Precision–recall curves: counts of predictions at several thresholds from 0 to 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightboard import wire
from lightboard.sdk import summary_messages, tensors

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# The limit of PyTorch's writer.
MOST_THRESHOLDS = 127
_SMALLEST_COUNT = 1e-7  # avoids 0 / 0


def value(tag: str, labels: Any, predictions: Any, thresholds: int = MOST_THRESHOLDS, weights: Any = None) -> bytes:
    """Summary.Value of the curve of labels (0 or 1) and predictions (0 to 1)."""
    thresholds = min(int(thresholds), MOST_THRESHOLDS)
    return _value(tag, _curve(tensors.array(labels), tensors.array(predictions), thresholds, weights), thresholds)


def raw_value(tag: str, rows: list[Any], thresholds: int = MOST_THRESHOLDS) -> bytes:
    """Summary.Value of a precomputed curve: TP, FP, TN, FN, precision, recall, one number for each threshold."""
    import numpy as np

    return _value(tag, np.stack([tensors.numbers(each) for each in rows]), min(int(thresholds), MOST_THRESHOLDS))


def _curve(labels: Array, predictions: Array, thresholds: int, weights: Any) -> Array:
    import numpy as np

    if labels.shape != predictions.shape:
        raise ValueError(f"as many labels as predictions, not {labels.shape} and {predictions.shape}")
    cells = np.int32(np.floor(predictions * (thresholds - 1)))
    positive = labels.astype(np.float64)
    weight = 1.0 if weights is None else tensors.numbers(weights)
    bounds = (0, thresholds - 1)
    hits, _ = np.histogram(cells, bins=thresholds, range=bounds, weights=positive * weight)
    misses, _ = np.histogram(cells, bins=thresholds, range=bounds, weights=(1.0 - positive) * weight)
    # Values above a threshold are in its cell and in all later ones.
    true_positives, false_positives = hits[::-1].cumsum()[::-1], misses[::-1].cumsum()[::-1]
    true_negatives, false_negatives = false_positives[0] - false_positives, true_positives[0] - true_positives
    precision = true_positives / np.maximum(_SMALLEST_COUNT, true_positives + false_positives)
    recall = true_positives / np.maximum(_SMALLEST_COUNT, true_positives + false_negatives)
    return np.stack((true_positives, false_positives, true_negatives, false_negatives, precision, recall))


def _value(tag: str, curve: Array, thresholds: int) -> bytes:
    if curve.ndim != 2:
        raise ValueError(f"each row of a curve has one dimension, these have {curve.ndim - 1}")
    tensor = summary_messages.numeric_tensor(1, curve.astype("<f4").tobytes(), curve.shape)
    return summary_messages.tensor_value(
        tag, tensor, summary_messages.metadata("pr_curves", content=wire.integer(2, thresholds))
    )
