"""ONNX models as graphs, read without the `onnx` package: a GraphDef of operators, weights, inputs and outputs.

    ModelProto       ir_version 1, graph 7, functions 25
    GraphProto       node 1, initializer 5, input 11, output 12, value_info 13, sparse_initializer 15
    NodeProto        input 1, output 2, name 3, op_type 4, attribute 5, domain 7, metadata_props 9 {key 1, value 2}
    AttributeProto   name 1, f 2, i 3, s 4, t 5, g 6, floats 7, ints 8, strings 9, graphs 11
    ValueInfoProto   name 1, type 2 {tensor_type 1 {elem_type 1, shape 2 {dim 1 {dim_value 1, dim_param 2}}}}
    TensorProto      dims 1, data_type 2, name 8, raw_data 9
    FunctionProto    name 1, input 4, output 5, node 7, domain 10

Edges of ONNX are tensor names: the node that outputs a tensor is looked up, for branches and loops in outer graphs too.
Weights may be gigabytes and are never copied. Schema: onnx/onnx.proto.
"""

from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from lightboard import errors, wire
from lightboard.formats import graph_messages

Report = Callable[[str, int, list[str]], None]
MAX_DEPTH = 32  # of nested branches and loops
# A large language model has some tens of thousands. This many take a few seconds and 250 MB.
MAX_NODES = 250_000
MAX_FIELDS = 2_000_000
# The limit for the graph: each use of a tensor repeats the name of its node, so a long name makes a large graph.
MAX_GRAPH_BYTES = 256 << 20
MAX_NAME = 4096
_MAX_PATH = 64 << 10  # bytes of a name inside nested graphs
_SHOWN_BYTES = 4096  # the limit of a list or text in the attributes
_MAX_RANK = 64
_SCOPES = re.compile(r"""\[(?:(?:'[^'\\]*'|"[^"\\]*")(?:, ?)?)*\]""")
_SCOPE = re.compile(r"""'([^'\\]*)'|"([^"\\]*)\"""")
_NAME_SCOPES = b"pkg.torch.onnx.name_scopes"
# Maps TensorProto.DataType to TensorFlow's type.
_DTYPES = {
    1: 1, 2: 4, 3: 6, 4: 17, 5: 5, 6: 3, 7: 9, 8: 7, 9: 10, 10: 19, 11: 2, 12: 22, 13: 23, 14: 8, 15: 18, 16: 14,
    17: 25, 18: 26, 19: 24, 20: 28, 21: 30, 22: 29,
}  # fmt: skip


def graph(model: bytes, report: Report | None = None) -> bytes:
    """Return the GraphDef. Raises Unreadable if the bytes are not an ONNX model."""
    made = _Model()
    found, functions = None, []
    for number, content in made.reader.messages(memoryview(model)):
        if number == 7:
            found = content
        elif number == 25:
            functions.append(content)
    if found is None:
        raise errors.Unreadable("an ONNX model has a graph, this file has none", code="onnx.no_graph")
    made.read_graph(found)
    library = [wire.message(1, made.function(each)) for each in functions[:10_000]]
    if report is not None and made.missing:
        report("missing_input", made.missing, made.examples)
    return graph_messages.graph(made.nodes, b"".join(library))


@dataclasses.dataclass
class _Scope:
    """Maps a tensor to the node that outputs it: `node` or `node:1`. Inner graphs can use tensors of the outer ones."""

    prefix: str
    outer: _Scope | None = None
    makers: dict[str, str] = dataclasses.field(default_factory=dict)
    in_function: bool = False

    def maker(self, tensor: str) -> str | None:
        scope: _Scope | None = self
        while scope is not None:
            if tensor in scope.makers:
                return scope.makers[tensor]
            scope = scope.outer
        return None

    def output(self, node: str, slot: int) -> str:
        if self.in_function:
            return f"{node}:out:{slot}"
        return f"{node}:{slot}" if slot else node


