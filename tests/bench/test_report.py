"""Rows of the benchmark's table: ratios, failed sides, the results section of a page.

Left out on purpose: anything measured.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bench import pace, report


def test_ratio_says_how_many_times_better_we_are() -> None:
    assert report.Row("load", "s", 6.0, 2.0).ratio == 3.0
    assert report.Row("spikes", "", 50.0, 200.0, better="higher").ratio == 4.0
    assert report.Row("scan", "GB/s", None, 1.4).ratio is None


def test_a_side_that_failed_is_named() -> None:
    row = report.Row("load", "s", None, 2.0, failed=("tensorboard",))
    line = report.text([row], {}).splitlines()[-1]
    assert [cell.strip() for cell in line.strip("|").split("|")] == ["load", "s", "failed", "2", "", ""]
    assert json.loads(report.document([row], {}))["rows"][0]["failed"] == ["tensorboard"]


def test_results_of_a_page_are_replaced(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\nText.\n\n## Results\n\nold\n")
    report.put_into(page, "new")
    assert page.read_text() == "# Title\n\nText.\n\n## Results\n\nnew\n"


def test_a_page_without_results_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n")
    with pytest.raises(ValueError, match="Results"):
        report.put_into(page, "new")
    assert page.read_text() == "# Title\n"


def test_the_pace_of_the_machine_is_told_where_it_was_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_samples_ms", [])
    assert "pace" not in report.machine("python -m bench")
    for _ in range(3):
        pace.sample()
    assert re.fullmatch(r"a fixed loop took \d+ ms, from \d+ to \d+ in 3 samples", report.machine("x")["pace"])
