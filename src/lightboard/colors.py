"""Colors of runs. A run has a *slot*, a number that says which color of the table it gets; see `store.slots`.

The table has rings of 12 colors. The first ring is chosen by hand: hues that people can name, vivid, all far apart. The
others are the colors farthest from all before them, of OKLCH colors that are vivid as well (no brown, no olive). A slot
has about the same hue in both themes. Every color has a contrast of at least 3 to the background of charts.

`web/src/base/color.ts` has the same table; a test compares them.
"""

from __future__ import annotations

import functools
import math

RING = 12

_LIGHT = [
    "#036ae4", "#ec6b05", "#078539", "#da081a", "#7f30e7", "#00a0d3",
    "#f82597", "#068e89", "#57a609", "#1c3aa1", "#93158e", "#005a32",
    "#c94ff8", "#005476", "#6a02a8", "#9e4ebe", "#3d7daf", "#fb0756",
    "#c116bb", "#a90263", "#03a26b", "#504cfb", "#047286", "#5d7bfe",
    "#a21cce", "#056e5b", "#4e01c9", "#c86f00", "#cb0952", "#8605bf",
    "#dc30c3", "#0153a4", "#7061d9", "#00721c", "#40895d", "#019b29",
    "#4335e6", "#af008c", "#79028e", "#4a9b81", "#e50a7a", "#d84a00",
    "#6704ca", "#bd33da", "#c43202", "#0571c2", "#008fad", "#44954a",
]  # fmt: skip
_DARK = [
    "#409efe", "#fe973b", "#2ecc4e", "#fc4447", "#a779fd", "#5eddfe",
    "#fe7fc0", "#11c5b4", "#a8ee0b", "#476cfd", "#d946e4", "#0da05c",
    "#ebbffe", "#088bc0", "#a347ef", "#d199ea", "#80b9ea", "#feafb4",
    "#fe73f5", "#fa389b", "#19eb9d", "#8fa0ff", "#02b1ce", "#b3c6fe",
    "#d779ff", "#00ad90", "#795ffe", "#feb67a", "#fe7690", "#c05aff",
    "#fea5eb", "#1588ff", "#acabe9", "#05b331", "#62cc8c", "#27e249",
    "#7786ff", "#f84ecc", "#bb3ad6", "#6ee0bc", "#ff9aba", "#fea282",
    "#9862ff", "#eb98fe", "#ff7c5c", "#5cadfe", "#05d2fd", "#6cd973",
]  # fmt: skip
TABLE = {"light": _LIGHT, "dark": _DARK}
COUNT = len(TABLE["light"])
RINGS = COUNT // RING

# A wish is granted if its color is at least this far from those of the ring in use. Colors closer than 0.1 are hard to
# tell apart as thin lines.
FAR = 0.15


def choose(ring: int, used: int, wish: int) -> int:
    """Return the position in a ring for a new run: its wish if that is free and far from the positions in use (a bit
    mask), else the free position that is farthest from them."""
    return _farthest(ring, used) if used & _near(ring)[wish] else wish


@functools.cache  # at most 4,096 masks of each of 4 rings
def _farthest(ring: int, used: int) -> int:
    taken = [at for at in range(RING) if used >> at & 1]
    free = [at for at in range(RING) if not used >> at & 1]
    apart = _distances(ring)
    return max(free, key=lambda at: min(apart[at][other] for other in taken))


@functools.cache
def _near(ring: int) -> list[int]:
    """Return for each position a mask of the positions whose colors are near, itself included."""
    return [sum(1 << at for at in range(RING) if row[at] < FAR) for row in _distances(ring)]


@functools.cache
def _distances(ring: int) -> list[list[float]]:
    """Return the distance of each pair of colors of a ring, in the theme in which they are closer."""
    labs = [[oklab(color) for color in colors[ring * RING : (ring + 1) * RING]] for colors in TABLE.values()]
    return [[min(math.dist(lab[one], lab[other]) for lab in labs) for other in range(RING)] for one in range(RING)]


def oklab(color: str) -> tuple[float, float, float]:
    """Converts "#rrggbb". The distance of two such colors is their visible difference; below 0.02 there is none."""
    red, green, blue = (_linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    l = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    m = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    s = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    )


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
