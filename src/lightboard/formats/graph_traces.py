"""Graphs of traced functions, as `tf.summary.trace_export` and Keras' profiled batches write them.

    RunMetadata     function_graphs 4 {partition_graphs 1, pre_optimization_graph 2, post_optimization_graph 3}

A trace has a graph per traced function, and node names are unique only within a graph: of several graphs, each gets a
prefix, `graph_1/`, `graph_2/`, …
"""

from __future__ import annotations

import itertools

from lightboard import errors, graph_bytes, wire
from lightboard.formats import graph_messages

_FUNCTION_GRAPHS, _BEFORE_OPTIMIZATION = 4, 2
_NODE, _LIBRARY, _VERSIONS = 1, 2, 4
MAX_GRAPHS = 100_000
MAX_MERGED_NODES = 500_000


def pieces(run_metadata: bytes) -> list[graph_bytes.Piece]:
    graphs = [
        _before_optimization(run_metadata[field.at : field.end])
        for field in itertools.islice(wire.walk(run_metadata), MAX_GRAPHS)
        if field.key == _FUNCTION_GRAPHS << 3 | 2
    ]
    if len(graphs) == 1:
        return [graph_bytes.Piece(graphs[0])]
    return [graph_bytes.Piece(graph, f"graph_{number}/") for number, graph in enumerate(graphs, 1)]


def _before_optimization(traced: bytes) -> bytes:
    """Return the graph before optimization; several parts are concatenated."""
    fields = itertools.islice(wire.walk(traced), MAX_GRAPHS)
    return b"".join(traced[each.at : each.end] for each in fields if each.key == _BEFORE_OPTIMIZATION << 3 | 2)


def merged(run_metadata: bytes) -> bytes:
    """Merge all graphs into one GraphDef like TensorBoard: nodes begin with `graph_1/`, names of functions with
    `graph_1_`."""
    found = pieces(run_metadata)
    if len(found) < 2:
        return found[0].graph if found else b""
    columns = graph_bytes.parse(found, nodes=MAX_MERGED_NODES)
    if len(columns.arrays["op"]) >= MAX_MERGED_NODES:
        raise errors.BadInput(
            f"the trace has more than {MAX_MERGED_NODES:,} nodes, too many to merge",
            code="graph.too_many_nodes",
            limit=MAX_MERGED_NODES,
        )
    nodes: list[bytes] = []
    library: list[bytes] = []
    producers, versions = set(), b""
    for piece in found:
        fields = wire.parse(piece.graph)
        own = [each for each in fields.get(_VERSIONS, ()) if isinstance(each, bytes)]
        producers.add(wire.parse(own[-1] if own else b"").integer(1))
        versions = versions or b"".join(wire.message(_VERSIONS, each) for each in own)
        nodes += [_node(each, piece.prefix) for each in fields.get(_NODE, ()) if isinstance(each, bytes)]
        for each in fields.messages(_LIBRARY):
            library += _functions(each, piece.prefix.removesuffix("/") + "_")
    if len(producers) > 1:
        raise errors.BadInput("Cannot combine GraphDefs of different versions.", code="graph.versions")
    return graph_messages.graph(nodes, b"".join(library)) + versions


def _node(message: bytes, prefix: str) -> bytes:
    fields = wire.parse(message)
    called = fields.text(2) == "PartitionedCall"
    made = []
    for number, values in fields.items():
        for value in values:
            if not isinstance(value, bytes):
                continue  # a NodeDef has no numeric fields
            if number in (1, 3):
                value = prefix.encode() + value
            elif number == 5 and called:
                value = _call(value, prefix.removesuffix("/") + "_")
            made.append(wire.message(number, value))
    return b"".join(made)


def _call(entry: bytes, prefix: str) -> bytes:
    """Add the prefix to the function that the attribute `f` of a call names."""
    fields = wire.parse(entry)
    if fields.text(1) != "f":
        return entry
    value = wire.parse(fields.last_bytes(2))
    function = wire.parse(value.last_bytes(10))
    rest = b"".join(wire.message(2, each) for each in function.all_bytes(2))
    named = graph_messages.text(1, prefix + function.text(1)) + rest
    return graph_messages.text(1, "f") + wire.message(2, wire.message(10, named))


def _functions(library: wire.Fields, prefix: str) -> list[bytes]:
    bodies = [_renamed(each, (1, 1), prefix) for each in library.all_bytes(1)]
    gradients = [
        _renamed(_renamed(each, (1,), prefix), (2,), prefix) for each in library.get(2, ()) if isinstance(each, bytes)
    ]
    return [wire.message(1, each) for each in bodies] + [wire.message(2, each) for each in gradients]


def _renamed(message: bytes, path: tuple[int, ...], prefix: str) -> bytes:
    """Return the message with the prefix before the text at the end of the path; everything else is unchanged."""
    number, *below = path
    made, done = [], False
    for field in wire.walk(message):
        if field.key != number << 3 | 2 or done:
            made.append(message[field.start : field.end])
            continue
        content = message[field.at : field.end]
        value = _renamed(content, tuple(below), prefix) if below else prefix.encode() + content
        made.append(wire.message(number, value))
        done = True
    if not done and not below:
        made.append(graph_messages.text(number, prefix))
    return b"".join(made)