class _Model:
    def __init__(self) -> None:
        self.reader = _Reader()
        self.nodes: list[bytes] = []
        self.taken: collections.Counter[str] = collections.Counter()
        self.spent = 0  # bytes of names and nodes created so far
        self.missing = 0
        self.examples: list[str] = []

    # ---- graphs

    def read_graph(self, content: memoryview, scope: _Scope | None = None, depth: int = 0) -> list[str]:
        """Add the graph's nodes; return the nodes that compute its outputs."""
        if depth > MAX_DEPTH:
            raise errors.Unreadable(
                f"graphs in graphs in this ONNX model, deeper than {MAX_DEPTH}", code="onnx.too_deep", limit=MAX_DEPTH
            )
        scope = scope or _Scope("")
        parts: dict[int, list[memoryview]] = collections.defaultdict(list)
        for number, part in self.reader.messages(content):
            parts[number].append(part)
        if len(self.nodes) + len(parts[1]) > MAX_NODES:
            raise _too_many_nodes()
        values = [self.reader.value_info(each) for number in (11, 12, 13) for each in parts[number]]
        shapes = {name: (dtype, sizes) for name, dtype, sizes in values}
        operators = [self.reader.operator(each) for each in parts[1]]
        users = _only_users(operators)
        weights = [self.reader.tensor(each) for each in parts[5]]
        weights += [
            self.reader.tensor(each)
            for sparse in parts[15]
            for number, each in self.reader.messages(sparse)
            if number == 1
        ]
        for tensor, dtype, sizes in weights:
            self._weight(tensor, dtype, sizes, users.get(tensor), scope)
        for each in parts[11]:
            name, dtype, shape = self.reader.value_info(each)
            if name not in scope.makers:  # old models list weights as inputs, too
                self._end("input", name, op="Input", dtype=dtype, shape=shape, source=None, scope=scope)
        self._operators(operators, shapes, scope, depth)
        outputs = [self.reader.value_info(each) for each in parts[12]]
        makers = [maker for name, _, _ in outputs if (maker := scope.maker(name)) is not None]
        if not depth:
            for name, dtype, shape in outputs:
                source = self._maker(name, "output", scope)
                self._end("output", name, op="Output", dtype=dtype, shape=shape, source=source, scope=scope)
        return makers

    def _operators(self, operators: list[_Operator], shapes: _Shapes, scope: _Scope, depth: int) -> None:
        names = [self._unique(scope.prefix + each.name) for each in operators]
        for operator, name in zip(operators, names, strict=True):
            self.spend(len(name) * len(operator.outputs))
            for slot, tensor in enumerate(operator.outputs):
                if tensor:
                    scope.makers[tensor] = scope.output(name, slot)
        for operator, name in zip(operators, names, strict=True):
            self._one_operator(operator, name, shapes, scope, depth)

    def _one_operator(self, operator: _Operator, name: str, shapes: _Shapes, scope: _Scope, depth: int) -> None:
        inputs = [self._maker(tensor, name, scope) for tensor in operator.inputs if tensor]
        attributes: dict[str, bytes] = {}
        for attribute, value, graphs in operator.attributes:
            if value is not None:
                attributes[attribute] = value
            for number, inner in enumerate(graphs):
                prefix = f"{name}/{attribute}{f'_{number}' if len(graphs) > 1 else ''}/"
                inputs += self.read_graph(inner, _Scope(prefix, scope, in_function=scope.in_function), depth + 1)
        if operator.domain:
            attributes["domain"] = graph_messages.string(operator.domain)
        output_shapes = [shapes.get(tensor, (0, None))[1] for tensor in operator.outputs]
        if any(each is not None for each in output_shapes):
            attributes["_output_shapes"] = graph_messages.shapes(output_shapes)
        self.spend(sum(map(len, inputs)))
        self._add(graph_messages.node(name, operator.op, [each for each in inputs if each], attributes))

    def _weight(self, tensor: str, dtype: int, sizes: Sequence[int], user: str | None, scope: _Scope) -> None:
        """Add a weight next to the only operator that uses it, so that both are in the same group."""
        group = user.rpartition("/")[0] if user else ""
        name = self._unique(f"{scope.prefix}{group}/{_path(tensor)}" if group else f"{scope.prefix}{_path(tensor)}")
        scope.makers[tensor] = scope.output(name, 0)
        attributes = {"dtype": graph_messages.dtype(_DTYPES.get(dtype, 0))}
        attributes["_output_shapes"] = graph_messages.shapes([sizes])
        self._add(graph_messages.node(name, "Initializer", (), attributes))

    def _end(
        self,
        kind: str,
        tensor: str,
        *,
        op: str,
        dtype: int,
        shape: Sequence[int] | None,
        source: str | None,
        scope: _Scope,
    ) -> None:
        name = self._unique(f"{scope.prefix}{kind}/{_path(tensor)}")
        attributes = {"dtype": graph_messages.dtype(_DTYPES.get(dtype, 0))}
        if shape is not None:
            attributes["_output_shapes"] = graph_messages.shapes([shape])
        self._add(graph_messages.node(name, op, [source] if source else (), attributes))
        if kind == "input":
            scope.makers[tensor] = scope.output(name, 0)

    # ---- functions

    def function(self, content: memoryview) -> bytes:
        """FunctionDef{signature 1 {name 1, input_arg 2, output_arg 3}, node_def 3, ret 4}"""
        parts: dict[int, list[memoryview]] = collections.defaultdict(list)
        for number, part in self.reader.messages(content):
            parts[number].append(part)
        own, self.nodes, self.taken = (self.nodes, self.taken), [], collections.Counter()
        arguments, results = ([_text(each) for each in parts[number]] for number in (4, 5))
        scope = _Scope("", in_function=True)
        for each in arguments:
            scope.makers[each] = _path(each)
            self.taken[_path(each)] += 1
        self._operators([self.reader.operator(each) for each in parts[7]], {}, scope, 1)
        body, (self.nodes, self.taken) = self.nodes, own
        signature = graph_messages.text(1, "".join(map(_text, parts[1][-1:])))
        signature += b"".join(wire.message(2, graph_messages.text(1, _path(each))) for each in arguments)
        signature += b"".join(wire.message(3, graph_messages.text(1, each)) for each in results)
        made = [wire.message(1, signature), *(wire.message(3, each) for each in body)]
        for each in results:
            entry = graph_messages.text(1, each) + graph_messages.text(2, scope.maker(each) or "")
            made.append(wire.message(4, entry))
        return b"".join(made)

    # ---- names

    def _maker(self, tensor: str, taker: str, scope: _Scope) -> str:
        found = scope.maker(tensor)
        if found is None:
            self.missing += 1
            if len(self.examples) < 5:
                self.examples.append(f"{taker} ← {tensor}"[:300])
        return found or ""

    def _unique(self, name: str) -> str:
        name = name[-_MAX_PATH:]
        self.taken[name] += 1
        while self.taken[name] > 1:
            name = f"{name}_{self.taken[name] - 1}"
            self.spend(len(name))
            self.taken[name] += 1
        self.spend(len(name))
        return name

    def spend(self, size: int) -> None:
        self.spent += size
        if self.spent > MAX_GRAPH_BYTES:
            raise errors.Unreadable(
                f"the graph of this model would have more than {MAX_GRAPH_BYTES >> 20} MiB",
                code="graph.too_large",
                limit=MAX_GRAPH_BYTES >> 20,
            )

    def _add(self, node: bytes) -> None:
        if len(self.nodes) >= MAX_NODES:
            raise _too_many_nodes()
        self.spend(len(node))
        self.nodes.append(node)


