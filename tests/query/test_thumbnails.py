"""Thumbnails: never larger, right in colour and orientation, and nothing hostile gets far."""

from __future__ import annotations

import io
import pathlib
import struct
import subprocess
import sys
import threading
import zlib
from typing import Any

import made_pictures
import numpy as np
import pytest
from PIL import Image

from lightboard import errors, store
from lightboard.query import thumbnails


def encoded(picture: Image.Image, form: str, **options: Any) -> bytes:
    written = io.BytesIO()
    picture.save(written, form, **options)
    return written.getvalue()


def opened(made: thumbnails.Picture) -> Image.Image:
    assert made.media_type == "image/webp"
    return Image.open(io.BytesIO(made.data))


HALVES = Image.new("RGB", (400, 200), (200, 30, 30))
HALVES.paste((30, 30, 200), (200, 0, 400, 200))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "WEBP", "AVIF"])
def test_every_form(form: str) -> None:
    if form not in Image.registered_extensions().values():
        pytest.skip(f"this Pillow has no {form}")
    shown = opened(thumbnails.make(encoded(HALVES, form), 100)).convert("RGB")
    assert shown.size == (100, 50)
    for place, colour in (((10, 25), (200, 30, 30)), ((90, 25), (30, 30, 200))):
        assert np.abs(np.asarray(shown)[place[1], place[0]].astype(int) - colour).max() < 12


@pytest.mark.parametrize("width", [400, 401, 4096])
def test_small_ones_stay_as_they_are(width: int) -> None:
    data = encoded(HALVES, "PNG")
    assert thumbnails.make(data, width) == thumbnails.Picture(data, "image/png")


@pytest.mark.parametrize(
    ("mode", "value", "grey"),
    [("1", 1, 255), ("L", 90, 90), ("I;16", 90 * 256 + 77, 90), ("P", 0, None), ("LA", (90, 255), 90)],
)
def test_modes(mode: str, value: Any, grey: int | None) -> None:
    shown = opened(thumbnails.make(encoded(Image.new(mode, (64, 8), value), "PNG"), 16)).convert("RGB")
    assert shown.size == (16, 2)
    if grey is not None:
        assert abs(shown.getpixel((3, 1))[0] - grey) <= 3  # type: ignore[index]


def test_what_is_clear_stays_clear() -> None:
    clear = Image.new("RGBA", (64, 64), (10, 200, 10, 0))
    clear.paste((10, 200, 10, 255), (0, 0, 32, 64))
    palette = clear.quantize(4)
    for data in (encoded(clear, "PNG"), encoded(palette, "PNG"), encoded(palette, "GIF", transparency=0)):
        shown = opened(thumbnails.make(data, 16))
        assert shown.mode == "RGBA"
    assert opened(thumbnails.make(encoded(clear, "PNG"), 16)).getpixel((12, 8))[3] < 10  # type: ignore[index]


def test_a_photograph_on_its_side_is_set_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = encoded(HALVES, "JPEG", exif=exif)  # 400 × 200 as stored, 200 × 400 as shown
    assert opened(thumbnails.make(data, 50)).size == (50, 100)
    assert thumbnails.make(data, 200).data is data


def test_of_an_animation_the_first_picture() -> None:
    frames = [Image.new("RGB", (40, 20), colour) for colour in ((200, 0, 0), (0, 200, 0), (0, 0, 200))]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    for width, size in ((20, (20, 10)), (100, (40, 20))):
        shown = opened(thumbnails.make(data, width))
        assert shown.size == size
        assert not getattr(shown, "is_animated", False)
        assert shown.convert("RGB").getpixel((5, 5))[0] > 150  # type: ignore[index]


def test_thin_ones_keep_a_pixel() -> None:
    assert opened(thumbnails.make(encoded(Image.new("L", (1000, 1)), "PNG"), 10)).size == (10, 1)


@pytest.mark.parametrize("size", [(60_000, 60_000), (1_000_000, 100), (9000, 9000)])
def test_bombs_are_refused_before_they_are_read(size: tuple[int, int]) -> None:
    with pytest.raises(errors.BadInput, match="pixels") as raised:
        thumbnails.make(made_pictures.claiming(*size), 100)
    assert "width" in raised.value.hint


@pytest.mark.parametrize(
    "data",
    [
        b"GIF89a" + b"\xff" * 500,
        b"BM" + b"\x7f" * 500,
        b"RIFF\xff\xff\xff\xffWEBPVP8 " + b"\xff" * 500,
        b"RIFF\xff\xff\xff\xffWEBPVP8X" + b"\xff" * 500,
        b"RIFF\xff\xff\xff\xffWEBPVP8L" + b"\xff" * 500,
        b"\0\0\0\x20ftypavif" + b"ispe\0\0\0\0" + b"\x7f" * 500,
        b"\xff\xd8\xff\xc2\0\x11\x08\xff\xff\xff\xff\x03" + b"\x22" * 500,
    ],
)
def test_a_claim_of_very_many_pixels_is_refused_in_every_form(data: bytes) -> None:
    assert thumbnails.cost_bytes(data, 100) > thumbnails.MAX_BYTES
    with pytest.raises(errors.BadInput, match="MiB"):
        thumbnails.make(data, 100)


