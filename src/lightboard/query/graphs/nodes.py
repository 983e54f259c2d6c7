"""One node of a graph: its attributes as text, its inputs, and the consumers of its outputs."""

from __future__ import annotations

import collections
import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np

from lightboard import errors, graph_bytes, wire
from lightboard.formats import graph_messages, plain_text
from lightboard.query.graphs import graphs

# For larger attributes only the size is sent, unless the request has a higher limit.
LARGE_BYTES = 1024
MAX_ATTRIBUTE_BYTES = 1 << 20
MAX_ATTRIBUTES = 1000
MAX_NEIGHBOURS = 10_000
MAX_FIELDS = 100_000  # the limit of fields of one node
_SHOWN_NUMBERS = 64
# Element types of TensorProto that NumPy has, by number: their layout in tensor_content, and their own field.
_NUMBERS = {
    1: ("<f4", 5), 2: ("<f8", 6), 3: ("<i4", 7), 4: ("u1", 7), 5: ("<i2", 7), 6: ("i1", 7), 9: ("<i8", 10),
    10: ("?", 11), 17: ("<u2", 7), 22: ("<u4", 16), 23: ("<u8", 17),
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class GraphAttribute:
    """One attribute of a node. `text` is empty where it is too large to be shown."""

    name: str
    kind: str  # s, i, f, b, type, shape, tensor, list, func, placeholder; "" where nothing is set
    text: str
    bytes: int
    large: bool


@dataclasses.dataclass(frozen=True)
class GraphInput:
    """What stands in a node's list of inputs; `node` is -1 where nothing in the graph has that name."""

    text: str
    node: int
    slot: int
    control: bool


@dataclasses.dataclass(frozen=True)
class GraphConsumer:
    """A node that takes an output of this one."""

    node: int
    slot: int
    control: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class GraphNode:
    """All that is known of one node."""

    key: str
    node: int
    name: str
    op: str
    device: str
    kind: str
    function: int  # of the library, -1: the graph itself
    shapes: list[str]  # of its outputs, "" where not known
    attributes: list[GraphAttribute]
    inputs: list[GraphInput]
    consumers: list[GraphConsumer]
    consumer_count: int  # of all, also those left out of a very long list
    calls: list[int]  # functions of the library


def look(graph: graphs.Graph, node: int, *, limit: int = LARGE_BYTES) -> GraphNode:
    """`limit`: attributes with more bytes are returned as their size only."""
    arrays, columns = graph.arrays, graph.columns
    if not 0 <= node < graph.header.nodes:
        raise errors.NotFound(f"the graph has {graph.header.nodes} nodes, none of number {node}", code="graph.no_node")
    inputs, attributes = _parts(graph, node)
    consumers, count = _consumers(graph, node)
    calls = arrays["call_function"][arrays["call_node"] == node]
    return GraphNode(
        key=graph.header.key,
        node=node,
        name=name_of(graph, node),
        op=columns.ops[arrays["op"][node]],
        device=columns.devices[arrays["device"][node]],
        kind=graph_bytes.KINDS[arrays["kind"][node]],
        function=int(arrays["function"][node]),
        shapes=_output_shapes(attributes.get("_output_shapes", b"")),
        attributes=[_attribute(name, attributes[name], limit) for name in sorted(attributes)[:MAX_ATTRIBUTES]],
        inputs=_inputs(graph, node, inputs),
        consumers=consumers,
        consumer_count=count,
        calls=calls.tolist(),
    )


def name_of(graph: graphs.Graph, node: int) -> str:
    first, past = graph.arrays["name_at"][node : node + 2].tolist()
    return bytes(graph.arrays["names"][first:past]).decode()


def _parts(graph: graphs.Graph, node: int) -> tuple[list[str], dict[str, bytes]]:
    """Return inputs and attributes (as AttrValue) of the NodeDef, as far as it can be parsed."""
    offset, length, piece = graph.columns.spans[node].item()
    message = graph.pieces[piece].graph[offset : offset + length]
    inputs: list[str] = []
    attributes: dict[str, bytes] = {}
    try:
        for field in itertools.islice(wire.walk(message), MAX_FIELDS):
            content = message[field.at : field.end]
            if field.key == 3 << 3 | 2:
                inputs.append(content.decode("utf-8", "replace"))
            elif field.key == 5 << 3 | 2:
                entry = wire.parse(content)
                attributes[entry.text(1)] = entry.last_bytes(2)
    except errors.Unreadable:
        pass  # the graph's list of problems reports it
    return inputs, attributes


# ---- edges


def _inputs(graph: graphs.Graph, node: int, texts: list[str]) -> list[GraphInput]:
    """Return the inputs as the node states them, each with the edge found in the graph."""
    arrays = graph.arrays
    first, past = arrays["edge_at"][node : node + 2].tolist()
    past = min(past, first + MAX_FIELDS)
    columns = (arrays[name][first:past].tolist() for name in ("edge_from", "edge_slot", "edge_flags"))
    edges = [(source, slot, bool(flags & graph_bytes.CONTROL)) for source, slot, flags in zip(*columns, strict=True)]
    if not texts:  # results of functions are not nodes of the file
        texts = [name_of(graph, source) for source, _, _ in edges]
    if len(edges) < len(texts):  # some inputs have no edge; the others are in order
        edges = _aligned(graph, edges, texts)
    return [GraphInput(text, *edge) for text, edge in zip(texts, edges, strict=False)][:MAX_NEIGHBOURS]


def _aligned(graph: graphs.Graph, edges: list[tuple[int, int, bool]], texts: list[str]) -> list[tuple[int, int, bool]]:
    found, rest = [], collections.deque(edges)
    for text in texts:
        bare = text.removeprefix("^")
        name = name_of(graph, rest[0][0]) if rest else None
        if name is not None and (bare == name or name.endswith(f"/{bare}") or _is_output(bare, name)):
            found.append(rest.popleft())
        else:
            found.append((-1, 0, text.startswith("^")))
    return found


def _is_output(text: str, name: str) -> bool:
    """Return whether the text is an output of the node: `a:1` and `a:out:1` are outputs of `a`, and of `graph_1/a`."""
    outer = text.partition(":")[0]
    return text != outer and (outer == name or name.endswith(f"/{outer}"))


def _consumers(graph: graphs.Graph, node: int) -> tuple[list[GraphConsumer], int]:
    arrays = graph.arrays
    edges = np.nonzero(arrays["edge_from"] == node)[0]
    shown = edges[:MAX_NEIGHBOURS]
    takers = np.searchsorted(arrays["edge_at"], shown, side="right") - 1
    columns = (takers.tolist(), arrays["edge_slot"][shown].tolist(), arrays["edge_flags"][shown].tolist())
    found = [
        GraphConsumer(taker, slot, bool(flags & graph_bytes.CONTROL))
        for taker, slot, flags in zip(*columns, strict=True)
    ]
    return found, len(edges)


# ---- attributes

_KINDS = {
    1: "list", 2: "s", 3: "i", 4: "f", 5: "b", 6: "type", 7: "shape", 8: "tensor", 9: "placeholder", 10: "func",
}  # fmt: skip


def _attribute(name: str, value: bytes, limit: int) -> GraphAttribute:
    large = len(value) > limit
    kind, text = "", ""
    try:
        fields = wire.parse(value)
        number = next((each for each in reversed([*fields]) if each in _KINDS), 0)
        kind = _KINDS.get(number, "")
        if kind == "tensor" and large:
            text = _type_and_shape(wire.parse(fields.last_bytes(number)))
        elif kind and not large:
            content = fields[number][-1]
            text = _list(fields.last_bytes(number)) if kind == "list" else _one(kind, content)
    except errors.Unreadable:
        text = "?"
    return GraphAttribute(name, kind, text, len(value), large)


def _output_shapes(attribute: bytes) -> list[str]:
    try:
        listed = wire.parse(wire.parse(attribute).last_bytes(1))
        return [_shape(each) for each in listed.messages(7)[:1000]]
    except errors.Unreadable:
        return []


def _one(kind: str, value: int | bytes) -> str:
    if isinstance(value, int):
        if kind == "f":
            return str(np.array([value & 0xFFFFFFFF], np.uint32).view(np.float32)[0])
        if kind == "b":
            return "true" if value else "false"
        return dtype_name(value) if kind == "type" else str(value - (1 << 64) if value >= 1 << 63 else value)
    if kind in ("s", "placeholder"):
        text = plain_text.maybe_text(value)
        return f"0x{value.hex()}" if text is None else text
    fields = wire.parse(value)
    if kind == "shape":
        return _shape(fields) or "?"
    return fields.text(1) if kind == "func" else _tensor(fields)


def _list(content: bytes) -> str:
    """ListValue uses the field numbers of AttrValue, but 9 for functions; numbers may be packed."""
    found: list[str] = []
    for number, values in wire.parse(content).items():
        kind = "func" if number == 9 else _KINDS.get(number, "")
        for value in values:
            if kind == "f" and isinstance(value, bytes):
                found += map(str, np.frombuffer(value[: len(value) // 4 * 4], "<f4"))
            elif kind in ("i", "b", "type") and isinstance(value, bytes):
                found += [_one(kind, each & (1 << 64) - 1) for each in wire.integers(value)]
            elif kind:
                found.append(_one(kind, value))
    return f"[{', '.join(found)}]"


def dtype_name(number: int) -> str:
    """Return a name such as `DT_FLOAT` or `DT_FLOAT_REF`."""
    plain = number - 100 if number > 100 else number
    if not 0 < plain <= len(graph_messages.DTYPE_NAMES):
        return f"type {number}"
    return f"DT_{graph_messages.DTYPE_NAMES[plain - 1].upper()}{'_REF' if number > 100 else ''}"


def _shape(fields: wire.Fields) -> str:
    if fields.integer(3):
        return ""
    sizes = [each.integer(1) for each in fields.messages(2)]
    return "×".join("?" if size < 0 else str(size) for size in sizes) or "scalar"


def _type_and_shape(fields: wire.Fields) -> str:
    shapes = fields.messages(2)
    return f"{dtype_name(fields.integer(1))} {(_shape(shapes[-1]) or '?') if shapes else 'scalar'}"


def _tensor(fields: wire.Fields) -> str:
    """Return a text such as `DT_INT32 2: 3, 4`."""
    dtype = fields.integer(1)
    shown: list[str] = []
    if dtype in _NUMBERS:
        shown = [str(each) for each in _numbers(fields, *_NUMBERS[dtype])]
    elif dtype == graph_messages.DTYPES["string"]:
        shown = [_one("s", each) for each in fields.get(8, ()) if isinstance(each, bytes)]
    more = ["…"] if len(shown) > _SHOWN_NUMBERS else []
    head = _type_and_shape(fields)
    return f"{head}: {', '.join(shown[:_SHOWN_NUMBERS] + more)}" if shown else head


def _numbers(fields: wire.Fields, layout: str, own: int) -> Sequence[object]:
    """Return the numbers from tensor_content, or from the field of their type."""
    content, size = fields.last_bytes(4), np.dtype(layout).itemsize
    if not content and own not in (5, 6):
        return fields.integers(own)
    if not content:
        pieces = fields.get(own, ())
        content = b"".join(each if isinstance(each, bytes) else each.to_bytes(8, "little")[:size] for each in pieces)
    return list(np.frombuffer(content[: len(content) // size * size], layout))
