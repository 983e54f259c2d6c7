"""Compressed pixels of GIF frames: a decoder written for the tests gets every pixel back."""

from __future__ import annotations

import numpy as np
import pictures
import pytest

from lightboard import _native

RANDOM = np.random.default_rng(5)


def joined(blocks: bytes) -> bytes:
    at, found = 0, b""
    while blocks[at]:
        found += blocks[at + 1 : at + 1 + blocks[at]]
        at += 1 + blocks[at]
    assert at == len(blocks) - 1
    return found


@pytest.mark.parametrize("bits", range(2, 9))
@pytest.mark.parametrize("kind", ["noise", "flat", "stripes", "smooth"])
def test_every_pixel_comes_back(bits: int, kind: str) -> None:
    colours = 1 << bits
    for size in (1, 2, 3, 7, 100, 254, 255, 256, 4097, 20_000):
        pixels = {
            "noise": RANDOM.integers(0, colours, size), "flat": np.full(size, colours - 1),
            "stripes": np.arange(size) % 3, "smooth": np.arange(size) * colours // size,
        }[kind].astype(np.uint8).tobytes()  # fmt: skip
        assert pictures.lzw(joined(_native.gif_codes(pixels, bits)), bits) == pixels


def test_pixels_beyond_the_palette_are_refused() -> None:
    with pytest.raises(ValueError, match="palette"):
        _native.gif_codes(b"\x04", 2)
    with pytest.raises(ValueError, match="palette"):
        _native.gif_codes(b"\x00", 1)
