"""A graph as columns: what every source (GraphDef, trace, Keras, ONNX) becomes before a page draws it.

    GraphDef     node 1, library 2 {function 1, gradient 2}, versions 4 {producer 1}
    NodeDef      name 1, op 2, input 3 repeated, device 4, attr 5 map<string, AttrValue>
    FunctionDef  signature 1 {name 1, input_arg 2 {name 1}, output_arg 3 {name 1}}, node_def 3, ret 4 map

Nodes of the main graph stand first, then those of each function of the library, its arguments and results as nodes of
their own. Edges are stored by consumer: those of node i are `edge_at[i]` to `edge_at[i + 1]`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Numbers of `kind`.
KINDS = ("op", "const", "variable", "placeholder", "summary", "call")
CONTROL, REFERENCE = 1, 2  # bits of `edge_flags`


@dataclasses.dataclass(frozen=True)
class Piece:
    """One GraphDef, and what stands before the names of its nodes."""

    graph: bytes
    prefix: str = ""


@dataclasses.dataclass(frozen=True)
class Function:
    """One function of the library; its nodes follow one another."""

    name: str
    first: int
    nodes: int


@dataclasses.dataclass(frozen=True)
class Columns:
    """See the module; `arrays` are those of the frame, `places` where each node's bytes lie: piece, offset, length."""

    arrays: dict[str, NDArray[Any]]
    ops: list[str]
    devices: list[str]
    shapes: list[str]
    clusters: list[str]
    functions: list[Function]
    producer: int
    problems: list[tuple[str, int, list[str]]]  # code, how often, some examples
    places: NDArray[np.int64]
