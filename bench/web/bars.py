"""Rows with a verdict: whether a figure meets its target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from bench import report


def row(
    work: str,
    unit: str,
    figures: Mapping[str, float | None],
    *,
    better: Literal["lower", "higher"] = "lower",
    failed: tuple[str, ...] = (),
) -> report.Row:
    """Return a row from figures by side."""
    return report.Row(work, unit, figures.get("tensorboard"), figures.get("lightboard"), better=better, failed=failed)


def at_least(row: report.Row, ratio: float) -> report.Row:
    """Require that Lightboard is this many times better."""
    return _judged(row, f"≥ {ratio:g} ×", None if row.ratio is None else row.ratio >= ratio)


def at_most(row: report.Row, limit: float, *, words: str = "") -> report.Row:
    """Require that our figure is at most `limit`."""
    met = None if row.lightboard is None else row.lightboard <= limit
    return _judged(row, f"≤ {limit:g}{words}", met)


def _judged(row: report.Row, bar: str, met: bool | None) -> report.Row:
    verdict = "not measured" if met is None else "met" if met else "missed"
    return replace(row, bar=f"{row.bar}; {bar}: {verdict}" if row.bar else f"{bar}: {verdict}")
