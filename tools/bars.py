"""Draw measured ratios as bars: docs/images/ratios.svg, from the tables of docs/explanation/performance.md.

A bar says how many times less Lightboard needs than TensorBoard. Rows with small ratios are drawn, too. The colors can
be read on light and dark pages. `make gallery` writes the picture, a test holds it against the tables.
"""

from __future__ import annotations

import dataclasses
import pathlib
import sys
import xml.sax.saxutils

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "docs" / "explanation" / "performance.md"
TARGET = ROOT / "docs" / "images" / "ratios.svg"

WIDTH, LEFT, ROW, BAR, TOP = 760, 300, 30, 16, 34
TEXT, BLUE, AXIS = "#767f89", "#3b82f6", "#8b949e"

# what the bar says ← how the row of the table begins, and its unit
ROWS = (
    ("Smoothing slider, 12 charts × 100 runs", "smoothing slider to new curves in 12 cards", "p50 ms"),
    ("Page download", "first page load, compressed: all but data", "bytes"),
    ("Open 10,000 trials", "open 10,000 trials to the first table", "ms"),
    ("Open 10 million points", "open 10 M points to first curves, 1280", "ms"),
    ("Read 10 million points", "first load, 100 × 20 × 5,000 ", "wall s"),
    ("Memory of the server, 10 million points", "first load, 100 × 20 × 5,000 ", "peak RssAnon MB"),
    ("Open histograms", "open 10 × 50 × 200 histograms to the first", "ms"),
    ("Start on an empty directory", "start on an empty logdir to first HTTP 200", "wall s"),
    ("Read 10,000 small runs", "first load, 10,000 × 5 × 20", "wall s"),
)


@dataclasses.dataclass(frozen=True)
class Measured:
    says: str
    unit: str
    theirs: str
    ours: str

    @property
    def ratio(self) -> float:
        return number(self.theirs) / number(self.ours)

    @property
    def figures(self) -> str:
        return f"{amount(self.theirs, self.unit)} → {amount(self.ours, self.unit)}"


def number(cell: str) -> float:
    """The first number of a cell; others follow a semicolon."""
    return float(cell.partition(";")[0].replace(",", ""))


def amount(cell: str, unit: str) -> str:
    value = number(cell)
    if unit == "bytes":
        return f"{value / 1000:,.0f} kB"
    if unit.endswith("MB") and ";" not in unit:
        return f"{value:.0f} MB"
    seconds = value / 1000 if "ms" in unit.replace(";", " ").split() else value
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


def read(text: str) -> list[Measured]:
    """The rows of the tables that are drawn; raises StopIteration for one that is not there."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    found = []
    for says, begins, unit in ROWS:
        row = next(each for each in rows if f"{each[0]} ".startswith(begins) and each[1] == unit)
        found.append(Measured(says, unit, row[2], row[3]))
    return sorted(found, key=lambda each: -each.ratio)


def svg(found: list[Measured]) -> str:
    height = TOP + ROW * len(found) + 8
    most = max(each.ratio for each in found)
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    font = f'font-family="system-ui, sans-serif" font-size="13" fill="{TEXT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>',
        "<title>How many times less Lightboard needs than TensorBoard</title>",
        f'<text x="{LEFT}" y="18" font-weight="600">times less than TensorBoard 2.21</text>',
    ]
    for at, each in enumerate(found):
        y = TOP + ROW * at
        width = (WIDTH - LEFT - 170) * each.ratio / most
        middle = y + BAR / 2 + 5
        ratio = f"{each.ratio:.1f}" if each.ratio < 10 else f"{each.ratio:.0f}"
        figures = f'<tspan dx="8" font-size="11.5">{each.figures}</tspan>'
        lines += [
            f'<text x="{LEFT - 10}" y="{middle}" text-anchor="end">{xml.sax.saxutils.escape(each.says)}</text>',
            f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR}" rx="3" fill="{BLUE}"/>',
            f'<text x="{LEFT + width + 8:.1f}" y="{middle}"><tspan font-weight="700">{ratio}×</tspan>{figures}</text>',
        ]
    lines += [
        f'<line x1="{LEFT}" y1="{TOP - 6}" x2="{LEFT}" y2="{height - 8}" stroke="{AXIS}"/>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    TARGET.write_text(svg(read(SOURCE.read_text(encoding="utf-8"))), encoding="utf-8")
    print(TARGET.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
