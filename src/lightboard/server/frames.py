"""Binary responses: one JSON header, then arrays that a browser views without copying.

    bytes 0–3    "LBF1"
    bytes 4–7    length H of the header, u32 little-endian
    bytes 8–     header: H bytes of JSON (UTF-8), then zeros up to a multiple of 8
    then         each array, little-endian, then zeros up to a multiple of 8

The header's member `arrays` lists them: `name`, `type` (u1, u4, i4, i8, f4 or f8), `length` in elements, `at` in bytes
from the end of the header (with its zeros); `unsafe` is present if an i8 array holds a number beyond ±(2^53 - 1).
One response can contain several frames, sent as they are made:

    bytes 0–3    "LBS2"
    bytes 4–7    their number N, u32 little-endian
    N times      length in bytes, u32; 0, or the status of an error, u32; then the frame, or the error as JSON, and
                 zeros up to a multiple of 8

The decoder of the page is web/src/base/frame.ts.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard.server import responses

MEDIA_TYPE = "application/vnd.lightboard.frame"
SEVERAL_MEDIA_TYPE = "application/vnd.lightboard.frames"
MEDIA_TYPES = (MEDIA_TYPE, SEVERAL_MEDIA_TYPE)
MAGIC = b"LBF1"
SEVERAL_MAGIC = b"LBS2"
TYPES = {"u1": "|u1", "u4": "<u4", "i4": "<i4", "i8": "<i8", "f4": "<f4", "f8": "<f8"}
_PADDING = b"\0" * 8


def encode(header: Mapping[str, object], arrays: Mapping[str, NDArray[Any] | bytes]) -> bytes:
    listed: list[dict[str, object]] = []
    pieces: list[bytes | memoryview] = []
    at = 0
    for name, values in arrays.items():
        array = np.frombuffer(values, np.uint8) if isinstance(values, bytes) else np.ascontiguousarray(values)
        code = array.dtype.str[1:]
        entry: dict[str, object] = {"name": name, "type": code, "length": len(array), "at": at}
        if code == "i8" and len(array) and not _safe(array):
            entry["unsafe"] = True
        listed.append(entry)
        pieces += [array.astype(TYPES[code], copy=False).data.cast("B"), _PADDING[: -array.nbytes % 8]]
        at += array.nbytes + -array.nbytes % 8
    text = responses.object_json([*header.items(), ("arrays", listed)])
    return b"".join([MAGIC, struct.pack("<I", len(text)), text, _PADDING[: -len(text) % 8], *pieces])


def reply(header: Any, arrays: Mapping[str, NDArray[Any] | bytes]) -> responses.Reply:
    """Returns a frame as a reply; the header is a dataclass."""
    return responses.Reply(encode(vars(header), arrays), MEDIA_TYPE, headers=(("Cache-Control", "no-cache"),))


def join(several: Iterable[tuple[int, bytes]], count: int) -> Iterator[list[bytes]]:
    """Yields the pieces of a response of `count` frames. Status 0: the body is a frame; otherwise an error as JSON."""
    head = SEVERAL_MAGIC + struct.pack("<I", count)
    for status, body in several:
        yield [head + struct.pack("<II", len(body), status), body, _PADDING[: -len(body) % 8]]
        head = b""


def split(answer: bytes) -> list[bytes | dict[str, Any]]:
    """The inverse of `join`, with errors as parsed JSON; for tests and for scripts that use a board."""
    if answer[:4] != SEVERAL_MAGIC:
        raise ValueError("not an answer of several frames")
    (count,) = struct.unpack_from("<I", answer, 4)
    at = 8
    found: list[bytes | dict[str, Any]] = []
    for _ in range(count):
        length, status = struct.unpack_from("<II", answer, at)
        body = answer[at + 8 : at + 8 + length]
        found.append(json.loads(body) if status else body)
        at += 8 + length + -length % 8
    return found


def decode(frame: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Returns header and arrays; for tests and for scripts that use a board."""
    if frame[:4] != MAGIC:
        raise ValueError("not a frame")
    (length,) = struct.unpack_from("<I", frame, 4)
    header = json.loads(frame[8 : 8 + length])
    start = 8 + length + -length % 8
    arrays = {
        entry["name"]: np.frombuffer(frame, TYPES[entry["type"]], entry["length"], start + entry["at"])
        for entry in header["arrays"]
    }
    return header, arrays


def _safe(array: NDArray[Any]) -> bool:
    return bool(array.max() <= responses.SAFE_INTEGER and array.min() >= -responses.SAFE_INTEGER)
