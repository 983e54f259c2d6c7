"""Principal components of many rows in bounded memory, and the preparation that all layouts share.

Rows that are not finite are left out. *Sphereized* data is centered and every row is scaled to length one, as
TensorBoard does by default. The matrix is never copied as a whole: it is read a few times, piece by piece; pieces are
processed in parallel, but summed in double precision in a fixed order, so that equal data gives equal bits.

    few dimensions       covariance (d × d) and its eigenvectors: exact
    more, but few rows   the rows' products with each other (n × n): exact
    many of both         subspace iteration until the components converge
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

COMPONENTS = 10
_PIECE_VALUES = 1 << 20  # values of a piece: 8 MB in double precision
_EXACT_DIMS = 768
_EXTRA = 20  # columns beyond the requested ones, for the subspace iteration
_ROUNDS = 60
_STILL = 1e-7

Tick = Callable[[float], None]
"""Called with the progress (0 to 1); may raise to cancel."""


@dataclasses.dataclass(frozen=True)
class Prepared:
    """The selected rows of a matrix, prepared for the layouts. `piece(i)` computes a part of them."""

    matrix: F32
    rows: NDArray[np.int64] | None  # None: all
    center: F64
    unit: bool

    def __len__(self) -> int:
        return len(self.matrix) if self.rows is None else len(self.rows)

    @property
    def dims(self) -> int:
        return int(self.matrix.shape[1])

    @property
    def starts(self) -> range:
        return range(0, max(len(self), 1), _piece_rows(self.dims))

    def piece(self, start: int) -> F64:
        stop = min(start + _piece_rows(self.dims), len(self))
        part = self.matrix[start:stop] if self.rows is None else self.matrix[self.rows[start:stop]]
        wide = part.astype(np.float64)
        wide -= self.center
        if self.unit:
            lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))
            wide /= np.where(lengths > 0, lengths, 1)[:, None]
        return wide


@dataclasses.dataclass(frozen=True)
class Components:
    coordinates: F32  # rows × components
    shares: F64  # share of the variance of each component
    axes: F64  # dims × components
    mean: F64


def _piece_rows(dims: int) -> int:
    return max(1, min(65_536, _PIECE_VALUES // max(dims, 1)))


def over(work: Callable[[int], Any], starts: range, tick: Tick, low: float, high: float) -> Any:
    """Return the sum of `work(start)` over all pieces, always in the same order, several pieces in parallel."""
    total: Any = None
    threads = min(8, os.cpu_count() or 1, max(1, len(starts)))
    ahead = 2 * threads
    with concurrent.futures.ThreadPoolExecutor(threads, "lightboard-projector") as pool:
        futures = [pool.submit(work, start) for start in starts[:ahead]]
        try:
            for place in range(len(starts)):
                part = futures.pop(0).result()
                if place + ahead < len(starts):
                    futures.append(pool.submit(work, starts[place + ahead]))
                if part is not None:
                    total = part if total is None else tuple(a + b for a, b in zip(total, part, strict=True))
                tick(low + (high - low) * (place + 1) / len(starts))
        finally:
            for future in futures:
                future.cancel()
    return total


def finite_rows(matrix: F32, wanted: NDArray[np.int64] | None, tick: Tick) -> tuple[NDArray[np.bool_], F64]:
    """Return which of the wanted rows are finite, and the sum of these rows in each dimension."""
    whole = Prepared(matrix, wanted, np.zeros(matrix.shape[1]), unit=False)
    mask = np.ones(len(whole), np.bool_)

    def look(start: int) -> tuple[F64]:
        piece = whole.piece(start)
        fine = np.isfinite(piece).all(axis=1)
        mask[start : start + len(piece)] = fine
        return ((piece if fine.all() else piece[fine]).sum(axis=0),)

    (total,) = over(look, whole.starts, tick, 0.0, 0.2)
    return mask, total


def prepare(
    matrix: F32, wanted: NDArray[np.int64] | None, *, sphereize: bool, tick: Tick = lambda _: None
) -> tuple[Prepared, NDArray[np.bool_]]:
    """Return the prepared rows, and which of the wanted rows are among them."""
    mask, total = finite_rows(matrix, wanted, tick)
    count = int(np.count_nonzero(mask))
    rows = wanted
    if count < len(mask):
        rows = np.nonzero(mask)[0] if wanted is None else wanted[mask]
    return Prepared(matrix, rows, total / max(count, 1), unit=sphereize), mask


def components(
    data: Prepared, count: int = COMPONENTS, tick: Tick = lambda _: None, *, rounds: int = _ROUNDS
) -> Components:
    """Return the first principal components, at most as many as exist. `rounds`: the limit of iterations."""
    n, dims = len(data), data.dims
    count = max(1, min(count, dims, n))
    if n < 2:
        return Components(np.zeros((n, count), np.float32), np.zeros(count), np.eye(dims, count), np.zeros(dims))
    if dims <= _EXACT_DIMS:
        values, axes, mean, variance = _by_covariance(data, count, tick)
    elif n <= _EXACT_DIMS:
        values, axes, mean, variance = _by_rows(data, count)
    else:
        values, axes, mean, variance = _by_iteration(data, count, tick, rounds)
    # Equal data gives equal directions: the largest entry of an axis is positive.
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    axes *= np.where(signs == 0, 1, signs)
    coordinates = np.empty((n, count), np.float32)

    def project(start: int) -> None:
        piece = data.piece(start)
        coordinates[start : start + len(piece)] = (piece - mean) @ axes

    over(project, data.starts, tick, 0.8, 1.0)
    shares = np.clip(values, 0, None) / variance if variance > 0 else np.zeros(count)
    return Components(coordinates, shares, axes, mean)


def _moments(data: Prepared, tick: Tick) -> tuple[F64, float]:
    """Return the mean, and the variance over all dimensions."""

    def look(start: int) -> tuple[F64, F64]:
        piece = data.piece(start)
        return piece.sum(axis=0), np.einsum("ij,ij->j", piece, piece)

    total, squares = over(look, data.starts, tick, 0.2, 0.3)
    mean = total / len(data)
    return mean, float((squares / len(data) - mean * mean).clip(0).sum())


def _by_covariance(data: Prepared, count: int, tick: Tick) -> tuple[F64, F64, F64, float]:
    def look(start: int) -> tuple[F64, F64]:
        piece = data.piece(start)
        return piece.sum(axis=0), piece.T @ piece

    total, products = over(look, data.starts, tick, 0.2, 0.8)
    mean = total / len(data)
    covariance = products / len(data) - np.outer(mean, mean)
    values, vectors = np.linalg.eigh(covariance)
    order = np.arange(len(values))[::-1][:count]
    return values[order], np.ascontiguousarray(vectors[:, order]), mean, float(np.trace(covariance))


def _by_rows(data: Prepared, count: int) -> tuple[F64, F64, F64, float]:
    whole = np.concatenate([data.piece(start) for start in data.starts])
    mean = whole.mean(axis=0)
    whole -= mean
    values, vectors = np.linalg.eigh(whole @ whole.T / len(whole))
    order = np.arange(len(values))[::-1][:count]
    axes = whole.T @ vectors[:, order]
    lengths = np.linalg.norm(axes, axis=0)
    flat = lengths <= 1e-12 * max(float(lengths.max()), 1e-300)
    axes /= np.where(flat, 1, lengths)
    axes[:, flat] = 0
    return values[order], axes, mean, float(values.clip(0).sum())


def _by_iteration(data: Prepared, count: int, tick: Tick, rounds: int) -> tuple[F64, F64, F64, float]:
    mean, variance = _moments(data, tick)
    width = min(count + _EXTRA, data.dims, len(data))
    basis, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((data.dims, width)))
    before = np.zeros(count)
    for turn in range(rounds):

        def look(start: int, basis: F64 = basis) -> tuple[F64, F64]:
            piece = data.piece(start) - mean
            seen = piece @ basis
            return piece.T @ seen, seen.T @ seen

        share = 0.3 + 0.5 * turn / rounds
        turned, inner = over(look, data.starts, tick, share, share + 0.5 / rounds)
        values, vectors = np.linalg.eigh(inner / len(data))
        order = np.arange(width)[::-1]
        values, found = values[order], basis @ vectors[:, order]
        basis, _ = np.linalg.qr(turned @ vectors[:, order])
        if np.abs(values[:count] - before).max() <= _STILL * max(float(values[0]), 1e-300):
            break
        before = values[:count].copy()
    return values[:count], np.ascontiguousarray(found[:, :count]), mean, variance
