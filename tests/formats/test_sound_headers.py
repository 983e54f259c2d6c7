"""What the heads of audio files say, of each form people log; cut and damaged ones say less, and never fail."""

from __future__ import annotations

import random

import made_media
import pytest

from lightboard.formats import sound_headers
from lightboard.formats.sound_headers import Sound


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize(("bits", "real"), [(8, False), (16, False), (24, False), (32, False), (32, True), (64, True)])
def test_a_wav_of_each_form(bits: int, real: bool, channels: int) -> None:
    data = made_media.wav(made_media.wave(), bits=bits, real=real, channels=channels)
    assert sound_headers.read(data) == Sound("float" if real else "PCM", 8000, channels, bits, 0.5)


def test_a_wav_of_the_extensible_form_is_what_it_extends() -> None:
    plain = made_media.wav(made_media.wave())
    form = b"\xfe\xff" + plain[22:36] + b"\x16\x00\x10\x00\x04\x00\x00\x00\x01\x00" + bytes(14)
    data = plain[:16] + len(form).to_bytes(4, "little") + form + plain[36:]
    assert sound_headers.read(data) == Sound("PCM", 8000, 1, 16, 0.5)


def test_other_chunks_of_a_wav_are_passed_by() -> None:
    plain = made_media.wav(made_media.wave())
    data = plain[:12] + b"LIST\x03\x00\x00\x00abc\x00" + plain[12:]
    assert sound_headers.read(data).seconds == 0.5


def test_a_cut_wav_has_the_length_of_what_is_there() -> None:
    data = made_media.wav(made_media.wave())
    found = sound_headers.read(data[: 44 + 4000])
    assert (found.seconds, found.whole) == (0.25, False)
    assert sound_headers.read(data[:40]).whole is False


def test_a_wav_without_a_length_goes_on_to_the_end() -> None:
    data = made_media.wav(made_media.wave())
    for size in (b"\0\0\0\0", b"\xff\xff\xff\xff"):
        assert sound_headers.read(data[:40] + size + data[44:]) == Sound("PCM", 8000, 1, 16, 0.5)


def test_flac_mp3_and_ogg() -> None:
    assert sound_headers.read(made_media.flac(made_media.wave())) == Sound("FLAC", 8000, 1, 16, 0.5)
    found = sound_headers.read(made_media.ogg())
    assert (found.codec, found.rate_hz, found.channels, found.whole) == ("Opus", 48000, 2, True)
    assert found.seconds == pytest.approx(0.6)
    for tag in (b"", b"ID3\x04\0\0\0\0\0\x05hello"):
        found = sound_headers.read(tag + made_media.mp3(40))
        assert (found.codec, found.rate_hz, found.channels, found.whole) == ("MP3", 44100, 1, True)
        assert found.seconds == pytest.approx(40 * 1152 / 44100)


def test_an_mp3_says_how_many_frames_it_has() -> None:
    first = bytearray(made_media.mp3(1))
    first[21:33] = b"Xing\0\0\0\x01\0\0\x03\xe8"
    assert sound_headers.read(bytes(first)).seconds == pytest.approx(1000 * 1152 / 44100)


def test_cut_files_say_so() -> None:
    assert not sound_headers.read(made_media.ogg()[:5000]).whole
    assert not sound_headers.read(made_media.mp3(3)[:-5]).whole
    assert not sound_headers.read(made_media.flac(made_media.wave())[:20]).whole


@pytest.mark.parametrize(
    "data", [b"", b"RIFF", b"no sound at all", b"\xff\xff\xff\xff" * 9, b"ID3\x04\0\0\x7f\x7f\x7f\x7f"]
)
def test_what_is_no_sound_says_nothing(data: bytes) -> None:
    assert sound_headers.read(data) == Sound()


def test_damage_never_fails() -> None:
    noise = random.Random(5)
    whole = [made_media.wav(made_media.wave(0.02)), made_media.flac(made_media.wave(0.02)), made_media.ogg()[:3000]]
    for data in [*whole, made_media.mp3(3)]:
        for cut in range(min(len(data), 200)):
            sound_headers.read(data[:cut])
        for _ in range(300):
            broken = bytearray(data)
            for _ in range(3):
                broken[noise.randrange(min(len(broken), 120))] = noise.randrange(256)
            sound_headers.read(bytes(broken))
