"""Write event files by hand: TFRecord framing around protobuf bytes put together here, so that no writer is trusted.

    event_files.write(path, [event_files.version_event(), event_files.scalar_event("loss", 0.5, step=1)])

`message` and `field_*` are the whole of the protobuf wire format that is needed; with them a test can frame any event,
good or bad. `record` frames bytes as they are, valid event or not.
"""

from __future__ import annotations

import pathlib
import struct
from collections.abc import Iterable

WALL = 1.7e9  # a wall time to count from

# DataType numbers of tensorflow/core/framework/types.proto, and how one element is packed
DTYPES: dict[str, tuple[int, str]] = {
    "float32": (1, "<f"),
    "float64": (2, "<d"),
    "int32": (3, "<i"),
    "uint8": (4, "<B"),
    "int16": (5, "<h"),
    "int8": (6, "<b"),
    "int64": (9, "<q"),
    "bool": (10, "<?"),
    "uint16": (17, "<H"),
    "float16": (19, "<e"),
    "uint32": (22, "<I"),
    "uint64": (23, "<Q"),
}
DT_STRING = 7


# ---- framing ----


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_TABLE = _crc_table()


def masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(payload: bytes) -> bytes:
    """The payload as one TFRecord."""
    length = struct.pack("<Q", len(payload))
    return b"".join((length, struct.pack("<I", masked_crc(length)), payload, struct.pack("<I", masked_crc(payload))))


# ---- protobuf ----


def varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def field_varint(field: int, number: int) -> bytes:
    return varint(field << 3) + varint(number)


def field_double(field: int, number: float) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<d", number)


def field_float(field: int, number: float) -> bytes:
    return varint(field << 3 | 5) + struct.pack("<f", number)


def field_bytes(field: int, data: bytes | str) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


# ---- messages ----


def event(what: bytes, *, step: int = 0, wall_time: float = WALL) -> bytes:
    """An Event holding the encoded field `what`."""
    stepped = field_varint(2, step) if step else b""
    return field_double(1, wall_time) + stepped + what


def summary_metadata(
    plugin: str, *, content: bytes = b"", display_name: str = "", description: str = "", data_class: int = 0
) -> bytes:
    plugin_data = field_bytes(1, plugin) + (field_bytes(2, content) if content else b"")
    return b"".join(
        (
            field_bytes(1, plugin_data),
            field_bytes(2, display_name) if display_name else b"",
            field_bytes(3, description) if description else b"",
            field_varint(4, data_class) if data_class else b"",
        )
    )


SCALARS = summary_metadata("scalars", data_class=1)


def tensor(values: Iterable[float], *, dtype: str = "float32", shape: Iterable[int] = ()) -> bytes:
    """A TensorProto of numbers, packed in tensor_content."""
    number, packing = DTYPES[dtype]
    dims = b"".join(field_bytes(2, field_varint(1, size)) for size in shape)
    content = b"".join(struct.pack(packing, value) for value in values)
    return field_varint(1, number) + field_bytes(2, dims) + field_bytes(4, content)


def string_tensor(strings: Iterable[bytes | str], *, shape: Iterable[int] = ()) -> bytes:
    """A TensorProto of byte strings."""
    dims = b"".join(field_bytes(2, field_varint(1, size)) for size in shape)
    return field_varint(1, DT_STRING) + field_bytes(2, dims) + b"".join(field_bytes(8, each) for each in strings)


def value(tag: str, what: bytes, metadata: bytes = b"") -> bytes:
    """A Summary.Value as a field of Summary; several may be joined into one event."""
    return field_bytes(1, field_bytes(1, tag) + what + (field_bytes(9, metadata) if metadata else b""))


def summary_event(values: bytes, *, step: int = 0, wall_time: float = WALL) -> bytes:
    return event(field_bytes(5, values), step=step, wall_time=wall_time)


def scalar_event(
    tag: str,
    number: float,
    step: int = 0,
    wall_time: float = WALL,
    *,
    form: str = "simple",
    dtype: str = "float32",
    shape: Iterable[int] = (),
    metadata: bytes | None = None,
) -> bytes:
    """One scalar: `form` "simple" as PyTorch writes it, "tensor" as TensorFlow 2 does (with metadata unless b"")."""
    if form == "simple":
        return summary_event(value(tag, field_float(2, number), metadata or b""), step=step, wall_time=wall_time)
    what = field_bytes(8, tensor([number], dtype=dtype, shape=shape))
    meta = SCALARS if metadata is None else metadata
    return summary_event(value(tag, what, meta), step=step, wall_time=wall_time)


def text_event(tag: str, strings: Iterable[bytes | str], step: int = 0, wall_time: float = WALL) -> bytes:
    texts = list(strings)
    what = field_bytes(8, string_tensor(texts, shape=[len(texts)]))
    return summary_event(value(tag, what, summary_metadata("text")), step=step, wall_time=wall_time)


def version_event(wall_time: float = WALL) -> bytes:
    """What every file begins with."""
    return event(field_bytes(3, "brain.Event:2"), wall_time=wall_time)


def session_start(step: int, wall_time: float = WALL) -> bytes:
    """A SessionLog START: the job begins (again) at this step."""
    return event(field_bytes(7, field_varint(1, 1)), step=step, wall_time=wall_time)


# ---- files ----


def write(path: str | pathlib.Path, events: Iterable[bytes], *, mode: str = "wb") -> pathlib.Path:
    """Frame the events into a file, its directories made. Mode "ab" appends."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, mode) as file:
        file.write(b"".join(record(each) for each in events))
    return path


def append(path: str | pathlib.Path, events: Iterable[bytes]) -> pathlib.Path:
    return write(path, events, mode="ab")


def scalars(
    tag: str, numbers: Iterable[float], *, first_step: int = 0, wall_time: float = WALL, form: str = "simple"
) -> list[bytes]:
    """A series of scalars, one event a step, one second apart."""
    return [
        scalar_event(tag, number, first_step + i, wall_time + i, form=form, metadata=None if i == 0 else b"")
        for i, number in enumerate(numbers)
    ]
