"""Which responses are compressed, and how.

zstd is preferred: it compresses as well as gzip 6 in a tenth of the CPU time. Responses of one or two packets gain
nothing; media files are compressed already and are sent as they are.

Frames are byte planes with runs of equal bytes and hardly any repeated strings. Searching for strings costs time and
finds nothing: zstd 1 and gzip's run-length strategy compress them better than higher levels, and must be fast while a
slider moves (100 series on 450 columns, 240 kB: zstd 3 90 kB in 0.9 ms, zstd 1 89 kB in 0.4 ms; gzip 6 91 kB in 7.6 ms,
run-length 89 kB in 1.7 ms).
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Protocol

from lightboard.server import frames

MIN_BYTES = 1000  # one TCP segment carries 1,460
ZSTD_LEVEL = 3
GZIP_LEVEL = 4
FRAME_LEVEL = 1


class _Packer(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self, mode: int = ..., /) -> bytes: ...


class Packers:
    """Compressors of frames. One idle compressor is kept for reuse: allocating a new one for each move of a slider
    costs as much as a quarter of the compression.

    State: `_idle` is that compressor; `_lock` guards it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: _Packer | None = None

    def take(self) -> _Packer:
        with self._lock:
            packer, self._idle = self._idle, None
        return packer or _packer("zstd", FRAME_LEVEL)

    def give_back(self, packer: _Packer) -> None:
        with self._lock:
            self._idle = packer


def choose(accept_encoding: str) -> str:
    """Returns the best coding that the client accepts and we support: "zstd", "gzip" or "" (not compressed)."""
    return first_taken(accept_encoding, ("zstd", "gzip") if _zstd() is not None else ("gzip",))


def first_taken(accept_encoding: str, codings: Collection[str]) -> str:
    """Returns the first of the codings that the client accepts, "" if it accepts none."""
    if not accept_encoding:
        return ""
    accepted: dict[str, float] = {}
    for item in accept_encoding.lower().split(","):
        name, _, rest = item.partition(";")
        quality = rest.strip().removeprefix("q=")
        try:
            accepted[name.strip()] = float(quality) if quality else 1.0
        except ValueError:
            continue
    anything = accepted.get("*", 0.0)
    return next((coding for coding in codings if accepted.get(coding, anything) > 0), "")


def worthwhile(media_type: str, size: int) -> bool:
    if size < MIN_BYTES:
        return False
    return not media_type.startswith(("image/", "audio/", "video/")) or media_type.startswith("image/svg")


def compress(body: bytes, coding: str, media_type: str = "", *, level: int | None = None) -> bytes:
    framed = media_type in frames.MEDIA_TYPES
    if level is None and framed:
        level = FRAME_LEVEL
    if coding == "zstd":
        packed: bytes = _zstd().compress(body, ZSTD_LEVEL if level is None else level)
        return packed
    packer = _packer(coding, level, runs=framed)
    return packer.compress(body) + packer.flush()


def compress_pieces(
    pieces: Iterable[bytes] | Iterable[list[bytes]], coding: str, media_type: str, packers: Packers
) -> Iterator[bytes]:
    """Flush after each frame, because the page waits for it; buffer pieces of other media types."""
    framed = media_type in frames.MEDIA_TYPES
    reused = framed and coding == "zstd"
    packer = packers.take() if reused else _packer(coding, FRAME_LEVEL if framed else None, runs=framed)
    for piece in pieces:
        packed = [packer.compress(part) for part in (piece if isinstance(piece, list) else [piece])]
        if framed:
            packed.append(_flushed(packer, coding))
        if any(packed):
            yield b"".join(packed)
    yield packer.flush()
    if reused:
        packers.give_back(packer)


def _flushed(packer: _Packer, coding: str) -> bytes:
    """Flush, so that the client can decompress everything up to here."""
    if coding == "zstd":
        return packer.flush(_zstd().ZstdCompressor.FLUSH_BLOCK)
    import zlib

    return packer.flush(zlib.Z_SYNC_FLUSH)


def _packer(coding: str, level: int | None, *, runs: bool = False) -> _Packer:
    if coding == "zstd":
        packer: _Packer = _zstd().ZstdCompressor(ZSTD_LEVEL if level is None else level)
        return packer
    import zlib

    strategy = zlib.Z_RLE if runs else zlib.Z_DEFAULT_STRATEGY
    return zlib.compressobj(GZIP_LEVEL if level is None else level, zlib.DEFLATED, 31, zlib.DEF_MEM_LEVEL, strategy)


def _zstd() -> Any:
    """The zstd module of the standard library (3.14) or of its backport; None if neither is installed."""
    try:
        return importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    except ImportError:
        return None
