"""Wrapped values for `lightboard.log`, and what becomes of values nobody wrapped."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import lightboard
from lightboard import errors
from lightboard.sdk import media, runs


@pytest.fixture
def run(tmp_path: pathlib.Path) -> runs.Run:
    return runs.Run(str(tmp_path / "a"), name="a", metadata=False, heartbeat_secs=0, strict=True)


def test_each_wrapper_becomes_its_kind(run: runs.Run, tmp_path: pathlib.Path) -> None:
    run.log(
        {
            "picture": lightboard.Image(np.zeros((4, 6, 3), np.uint8), caption="dark"),
            "sound": lightboard.Audio(np.zeros(100), sample_rate=100),
            "spread": lightboard.Histogram(np.arange(10)),
            "words": lightboard.Text("**hello**"),
            "note": "plain",
            "weights": np.arange(6.0),
            "several": [lightboard.Image(np.zeros((2, 2))), lightboard.Image(np.ones((2, 2)))],
        },
        step=7,
    )
    run.finish()
    with lightboard.open(tmp_path) as logs:
        assert logs.tags("images") == ["picture", "several/0", "several/1"]
        assert logs.tags("histograms") == ["spread", "weights"]
        assert logs.tags("audio") == ["sound"]
        assert {tag.removesuffix("/text_summary") for tag in logs.tags("text")} == {"picture/caption", "words", "note"}
        picture = logs.images("a", "picture")
        assert (picture.steps.tolist(), picture[0].width, picture[0].height) == ([7], 6, 4)


class Torchlike(np.ndarray[tuple[int, ...], np.dtype[np.float64]]):
    """Channels come first in what has `detach`."""

    def detach(self) -> None: ...


@pytest.mark.parametrize(
    ("array", "layout"),
    [
        (np.zeros((5, 6)), "HW"),
        (np.zeros((5, 6, 3)), "HWC"),
        (np.zeros((3, 5, 6)), "CHW"),
        (np.zeros((3, 5, 3)), "HWC"),
        (np.zeros((3, 5, 3)).view(Torchlike), "CHW"),
    ],
)
def test_channels_are_found(array: np.ndarray[tuple[int, ...], np.dtype[np.float64]], layout: str) -> None:
    assert media._layout(array) == layout


def test_a_picture_of_four_dimensions_is_refused(run: runs.Run) -> None:
    with pytest.raises(errors.BadInput, match="dimensions"):
        run.log({"odd": lightboard.Image(np.zeros((1, 2, 3, 4)))})
    run.finish()


def test_boxes_and_masks_stay_beside_the_pixels(run: runs.Run, tmp_path: pathlib.Path) -> None:
    pixels = np.full((4, 6, 3), 200, np.uint8)
    box = {"box": (1, 1, 3, 2), "label": "cat"}
    run.log({"plain": lightboard.Image(pixels), "boxes": lightboard.Image(pixels, boxes=[box], masks={})}, step=1)
    run.finish()
    data = b"".join(file.read_bytes() for file in tmp_path.rglob("*tfevents*"))
    assert data.count(b"lbOV") == 1
    assert data.count(b"IDAT") == 2


@pytest.mark.parametrize(
    "over",
    [{"boxes": [(1, 2, 3)]}, {"masks": {"m": np.zeros(3, np.uint8)}}, {"masks": {"m": np.full((2, 2), 300)}}],
)
def test_boxes_and_masks_of_no_shape_are_refused(run: runs.Run, over: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"box is|mask m"):
        run.log({"picture": lightboard.Image(np.zeros((4, 6, 3), np.uint8), **over)})
