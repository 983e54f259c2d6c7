"""Vectors of ten kinds of things, with a label and an image of each, as the projector reads them."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np

from lightboard.demo import pictures

KINDS = ("ant", "bee", "crab", "dove", "eel", "fox", "goat", "hare", "ibis", "jay")
OF_EACH, DIMENSIONS = 60, 24
SIDE_PX, ACROSS = 16, 25
CONFIG = """embeddings {
  tensor_name: "animals"
  tensor_path: "animals.tsv"
  metadata_path: "labels.tsv"
  sprite {
    image_path: "sprite.png"
    single_image_dim: %d
    single_image_dim: %d
  }
}
""" % (SIDE_PX, SIDE_PX)  # noqa: UP031 -- braces


def write(directory: Path) -> None:
    """Related kinds are close to each other: the center of each is a random step away from the previous one."""
    noise = random.Random(23)
    directory.mkdir(parents=True, exist_ok=True)
    middle = [0.0] * DIMENSIONS
    rows, labels = [], ["kind\tsize\tnumber"]
    for kind in KINDS:
        middle = [0.6 * at + noise.gauss(0, 1) for at in middle]
        for number in range(OF_EACH):
            size = noise.random()
            rows.append([at * (0.8 + 0.4 * size) + noise.gauss(0, 0.35) for at in middle])
            labels.append(f"{kind}\t{size:.3f}\t{number}")
    (directory / "animals.tsv").write_text("".join("\t".join(f"{x:.4f}" for x in row) + "\n" for row in rows))
    (directory / "labels.tsv").write_text("\n".join(labels) + "\n")
    (directory / "sprite.png").write_bytes(_sprite([float(label.split("\t")[1]) for label in labels[1:]]))
    (directory / "projector_config.pbtxt").write_text(CONFIG)


def _sprite(sizes: list[float]) -> bytes:
    """A disc of the thing's size in the color of its kind, on a transparent background."""
    sheet = np.zeros((ACROSS * SIDE_PX, ACROSS * SIDE_PX, 4), np.uint8)
    away = pictures.away_from_center(SIDE_PX)
    for number, size in enumerate(sizes):
        turn = 2 * math.pi * (number // OF_EACH) / len(KINDS)
        color = [int(128 + 100 * math.cos(turn + part * 2 * math.pi / 3)) for part in range(3)]
        top, left = number // ACROSS * SIDE_PX, number % ACROSS * SIDE_PX
        tile = sheet[top : top + SIDE_PX, left : left + SIDE_PX]
        inside = 2.5 + 5 * size - away
        # a darker rim: discs of one color that overlap can be told apart
        tile[..., :3] = np.where(inside < 1.5, 0.7, 1.0)[..., np.newaxis] * color
        tile[..., 3] = 255 * np.clip(inside, 0, 1)
    return pictures.png(sheet)
