"""The still picture: well-formed whatever the names and numbers are, small, and in the page's colours."""

from __future__ import annotations

import math
import random
import xml.etree.ElementTree as ET

import pytest

from lightboard import colors, picture

NAMES = ["train", "实验/一", "🚀", "עברית", "a<b>&\"'", "x" * 500, "", "\x00\x1b[31m", "\udce9", "two\nlines"]
NAN, INF = math.nan, math.inf


def digest(*lines: picture.Line, tag: str = "loss") -> picture.Digest:
    return picture.Digest("Lightboard on logs", "2 runs", (picture.Chart(tag, lines),), "9 of 20 tags")


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text.encode())


@pytest.mark.parametrize("theme", list(picture.INKS))
def test_a_curve_becomes_a_path(theme: str) -> None:
    found = parsed(picture.svg(digest(picture.Line("train", [0, 1, 2], [3.0, 2.0, 1.0], 1.0, 7)), theme))
    curves = [one for one in found.iter("{http://www.w3.org/2000/svg}path") if one.get("fill") == "none"]
    assert [one.get("d") for one in curves] == ["M0 0l122 72l122 72"]
    assert curves[0].get("stroke") == picture.color(7, theme)
    words = [one.text for one in found.iter("{http://www.w3.org/2000/svg}text")]
    assert {"loss", "train", "Lightboard on logs", "2 runs", "9 of 20 tags", "0", "1", "2", "3"} <= set(words)


@pytest.mark.parametrize("name", NAMES)
def test_any_name_stays_text(name: str) -> None:
    made = digest(picture.Line(name, [0, 1], [0.0, 1.0], 1.0), tag=name)
    parsed(picture.svg(made))
    picture.text(made)


@pytest.mark.parametrize(
    "values",
    [
        [],
        [1.0],
        [NAN, NAN],
        [INF, -INF, 1.0],
        [5.0, 5.0, 5.0],
        [0.0, 0.0],
        [1e308, -1e308],
        [5e-324, 1e-323],
        [1.0, NAN, 2.0, 3.0, NAN, 4.0],
        [1e15 + n for n in range(3)],
    ],
)
def test_any_numbers_are_drawn(values: list[float]) -> None:
    line = picture.Line("run", list(range(len(values))), values, values[-1] if values else NAN)
    for one in (digest(line), digest()):
        text = picture.svg(one)
        parsed(text)
        assert "nan" not in text and "inf" not in text
        picture.text(one)


def test_steps_far_out_are_drawn() -> None:
    parsed(picture.svg(digest(picture.Line("run", [-(2**63), 0, 2**63 - 1], [1.0, 2.0, 3.0], 3.0))))


def test_what_is_no_number_cuts_the_line_and_a_lone_point_is_a_dot() -> None:
    text = picture.svg(digest(picture.Line("run", [0, 1, 2, 3], [1.0, 2.0, NAN, 1.0], 1.0)))
    assert text.count('fill="none"') == 1 and text.count("<circle") == 1


def test_a_few_wild_values_do_not_press_the_rest_flat() -> None:
    calm = [math.sin(n / 10) for n in range(100)]
    assert picture._usual(calm) == (min(calm), max(calm))
    low, high = picture._usual([*calm, 1e9])
    assert low > -1.5 and high < 1.5


def test_a_full_picture_is_small() -> None:
    chance = random.Random(1)
    columns = picture.columns_for(picture.MAX_CHARTS * picture.MAX_LINES)
    steps = list(range(4 * columns))

    def line(n: int) -> picture.Line:
        return picture.Line(f"run{n}", steps, [chance.random() for _ in steps], 0.5)

    charts = [
        picture.Chart(f"tag{n}", tuple(line(n) for n in range(picture.MAX_LINES))) for n in range(picture.MAX_CHARTS)
    ]
    assert len(picture.svg(picture.Digest("t", "f", tuple(charts)))) < 250_000


def test_colors_are_those_of_the_page() -> None:
    assert [picture.color(49, theme) for theme in ("light", "dark")] == [
        colors.TABLE["light"][1],
        colors.TABLE["dark"][1],
    ]
    assert picture.color(1, "auto") == "#f58120"


@pytest.mark.parametrize(
    ("lo", "hi", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 600, [0, 200, 400, 600]),
        (-1, 1, [-1, -0.5, 0, 0.5, 1]),
        (0.1, 0.11, None),
        (-INF, INF, []),
    ],
)
def test_ticks_are_round_and_few(lo: float, hi: float, expected: list[float] | None) -> None:
    found = picture.ticks(lo, hi, 6)
    assert len(found) <= 6
    assert all(lo <= tick <= hi for tick in found)
    if expected is not None:
        assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.5, "0.5"),
        (12300, "12,300"),
        (1.23e-7, "1.23e-7"),
        (NAN, "nan"),
        (-INF, "-∞"),
        (1e20, "1e20"),
        (1 / 3, "0.3333"),
    ],
)
def test_numbers_as_people_write_them(value: float, expected: str) -> None:
    assert picture.number(value) == expected
