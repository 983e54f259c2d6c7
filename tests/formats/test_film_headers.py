"""What the heads of video files say: size, length, the time of each frame. Damaged ones say less, and never fail."""

from __future__ import annotations

import itertools
import random

import made_media
import pytest

from lightboard.demo import films
from lightboard.formats import film_headers

COUNTING = {name: (made_media.MEDIA / name).read_bytes() for name in ("counting.mp4", "counting.webm")}


def test_a_plain_mp4() -> None:
    found = film_headers.read(films.pendulum(1, frames=5, size=32))
    assert (found.codec, found.width_px, found.height_px, found.seconds) == ("avc1.42C00B", 32, 32, 0.5)
    assert list(found.times) == [0, 0.1, 0.2, 0.3, 0.4]
    assert (found.frames, found.has_sound, found.whole) == (5, False, True)


@pytest.mark.parametrize(("name", "codec"), [("counting.mp4", "avc1.42C00A"), ("counting.webm", "vp9")])
def test_recordings_of_a_browser(name: str, codec: str) -> None:
    found = film_headers.read(COUNTING[name])
    assert (found.codec, found.width_px, found.height_px, found.frames) == (codec, 96, 64, 16)
    assert found.seconds == pytest.approx(1.5, abs=0.1)
    gaps = [after - before for before, after in itertools.pairwise(found.times)]
    assert found.times[0] == 0
    assert all(0.06 < gap < 0.14 for gap in gaps)


def test_frames_that_are_shown_in_another_order_than_stored() -> None:
    data = films.pendulum(1, frames=3, size=16)
    # decoded at 0, 100, 200 and shown 0, 200, 100 later: the second is shown last
    shifts = b"".join(number.to_bytes(4, "big") for number in (0, 3, 1, 0, 1, 200, 1, 0))
    box = (8 + len(shifts)).to_bytes(4, "big") + b"ctts" + shifts
    at = data.index(b"stsc") - 4
    grown = data[:at] + box + data[at:]
    for name in (b"moov", b"trak", b"mdia", b"minf", b"stbl"):
        place = grown.index(name) - 4
        size = int.from_bytes(grown[place : place + 4], "big") + len(box)
        grown = grown[:place] + size.to_bytes(4, "big") + grown[place + 4 :]
    assert list(film_headers.read(grown).times) == [0, 0.2, 0.3]


def test_a_cut_film_says_so() -> None:
    for data in (films.pendulum(1, frames=5, size=32), COUNTING["counting.webm"]):
        assert film_headers.read(data).whole
        assert not film_headers.read(data[: len(data) * 3 // 4]).whole
    # only the end has the description
    assert film_headers.read(COUNTING["counting.mp4"][:30]).frames is None


@pytest.mark.parametrize("data", [b"", b"\0\0\0\x18ftyp", b"\x1a\x45\xdf\xa3", b"GIF89a", b"no film at all"])
def test_what_is_no_film_says_nothing(data: bytes) -> None:
    found = film_headers.read(data)
    assert (found.codec, found.frames, found.seconds) == ("", None, None)


def test_damage_never_fails() -> None:
    noise = random.Random(5)
    for data in (films.pendulum(1, frames=2, size=16), *COUNTING.values()):
        head = min(len(data), 900)
        for cut in range(0, head, 3):
            film_headers.read(data[:cut])
        for _ in range(500):
            broken = bytearray(data)
            for _ in range(3):
                broken[noise.randrange(head)] = noise.choice((0, 1, 0x7F, 0x80, 0xFF))
            film_headers.read(bytes(broken))


def element(name: int, content: bytes) -> bytes:
    return name.to_bytes((name.bit_length() + 7) // 8, "big") + (1 << 56 | len(content)).to_bytes(8, "big") + content


def test_a_track_without_a_number_has_no_frames() -> None:
    """It was a KeyError."""
    track = element(0xAE, element(0x83, b"\x01") + element(0x86, b"V_VP9"))
    cluster = element(0x1F43B675, element(0xE7, b"\0") + element(0xA3, b"\x81\0\0\0frame"))
    data = element(0x1A45DFA3, b"") + element(0x18538067, element(0x1654AE6B, track) + cluster)
    found = film_headers.read(data)
    assert (found.codec, found.frames, found.whole) == ("vp9", None, True)


def test_a_fragment_that_begins_far_away_is_no_error() -> None:
    """Its time has more digits than a 64-bit number with a sign."""
    data = COUNTING["counting.mp4"]
    at = data.index(b"tfdt") + 4
    far = data[:at] + b"\x01\0\0\0" + b"\xff" * 8 + data[at + 12 :]
    assert film_headers.read(far).width_px == 96


@pytest.mark.parametrize("head", [b"\0\0\0\x08ftyp", b"\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\x01" + b"\xff" * 7])
def test_millions_of_empty_parts_are_given_up(head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_headers, "MOST_PARTS", 1000)
    part = b"\0\0\0\x08free" if head[4:8] == b"ftyp" else b"\xec\x80"
    assert not film_headers.read(head + part * 5000).whole