def test_a_claim_that_the_bytes_cannot_hold_is_left_to_the_browser() -> None:
    data = made_pictures.claiming(7000, 7000)
    assert thumbnails.cost_bytes(data, 100) == 0
    assert thumbnails.make(data, 100).data is data


@pytest.mark.parametrize(
    ("form", "mode", "width"),
    [
        ("PNG", "RGB", 100), ("PNG", "RGBA", 100), ("PNG", "RGBA", 2000), ("PNG", "I;16", 100),
        ("JPEG", "RGB", 1000), ("GIF", "RGB", 100), ("BMP", "RGB", 100), ("WEBP", "RGBA", 100),
    ],
)  # fmt: skip
def test_a_thumbnail_takes_no_more_than_it_says(form: str, mode: str, width: int, tmp_path: pathlib.Path) -> None:
    data = encoded(Image.new(mode, (3000, 3000)), form)
    taken = int(_in_a_process(tmp_path, data, width))
    assert taken <= thumbnails.cost_bytes(data, width) + (8 << 20)


_MEASURE = """
import sys
from lightboard.query import thumbnails

def status(name):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name))

data = open(sys.argv[1], "rb").read()
thumbnails.make(open(sys.argv[2], "rb").read(), 10)  # what importing takes is not the picture's
before = status("VmRSS")
open("/proc/self/clear_refs", "w").write("5")
assert thumbnails.make(data, int(sys.argv[3])).media_type == "image/webp"
print(status("VmHWM") - before)
"""


def _in_a_process(directory: pathlib.Path, data: bytes, width: int) -> str:
    """The most memory that making a thumbnail takes in a fresh interpreter."""
    if not pathlib.Path("/proc/self/clear_refs").exists():
        pytest.skip("this system does not tell the most memory a stretch of time took")
    large, small = directory / "large", directory / "small"
    large.write_bytes(data)
    small.write_bytes(encoded(HALVES, "PNG"))
    command = [sys.executable, "-c", _MEASURE, str(large), str(small), str(width)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_strips_leave_no_seams(monkeypatch: pytest.MonkeyPatch) -> None:
    data = made_pictures.png(700, 501)
    whole = np.asarray(opened(thumbnails.make(data, 99)).convert("RGB")).astype(int)
    monkeypatch.setattr(thumbnails, "_STRIP_PIXELS", 1)
    strips = np.asarray(opened(thumbnails.make(data, 99)).convert("RGB")).astype(int)
    assert np.array_equal(whole, strips)


def test_a_photograph_larger_than_pillow_would_open_is_made_smaller() -> None:
    """200 million pixels, of which a 64th is decoded."""
    data = encoded(Image.new("L", (20_000, 10_000), 200), "JPEG")
    assert thumbnails.cost_bytes(data, 200) < 16 << 20
    assert opened(thumbnails.make(data, 200)).size == (200, 100)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 1000,
        b"GIF89a",
        b"GIF89a\x10\0\x10\0" + b"\xff" * 500,
        b"\xff\xd8\xff\xe0" + b"\xff" * 500,
        b"BM" + b"\x10\0\0\0" * 6 + b"\xff" * 500,
        b"RIFF\xff\xff\xff\xffWEBPVP8 " + b"\x10\0" * 500,
        b"\0\0\0\x20ftypavif" + b"\xff" * 500,
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 900 900\n",
        b"<svg width='9000'/>",
        b"no picture at all",
    ],
)
def test_what_is_no_picture_stays_as_it_is(data: bytes) -> None:
    assert thumbnails.make(data, 10).data is data


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_a_cut_picture_is_left_to_the_browser(form: str) -> None:
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8))
    data = encoded(noise, form)
    for length in (len(data) // 2, len(data) // 10, 40):
        cut = data[:length]
        assert thumbnails.make(cut, 50).data is cut


def test_a_comment_that_unpacks_to_gigabytes_is_not_read() -> None:
    whole = made_pictures.png(300, 300)
    text = b"Comment\0\0" + zlib.compress(bytes(200 << 20), 9)
    chunk = struct.pack(">I", len(text)) + b"zTXt" + text + struct.pack(">I", zlib.crc32(b"zTXt" + text))
    data = whole[:33] + chunk + whole[33:]
    assert thumbnails.make(data, 100).media_type in ("image/png", "image/webp")


def test_what_is_no_smaller_than_it_was_is_not_cached() -> None:
    source, data = store.Store(), encoded(HALVES, "PNG")
    assert thumbnails.kept(source, "key", 4096, lambda: data).data is data
    assert thumbnails.maybe_kept(source, "key", 4096) is None
    made = thumbnails.kept(source, "key", 50, lambda: data)
    assert thumbnails.maybe_kept(source, "key", 50) is made


def test_a_thumbnail_is_made_once() -> None:
    source, data = store.Store(), encoded(HALVES, "PNG")
    reads: list[int] = []

    def read() -> bytes:
        reads.append(1)
        return data

    first = thumbnails.kept(source, "key", 50, read)
    assert thumbnails.kept(source, "key", 50, read) is first
    assert thumbnails.kept(source, "key", 60, read) is not first
    assert len(reads) == 2
    assert thumbnails.kept(store.Store(), "key", 50, read) is not first


def test_many_at_once() -> None:
    data, found = encoded(HALVES, "JPEG"), []
    threads = [threading.Thread(target=lambda: found.append(thumbnails.make(data, 50).data)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
