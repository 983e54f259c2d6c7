"""A board as a static picture: small line charts in one SVG, and a few lines of text.

The input is a `Digest`: plain numbers that the caller has chosen and thinned. The output is what a saved notebook
keeps after the board has stopped. This module reads no logs.
"""

from __future__ import annotations

import dataclasses
import html
import math
from collections.abc import Iterable, Sequence

from lightboard import colors

MAX_CHARTS = 9
MAX_LINES = 20  # runs in a chart
MAX_POINTS = 12_000  # of all charts together: about 100 kB of SVG

COLUMNS = 3
WIDTH, HEIGHT = 300, 190  # of one chart with its margins, in pixels
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 26, 20
LEGEND_COLUMNS, LEGEND_ROW = 4, 18
FONTS = "system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif"
LETTER = 7  # largest average letter width of common fonts at 11 pixels


@dataclasses.dataclass(frozen=True)
class Line:
    """One run. `x` and `y` may be thinned, `last` is the last value of the series, `slot` the number of its color."""

    run: str
    x: Sequence[float]
    y: Sequence[float]
    last: float
    slot: int = 0


@dataclasses.dataclass(frozen=True)
class Chart:
    tag: str
    lines: tuple[Line, ...]


@dataclasses.dataclass(frozen=True)
class Digest:
    title: str
    facts: str  # one line: how many runs and tags
    charts: tuple[Chart, ...]
    rest: str = ""  # says what was left out


@dataclasses.dataclass(frozen=True)
class Ink:
    """Colors of one theme, except those of lines. `auto` has no background color and is legible on light and dark."""

    ground: str
    text: str
    grid: str


INKS = {
    "auto": Ink("none", "#767676", "#80808040"),
    "light": Ink("#ffffff", "#4b5563", "#e5e7eb"),
    "dark": Ink("#161c24", "#a9b1bd", "#2c3440"),
}


