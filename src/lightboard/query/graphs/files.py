"""Graphs from uploaded files: detect the format of the bytes, and read the graph in them.

    .pb      GraphDef, SavedModel{schema_version 1, meta_graphs 2 {graph_def 2}}, MetaGraphDef{graph_def 2}, RunMetadata
    .pbtxt   a GraphDef as text
    .onnx    ModelProto{ir_version 1, graph 7}
    .json    a Keras model

The content decides the format; the file's name is used only if the content is ambiguous.
"""

from __future__ import annotations

import contextlib
import itertools
import re

from lightboard import errors, graph_bytes, wire
from lightboard.formats import graph_traces, keras_graphs, onnx_graphs
from lightboard.query.graphs import graphs

MAX_BYTES = 256 << 20
_HEAD_FIELDS = 10_000
_TABLES_BYTES = 32 << 20
_OP = re.compile(rb"[A-Za-z_][\w.:>/ -]{0,200}")
_WHAT = "a GraphDef or SavedModel (.pb), a GraphDef as text (.pbtxt), an ONNX model (.onnx) or a Keras model (.json)"


def cost_bytes(size: int) -> int:
    """Return an estimate of the memory that `read` needs for this many bytes: a model is converted to a graph, and a
    graph to columns of about its size. Many JSON values or repeated names may need more, up to MAX_VALUES and
    MAX_GRAPH_BYTES of the model's module."""
    return 6 * size + _TABLES_BYTES


def read(content: bytes, name: str = "") -> graphs.Graph:
    """Raises BadInput that says what is wrong with the file."""
    name = name[-200:]
    if not content.strip():
        raise errors.BadInput("the file is empty", hint=f"choose {_WHAT}", code="graph.empty_file")
    problems: list[graphs.GraphProblem] = []
    try:
        pieces = _pieces(content, name.lower(), problems)
    except errors.Unreadable as error:
        raise errors.BadInput(
            f"this is not a graph: {error.message}", hint=f"choose {_WHAT}", code="graph.not_graph", because=error
        ) from error
    graph = graphs.made(pieces, named=content, size=len(content), name=name, problems=problems)
    if not graph.header.nodes:
        raise errors.BadInput("there is no graph in this file", hint=f"choose {_WHAT}", code="graph.none")
    return graph


def _pieces(content: bytes, name: str, problems: list[graphs.GraphProblem]) -> list[graph_bytes.Piece]:
    text = _maybe_text(content)
    if text is not None and text.lstrip().startswith(b"{"):
        return [graph_bytes.Piece(keras_graphs.graph(content, details=True))]
    if text is not None:
        return [graph_bytes.Piece(_from_text(text, problems))]
    if _is_graph(content):
        return [graph_bytes.Piece(content)]
    fields = _head(content)
    if not fields:
        return [graph_bytes.Piece(content)]  # invalid from the start; the native parser reports it
    number = fields[0].key
    if any(each.key == 7 << 3 | 2 for each in fields) and (number == 1 << 3 or name.endswith(".onnx")):
        return [graph_bytes.Piece(onnx_graphs.graph(content, problems_of(problems)))]
    second = [content[each.at : each.end] for each in fields if each.key == 2 << 3 | 2]
    if number == 1 << 3:
        return [graph_bytes.Piece(graphs.of_meta_graph(each)) for each in second[:1]]
    if _has_graphs(content, fields):
        return graph_traces.pieces(content)
    if second and _is_graph(second[0]):
        return [graph_bytes.Piece(graphs.of_meta_graph(content))]
    return [graph_bytes.Piece(content)]


def _head(content: bytes) -> list[wire.FieldSpan]:
    """Return the first fields, which are enough to detect the type of the file."""
    found: list[wire.FieldSpan] = []
    with contextlib.suppress(errors.Unreadable):
        found.extend(itertools.islice(wire.walk(content), _HEAD_FIELDS))
    return found


def problems_of(problems: list[graphs.GraphProblem]) -> onnx_graphs.Report:
    def report(code: str, count: int, examples: list[str]) -> None:
        problems.append(graphs.GraphProblem(code, count, examples))

    return report


def _maybe_text(content: bytes) -> bytes | None:
    """Return the content without its byte order mark if it is text: the protobufs read here always contain control
    characters."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    if any(letter in content for letter in b"\0\1\2\3\4\5\6\7\x08\x0e\x0f\x10\x11\x12"):
        return None
    return content


def _from_text(text: bytes, problems: list[graphs.GraphProblem]) -> bytes:
    try:
        made, unknown, examples = graph_bytes.from_text(text, "GraphDef")
    except ValueError as error:
        raise errors.BadInput(
            f"this is not a graph as text: {error}",
            hint=f"choose {_WHAT}",
            code="graph.not_text",
            line=errors.line_in(error),
        ) from error
    if unknown:
        problems.append(graphs.GraphProblem("unknown_field", unknown, examples))
    return made


def _has_graphs(content: bytes, fields: list[wire.FieldSpan]) -> bool:
    """Return whether field 4 has the function graphs of a RunMetadata, and not the versions of a GraphDef."""
    traced = [content[each.at : each.end] for each in fields if each.key == 4 << 3 | 2]
    return any(_is_graph(one[each.at : each.end]) for one in traced for each in _head(one) if each.key == 2 << 3 | 2)


def _is_graph(content: bytes) -> bool:
    """Return whether the first node has a name and an op, unlike other messages."""
    first = next((each for each in _head(content) if each.key == 1 << 3 | 2), None)
    if first is None:
        return False
    node = content[first.at : first.end]
    texts = {each.key >> 3: node[each.at : each.end] for each in _head(node) if each.key in (1 << 3 | 2, 2 << 3 | 2)}
    return bool(texts.get(1)) and _OP.fullmatch(texts.get(2, b"")) is not None
