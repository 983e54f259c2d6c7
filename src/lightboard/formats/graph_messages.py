"""Build GraphDef bytes for other sources: Keras models, ONNX models, merged traces.

Field numbers: tensorflow/core/framework/{graph,node_def,attr_value,tensor_shape}.proto.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from lightboard import wire

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
_FLOAT_MAX = 3.4028234e38  # rounded down: larger values become infinite


def graph(nodes: Iterable[bytes], library: bytes = b"") -> bytes:
    return b"".join([*(wire.message(1, each) for each in nodes), wire.message(2, library) if library else b""])


def node(name: str, op: str, inputs: Iterable[str] = (), attributes: Mapping[str, bytes] | None = None) -> bytes:
    pieces = [text(1, name), text(2, op), *(wire.message(3, encoded(each)) for each in inputs)]
    for key, value in (attributes or {}).items():
        pieces.append(wire.message(5, wire.message(1, encoded(key)), wire.message(2, value)))
    return b"".join(pieces)


# ---- attributes: the content of an AttrValue


def string(value: str | bytes) -> bytes:
    return wire.message(2, value if isinstance(value, bytes) else encoded(value))


def integer(value: int) -> bytes:
    return wire.present_integer(3, value)


def number(value: float) -> bytes:
    """Encode a float; a value beyond the range of float32 becomes infinite, as in a cast."""
    if abs(value) > _FLOAT_MAX and not math.isinf(value):
        value = math.copysign(math.inf, value)
    return wire.single(4, value)


def truth(value: bool) -> bytes:
    return wire.present_integer(5, value)


def dtype(value: int) -> bytes:
    return wire.present_integer(6, value)


def function(name: str) -> bytes:
    return wire.message(10, text(1, name))


def shapes(each: Iterable[Sequence[int] | None]) -> bytes:
    """Encode shapes; a size is -1 if unknown, a shape is None if even the rank is unknown."""
    return wire.message(1, b"".join(wire.message(7, shape(one)) for one in each))


def shape(sizes: Sequence[int] | None) -> bytes:
    if sizes is None:
        return wire.present_integer(3, 1)
    return b"".join(wire.message(2, wire.present_integer(1, size)) for size in sizes)


# ---- texts


def text(number: int, value: str) -> bytes:
    return wire.text(number, encoded(value))


def encoded(value: str) -> bytes:
    """Encode as UTF-8, with `?` for half a surrogate pair, which JSON may contain."""
    return value.encode("utf-8", "replace")
