"""A torus as vertices, faces and colors."""

from __future__ import annotations

import math

RINGS, SIDES = 24, 12


def vertices(thickness: float) -> list[float]:
    """[n, 3] floats, row-major."""
    found = []
    for ring in range(RINGS):
        around = 2 * math.pi * ring / RINGS
        for side in range(SIDES):
            tube = 2 * math.pi * side / SIDES
            radius = 1 + thickness * math.cos(tube)
            found += [radius * math.cos(around), radius * math.sin(around), thickness * math.sin(tube)]
    return found


def faces() -> list[int]:
    """[2n, 3] indices of vertices."""
    found = []
    for ring in range(RINGS):
        for side in range(SIDES):
            here, beside = ring * SIDES + side, ring * SIDES + (side + 1) % SIDES
            after = (ring + 1) % RINGS * SIDES
            found += [here, beside, after + side, beside, after + (side + 1) % SIDES, after + side]
    return found


def colors(shift: float) -> list[int]:
    """[n, 3] red, green, blue."""
    found = []
    for ring in range(RINGS):
        angle = 2 * math.pi * (ring / RINGS + shift)
        shade = [int(127.5 + 127.5 * math.cos(angle + part * 2 * math.pi / 3)) for part in range(3)]
        found += shade * SIDES
    return found
