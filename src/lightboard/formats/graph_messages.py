"""Making GraphDef bytes, for sources that are none: Keras models, ONNX models, merged traces.

Field numbers: tensorflow/core/framework/{graph,node_def,attr_value,tensor_shape}.proto.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping, Sequence

# DataType of tensorflow/core/framework/types.proto, as a graph's text spells them without "DT_".
DTYPE_NAMES = (
    "float", "double", "int32", "uint8", "int16", "int8", "string", "complex64", "int64", "bool", "qint8", "quint8",
    "qint32", "bfloat16", "qint16", "quint16", "uint16", "complex128", "half", "resource", "variant", "uint32",
    "uint64",
    "float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "int4", "uint4", "int2",
    "uint2",
)  # fmt: skip
DTYPES = {
    **{name: number for number, name in enumerate(DTYPE_NAMES, 1)},
    "float32": 1,
    "float64": 2,
    "float16": 19,
    "str": 7,
    "unicode": 7,
}
_FLOAT_MAX = 3.4028234e38  # rounded down: what lies above is infinite


def graph(nodes: Iterable[bytes], library: bytes = b"") -> bytes:
    return b"".join([*(field(1, each) for each in nodes), field(2, library) if library else b""])


def node(name: str, op: str, inputs: Iterable[str] = (), attributes: Mapping[str, bytes] | None = None) -> bytes:
    pieces = [text(1, name), text(2, op), *(field(3, encoded(each)) for each in inputs)]
    pieces += [field(5, field(1, encoded(key)) + field(2, value)) for key, value in (attributes or {}).items()]
    return b"".join(pieces)


# ---- attributes: the content of an AttrValue


def string(value: str | bytes) -> bytes:
    return field(2, value if isinstance(value, bytes) else encoded(value))


def integer(value: int) -> bytes:
    return varint(3 << 3) + varint(value)


def number(value: float) -> bytes:
    """What no float can hold is infinite, as a cast would make it."""
    if abs(value) > _FLOAT_MAX and not math.isinf(value):
        value = math.copysign(math.inf, value)
    return varint(4 << 3 | 5) + struct.pack("<f", value)


def truth(value: bool) -> bytes:
    return varint(5 << 3) + varint(value)


def dtype(value: int) -> bytes:
    return varint(6 << 3) + varint(value)


def function(name: str) -> bytes:
    return field(10, text(1, name))


def shapes(each: Iterable[Sequence[int] | None]) -> bytes:
    """Sizes, -1 where not known; None where even the rank is not."""
    return field(1, b"".join(field(7, shape(one)) for one in each))


def shape(sizes: Sequence[int] | None) -> bytes:
    if sizes is None:
        return varint(3 << 3) + varint(1)
    return b"".join(field(2, varint(1 << 3) + varint(size)) for size in sizes)


# ---- the wire


def text(number: int, value: str) -> bytes:
    return field(number, encoded(value)) if value else b""


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    if value < 0x80:
        return bytes((value,))
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def encoded(value: str) -> bytes:
    """JSON may hold half of a surrogate pair."""
    return value.encode("utf-8", "replace")
