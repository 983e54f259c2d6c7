"""ONNX models as graphs, read without the `onnx` package: only names, operators, edges and small attributes are needed.

Field numbers are those of onnx/onnx.proto.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from lightboard import errors, wire
from lightboard.sdk import graph_messages

_GRAPH = 7  # of ModelProto
_NODE, _INPUT, _OUTPUT = 1, 11, 12  # of GraphProto


def graph(model: Any) -> bytes:
    """GraphDef of an ONNX model: a path, its bytes, or an `onnx.ModelProto`."""
    content = _content(model)
    try:
        for each in _messages(memoryview(content), _GRAPH):
            return _graph(each)
    except errors.Unreadable as error:
        raise ValueError(f"this is no ONNX model, or not all of it: {error.message}") from error
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


def _messages(content: memoryview, number: int) -> Iterator[memoryview]:
    """Yields slices without copying: a graph contains the weights, too."""
    for field in wire.walk(content):
        if field.key == number << 3 | wire.BYTES:
            yield content[field.at : field.end]


def _graph(content: memoryview) -> bytes:
    nodes = [_variable(wire.parse(bytes(each))) for field in (_INPUT, _OUTPUT) for each in _messages(content, field)]
    nodes += [_node(wire.parse(bytes(each))) for each in _messages(content, _NODE)]
    return graph_messages.graph(nodes)


def _variable(fields: wire.Fields) -> bytes:
    """ValueInfoProto{name 1, type 2 {tensor_type 1 {elem_type 1, shape 2 {dim 1 {dim_value 1}}}}}"""
    tensor_type = wire.parse(wire.parse(fields.last_bytes(2)).last_bytes(1))
    sizes = [each.integer(1) for each in wire.parse(tensor_type.last_bytes(2)).messages(1)]
    attributes = {
        "dtype": graph_messages.type_attribute(tensor_type.integer(1)),
        "shape": graph_messages.shape_attribute(sizes),
    }
    return graph_messages.node(fields.text(1), "Variable", [], attributes)


def _node(fields: wire.Fields) -> bytes:
    """NodeProto{input 1, output 2, name 3, op_type 4, attribute 5}. It is named after its first output."""
    outputs = fields.texts(2)
    name = outputs[0] if outputs else fields.text(3)
    attributes = ", ".join(map(_attribute, fields.messages(5)))
    parameters = {"parameters": graph_messages.text_attribute(attributes)}
    return graph_messages.node(name, fields.text(4), fields.texts(1), parameters)


def _attribute(fields: wire.Fields) -> str:
    """AttributeProto{name 1, f 2, i 3, s 4, t 5, g 6, floats 7, ints 8, strings 9, type 20}: `name = value = type`."""
    values: list[object] = []
    for number in sorted(fields):
        if number == 1:
            values.append(fields.text(1))
        elif number == 2:
            values += fields.floats(2)[-1:]
        elif number in (3, 20):
            values.append(fields.integer(number))
        elif number == 4:
            values.append(fields.last_bytes(4))
        elif number in (5, 6):
            values.append("<tensor>" if number == 5 else "<graph>")
        elif number in (7, 8, 9):
            values.append(list(_repeated(fields, number)))
    return " = ".join(map(str, values))


def _repeated(fields: wire.Fields, number: int) -> Iterator[object]:
    if number == 7:
        return iter(fields.floats(7))
    return iter(fields.integers(8)) if number == 8 else fields.all_bytes(9)
