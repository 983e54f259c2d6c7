"""ONNX models as graphs, read without the `onnx` package: only names, operators, edges and small attributes are needed.

Field numbers are those of onnx/onnx.proto.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import Any

from lightboard.sdk import graph_messages

_GRAPH = 7  # of ModelProto
_NODE, _INPUT, _OUTPUT = 1, 11, 12  # of GraphProto
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def graph(model: Any) -> bytes:
    """GraphDef of an ONNX model: a path, its bytes, or an `onnx.ModelProto`."""
    for _, content in _fields(_content(model), _GRAPH):
        return _graph(content)
    raise ValueError("this is no ONNX model: there is no graph in it")


def _content(model: Any) -> bytes:
    if hasattr(model, "SerializeToString"):
        return bytes(model.SerializeToString())
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    if hasattr(model, "read"):
        return bytes(model.read())
    with open(os.fspath(model), "rb") as file:
        return file.read()


def _graph(content: bytes) -> bytes:
    nodes = [_variable(each) for field in (_INPUT, _OUTPUT) for _, each in _fields(content, field)]
    nodes += [_node(each) for _, each in _fields(content, _NODE)]
    return graph_messages.graph(nodes)


def _variable(content: bytes) -> bytes:
    """ValueInfoProto{name 1, type 2 {tensor_type 1 {elem_type 1, shape 2 {dim 1 {dim_value 1}}}}}"""
    name, tensor_type = _text(content, 1), _nested(content, 2, 1)
    sizes = [_integer(each, 1) for _, each in _fields(_nested(tensor_type, 2), 1)]
    attributes = {
        "dtype": graph_messages.type_attribute(_integer(tensor_type, 1)),
        "shape": graph_messages.shape_attribute(sizes),
    }
    return graph_messages.node(name, "Variable", [], attributes)


def _node(content: bytes) -> bytes:
    """NodeProto{input 1, output 2, name 3, op_type 4, attribute 5}. It is called what it makes."""
    outputs = [each.decode("utf-8", "replace") for _, each in _fields(content, 2)]
    inputs = [each.decode("utf-8", "replace") for _, each in _fields(content, 1)]
    attributes = ", ".join(_attribute(each) for _, each in _fields(content, 5))
    name = outputs[0] if outputs else _text(content, 3)
    return graph_messages.node(
        name, _text(content, 4), inputs, {"parameters": graph_messages.text_attribute(attributes)}
    )


def _attribute(content: bytes) -> str:
    """AttributeProto{name 1, f 2, i 3, s 4, t 5, g 6, floats 7, ints 8, strings 9, type 20}: `name = value = type`."""
    parts: dict[int, list[Any]] = {}
    for field, found in _all_fields(content):
        if field in (7, 8) and isinstance(found, bytes):  # packed
            parts.setdefault(field, []).extend(_packed(field, found))
        elif field == 2 and isinstance(found, int):
            parts[field] = [_float(found)]
        elif field == 7 and isinstance(found, int):
            parts.setdefault(field, []).append(_float(found))
        elif field in (3, 8) and isinstance(found, int):
            parts.setdefault(field, []).append(_signed(found))
        elif field in (1, 4, 9) and isinstance(found, bytes):
            parts.setdefault(field, []).append(found if field != 1 else found.decode("utf-8", "replace"))
        elif field in (5, 6):
            parts[field] = ["<tensor>" if field == 5 else "<graph>"]
        elif field == 20:
            parts[field] = [found]
    shown = [str(parts[field] if field in (7, 8, 9) else parts[field][-1]) for field in sorted(parts)]
    return " = ".join(shown)


# ---- reading protobuf: small and patient, for this is no hot path ----


def _all_fields(content: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(content):
        key, at = _varint(content, at)
        field, kind = key >> 3, key & 7
        if kind == _VARINT:
            number, at = _varint(content, at)
            yield field, number
            continue
        if kind == _BYTES:
            size, at = _varint(content, at)
        elif kind in (_FIXED32, _FIXED64):
            size = 4 if kind == _FIXED32 else 8
        else:
            raise ValueError(f"this is no ONNX model: wire type {kind}")
        if at + size > len(content):
            raise ValueError("this is no ONNX model, or not all of it")
        found = content[at : at + size]
        yield field, found if kind == _BYTES else int.from_bytes(found, "little")
        at += size


def _fields(content: bytes, wanted: int) -> Iterator[tuple[int, bytes]]:
    for field, found in _all_fields(content):
        if field == wanted and isinstance(found, bytes):
            yield field, found


def _varint(content: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        if at >= len(content) or shift > 63:
            raise ValueError("this is no ONNX model, or not all of it")
        byte = content[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at
        shift += 7


def _nested(content: bytes, *path: int) -> bytes:
    for step in path:
        content = next((each for _, each in _fields(content, step)), b"")
    return content


def _text(content: bytes, wanted: int) -> str:
    return _nested(content, wanted).decode("utf-8", "replace")


def _integer(content: bytes, wanted: int) -> int:
    return next(
        (_signed(found) for field, found in _all_fields(content) if field == wanted and isinstance(found, int)), 0
    )


def _packed(field: int, content: bytes) -> list[Any]:
    if field == 7:
        return list(struct.unpack(f"<{len(content) // 4}f", content[: len(content) // 4 * 4]))
    numbers, at = [], 0
    while at < len(content):
        number, at = _varint(content, at)
        numbers.append(_signed(number))
    return numbers


def _float(bits: int) -> float:
    found: float = struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0]
    return found


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number
