"""What a video file says of itself: codec, size, length, and when each frame is shown. Nothing is decoded.

    MP4    boxes (size u32, name, content); `moov` describes tracks, `stts` and `ctts` time their samples; a fragmented
           file has its samples in `moof` boxes instead
    WebM   EBML elements (id, size, content); blocks in clusters carry their times

Files come from users: every length is checked against the bytes that exist, and what makes no sense is left unsaid.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

# An hour at 30 per second. Of longer films the rate is told, not each frame.
MOST_FRAMES = 108_000


@dataclasses.dataclass(frozen=True)
class Film:
    """None: the file does not say. `times`: seconds at which each frame is shown, rising; empty where unknown."""

    codec: str = ""  # as browsers are asked about it: avc1.42E01E, vp9
    width_px: int | None = None
    height_px: int | None = None
    seconds: float | None = None
    frames: int | None = None
    times: tuple[float, ...] = ()
    has_sound: bool = False
    whole: bool = True


def read(data: bytes) -> Film:
    try:
        if data[4:8] == b"ftyp":
            return _mp4(memoryview(data))
        if data[:4] == b"\x1a\x45\xdf\xa3":
            return _webm(memoryview(data))
    except (struct.error, IndexError, ValueError):
        return Film(whole=False)
    return Film()


# ---- MP4


def _boxes(data: memoryview) -> Iterator[tuple[bytes, memoryview, bool]]:
    """Name and content of each box, and whether all of it is there."""
    at = 0
    while at + 8 <= len(data):
        size, name, head = int.from_bytes(data[at : at + 4], "big"), bytes(data[at + 4 : at + 8]), 8
        if size == 1 and at + 16 <= len(data):
            size, head = int.from_bytes(data[at + 8 : at + 16], "big"), 16
        elif size == 0:
            size = len(data) - at
        if size < head:
            return
        yield name, data[at + head : at + size], at + size <= len(data)
        at += size


def _child(data: memoryview, *path: bytes) -> memoryview | None:
    for wanted in path:
        found = next((content for name, content, _ in _boxes(data) if name == wanted), None)
        if found is None:
            return None
        data = found
    return data


def _mp4(data: memoryview) -> Film:
    boxes = list(_boxes(data))
    whole = all(there for _, _, there in boxes)
    moov = next((content for name, content, _ in boxes if name == b"moov"), None)
    if moov is None:
        return Film(whole=False)
    tracks = [content for name, content, _ in _boxes(moov) if name == b"trak"]
    handlers = [bytes((_child(each, b"mdia", b"hdlr") or b"")[8:12]) for each in tracks]
    film = next((each for each, kind in zip(tracks, handlers, strict=True) if kind == b"vide"), None)
    sound = b"soun" in handlers
    if film is None:
        return Film(has_sound=sound, whole=whole)
    scale, length = _media_head(_child(film, b"mdia", b"mdhd"))
    table = _child(film, b"mdia", b"minf", b"stbl")
    codec, width, height = _sample_entry(_child(table, b"stsd") if table is not None else None)
    ticks = _ticks(table) if table is not None else np.zeros(0, np.int64)
    if not len(ticks):
        track = int.from_bytes(_track_number(_child(film, b"tkhd")), "big")
        ticks, length = _fragment_ticks([content for name, content, _ in boxes if name == b"moof"], track, moov)
    shift = _edit_shift(_child(film, b"edts", b"elst"))
    times, seconds = (np.sort(ticks) - shift) / scale if scale else np.zeros(0), length / scale if scale else None
    return _film(codec, width, height, seconds or None, times, sound, whole)


def _media_head(content: memoryview | None) -> tuple[int, int]:
    if content is None:
        return 0, 0
    long = content[0] == 1
    scale, length = struct.unpack_from(">IQ" if long else ">II", content, 20 if long else 12)
    return int(scale), 0 if length in (0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF) else int(length)


def _track_number(content: memoryview | None) -> bytes:
    if content is None:
        return b""
    at = 20 if content[0] == 1 else 12
    return bytes(content[at : at + 4])


def _sample_entry(content: memoryview | None) -> tuple[str, int | None, int | None]:
    if content is None or len(content) < 16 + 78:
        return "", None, None
    name = bytes(content[12:16]).decode("ascii", "replace")
    width, height = struct.unpack_from(">HH", content, 16 + 24)
    inner = content[16 + 78 :]
    config = _child(inner, b"avcC")
    if name in ("avc1", "avc3") and config is not None and len(config) >= 4:
        name += f".{bytes(config[1:4]).hex().upper()}"
    elif name == "av01" and (config := _child(inner, b"av1C")) is not None and len(config) >= 3:
        depth = 10 if config[2] & 0x40 else 8
        tier = "H" if config[2] & 0x80 else "M"
        name += f".{config[1] >> 5}.{config[1] & 31:02d}{tier}.{depth:02d}"
    elif name in ("vp09", "vp08") and (config := _child(inner, b"vpcC")) is not None and len(config) >= 7:
        name += f".{config[4]:02d}.{config[5]:02d}.{config[6] >> 4:02d}"
    return name, width or None, height or None


def _ticks(table: memoryview) -> NDArray[np.int64]:
    """When each sample is shown, in the order of the file."""
    stts = _runs(_child(table, b"stts"))
    counts, durations = stts[:, 0], stts[:, 1]
    if not 0 < counts.sum() <= MOST_FRAMES:
        return np.zeros(0, np.int64)
    ends = np.cumsum(np.repeat(durations, counts))
    starts = np.concatenate([[0], ends[:-1]])
    offsets = _runs(_child(table, b"ctts"))
    if len(offsets) and offsets[:, 0].sum() == len(starts):
        signed = offsets[:, 1].astype(np.uint32).astype(np.int32)
        starts = starts + np.repeat(signed.astype(np.int64), offsets[:, 0])
    return starts


def _runs(content: memoryview | None) -> NDArray[np.int64]:
    """Pairs of (how many samples, value)."""
    if content is None or len(content) < 8:
        return np.zeros((0, 2), np.int64)
    count = min(int.from_bytes(content[4:8], "big"), (len(content) - 8) // 8)
    return np.frombuffer(content[8 : 8 + 8 * count], ">u4").astype(np.int64).reshape(-1, 2)


def _edit_shift(content: memoryview | None) -> int:
    """Where in the media the film begins: files with reordered frames start later than 0 and say so here."""
    if content is None or len(content) < 8:
        return 0
    long = content[0] == 1
    size, form = (20, ">Qq") if long else (12, ">Ii")
    for at in range(8, len(content) - size + 1, size):
        _, start = struct.unpack_from(form, content, at)
        if start >= 0:
            return int(start)
    return 0


def _fragment_ticks(fragments: list[memoryview], track: int, moov: memoryview) -> tuple[NDArray[np.int64], int]:
    """Of a fragmented file: ticks of all samples, and where the last ends."""
    usual = 0
    for name, content, _ in _boxes(_child(moov, b"mvex") or memoryview(b"")):
        if name == b"trex" and len(content) >= 24 and int.from_bytes(content[4:8], "big") == track:
            usual = int.from_bytes(content[12:16], "big")
    ticks: list[int] = []
    now = 0
    for fragment in fragments:
        for name, content, _ in _boxes(fragment):
            if name == b"traf":
                now = _fragment(content, track, usual, now, ticks)
    return np.array(ticks[:MOST_FRAMES], np.int64), now


def _fragment(content: memoryview, track: int, usual: int, now: int, ticks: list[int]) -> int:
    head = _child(content, b"tfhd")
    if head is None or int.from_bytes(head[4:8], "big") != track:
        return now
    flags = int.from_bytes(head[1:4], "big")
    at = 8 + 8 * bool(flags & 1) + 4 * bool(flags & 2)
    if flags & 8:
        usual = int.from_bytes(head[at : at + 4], "big")
    begin = _child(content, b"tfdt")
    if begin is not None:
        now = int.from_bytes(begin[4:12] if begin[0] == 1 else begin[4:8], "big")
    for name, run, _ in _boxes(content):
        if name == b"trun":
            now = _run(run, usual, now, ticks)
    return now


def _run(content: memoryview, usual: int, now: int, ticks: list[int]) -> int:
    flags, count = int.from_bytes(content[1:4], "big"), int.from_bytes(content[4:8], "big")
    at = 8 + 4 * bool(flags & 1) + 4 * bool(flags & 4)
    fields = [bit for bit in (0x100, 0x200, 0x400, 0x800) if flags & bit]
    size = 4 * len(fields)
    for number in range(min(count, MOST_FRAMES)):
        place = at + size * number
        if place + size > len(content) or len(ticks) >= MOST_FRAMES:
            break
        values = dict(zip(fields, struct.unpack_from(f">{len(fields)}i", content, place), strict=True))
        ticks.append(now + values.get(0x800, 0))
        now += values.get(0x100, usual)
    return now


# ---- WebM

_SEGMENT, _INFO, _TRACKS, _CLUSTER = 0x18538067, 0x1549A966, 0x1654AE6B, 0x1F43B675
_SCALE, _DURATION = 0x2AD7B1, 0x4489
_ENTRY, _NUMBER, _TYPE, _CODEC, _PRIVATE, _VIDEO, _WIDTH, _HEIGHT = 0xAE, 0xD7, 0x83, 0x86, 0x63A2, 0xE0, 0xB0, 0xBA
_TIME, _SIMPLE, _GROUP, _BLOCK = 0xE7, 0xA3, 0xA0, 0xA1
_CODECS = {"V_VP8": "vp8", "V_VP9": "vp9", "V_AV1": "av1", "V_MPEG4/ISO/AVC": "avc1", "V_MPEGH/ISO/HEVC": "hev1"}
# what ends an element of unknown size: another one of its own rank
_RANKS = {_CLUSTER: {_CLUSTER, _INFO, _TRACKS, 0x1C53BB6B, 0x114D9B74, 0x1254C367, 0x1043A770, 0x1941A469}}


def _elements(data: memoryview) -> Iterator[tuple[int, memoryview, bool]]:
    """Id and content of each element, and whether all of it is there."""
    at = 0
    while at < len(data):
        name, at = _number(data, at, keep=True)
        size, at = _number(data, at)
        if at > len(data) or name == 0:
            return
        if size < 0:  # as a live recording writes it
            size = _unknown_size(data[at:], name)
        yield name, data[at : at + size], at + size <= len(data)
        at += size


def _number(data: memoryview, at: int, *, keep: bool = False) -> tuple[int, int]:
    """A variable-length number and where it ends; -1 for "unknown"."""
    if at >= len(data) or data[at] == 0:
        return 0, len(data) + 1
    length = 9 - data[at].bit_length()
    raw = int.from_bytes(data[at : at + length], "big")
    if keep:
        return raw, at + length
    value = raw & (1 << 7 * length) - 1
    return (-1 if value == (1 << 7 * length) - 1 else value), at + length


def _unknown_size(data: memoryview, name: int) -> int:
    ends = _RANKS.get(name)
    if ends is None:
        return len(data)
    at = 0
    while at < len(data):
        inner, after = _number(data, at, keep=True)
        if inner in ends or inner == 0:
            return at
        size, after = _number(data, after)
        if size < 0:
            return len(data)
        at = after + size
    return len(data)


def _whole(content: memoryview) -> int:
    return int.from_bytes(content[:8], "big")


def _webm(data: memoryview) -> Film:
    segment = next((content for name, content, _ in _elements(data) if name == _SEGMENT), None)
    if segment is None:
        return Film(whole=False)
    scale, seconds, track, sound, whole = 1_000_000, None, None, False, True
    codec, width, height = "", None, None
    times: list[float] = []
    for name, content, there in _elements(segment):
        whole = whole and there
        if name == _INFO:
            inner = {each: value for each, value, _ in _elements(content)}
            scale = _whole(inner[_SCALE]) if _SCALE in inner else scale
            length = inner.get(_DURATION, memoryview(b""))
            if len(length) in (4, 8):
                seconds = struct.unpack(">f" if len(length) == 4 else ">d", length)[0] * scale / 1e9
        elif name == _TRACKS:
            for each, entry, _ in _elements(content):
                kind = {one: value for one, value, _ in _elements(entry)} if each == _ENTRY else {}
                number_of_kind = _whole(kind[_TYPE]) if _TYPE in kind else 0
                sound = sound or number_of_kind == 2
                if number_of_kind == 1 and track is None:
                    track = _whole(kind[_NUMBER])
                    written = bytes(kind.get(_CODEC, b"")).rstrip(b"\0").decode("ascii", "replace")
                    codec = _CODECS.get(written, written)
                    size = {one: value for one, value, _ in _elements(kind.get(_VIDEO, memoryview(b"")))}
                    width = _whole(size[_WIDTH]) if _WIDTH in size else None
                    height = _whole(size[_HEIGHT]) if _HEIGHT in size else None
        elif name == _CLUSTER and len(times) < MOST_FRAMES:
            times += [ticks * scale / 1e9 for ticks in _cluster(content, track)]
    found = np.sort(np.array(times[:MOST_FRAMES], np.float64))
    if seconds is None and len(found) > 1:
        seconds = float(found[-1] + np.median(np.diff(found)))
    return _film(codec, width, height, seconds, found, sound, whole)


def _cluster(content: memoryview, track: int | None) -> Iterator[int]:
    begin = 0
    for name, value, _ in _elements(content):
        if name == _TIME:
            begin = _whole(value)
        elif name in (_SIMPLE, _GROUP):
            block = value
            if name == _GROUP:
                block = next((inner for each, inner, _ in _elements(value) if each == _BLOCK), memoryview(b""))
            number, at = _number(block, 0)
            if number == track and at + 2 <= len(block):
                yield begin + int.from_bytes(block[at : at + 2], "big", signed=True)


def _film(
    codec: str,
    width: int | None,
    height: int | None,
    seconds: float | None,
    times: NDArray[np.float64],
    sound: bool,
    whole: bool,
) -> Film:
    shown = times[np.isfinite(times)]
    if not len(shown) and seconds is not None and not 0 <= seconds < 1e9:
        seconds = None
    rounded = tuple(np.round(np.maximum(shown, 0), 6).tolist())
    return Film(codec, width, height, seconds, len(rounded) or None, rounded, sound, whole)
