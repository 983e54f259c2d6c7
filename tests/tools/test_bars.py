"""The bars of the README show what docs/explanation/performance.md says."""

from __future__ import annotations

import bars


def test_the_picture_is_made_from_the_tables() -> None:
    found = bars.read(bars.SOURCE.read_text(encoding="utf-8"))
    assert bars.TARGET.read_text(encoding="utf-8") == bars.svg(found), "run `python tools/bars.py`"


def test_ratios_and_figures() -> None:
    row = bars.Measured("open", "ms; MB", "3,200; 135", "580; 31")
    assert round(row.ratio, 1) == 5.5
    assert row.figures == "3.2 s → 580 ms"
    assert bars.Measured("weight", "bytes", "2,153,793", "124,744").figures == "2,154 kB → 125 kB"