def _too_many_nodes() -> errors.Unreadable:
    return errors.Unreadable(
        f"the ONNX model has more than {MAX_NODES:,} nodes", code="graph.too_many_nodes", limit=MAX_NODES
    )


# ---- messages

_Shapes = Mapping[str, tuple[int, Sequence[int] | None]]


@dataclasses.dataclass(frozen=True, slots=True)
class _Operator:
    name: str
    op: str
    domain: str
    inputs: list[str]
    outputs: list[str]
    attributes: list[tuple[str, bytes | None, list[memoryview]]]


class _Reader:
    """Parser for the messages of one model. The limit is a number of fields, because fields determine the time."""

    def __init__(self) -> None:
        self.left = MAX_FIELDS

    def walk(self, content: memoryview) -> Iterator[wire.FieldSpan]:
        for field in wire.walk(content):
            self.left -= 1
            if self.left < 0:
                raise errors.Unreadable(
                    f"the ONNX model has more than {MAX_FIELDS:,} fields", code="onnx.too_many_fields", limit=MAX_FIELDS
                )
            yield field

    def operator(self, content: memoryview) -> _Operator:
        inputs, outputs, attributes = [], [], []
        name = op = domain = scopes = ""
        for number, part in self.messages(content):
            if number == 1:
                inputs.append(_text(part))
            elif number == 2:
                outputs.append(_text(part))
            elif number == 3:
                name = _text(part)
            elif number == 4:
                op = _text(part)
            elif number == 5:
                attributes.append(self.attribute(part))
            elif number == 7:
                domain = _text(part)
            elif number == 9:
                entry = dict(self.messages(part))
                scopes = _text(entry[2]) if 2 in entry and bytes(entry.get(1, b"")) == _NAME_SCOPES else scopes
        path = _path(name) or _path(next(iter(outputs), "")) or op or "node"
        return _Operator(_in_scopes(path, scopes), op, domain, inputs, outputs, attributes)

    def attribute(self, content: memoryview) -> tuple[str, bytes | None, list[memoryview]]:
        """Return the name, the AttrValue (None for a graph), and the graphs in it."""
        name, value = "", None
        graphs: list[memoryview] = []
        numbers: list[int] = []
        floats: list[bytes] = []
        strings: list[bytes] = []
        for field in self.walk(content):
            number, part = field.key >> 3, content[field.at : field.end]
            if number == 1:
                name = _text(part)
            elif number == 2 and field.key & 7 == 5:
                value = wire.key(4, wire.FIXED32) + bytes(part)
            elif number == 3:
                value = graph_messages.integer(field.number)
            elif number == 4:
                value = graph_messages.string(bytes(part[:_SHOWN_BYTES]))
            elif number == 5:
                value = self.tensor_attribute(part)
            elif number in (6, 11):
                graphs.append(part)
            elif number == 7:
                floats.append(bytes(part[:_SHOWN_BYTES]))
            elif number == 8:
                found = [field.number] if field.key & 7 == 0 else _integers(part, _SHOWN_BYTES)
                numbers += found[: _SHOWN_BYTES - len(numbers)]
            elif number == 9:
                strings.append(bytes(part[:_SHOWN_BYTES]))
        if floats:
            value = wire.message(1, wire.message(4, b"".join(floats)[:_SHOWN_BYTES]))
        elif numbers:
            packed = b"".join(wire.varint(each) for each in numbers)
            value = wire.message(1, wire.message(3, packed))
        elif strings:
            value = wire.message(1, b"".join(wire.message(2, each) for each in strings[:1000]))
        return name, value, graphs

    def tensor_attribute(self, content: memoryview) -> bytes:
        """Return a TensorProto of TensorFlow: type and shape, and the numbers if there are few."""
        _, dtype, sizes = self.tensor(content)
        raw = next(
            (bytes(part) for number, part in self.messages(content) if number == 9 and len(part) <= _SHOWN_BYTES), b""
        )
        made = wire.present_integer(1, _DTYPES.get(dtype, 0))
        made += wire.message(2, graph_messages.shape(sizes))
        return wire.message(8, made + (wire.message(4, raw) if raw else b""))

    def tensor(self, content: memoryview) -> tuple[str, int, list[int]]:
        """Return name, type and shape."""
        name, dtype = "", 0
        sizes: list[int] = []
        for field in self.walk(content):
            number = field.key >> 3
            if number == 1 and len(sizes) < _MAX_RANK:
                part = content[field.at : field.end]
                sizes += [field.number] if field.key & 7 == 0 else _integers(part, _MAX_RANK)
            elif number == 2:
                dtype = field.number
            elif number == 8:
                name = _text(content[field.at : field.end])
        return name, dtype, sizes

    def value_info(self, content: memoryview) -> tuple[str, int, list[int] | None]:
        """Return name, type and shape of a tensor; unknown sizes are -1."""
        name, dtype, sizes = "", 0, None
        for number, part in self.messages(content):
            if number == 1:
                name = _text(part)
            elif number == 2:
                for kind, tensor in self.messages(part):
                    if kind == 1:
                        dtype, sizes = self.tensor_type(tensor)
        return name, dtype, sizes

    def tensor_type(self, content: memoryview) -> tuple[int, list[int] | None]:
        dtype, sizes = 0, None
        for field in self.walk(content):
            if field.key == 1 << 3:
                dtype = field.number
            elif field.key == 2 << 3 | 2:
                dims = [part for number, part in self.messages(content[field.at : field.end]) if number == 1][
                    :_MAX_RANK
                ]
                sizes = [next((each.number for each in self.walk(dim) if each.key == 1 << 3), -1) for dim in dims]
        return dtype, sizes

    def messages(self, content: memoryview) -> Iterator[tuple[int, memoryview]]:
        """Yield number and content of every field that is a message, text or bytes."""
        for field in self.walk(content):
            if field.key & 7 == 2:
                yield field.key >> 3, content[field.at : field.end]


