"""Messages of `tensorboard dev` 2.15.0, as bytes. Requests are read into small values, answers are written.

Field numbers are those of `tensorboard/uploader/proto` in that release. Tensors and metadata of tags are passed on as
they arrive. A request that is no message raises `errors.Unreadable`, and nothing else is raised.

    ScalarPoint  step 1, wall_time 2: Timestamp{seconds 1, nanos 2}, value 3 (double); what is zero is left out
    TensorPoint  step 1, wall_time 2, value 3: TensorProto
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from lightboard import errors, wire

# blob states
UNFINALIZED, CURRENT = 1, 2
# verdicts of the handshake
OK, WARN, ERROR = 1, 2, 3
_DOUBLE = struct.Struct("<d")
_UTF8 = "utf-8"


@dataclasses.dataclass(frozen=True)
class Limits:
    """What a client may send; the pauses are milliseconds, at least 1 (0 means the client's default)."""

    scalar_request_bytes: int
    tensor_request_bytes: int
    blob_request_bytes: int
    blob_bytes: int
    tensor_bytes: int
    pause_ms: int = 1


class Point(NamedTuple):
    """`value` is a number, or the bytes of a TensorProto."""

    step: int
    wall_time: float
    value: float | bytes


@dataclasses.dataclass(frozen=True)
class Tag:
    name: str
    metadata: bytes  # SummaryMetadata
    points: Sequence[Point]


@dataclasses.dataclass(frozen=True)
class Run:
    name: str
    tags: Sequence[Tag]


@dataclasses.dataclass(frozen=True)
class Write:
    """WriteScalarRequest or WriteTensorRequest."""

    experiment: str
    runs: Sequence[Run]


@dataclasses.dataclass(frozen=True)
class BlobSequence:
    """GetOrCreateBlobSequenceRequest."""

    experiment: str
    run: str
    tag: str
    step: int
    wall_time: float
    length: int
    metadata: bytes


@dataclasses.dataclass(frozen=True, kw_only=True)
class Chunk:
    """WriteBlobRequest: a part of one blob. Checksums are 0 if they are not sent."""

    sequence: str
    index: int
    data: bytes
    offset: int
    crc32c: int
    is_last: bool
    blob_crc32c: int
    blob_bytes: int


@dataclasses.dataclass(frozen=True)
class Update:
    """UpdateExperimentRequest: what is None is not changed."""

    experiment: str
    name: str | None
    description: str | None


# ---- the handshake


def read_server_info(data: bytes) -> tuple[str, list[str]]:
    """The version of the client, and the plugins that its user names."""
    fields = wire.parse(data)
    return fields.text(1), wire.parse(fields.last_bytes(2)).texts(2)


def server_info(
    *,
    verdict: int,
    details: str,
    endpoint: str,
    template: str,
    placeholder: str,
    plugins: Iterable[str],
    limits: Limits,
) -> bytes:
    """ServerInfoResponse."""
    sizes = (
        (1, limits.blob_bytes),
        (2, limits.tensor_bytes),
        (3, limits.scalar_request_bytes),
        (4, limits.tensor_request_bytes),
        (5, limits.blob_request_bytes),
        (6, limits.pause_ms),
        (7, limits.pause_ms),
        (8, limits.pause_ms),
    )
    return b"".join(
        (
            wire.message(1, wire.integer(1, verdict), wire.text(2, details)),
            wire.message(2, wire.text(1, endpoint)),
            wire.message(3, wire.text(1, template), wire.text(2, placeholder)),
            wire.message(4, *(wire.text(1, each) for each in plugins)),
            wire.message(5, *(wire.integer(field, size) for field, size in sizes)),
        )
    )


# ---- writing


def read_create(data: bytes) -> tuple[str, str]:
    """Name and description."""
    fields = wire.parse(data)
    return fields.text(1), fields.text(2)


def created(experiment: str, url: str) -> bytes:
    return wire.text(1, experiment) + wire.text(2, url)


def read_update(data: bytes) -> Update:
    fields = wire.parse(data)
    experiment, mask = wire.parse(fields.last_bytes(1)), wire.parse(fields.last_bytes(2))
    return Update(
        experiment.text(1),
        experiment.text(7) if mask.integer(7) else None,
        experiment.text(8) if mask.integer(8) else None,
    )


def read_id(data: bytes) -> str:
    """The first field of requests that only name something."""
    return wire.parse(data).text(1)


def read_scalars(data: bytes) -> Write:
    return _read_write(data, scalar_point)


def read_tensors(data: bytes) -> Write:
    return _read_write(data, tensor_point)


_ReadPoint = Callable[[bytes], Point]


def _read_write(data: bytes, read_point: _ReadPoint) -> Write:
    fields = wire.parse(data)
    return Write(fields.text(1), [_run(each, read_point) for each in fields.all_bytes(2)])


def _run(data: bytes, read_point: _ReadPoint) -> Run:
    fields = wire.parse(data)
    return Run(_name(fields, 1), [_tag(each, read_point) for each in fields.all_bytes(2)])


def _tag(data: bytes, read_point: _ReadPoint) -> Tag:
    fields = wire.parse(data)
    return Tag(_name(fields, 1), fields.last_bytes(3), [read_point(each) for each in fields.all_bytes(2)])


def _name(fields: wire.Fields, number: int) -> str:
    """A name is kept as it is or refused: two names must not become one."""
    try:
        return fields.last_bytes(number).decode(_UTF8)
    except UnicodeDecodeError:
        raise errors.Unreadable("a name is not UTF-8", code="file.damaged") from None


def scalar_point(data: bytes) -> Point:
    """Read in place: a request has ten thousands of them."""
    step, wall_time, value = 0, 0.0, 0.0
    at, size = 0, len(data)
    try:
        while at < size:
            key = data[at]
            if key == 0x08:
                step, at = _varint(data, at + 1)
            elif key == 0x12:
                length, at = _varint(data, at + 1)
                end = at + length
                if end > size:
                    raise IndexError
                wall_time = _time(data, at, end)
                at = end
            elif key == 0x19:
                (value,) = _DOUBLE.unpack_from(data, at + 1)
                at += 9
            else:
                return _unusual_scalar(data)
    except (IndexError, struct.error):
        raise errors.Unreadable("a point ends too early", code="file.damaged") from None
    return Point(_signed(step), wall_time, value)


def _unusual_scalar(data: bytes) -> Point:
    fields = wire.parse(data)
    return Point(fields.integer(1), time_of(fields.last_bytes(2)), fields.double(3) or 0.0)


def tensor_point(data: bytes) -> Point:
    fields = wire.parse(data)
    return Point(fields.integer(1), time_of(fields.last_bytes(2)), fields.last_bytes(3))


def read_sequence(data: bytes) -> BlobSequence:
    fields = wire.parse(data)
    return BlobSequence(
        experiment=fields.text(1),
        run=_name(fields, 2),
        tag=_name(fields, 3),
        step=fields.integer(4),
        wall_time=time_of(fields.last_bytes(5)),
        length=fields.integer(6),
        metadata=fields.last_bytes(7),
    )


def read_blob_place(data: bytes) -> tuple[str, int]:
    """GetBlobMetadataRequest: a sequence and an index."""
    fields = wire.parse(data)
    return fields.text(1), fields.integer(2)


def blob_metadata(state: int, size: int, crc32c: int) -> bytes:
    return wire.integer(1, state) + wire.integer(2, size) + fixed32(3, crc32c)


def read_chunk(data: bytes) -> Chunk:
    fields = wire.parse(data)
    return Chunk(
        sequence=fields.text(1),
        index=fields.integer(2),
        data=fields.last_bytes(3),
        offset=fields.integer(4),
        crc32c=fields.integer(5) & 0xFFFFFFFF,
        is_last=bool(fields.integer(6)),
        blob_crc32c=fields.integer(7) & 0xFFFFFFFF,
        blob_bytes=fields.integer(8),
    )


def blob_written(state: int, size: int) -> bytes:
    return wire.integer(1, state) + wire.integer(2, size)


# ---- times and numbers


def time_of(data: bytes) -> float:
    """Seconds of a Timestamp. The nearest double to seconds and nanoseconds is the one that was logged."""
    fields = wire.parse(data)
    return fields.integer(1) + _nanos(fields.integer(2)) * 1e-9


def _time(data: bytes, at: int, end: int) -> float:
    seconds, nanos, start = 0, 0, at
    while at < end:
        key = data[at]
        if key == 0x08:
            seconds, at = _varint(data, at + 1)
        elif key == 0x10:
            nanos, at = _varint(data, at + 1)
        else:
            return time_of(data[start:end])
    if at != end:
        raise IndexError
    return _signed(seconds) + _nanos(_signed(nanos)) * 1e-9


def timestamp(seconds: float) -> bytes:
    """A time that is not a number, or too far, is 0."""
    if not -62135596800 <= seconds <= 253402300799:
        return b""
    whole = int(seconds // 1)
    nanos = round((seconds - whole) * 1e9)
    if nanos >= 1_000_000_000:
        whole, nanos = whole + 1, 0
    return wire.integer(1, whole) + wire.integer(2, nanos)


def _nanos(number: int) -> int:
    """The client rounds up to a whole second, too."""
    if not 0 <= number <= 1_000_000_000:
        raise errors.Unreadable(f"{number} nanoseconds in a time", code="file.damaged")
    return number


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """As `wire.read_varint`, without a slice."""
    number = data[at]
    if number < 0x80:
        return number, at + 1
    number &= 0x7F
    for index in range(1, 10):
        byte = data[at + index]
        number |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return number & 0xFFFFFFFFFFFFFFFF, at + index + 1
    raise errors.Unreadable("a number in a point does not end", code="file.damaged")


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number


def fixed32(field: int, number: int) -> bytes:
    return wire.key(field, wire.FIXED32) + struct.pack("<I", number) if number else b""
