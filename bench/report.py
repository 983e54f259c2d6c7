"""Results as rows: a text table for people, JSON for programs, both with machine, date, data and command."""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from bench import pace


@dataclass(frozen=True)
class Row:
    """One measured quantity on both sides; None if a side does not have it or is listed in `failed`."""

    work: str
    unit: str
    tensorboard: float | None
    lightboard: float | None
    bar: str = ""
    better: Literal["lower", "higher"] = "lower"
    failed: tuple[str, ...] = ()  # sides that exceeded the time limit

    @property
    def ratio(self) -> float | None:
        """Return how many times better Lightboard is."""
        if not self.tensorboard or not self.lightboard:
            return None
        return self.tensorboard / self.lightboard if self.better == "lower" else self.lightboard / self.tensorboard


def machine(command: str) -> dict[str, str]:
    """Return machine, date and command."""
    cpuinfo = Path("/proc/cpuinfo").read_text()
    models = [line.partition(":")[2].strip() for line in cpuinfo.splitlines() if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    facts = {
        "machine": f"{os.cpu_count()} cores, {models[0] if models else platform.processor()}, {memory:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "date": dt.datetime.now(dt.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "load": " ".join(f"{load:.1f}" for load in os.getloadavg()) + " (load average at the end)",
        "command": command,
    }
    return {**facts, "pace": pace.summary()} if pace.summary() else facts


def text(rows: list[Row], facts: dict[str, str]) -> str:
    """Format a table in Markdown."""
    head = ["work", "unit", "TensorBoard", "Lightboard", "ratio", "bar"]
    lines = [
        [row.work, row.unit, _cell(row, "tensorboard"), _cell(row, "lightboard"), _ratio(row), row.bar] for row in rows
    ]
    widths = [max(len(line[column]) for line in [head, *lines]) for column in range(len(head))]
    rule = ["-" * width for width in widths]
    table = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in [head, rule, *lines]
    ]
    return "\n".join([*(f"- {name}: {fact}" for name, fact in facts.items()), "", *table])


def document(rows: list[Row], facts: dict[str, str]) -> str:
    """Format the same as JSON."""
    return json.dumps({**facts, "rows": [{**asdict(row), "ratio": row.ratio} for row in rows]}, indent=1)


def put_into(page: Path, table: str) -> None:
    """Replace the text under the page's heading `Results`."""
    before, heading, _ = page.read_text().partition("\n## Results\n")
    if not heading:
        raise ValueError(f"no heading `## Results` in {page}")
    page.write_text(f"{before}{heading}\n{table}\n")


def _cell(row: Row, side: Literal["tensorboard", "lightboard"]) -> str:
    return "failed" if side in row.failed else _number(getattr(row, side))


def _number(number: float | None) -> str:
    if number is None:
        return "–"
    if number == round(number) and abs(number) >= 10:
        return f"{number:,.0f}"
    return f"{number:,.3g}" if abs(number) < 100 else f"{number:,.0f}"


def _ratio(row: Row) -> str:
    return "" if row.ratio is None else f"{row.ratio:.1f} ×"