def _in_scopes(name: str, scopes: str) -> str:
    """Put the module names of torch's newer exporter before the name: `['', 'layer1', 'layer1.0', 'conv2d']`; the last
    is the node itself."""
    if not scopes or len(scopes) > 10_000:
        return name
    if _SCOPES.fullmatch(scopes) is None:
        return name
    modules = [found[1] or found[2] or "" for found in _SCOPE.finditer(scopes)]
    path, above = [], ""
    for module in modules[:-1]:
        if module:
            path.append(_path(module.removeprefix(f"{above}.") if above else module).replace("/", "_"))
            above = module
    return "/".join([*path, name])


def _path(name: str) -> str:
    """Remove empty parts: names of torch's older exporter begin with a slash."""
    return "/".join(part for part in name.split("/") if part)


def _only_users(operators: list[_Operator]) -> dict[str, str]:
    """Return the tensors that exactly one operator uses, and that operator."""
    users: dict[str, str | None] = {}
    for operator in operators:
        for tensor in operator.inputs:
            users[tensor] = None if users.get(tensor, operator.name) != operator.name else operator.name
    return {tensor: user for tensor, user in users.items() if user}


def _text(content: memoryview) -> str:
    """Decode a name or type, truncated to a length that none has in practice."""
    return bytes(content[:MAX_NAME]).decode("utf-8", "replace")


def _integers(packed: memoryview, most: int) -> list[int]:
    """Return the first `most` integers of a packed list, which may be gigabytes of weights."""
    return wire.integers(_whole_varints(packed[: 10 * most]))[:most]


def _whole_varints(cut: memoryview) -> bytes:
    """Remove an incomplete number at the end."""
    found = bytes(cut)
    end = len(found)
    while end > max(0, len(found) - 10) and found[end - 1] & 0x80:
        end -= 1
    return found[:end]
