"""Read the metadata of a video file: codec, size, length, and when each frame is shown. Nothing is decoded.

    MP4    boxes (size u32, name, content); `moov` describes tracks, `stts` and `ctts` time their samples; a fragmented
           file has its samples in `moof` boxes instead
    WebM   EBML elements (id, size, content); blocks in clusters carry their times

Files come from users: every length is checked against the bytes that exist, invalid fields are left out, and
the number of boxes and elements is limited, because a file may hold millions of empty ones.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import struct
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lightboard import errors
from lightboard.formats import byte_reader

# An hour at 30 frames per second. The times of further frames are not read.
MOST_FRAMES = 108_000
# About two boxes or elements for each frame of that hour, twice, because some are read again.
MOST_PARTS = 500_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Film:
    """None: the file does not say. `times`: seconds at which each frame is shown, ascending; empty if unknown."""

    codec: str = ""  # the codec string that browsers use: avc1.42E01E, vp9
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
            return _Mp4().film(memoryview(data))
        if data[:4] == b"\x1a\x45\xdf\xa3":
            return _Webm().film(memoryview(data))
    except errors.Unreadable:
        return Film(whole=False)
    return Film()


class _Counted:
    """State: `left` is the number of parts that may still be read."""

    def __init__(self) -> None:
        self.left = MOST_PARTS

    def count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise errors.Unreadable(
                f"the film has more than {MOST_PARTS:,} parts", code="video.too_many_parts", limit=MOST_PARTS
            )


def _reader(content: memoryview) -> byte_reader.ByteReader:
    return byte_reader.ByteReader(content, "a box of the film", "big")


# ---- MP4


class _Mp4(_Counted):
    def boxes(self, data: memoryview) -> Iterator[tuple[bytes, memoryview, bool]]:
        """Yield name and content of each box, and whether it is complete."""
        at = 0
        while at + 8 <= len(data):
            self.count()
            size, name, head = int.from_bytes(data[at : at + 4], "big"), bytes(data[at + 4 : at + 8]), 8
            if size == 1 and at + 16 <= len(data):
                size, head = int.from_bytes(data[at + 8 : at + 16], "big"), 16
            elif size == 0:
                size = len(data) - at
            if size < head:
                return
            yield name, data[at + head : at + size], at + size <= len(data)
            at += size

    def child(self, data: memoryview, *path: bytes) -> memoryview | None:
        for wanted in path:
            found = next((content for name, content, _ in self.boxes(data) if name == wanted), None)
            if found is None:
                return None
            data = found
        return data

    def film(self, data: memoryview) -> Film:
        moov, whole = None, True
        fragments: list[memoryview] = []
        for name, content, there in self.boxes(data):
            whole = whole and there
            if name == b"moov" and moov is None:
                moov = content
            elif name == b"moof":
                fragments.append(content)
        if moov is None:
            return Film(whole=False)
        tracks = [content for name, content, _ in self.boxes(moov) if name == b"trak"]
        handlers = [bytes((self.child(each, b"mdia", b"hdlr") or b"")[8:12]) for each in tracks]
        film = next((each for each, kind in zip(tracks, handlers, strict=True) if kind == b"vide"), None)
        sound = b"soun" in handlers
        if film is None:
            return Film(has_sound=sound, whole=whole)
        scale, length = _media_head(self.child(film, b"mdia", b"mdhd"))
        table = self.child(film, b"mdia", b"minf", b"stbl")
        codec, width, height = self.sample_entry(self.child(table, b"stsd") if table is not None else None)
        ticks = self.ticks(table) if table is not None else np.zeros(0)
        if not len(ticks):
            track = _track_number(self.child(film, b"tkhd"))
            ticks, length = self.fragment_ticks(fragments, track, moov)
        shift = _edit_shift(self.child(film, b"edts", b"elst"))
        times, seconds = (np.sort(ticks) - shift) / scale if scale else np.zeros(0), length / scale if scale else None
        return _film(codec, width, height, seconds or None, times, sound, whole)

    def sample_entry(self, content: memoryview | None) -> tuple[str, int | None, int | None]:
        if content is None or len(content) < 16 + 78:
            return "", None, None
        name = bytes(content[12:16]).decode("ascii", "replace")
        width, height = _reader(content).numbers(16 + 24, 2, 2)
        inner = content[16 + 78 :]
        config = self.child(inner, b"avcC")
        if name in ("avc1", "avc3") and config is not None and len(config) >= 4:
            name += f".{bytes(config[1:4]).hex().upper()}"
        elif name == "av01" and (config := self.child(inner, b"av1C")) is not None and len(config) >= 3:
            depth = 10 if config[2] & 0x40 else 8
            tier = "H" if config[2] & 0x80 else "M"
            name += f".{config[1] >> 5}.{config[1] & 31:02d}{tier}.{depth:02d}"
        elif name in ("vp09", "vp08") and (config := self.child(inner, b"vpcC")) is not None and len(config) >= 7:
            name += f".{config[4]:02d}.{config[5]:02d}.{config[6] >> 4:02d}"
        return name, width or None, height or None

    def ticks(self, table: memoryview) -> NDArray[np.float64]:
        """Return when each sample is shown, in the order of the file."""
        stts = _runs(self.child(table, b"stts"))
        counts, durations = stts[:, 0], stts[:, 1]
        if not 0 < counts.sum() <= MOST_FRAMES:
            return np.zeros(0)
        ends = np.cumsum(np.repeat(durations, counts))
        starts = np.concatenate([[0], ends[:-1]])
        offsets = _runs(self.child(table, b"ctts"))
        if len(offsets) and offsets[:, 0].sum() == len(starts):
            signed = offsets[:, 1].astype(np.uint32).astype(np.int32)
            starts = starts + np.repeat(signed.astype(np.int64), offsets[:, 0])
        return starts.astype(np.float64)

    def fragment_ticks(
        self, fragments: list[memoryview], track: int, moov: memoryview
    ) -> tuple[NDArray[np.float64], int]:
        """Return the ticks of all samples of a fragmented file, and where the last sample ends."""
        usual = 0
        for name, content, _ in self.boxes(self.child(moov, b"mvex") or memoryview(b"")):
            if name == b"trex" and len(content) >= 24 and int.from_bytes(content[4:8], "big") == track:
                usual = int.from_bytes(content[12:16], "big")
        ticks: list[float] = []
        now = 0
        for fragment in fragments:
            for name, content, _ in self.boxes(fragment):
                if name == b"traf":
                    now = self.fragment(content, track, usual, now, ticks)
        return np.array(ticks, np.float64), now

    def fragment(self, content: memoryview, track: int, usual: int, now: int, ticks: list[float]) -> int:
        head = self.child(content, b"tfhd")
        if head is None or int.from_bytes(head[4:8], "big") != track:
            return now
        flags = int.from_bytes(head[1:4], "big")
        at = 8 + 8 * bool(flags & 1) + 4 * bool(flags & 2)
        if flags & 8:
            usual = int.from_bytes(head[at : at + 4], "big")
        begin = self.child(content, b"tfdt")
        if begin is not None:
            now = int.from_bytes(begin[4:12] if bytes(begin[:1]) == b"\1" else begin[4:8], "big")
        for name, run, _ in self.boxes(content):
            if name == b"trun":
                now = _run(run, usual, now, ticks)
        return now


def _media_head(content: memoryview | None) -> tuple[int, int]:
    if content is None:
        return 0, 0
    reader = _reader(content)
    long = reader.number(0, 1) == 1
    scale, length = reader.number(20 if long else 12, 4), reader.number(24 if long else 16, 8 if long else 4)
    return scale, 0 if length in (0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF) else length


def _track_number(content: memoryview | None) -> int:
    if content is None:
        return 0
    reader = _reader(content)
    return reader.number(20 if reader.number(0, 1) == 1 else 12, 4)


def _runs(content: memoryview | None) -> NDArray[np.int64]:
    """Return pairs of (number of samples, value)."""
    if content is None or len(content) < 8:
        return np.zeros((0, 2), np.int64)
    count = min(int.from_bytes(content[4:8], "big"), (len(content) - 8) // 8, MOST_FRAMES)
    return np.frombuffer(content[8 : 8 + 8 * count], ">u4").astype(np.int64).reshape(-1, 2)


def _edit_shift(content: memoryview | None) -> float:
    """Return where in the media the film begins: files with reordered frames start later than 0 and say so here."""
    if content is None or len(content) < 8:
        return 0
    long = content[0] == 1
    size, form = (20, ">Qq") if long else (12, ">Ii")
    for at in itertools.islice(range(8, len(content) - size + 1, size), 1000):
        _, start = struct.unpack_from(form, content, at)
        if start >= 0:
            return float(start)
    return 0


def _run(content: memoryview, usual: int, now: int, ticks: list[float]) -> int:
    flags, count = int.from_bytes(content[1:4], "big"), int.from_bytes(content[4:8], "big")
    at = 8 + 4 * bool(flags & 1) + 4 * bool(flags & 4)
    fields = [bit for bit in (0x100, 0x200, 0x400, 0x800) if flags & bit]
    size = 4 * len(fields)
    for number in range(min(count, MOST_FRAMES)):
        place = at + size * number
        if place + size > len(content) or len(ticks) >= MOST_FRAMES:
            break
        values = dict(zip(fields, struct.unpack_from(f">{len(fields)}i", content, place), strict=True))
        ticks.append(float(now + values.get(0x800, 0)))
        now += values.get(0x100, usual)
    return now


# ---- WebM

_SEGMENT, _INFO, _TRACKS, _CLUSTER = 0x18538067, 0x1549A966, 0x1654AE6B, 0x1F43B675
_SCALE, _DURATION = 0x2AD7B1, 0x4489
_ENTRY, _NUMBER, _TYPE, _CODEC, _PRIVATE, _VIDEO, _WIDTH, _HEIGHT = 0xAE, 0xD7, 0x83, 0x86, 0x63A2, 0xE0, 0xB0, 0xBA
_TIME, _SIMPLE, _GROUP, _BLOCK = 0xE7, 0xA3, 0xA0, 0xA1
_CODECS = {"V_VP8": "vp8", "V_VP9": "vp9", "V_AV1": "av1", "V_MPEG4/ISO/AVC": "avc1", "V_MPEGH/ISO/HEVC": "hev1"}
# An element of unknown size ends at the next element of the same level.
_RANKS = {_CLUSTER: {_CLUSTER, _INFO, _TRACKS, 0x1C53BB6B, 0x114D9B74, 0x1254C367, 0x1043A770, 0x1941A469}}


class _Webm(_Counted):
    def elements(self, data: memoryview) -> Iterator[tuple[int, memoryview, bool]]:
        """Yield id and content of each element, and whether it is complete."""
        at = 0
        while at < len(data):
            self.count()
            name, at = _number(data, at, keep=True)
            size, at = _number(data, at)
            if at > len(data) or name == 0:
                return
            if size < 0:  # live recordings write this
                size = self.unknown_size(data[at:], name)
            yield name, data[at : at + size], at + size <= len(data)
            at += size

    def unknown_size(self, data: memoryview, name: int) -> int:
        ends = _RANKS.get(name)
        if ends is None:
            return len(data)
        at = 0
        while at < len(data):
            self.count()
            inner, after = _number(data, at, keep=True)
            if inner in ends or inner == 0:
                return at
            size, after = _number(data, after)
            if size < 0:
                return len(data)
            at = after + size
        return len(data)

    def members(self, data: memoryview) -> dict[int, memoryview]:
        return {name: value for name, value, _ in self.elements(data)}

    def film(self, data: memoryview) -> Film:
        segment = next((content for name, content, _ in self.elements(data) if name == _SEGMENT), None)
        if segment is None:
            return Film(whole=False)
        scale, length, track, whole = 1_000_000, 0.0, _Track(), True
        times: list[float] = []
        for name, content, there in self.elements(segment):
            whole = whole and there
            if name == _INFO:
                inner = self.members(content)
                scale = _whole(inner[_SCALE]) if _SCALE in inner else scale
                length = _real(inner.get(_DURATION, memoryview(b"")))
            elif name == _TRACKS:
                track = self.track(content)
            elif name == _CLUSTER:
                shown = self.cluster(content, track.number)
                times += [ticks * scale / 1e9 for ticks in itertools.islice(shown, MOST_FRAMES - len(times))]
        found = np.sort(np.array(times, np.float64))
        seconds: float | None = length * scale / 1e9 or None
        if seconds is None and len(found) > 1:
            seconds = float(found[-1] + np.median(np.diff(found)))
        return _film(track.codec, track.width, track.height, seconds, found, track.sound, whole)

    def track(self, content: memoryview) -> _Track:
        """Return the first video track, and whether there is an audio track. A track without a number has no frames."""
        found = _Track()
        for name, entry, _ in self.elements(content):
            members = self.members(entry) if name == _ENTRY else {}
            kind = _whole(members[_TYPE]) if _TYPE in members else 0
            if kind == 2:
                found = dataclasses.replace(found, sound=True)
            elif kind == 1 and not found.there:
                written = bytes(members.get(_CODEC, b"")[:64]).rstrip(b"\0").decode("ascii", "replace")
                size = self.members(members.get(_VIDEO, memoryview(b"")))
                found = _Track(
                    True,
                    _whole(members[_NUMBER]) if _NUMBER in members else None,
                    _CODECS.get(written, written),
                    _whole(size[_WIDTH]) if _WIDTH in size else None,
                    _whole(size[_HEIGHT]) if _HEIGHT in size else None,
                    found.sound,
                )
        return found

    def cluster(self, content: memoryview, track: int | None) -> Iterator[int]:
        begin = 0
        for name, value, _ in self.elements(content):
            if name == _TIME:
                begin = _whole(value)
            elif name in (_SIMPLE, _GROUP):
                block = value
                if name == _GROUP:
                    block = next((inner for each, inner, _ in self.elements(value) if each == _BLOCK), memoryview(b""))
                number, at = _number(block, 0)
                if number == track and at + 2 <= len(block):
                    yield begin + int.from_bytes(block[at : at + 2], "big", signed=True)


@dataclasses.dataclass(frozen=True)
class _Track:
    there: bool = False
    number: int | None = None
    codec: str = ""
    width: int | None = None
    height: int | None = None
    sound: bool = False


def _number(data: memoryview, at: int, *, keep: bool = False) -> tuple[int, int]:
    """Return a variable-length number and the offset where it ends; -1 for "unknown"."""
    if at >= len(data) or data[at] == 0:
        return 0, len(data) + 1
    length = 9 - data[at].bit_length()
    raw = int.from_bytes(data[at : at + length], "big")
    if keep:
        return raw, at + length
    value = raw & (1 << 7 * length) - 1
    return (-1 if value == (1 << 7 * length) - 1 else value), at + length


def _whole(content: memoryview) -> int:
    return int.from_bytes(content[:8], "big")


def _real(content: memoryview) -> float:
    """Return 0 if the content is not a number."""
    if len(content) not in (4, 8):
        return 0.0
    value = float(struct.unpack(">f" if len(content) == 4 else ">d", content)[0])
    return value if math.isfinite(value) else 0.0


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
    if seconds is not None and not 0 <= seconds < 1e9:
        seconds = None
    rounded = tuple(np.round(np.maximum(shown, 0), 6).tolist())
    return Film(
        codec=codec,
        width_px=width,
        height_px=height,
        seconds=seconds,
        frames=len(rounded) or None,
        times=rounded,
        has_sound=sound,
        whole=whole,
    )
