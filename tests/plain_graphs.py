"""A GraphDef read in the plainest way, to hold the native columns against."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from lightboard import graph_bytes, wire


@dataclasses.dataclass(frozen=True)
class Node:
    function: str  # "" for the graph itself
    name: str
    op: str
    device: str
    inputs: tuple[tuple[str, int, bool], ...]  # name, output, control; those that exist


def nodes(pieces: Sequence[graph_bytes.Piece]) -> list[Node]:
    """Nodes of all graphs, then those of all functions, without their arguments and results."""
    graphs = [(wire.parse(piece.graph), piece.prefix) for piece in pieces]
    found = [node for graph, prefix in graphs for node in _scope(graph.messages(1), prefix, "", [])]
    for graph, prefix in graphs:
        for library in graph.messages(2):
            for body in library.messages(1):
                signature = body.messages(1)[0]
                name = (f"{prefix[:-1]}_" if prefix else "") + signature.text(1)
                arguments = [each.text(1) for each in signature.messages(2)]
                found += _scope(body.messages(3), "", name, arguments)
    return found


def _scope(messages: list[wire.Fields], prefix: str, function: str, arguments: list[str]) -> list[Node]:
    known = {*arguments, *(node.text(1) for node in messages)}
    made = []
    for node in messages:
        inputs = []
        for text in node.texts(3):
            name, _, slot = text.removeprefix("^").partition(":")
            if name in known:
                inputs.append((prefix + name, int(slot.rpartition(":")[2] or 0), text.startswith("^")))
        device = node.text(4)
        made.append(Node(function, prefix + node.text(1), node.text(2), device, tuple(inputs)))
    return made


def of_columns(columns: graph_bytes.Columns) -> list[Node]:
    """The same out of columns."""
    arrays = {name: array.tolist() for name, array in columns.arrays.items()}
    blob, at = columns.arrays["names"].tobytes(), arrays["name_at"]
    names = [blob[at[number] : at[number + 1]].decode() for number in range(len(arrays["op"]))]
    made = []
    for number, name in enumerate(names):
        op = columns.ops[arrays["op"][number]]
        if op in ("input_arg", "output_arg"):
            continue
        edges = range(arrays["edge_at"][number], arrays["edge_at"][number + 1])
        inputs = tuple(
            (names[arrays["edge_from"][edge]], arrays["edge_slot"][edge], bool(arrays["edge_flags"][edge] & 1))
            for edge in edges
        )
        function = arrays["function"][number]
        owner = columns.functions[function][0] if function >= 0 else ""
        made.append(Node(owner, name, op, columns.devices[arrays["device"][number]], inputs))
    return made
