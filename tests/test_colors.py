"""Colors of runs: the table in both themes, and a thousand boards of random runs.

Left out on purpose: how slots are kept (tests/store/test_slots.py, tests/sidecar/test_slots.py).
"""

from __future__ import annotations

import itertools
import math
import pathlib
import random
import re
from collections.abc import Callable

import numpy as np
import pytest

from lightboard import colors, store
from lightboard.store import row_types

PAGE = pathlib.Path(__file__).resolve().parent.parent / "web" / "src" / "base" / "color.ts"
BACKGROUND = {"light": "#ffffff", "dark": "#161c24"}  # --card of web/src/theme.css
THEMES = ("light", "dark")


def difference(one: str, other: str) -> float:
    return math.dist(colors.oklab(one), colors.oklab(other))


def contrast(one: str, other: str) -> float:
    dark, bright = sorted(luminance(each) for each in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    red, green, blue = (colors._linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def hue(color: str) -> float:
    _, a, b = colors.oklab(color)
    return math.degrees(math.atan2(b, a))


def test_the_page_has_the_same_table() -> None:
    table = re.search(r"RUN_COLORS.*?^};", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert table is not None
    found = [f"#{digits}" for digits in re.findall(r"\b[0-9a-f]{6}\b", table[0])]
    assert found == colors.TABLE["light"] + colors.TABLE["dark"]


@pytest.mark.parametrize("theme", THEMES)
def test_every_color_of_the_table_is_visible_and_vivid(theme: str) -> None:
    table = colors.TABLE[theme]
    assert [color for color in table if contrast(color, BACKGROUND[theme]) < 3] == []
    dull = [color for color in table if math.hypot(*colors.oklab(color)[1:]) < 0.06]
    assert dull == []
    if theme == "light":  # on white, dark yellow is olive and brown
        assert [color for color in table if 62 < hue(color) < 122] == []


@pytest.mark.parametrize(("count", "least"), [(12, 0.1), (24, 0.07), (36, 0.055), (48, 0.045)])
def test_colors_of_the_table_are_far_apart(count: int, least: float) -> None:
    for theme in THEMES:
        pairs = itertools.combinations(colors.TABLE[theme][:count], 2)
        assert min(difference(*pair) for pair in pairs) >= least


def test_a_slot_has_the_same_hue_in_both_themes() -> None:
    pairs = zip(colors.TABLE["light"], colors.TABLE["dark"], strict=True)
    turns = [abs((hue(light) - hue(dark) + 180) % 360 - 180) for light, dark in pairs]
    assert max(turns) < 15


def random_names(count: int, chance: random.Random) -> list[str]:
    """Names as people give them to runs: sweeps, dates, frameworks."""
    pick, number = chance.choice, chance.randrange
    shapes: tuple[Callable[[], str], ...] = (
        lambda: f"lr={pick((0.1, 0.01, 3e-4))}/units={pick((16, 32, 64))}/seed_{number(99)}",
        lambda: f"{pick(('train', 'eval', 'test'))}_{number(50)}",
        lambda: f"lightning_logs/version_{number(200)}",
        lambda: f"Nov{number(1, 31):02}_{number(24):02}-{number(60):02}-07_node{number(9)}",
        lambda: f"exp{number(40)}/{pick(('train', 'validation'))}",
    )
    shape = pick(shapes)
    names = dict.fromkeys(shape() for _ in range(count))
    while len(names) < count:
        names[f"{shape()}_{len(names)}"] = None
    return list(names)


def slots_of(names: list[str], chance: random.Random) -> dict[str, int]:
    made = store.Store()
    rows = np.zeros(len(names), row_types.FILE)
    rows["run"], rows["alive"] = made.add_runs(names), 1
    paths = [f"/logs/{name}/events.out.tfevents.{1_700_000_000 + chance.randrange(10**7)}.host" for name in names]
    made.add_files(rows, paths)
    return made.slots()


@pytest.mark.parametrize("count", [2, 5, 10, 20, 50])
def test_run_colors_do_not_collide_on_a_thousand_boards(count: int) -> None:
    chance = random.Random(count)
    labs = {theme: [colors.oklab(color) for color in table] for theme, table in colors.TABLE.items()}
    apart = [
        [min(math.dist(labs[theme][one], labs[theme][other]) for theme in THEMES) for other in range(colors.COUNT)]
        for one in range(colors.COUNT)
    ]
    closest = []
    for _ in range(1000):
        slots = [slot % colors.COUNT for slot in slots_of(random_names(count, chance), chance).values()]
        assert len(set(slots)) == min(count, colors.COUNT)
        closest.append(min(apart[one][other] for one, other in itertools.combinations(set(slots), 2)))
    least = {2: 0.15, 5: 0.12, 10: 0.1, 20: 0.07, 50: 0.04}  # all above what the eye needs; 0.07 for up to 12 runs
    assert min(closest) >= least[count]
