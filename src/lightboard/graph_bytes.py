"""Native parsing of graphs and their messages: bytes in, columns or text out, without the GIL.

Every source (GraphDef, trace, Keras, ONNX) is converted to `Columns` before a page draws it. Nodes of the main graph
are first, then those of each function of the library, with its arguments and results as extra nodes. Edges are
stored by consumer: those of node i are `edge_at[i]` to `edge_at[i + 1]`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import _native

Message = Literal["GraphDef", "RunMetadata", "NodeDef", "AttrValue"]

KINDS = ("op", "const", "variable", "placeholder", "summary", "call")
"""The meanings of the numbers in `kind`."""

CONTROL, REFERENCE = 1, 2
"""Bits of `edge_flags`."""

MAX_NODES, MAX_EDGES = 2_000_000, 8_000_000
MAX_TEXT_BYTES = 512 << 20

_DTYPES = {
    "names": np.uint8,
    "name_at": np.uint32,
    "op": np.int32,
    "device": np.int32,
    "cluster": np.int32,
    "kind": np.uint8,
    "function": np.int32,
    "edge_at": np.uint32,
    "edge_from": np.int32,
    "edge_slot": np.int32,
    "edge_flags": np.uint8,
    "edge_shape": np.int32,
    "call_node": np.int32,
    "call_function": np.int32,
    "start": np.int64,
    "end": np.int64,
    "compute": np.int64,
    "bytes": np.int64,
    "count": np.int64,
}
SPAN = np.dtype([("offset", np.uint64), ("length", np.uint32), ("piece", np.uint32)])


@dataclasses.dataclass(frozen=True)
class Piece:
    """One GraphDef, and what stands before the names of its nodes."""

    graph: bytes
    prefix: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Columns:
    """`arrays` are the arrays of the frame; `spans` (SPAN) is the byte range of each node, empty if it has none."""

    arrays: dict[str, NDArray[Any]]
    spans: NDArray[Any]
    ops: list[str]
    devices: list[str]
    shapes: list[str]
    clusters: list[str]
    functions: list[tuple[str, int, int]]  # name, first node, number of nodes
    producer: int
    problems: list[tuple[str, int, list[str]]]  # code, how often, some examples


@dataclasses.dataclass(frozen=True)
class Stats:
    """One row per node and device; microseconds and bytes."""

    arrays: dict[str, NDArray[Any]]
    devices: list[str]
    whole: bool  # False: some of it could not be read
    costs: bool  # True: these are estimates of the cost model, because no times were recorded


def parse(pieces: Sequence[Piece], *, nodes: int = MAX_NODES, edges: int = MAX_EDGES) -> Columns:
    """Never fails: what is cut or makes no sense is among the problems."""
    inputs = [(piece.graph, piece.prefix.encode("utf-8", "replace")) for piece in pieces]
    found = _native.parse_graph(inputs, nodes, edges)
    arrays, spans, ops, devices, shapes, clusters, functions, producer, problems = found
    return Columns(
        arrays=_arrays(arrays),
        spans=np.frombuffer(spans, SPAN),
        ops=ops,
        devices=devices,
        shapes=shapes,
        clusters=clusters,
        functions=functions,
        producer=producer,
        problems=problems,
    )


def stats(run_metadata: bytes) -> Stats:
    columns, devices, whole, costs = _native.parse_graph_stats(run_metadata)
    return Stats(_arrays(columns), devices, whole, costs)


def to_text(message: bytes, kind: Message, *, large_bytes: int = 0, large_key: str = "") -> bytes:
    """Returns the message in protobuf's text format. Node attributes above `large_bytes` are replaced by `large_key`.

    Raises ValueError if the text would be larger than MAX_TEXT_BYTES.
    """
    key = large_key.encode("utf-8", "replace")
    text, _ = _native.print_text(message, kind, max(0, large_bytes), key, MAX_TEXT_BYTES)
    return text


def from_text(text: bytes, kind: Message) -> tuple[bytes, int, list[str]]:
    """Returns (message, number of unknown fields, the first of them). Raises ValueError with the line number."""
    return _native.parse_text(text, kind)


def _arrays(columns: dict[str, bytes]) -> dict[str, NDArray[Any]]:
    return {name: np.frombuffer(data, _DTYPES[name]) for name, data in columns.items()}
