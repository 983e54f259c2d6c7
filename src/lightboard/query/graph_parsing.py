"""GraphDefs to columns, in Python: slow and plain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors
from lightboard.query import graph_columns, protobuf

_CONST = {"Const", "HostConst", "prim::Constant", "Constant"}
_VARIABLE = {"VarHandleOp", "Variable", "VariableV2", "AutoReloadVariable", "prim::GetAttr", "Initializer"}
_INPUT = {
    "Placeholder",
    "PlaceholderV2",
    "PlaceholderWithDefault",
    "_Arg",
    "_DeviceArg",
    "IO Node",
    "input_arg",
    "InputLayer",
}
_REFERENCE = re.compile(
    r"(Assign\w*|assign\w*|CountUpTo|count_up_to|Scatter\w*|scatter\w*|ResourceApply\w*|ResourceScatter\w*)$"
)


class Dictionary:
    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def __len__(self) -> int:
        return len(self.numbers)


def parse(pieces: Sequence[graph_columns.Piece]) -> graph_columns.Columns:
    made = _Maker()
    for piece in pieces:
        made.add(piece)
    return made.finish()


class _Maker:
    def __init__(self) -> None:
        self.names: list[str] = []
        self.op: list[int] = []
        self.device: list[int] = []
        self.kind: list[int] = []
        self.cluster: list[int] = []
        self.function: list[int] = []
        self.inputs: list[list[str]] = []
        self.shape_texts: list[list[str]] = []
        self.attributes: list[list[str]] = []
        self.spans: list[tuple[int, int, int]] = []
        self.ops, self.devices, self.shapes, self.clusters = Dictionary(), Dictionary(), Dictionary(), Dictionary()
        self.functions: list[graph_columns.Function] = []
        self.problems: dict[str, tuple[int, list[str]]] = {}
        self.producer = 0
        self.main: list[tuple[str, int, int]] = []
        self.bodies: list[tuple[str, str, bytes]] = []
        self.piece_of: list[int] = []
        self.scopes: list[dict[str, int]] = []
        self.callable: dict[tuple[int, str], int] = {}

    def problem(self, code: str, example: str) -> None:
        count, examples = self.problems.get(code, (0, []))
        self.problems[code] = (count + 1, [*examples, example] if len(examples) < 5 else examples)

    def add(self, piece: graph_columns.Piece) -> None:
        number = len(self.scopes)
        try:
            fields = protobuf.parse(piece.graph)
        except errors.Unreadable:
            self.problem("cut", piece.prefix)
            return
        scope: dict[str, int] = {}
        self.scopes.append(scope)
        for node in fields.get(1, ()):
            if isinstance(node, bytes):
                self.node(node, piece.prefix, scope, -1)
        for library in protobuf.messages(fields, 2):
            for body in library.get(1, ()):
                if isinstance(body, bytes):
                    self.bodies.append((str(number), piece.prefix, body))
        for versions in protobuf.messages(fields, 4):
            self.producer = self.producer or protobuf.integer(versions, 1)

    def node(self, message: bytes, prefix: str, scope: dict[str, int], function: int) -> None:
        fields = protobuf.parse(message)
        name, op = protobuf.text(fields, 1), protobuf.text(fields, 2)
        attributes: dict[str, Any] = {}
        for entry in protobuf.messages(fields, 5):
            attributes[protobuf.text(entry, 1)] = protobuf.messages(entry, 2)[-1] if 2 in entry else {}
        op = op or protobuf.text(attributes.get("keras_class", {}), 2)
        shapes = []
        for listed in protobuf.messages(attributes.get("_output_shapes", {}), 1):
            shapes = [_shape(each) for each in protobuf.messages(listed, 7)]
        cluster = protobuf.text(attributes.get("_XlaCluster", {}), 2)
        called = [protobuf.text(func, 1) for each in attributes.values() for func in protobuf.messages(each, 10)]
        self.put(
            name,
            prefix + name,
            op,
            protobuf.texts(fields, 3),
            protobuf.text(fields, 4),
            scope,
            function,
            shapes,
            cluster,
            called,
        )

    def put(
        self, name: str, shown: str, op: str, inputs: list[str], device: str, scope: dict[str, int], function: int,
        shapes: list[str], cluster: str, called: list[str],
    ) -> None:  # fmt: skip
        index = len(self.names)
        if name in scope:
            self.problem("duplicate_name", shown)
        scope.setdefault(name, index)
        self.names.append(shown)
        self.op.append(self.ops.number(op))
        self.device.append(self.devices.number(device))
        self.cluster.append(self.clusters.number(cluster) if cluster else -1)
        self.kind.append(_kind(op))
        self.function.append(function)
        self.inputs.append(inputs)
        self.shape_texts.append(shapes)
        self.attributes.append(called)
        self.piece_of.append(len(self.scopes) - 1)

    def finish(self) -> graph_columns.Columns:
        main = len(self.names)
        scopes = {index: self.scopes[self.piece_of[index]] for index in range(main)}
        for number, prefix, body in self.bodies:
            scope: dict[str, int] = {}
            fields = protobuf.parse(body)
            signature = (protobuf.messages(fields, 1) or [{}])[-1]
            name, first = protobuf.text(signature, 1), len(self.names)
            function = len(self.functions)
            for argument in protobuf.messages(signature, 2):
                self.put(
                    protobuf.text(argument, 1),
                    protobuf.text(argument, 1),
                    "input_arg",
                    [],
                    "",
                    scope,
                    function,
                    [],
                    "",
                    [],
                )
            for node in fields.get(3, ()):
                if isinstance(node, bytes):
                    self.node(node, "", scope, function)
            returned = {protobuf.text(each, 1): protobuf.text(each, 2) for each in protobuf.messages(fields, 4)}
            for argument in protobuf.messages(signature, 3):
                result = protobuf.text(argument, 1)
                shown = result if result not in scope else f"{result}_RetVal"
                self.put(
                    shown,
                    shown,
                    "output_arg",
                    [returned[result]] if result in returned else [],
                    "",
                    scope,
                    function,
                    [],
                    "",
                    [],
                )
            self.callable[int(number), name] = function
            shown = f"{prefix.removesuffix('/')}_{name}" if prefix else name
            self.functions.append(graph_columns.Function(shown, first, len(self.names) - first))
            for index in range(first, len(self.names)):
                scopes[index] = scope
                self.piece_of[index] = int(number)
        return self.columns(scopes)

    def columns(self, scopes: dict[int, dict[str, int]]) -> graph_columns.Columns:
        at, sources, slots, flags, shapes = [0], [], [], [], []
        calls: list[tuple[int, int]] = []
        ops = list(self.ops.numbers)
        for index, inputs in enumerate(self.inputs):
            for place, given in enumerate(inputs):
                control = given.startswith("^")
                source, slot = _resolve(given[1:] if control else given, scopes[index])
                if source is None:
                    # torch leaves out the modules that its attributes are taken from
                    if ops[self.op[index]] != "prim::GetAttr":
                        self.problem("missing_input", f"{self.names[index]} ← {given}")
                    continue
                known = self.shape_texts[source]
                text = known[slot] if not control and slot < len(known) else ""
                reference = place == 0 and not control and _REFERENCE.match(ops[self.op[index]])
                sources.append(source)
                slots.append(slot)
                flags.append(graph_columns.CONTROL if control else graph_columns.REFERENCE if reference else 0)
                shapes.append(self.shapes.number(text) if text else -1)
            at.append(len(sources))
            for name in {*self.attributes[index], ops[self.op[index]]}:
                function = self.callable.get((self.piece_of[index], name))
                if function is not None:
                    calls.append((index, function))
                    self.kind[index] = graph_columns.KINDS.index("call")
        encoded = [name.encode("utf-8", "replace") for name in self.names]
        arrays: dict[str, NDArray[Any]] = {
            "names": np.frombuffer(b"".join(encoded), np.uint8),
            "name_at": np.cumsum([0, *map(len, encoded)]).astype(np.uint32),
            "op": np.array(self.op, np.int32),
            "device": np.array(self.device, np.int32),
            "cluster": np.array(self.cluster, np.int32),
            "kind": np.array(self.kind, np.uint8),
            "function": np.array(self.function, np.int32),
            "edge_at": np.array(at, np.uint32),
            "edge_from": np.array(sources, np.int32),
            "edge_slot": np.array(slots, np.int32),
            "edge_flags": np.array(flags, np.uint8),
            "edge_shape": np.array(shapes, np.int32),
            "call_node": np.array([node for node, _ in calls], np.int32),
            "call_function": np.array([function for _, function in calls], np.int32),
        }
        problems = [(code, count, examples) for code, (count, examples) in self.problems.items()]
        return graph_columns.Columns(
            arrays, ops, list(self.devices.numbers), list(self.shapes.numbers), list(self.clusters.numbers),
            self.functions, self.producer, problems, np.zeros((0, 3), np.int64),
        )  # fmt: skip


def _kind(op: str) -> int:
    if op in _CONST:
        return 1
    if op in _VARIABLE:
        return 2
    if op in _INPUT:
        return 3
    return 4 if op.endswith(("Summary", "SummaryV2")) else 0


def _resolve(given: str, scope: dict[str, int]) -> tuple[int | None, int]:
    if given in scope:
        return scope[given], 0
    name, _, slot = given.rpartition(":")
    if not slot.isdigit():
        return None, 0
    if name in scope:
        return scope[name], int(slot)
    return scope.get(name.rpartition(":")[0]), int(slot)


def _shape(fields: protobuf.Fields) -> str:
    """`2×?×3`, `scalar`, or nothing where the rank is not known."""
    if protobuf.integer(fields, 3):
        return ""
    sizes = [protobuf.integer(each, 1) for each in protobuf.messages(fields, 2)]
    return "×".join("?" if size < 0 else str(size) for size in sizes) or "scalar"
