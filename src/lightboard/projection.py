"""Typed wrappers of the projector's native kernels: tables as text, neighbors, UMAP and t-SNE.

NumPy arrays in and out; the native code runs without the GIL. Long computations are objects that run in short
slices, so that the caller can show intermediate results, pause, shake or cancel them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lightboard import _native

F32 = NDArray[np.float32]


def parse_matrix(text: bytes, separator: str, *, columns: int = 0, first_line: int = 1) -> tuple[F32, int]:
    """Whole lines of numbers → (rows × columns, lines read); ValueError names the invalid line.

    `columns` and `first_line` continue after an earlier part.
    """
    return _native.parse_matrix(text, separator, columns, first_line)


class Neighbors:
    """The nearest rows of every row, by Euclidean distance; call `advance` until False, then `result`."""

    def __init__(self, values: F32, count: int, *, seed: int = 0) -> None:
        self._native = _native.Neighbors(_rows(values), count, seed)

    def advance(self) -> bool:
        """Works for a fraction of a second; returns False when nothing is left to do."""
        return self._native.advance()

    @property
    def progress(self) -> float:
        return self._native.progress

    def result(self) -> tuple[NDArray[np.uint32], F32]:
        """(rows × count ids, rows × count distances), nearest first; an infinite distance means no id."""
        return self._native.result()


class Umap:
    """A UMAP layout. `initial`: start positions (rows × 2 or 3); `a`, `b`: parameters, see `curve`."""

    def __init__(
        self,
        ids: NDArray[np.uint32],
        distances: F32,
        initial: F32,
        *,
        a: float,
        b: float,
        epochs: int,
        labels: NDArray[np.int32] | None = None,
        supervise: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.epochs = epochs
        self._native = _native.Umap(
            ids,
            distances,
            initial=_rows(initial),
            a=a,
            b=b,
            epochs=epochs,
            labels=_labels(labels),
            supervise=supervise,
            seed=seed,
        )

    def advance(self, seconds: float) -> bool:
        """Runs epochs for `seconds`, at least one; False after the last."""
        return self._native.advance(seconds)

    def perturb(self) -> None:
        self._native.perturb()

    @property
    def epoch(self) -> int:
        return self._native.epoch

    def coordinates(self) -> F32:
        """Returns a copy."""
        return self._native.coordinates()


class Tsne:
    """A t-SNE layout; it runs until the caller stops."""

    def __init__(
        self,
        ids: NDArray[np.uint32],
        distances: F32,
        initial: F32,
        *,
        perplexity: float,
        learning_rate: float = 0.0,
        labels: NDArray[np.int32] | None = None,
        supervise: float = 0.0,
        seed: int = 0,
    ) -> None:
        self._native = _native.Tsne(
            ids,
            distances,
            initial=_rows(initial),
            perplexity=perplexity,
            learning_rate=learning_rate,
            labels=_labels(labels),
            supervise=supervise,
            seed=seed,
        )

    def advance(self, seconds: float, most: int) -> None:
        """Iterates for `seconds` or up to `most` iterations in total; at least once."""
        self._native.advance(seconds, most)

    def perturb(self) -> None:
        self._native.perturb()

    @property
    def iteration(self) -> int:
        return self._native.iteration

    def coordinates(self) -> F32:
        """Returns a copy."""
        return self._native.coordinates()


def curve(min_distance: float, spread: float = 1.0) -> tuple[float, float]:
    """Returns (a, b) for which 1 / (1 + a x^2b) best fits 1 up to `min_distance` and an exponential decay after it."""
    x = np.linspace(0, 3 * spread, 300)[1:]
    wanted = np.where(x < min_distance, 1.0, np.exp(-(x - min_distance) / spread))
    a, b, damping = 1.0, 1.0, 1e-2
    power = a * x ** (2 * b)
    missed = 1 / (1 + power) - wanted
    for _ in range(200):  # Levenberg–Marquardt, in two unknowns
        slope = -power / (1 + power) ** 2
        jacobian = np.stack([slope / a, slope * 2 * np.log(x)], axis=1)
        normal = jacobian.T @ jacobian
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), jacobian.T @ missed)
        tried_a, tried_b = a - step[0], b - step[1]
        if tried_a > 0 and tried_b > 0:
            tried = tried_a * x ** (2 * tried_b)
            better = 1 / (1 + tried) - wanted
            if better @ better < missed @ missed:
                a, b, power, missed, damping = float(tried_a), float(tried_b), tried, better, damping / 3
                if np.abs(step).max() < 1e-9:
                    break
                continue
        damping *= 4
        if damping > 1e12:
            break
    return a, b


def _rows(values: F32) -> F32:
    array = np.ascontiguousarray(values, np.float32)
    if array.ndim != 2:
        raise ValueError(f"rows × dimensions are expected, not {array.shape}")
    return array


def _labels(labels: NDArray[np.int32] | None) -> NDArray[np.int32]:
    return np.zeros(0, np.int32) if labels is None else np.ascontiguousarray(labels, np.int32)
