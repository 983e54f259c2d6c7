"""Graphs out of files that somebody brings: which format the bytes are in, and the graph in them.

    .pb      GraphDef, SavedModel{schema_version 1, meta_graphs 2 {graph_def 2}}, MetaGraphDef{graph_def 2}, RunMetadata
    .pbtxt   a GraphDef as text
    .onnx    ModelProto{ir_version 1, graph 7}
    .json    a Keras model

Contents decide; the file's name only where they could be several things.
"""

from __future__ import annotations

import re

from lightboard import errors, graph_bytes
from lightboard.query import graph_traces, graphs, keras_graphs, onnx_graphs, protobuf

MAX_BYTES = 256 << 20
_OP = re.compile(r"[A-Za-z_][\w.:>/ -]{0,200}")
_WHAT = "a GraphDef or SavedModel (.pb), a GraphDef as text (.pbtxt), an ONNX model (.onnx) or a Keras model (.json)"


def read(content: bytes, name: str = "") -> graphs.Graph:
    """BadInput that says what is wrong with the file."""
    name = name[-200:]
    if not content.strip():
        raise errors.BadInput("the file is empty", hint=f"choose {_WHAT}")
    problems: list[graphs.GraphProblem] = []
    try:
        pieces = _pieces(content, name.lower(), problems)
    except errors.Unreadable as error:
        raise errors.BadInput(f"this is no graph: {error.message}", hint=f"choose {_WHAT}") from error
    graph = graphs.made(pieces, named=content, size=len(content), name=name, problems=problems)
    if not graph.header.nodes:
        raise errors.BadInput("there is no graph in this file", hint=f"choose {_WHAT}")
    return graph


def _pieces(content: bytes, name: str, problems: list[graphs.GraphProblem]) -> list[graph_bytes.Piece]:
    text = _maybe_text(content)
    if text is not None and text.lstrip().startswith(b"{"):
        return [graph_bytes.Piece(keras_graphs.graph(content, details=True))]
    if text is not None:
        return [graph_bytes.Piece(_from_text(text, problems))]
    if _is_graph(content):
        return [graph_bytes.Piece(content)]
    try:
        fields = protobuf.parse(content)
    except errors.Unreadable:
        return [graph_bytes.Piece(content)]  # cut somewhere; what can be read of it is shown
    first = fields.get(1, (b"",))[0]
    if 7 in fields and (isinstance(first, int) or name.endswith(".onnx")):
        return [graph_bytes.Piece(onnx_graphs.graph(content, problems_of(problems)))]
    if isinstance(first, int):
        meta_graphs = [each for each in fields.get(2, ()) if isinstance(each, bytes)]
        return [graph_bytes.Piece(graphs.of_meta_graph(each)) for each in meta_graphs[:1]]
    if 4 in fields and _has_graphs(fields):
        return graph_traces.pieces(content)
    inner = graphs.of_meta_graph(content) if 2 in fields else b""
    if inner and _is_graph(inner):
        return [graph_bytes.Piece(inner)]
    return [graph_bytes.Piece(content)]


def problems_of(problems: list[graphs.GraphProblem]) -> onnx_graphs.Report:
    def report(code: str, count: int, examples: list[str]) -> None:
        problems.append(graphs.GraphProblem(code, count, examples))

    return report


def _maybe_text(content: bytes) -> bytes | None:
    """The content without its byte order mark if it is text: no protobuf of ours is free of control characters."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    if any(letter in content for letter in b"\0\1\2\3\4\5\6\7\x08\x0e\x0f\x10\x11\x12"):
        return None
    return content


def _from_text(text: bytes, problems: list[graphs.GraphProblem]) -> bytes:
    try:
        made, unknown, examples = graph_bytes.from_text(text, "GraphDef")
    except ValueError as error:
        raise errors.BadInput(f"this is no graph as text: {error}", hint=f"choose {_WHAT}") from error
    if unknown:
        problems.append(graphs.GraphProblem("unknown_field", unknown, examples))
    return made


def _has_graphs(fields: protobuf.Fields) -> bool:
    """Whether field 4 are the function graphs of a RunMetadata, and not the versions of a GraphDef."""
    try:
        return any(
            _is_graph(graph)
            for each in fields[4]
            if isinstance(each, bytes)
            for graph in protobuf.parse(each).get(2, ())
            if isinstance(graph, bytes)
        )
    except errors.Unreadable:
        return False


def _is_graph(content: bytes) -> bool:
    """Whether the first node has a name and an op: other messages have something else there."""
    try:
        for place in protobuf.walk(content):
            if place.key != 1 << 3 | 2:
                continue
            node = protobuf.parse(content[place.at : place.end])
            return bool(protobuf.text(node, 1)) and _OP.fullmatch(protobuf.text(node, 2)) is not None
    except errors.Unreadable:
        pass
    return False