def columns_for(lines: int) -> int:
    """Returns the number of pixel columns to thin each of this many lines to (a column keeps up to four points)."""
    return max(12, min(WIDTH - LEFT - RIGHT, MAX_POINTS // (4 * max(lines, 1))))


# ---- text


def text(digest: Digest) -> str:
    """Returns the last values, one line per tag."""
    rows = [f"{digest.title}: {digest.facts}"]
    width = max((len(chart.tag) for chart in digest.charts), default=0)
    for chart in digest.charts:
        values = [f"{line.run} {number(line.last)}" for line in chart.lines[:5]]
        more = f", … {len(chart.lines) - 5} more" if len(chart.lines) > 5 else ""
        rows.append(f"  {chart.tag:<{min(width, 40)}}  {', '.join(values)}{more}")
    return "\n".join([*rows, *([f"  ({digest.rest})"] if digest.rest else [])])


def rest(runs: int, all_runs: int, tags: int, all_tags: int) -> str:
    """Returns a text that says what a picture leaves out."""
    words = []
    if runs < all_runs:
        words.append(f"the newest {runs} of {all_runs:,} runs")
    if tags < all_tags:
        words.append(f"{tags} of {all_tags:,} tags")
    return ", ".join(words)


def many(count: int, word: str) -> str:
    return f"{count:,} {word}" + ("" if count == 1 else "s")


def number(value: float) -> str:
    """Formats a number for people: 0.0123, 12,300, 1.2e-7."""
    if not math.isfinite(value):
        return str(value).replace("inf", "∞")
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    if 1e-4 <= abs(value) < 1e6:
        return f"{value:.4g}"
    return f"{value:.3g}".replace("e+", "e").replace("e0", "e").replace("e-0", "e-")


def short(value: float) -> str:
    """Formats a number for an axis: 1.5k, 20M."""
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if limit <= abs(value) < 1e15:
            return f"{value / limit:.4g}{unit}"
    return number(value).replace(",", "")


def color(slot: int, theme: str = "auto") -> str:
    """Returns the color of a run, the same as on the page. `auto` is halfway between those of both themes."""
    if theme != "auto":
        return colors.TABLE[theme][slot % colors.COUNT]
    light, dark = (colors.TABLE[each][slot % colors.COUNT] for each in ("light", "dark"))
    return "#" + "".join(f"{(int(light[at : at + 2], 16) + int(dark[at : at + 2], 16)) // 2:02x}" for at in (1, 3, 5))


# ---- the picture


def svg(digest: Digest, theme: str = "auto") -> str:
    ink = INKS[theme]
    runs = {line.run: line.slot for chart in digest.charts for line in chart.lines}
    columns = min(COLUMNS, max(len(digest.charts), 1))
    width = max(columns * WIDTH, 2 * WIDTH)
    rows = math.ceil(len(digest.charts) / columns)
    legend_columns = max(1, min(LEGEND_COLUMNS, width // 220))
    legend = math.ceil(len(runs) / legend_columns) * LEGEND_ROW
    head = 44
    height = head + rows * HEIGHT + legend + (LEGEND_ROW if digest.rest else 0) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"',
        f' font-family="{FONTS}" font-size="11" fill="{ink.text}" role="img"><title>{_escape(digest.title)}</title>',
        f'<rect width="{width}" height="{height}" fill="{ink.ground}"/>' if ink.ground != "none" else "",
        f'<text x="12" y="18" font-size="13" font-weight="600">{_escape(_cut(digest.title, width // 8))}</text>',
        f'<text x="12" y="35">{_escape(_begun(digest.facts, width // LETTER))}</text>',
    ]
    for place, chart in enumerate(digest.charts):
        x, y = place % columns * WIDTH, head + place // columns * HEIGHT
        parts.append(f'<g transform="translate({x},{y})">{_chart(chart, ink, theme)}</g>')
    top = head + rows * HEIGHT + 8
    for place, (run, slot) in enumerate(runs.items()):
        x = 14 + place % legend_columns * ((width - 14) // legend_columns)
        y = top + place // legend_columns * LEGEND_ROW
        shown = _escape(_cut(run, (width // legend_columns - 30) // LETTER))
        parts.append(
            f'<rect x="{x}" y="{y}" width="12" height="3" fill="{color(slot, theme)}"/>'
            f'<text x="{x + 18}" y="{y + 6}">{shown}</text>'
        )
    if digest.rest:
        parts.append(f'<text x="14" y="{height - 8}" font-style="italic">{_escape(digest.rest)}</text>')
    return "".join([*parts, "</svg>"])


def _chart(chart: Chart, ink: Ink, theme: str) -> str:
    """Returns title, a few ticks, one line per run. Non-finite points interrupt the line."""
    title = f'<text x="12" y="14" font-weight="600">{_escape(_cut(chart.tag, 44))}</text>'
    xs = [x for line in chart.lines for x in _finite(line.x)]
    ys = [y for line in chart.lines for y in _finite(line.y)]
    if not xs or not ys:
        return title + f'<text x="{WIDTH // 2}" y="{HEIGHT // 2}" text-anchor="middle">no finite values</text>'
    x_lo, x_hi = _widened(min(xs), max(xs))
    y_lo, y_hi = _widened(*_usual(ys))
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place_x(x: float) -> float:
        return (x - x_lo) / (x_hi - x_lo) * inner_width

    def place_y(y: float) -> float:
        # clamp points far outside the chart: coordinates stay short
        return max(-inner_height, min(2 * inner_height, (1 - (y - y_lo) / (y_hi - y_lo)) * inner_height))

    parts = [title]
    for tick in ticks(y_lo, y_hi, 5):
        y = TOP + place_y(tick)
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{ink.grid}"/>'
            f'<text x="{LEFT - 5}" y="{y + 4:.1f}" text-anchor="end" font-size="10">{short(tick)}</text>'
        )
    for tick in ticks(x_lo, x_hi, 5):
        x = LEFT + place_x(tick)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 6}" text-anchor="middle" font-size="10">{short(tick)}</text>')
    # the inner <svg> clips lines
    parts.append(f'<svg x="{LEFT}" y="{TOP}" width="{inner_width}" height="{inner_height}">')
    for line in chart.lines:
        stroke = color(line.slot, theme)
        points = [
            (place_x(x), place_y(y)) if math.isfinite(x) and math.isfinite(y) else None
            for x, y in zip(line.x, line.y, strict=True)
        ]
        for piece in _pieces(points):
            if len(piece) == 1:
                parts.append(f'<circle cx="{piece[0][0]:.1f}" cy="{piece[0][1]:.1f}" r="2" fill="{stroke}"/>')
            else:
                parts.append(f'<path d="{_path(piece)}" fill="none" stroke="{stroke}" stroke-width="1.3"/>')
    return "".join([*parts, "</svg>"])


Point = tuple[float, float]


def _pieces(points: Iterable[Point | None]) -> list[list[Point]]:
    found: list[list[Point]] = [[]]
    for point in points:
        if point is not None:
            found[-1].append(point)
        elif found[-1]:
            found.append([])
    return [piece for piece in found if piece]


def _path(points: Sequence[Point]) -> str:
    """Returns path data in tenths of a pixel, each point relative to the previous one: half as many characters."""
    whole = [(round(x * 10), round(y * 10)) for x, y in points]
    words = [f"M{_tenths(whole[0][0])} {_tenths(whole[0][1])}"]
    before = whole[0]
    for x, y in whole[1:]:
        if (x, y) != before:
            words.append(f"l{_tenths(x - before[0])} {_tenths(y - before[1])}")
            before = (x, y)
    return "".join(words)


def _tenths(count: int) -> str:
    return f"{count / 10:g}"


def ticks(lo: float, hi: float, most: int) -> list[float]:
    """Returns at most `most` round numbers from lo to hi."""
    if not math.isfinite(hi - lo):
        return []
    for step in _steps((hi - lo) / most):
        first, last = math.ceil(lo / step), math.floor(hi / step)
        if last - first < most:
            return [tick * step for tick in range(first, last + 1)]
    return []


def _steps(least: float) -> Iterable[float]:
    power = math.floor(math.log10(least)) if least > 0 else 0
    for exponent in range(power, power + 3):
        for factor in (1, 2, 5):
            step = float(f"{factor}e{exponent}")
            if step >= least * 0.999:
                yield step


def _widened(lo: float, hi: float) -> tuple[float, float]:
    """Returns a range that is not empty, for a series that does not change."""
    if hi > lo and math.isfinite(hi - lo):
        return lo, hi
    if hi > lo:
        return lo / 4, hi / 4
    pad = abs(lo) * 0.1 or 1.0
    return lo - pad, hi + pad


def _usual(values: list[float]) -> tuple[float, float]:
    """Returns the range of all values; if outliers would flatten the others, the 5th to the 95th percentile."""
    ordered = sorted(values)
    lo, hi = ordered[0], ordered[-1]
    low, high = ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]
    if high > low and hi - lo > 3 * (high - low):
        margin = (high - low) * 0.1
        return max(lo, low - margin), min(hi, high + margin)
    return lo, hi


def _finite(values: Iterable[float]) -> list[float]:
    return [float(value) for value in values if math.isfinite(value)]


def _cut(words: str, most: int) -> str:
    """Shortens a long name at its beginning, because names usually differ at the end."""
    return words if len(words) <= most else "…" + words[-(most - 1) :]


def _begun(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def _escape(words: str) -> str:
    """Escapes for XML, without control characters and lone surrogates."""
    clean = words.encode("utf-8", "replace").decode()
    return html.escape("".join(letter if letter.isprintable() else "�" for letter in clean))
