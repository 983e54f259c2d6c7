"""PyTorch models as graphs: traced once, then each value of the trace becomes a node below the module that made it.

Names are the same as in PyTorch's own writer (`Net/Linear[fc1]/weight`, `input/x`, `output/output.1`), so that graphs
logged by either can be compared.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from lightboard.sdk import graph_messages

TAG = "step1"  # of the run metadata, as in PyTorch's writer
# PyTorch does not report where a traced operation ran.
DEVICE = "/device:CPU:0"
_ATTRIBUTE, _MODULE_TYPE = "prim::GetAttr", "ClassType"
_ROOT = "__module"


@dataclasses.dataclass(frozen=True)
class _Node:
    name: str
    op: str
    inputs: Sequence[str]  # names within the trace
    shape: Sequence[int] | None
    attributes: str = ""


def graph(model: Any, inputs: Any, verbose: bool = False, strict_trace: bool = True) -> bytes:
    """Returns the GraphDef of a model, or of a scripted function."""
    import torch  # type: ignore[import-not-found,unused-ignore]

    with _evaluating(model):
        trace = torch.jit.trace(model, inputs, strict=strict_trace)
        traced = trace.graph
        torch._C._jit_pass_inline(traced)
    if verbose:
        sys.stdout.write(f"{traced}\n")
    nodes, names = _nodes(traced, _module_names(trace))
    return graph_messages.graph(_message(node, names) for node in nodes)


@contextlib.contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    """Puts the model into evaluation mode: it disables dropout, for example."""
    training = getattr(model, "training", None)
    if training is None:
        yield
        return
    model.train(False)
    try:
        yield
    finally:
        model.train(training)


def _nodes(traced: Any, modules: _ModuleNames) -> tuple[list[_Node], dict[str, str]]:
    """Returns nodes in PyTorch's order (inputs, outputs, operations), and the full name of each value."""
    outer: list[_Node] = []
    inner: list[_Node] = []
    consumed: dict[str, str] = {}  # values that no node produces: the modules themselves
    names: dict[str, str] = {}
    for value in traced.inputs():
        if value.uses() and value.type().kind() != _MODULE_TYPE:
            name = names[value.debugName()] = f"input/{value.debugName()}"
            outer.append(_Node(name, "IO Node", [], _shape(value)))
    for number, value in enumerate(traced.outputs(), 1):
        outer.append(_Node(f"output/output.{number}", "IO Node", [value.debugName()], _shape(value)))
    attribute_scopes: dict[str, str] = {}
    for node in traced.nodes():
        scope = node.scopeName()
        if node.kind() == _ATTRIBUTE:
            scope = _attribute_scope(node, attribute_scopes)
            if node.output().type().kind() == _MODULE_TYPE:
                continue  # the scope contains this name already
        place = modules.place(scope)
        inputs = [value.debugName() for value in node.inputs()]
        consumed.update((each, f"{place}/{each}") for each in inputs)
        attributes = str({key: getattr(node, node.kindOf(key))(key) for key in node.attributeNames()})
        for value in node.outputs():
            name = names[value.debugName()] = f"{place}/{value.debugName()}"
            shape = value.type().sizes() if value.isCompleteTensor() else None
            # TensorBoard's page would end the attribute at a quote.
            inner.append(_Node(name, node.kind(), inputs, shape, attributes.replace("'", " ")))
    return outer + inner, consumed | names


def _attribute_scope(node: Any, known: dict[str, str]) -> str:
    """`__module.block/__module.block.fc` for the attribute `fc` of the attribute `block` of the model."""
    parent, name = node.input().node(), node.s("name")
    if parent.kind() == _ATTRIBUTE:
        above = known[parent.output().debugName()]
        scope = f"{above}/{above.split('/')[-1]}.{name}"
    else:
        scope = f"{_ROOT}.{name}"
    known[node.output().debugName()] = scope
    return scope


@dataclasses.dataclass(frozen=True)
class _ModuleNames:
    """Names of modules on the page: `__module.block.fc` is `Linear[fc]`."""

    model: str
    modules: dict[str, str]

    def place(self, scope: str) -> str:
        parts = [self.modules.get(each, each.split(".")[-1]) for each in scope.split("/")]
        return "/".join([self.model, *parts]) if any(parts) else self.model


def _module_names(trace: Any) -> _ModuleNames:
    import torch

    def title(module: Any) -> str:
        if isinstance(module, torch.jit.TracedModule):
            return str(module._name)
        return str(getattr(module, "original_name", "Module"))

    if not hasattr(trace, "named_modules"):  # a function
        return _ModuleNames(getattr(trace, "name", "function"), {})
    modules = {name: f"{title(each)}[{name.split('.')[-1]}]" for name, each in trace.named_modules(prefix=_ROOT)}
    return _ModuleNames(title(trace), modules)


def _shape(value: Any) -> Sequence[int] | None:
    try:
        found: Sequence[int] | None = value.type().sizes()
    except RuntimeError:
        return [1]  # no tensor: a number, a tuple
    return found


def _message(node: _Node, names: dict[str, str]) -> bytes:
    attributes = {"attr": graph_messages.text_attribute(node.attributes)}
    if node.shape is not None:
        attributes["_output_shapes"] = graph_messages.shapes_attribute([node.shape])
    return graph_messages.node(node.name, node.op, [names.get(each, each) for each in node.inputs], attributes)
