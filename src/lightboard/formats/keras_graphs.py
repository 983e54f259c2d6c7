"""Keras models as graphs: the JSON of `model.to_json()`, of Keras 2 and 3, becomes a GraphDef with a node per layer.

    Sequential   config {name, layers}: each layer takes what the one before gives
    Functional   config {name, layers, input_layers, output_layers}; a layer's `inbound_nodes` has one entry per call
        Keras 3  {"args": [...], "kwargs": {...}}, in it anywhere {"config": {"keras_history": [layer, call, output]}}
        Keras 2  [[layer, call, output, {...}], ...]

A model is a layer, too: `outer/inner/dense`. Whoever takes the output of an inner model is wired to the layer that
makes it, and what goes into an inner model to its input layers. A layer that is called several times is one node with
the inputs of all calls.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lightboard import errors
from lightboard.formats import bounded_json, graph_messages

Json = Mapping[str, Any]
Tensor = tuple[str, int]  # path of a layer or model, number of its output
MAX_DEPTH = 64  # models in models
MAX_LAYERS = 250_000
MAX_VALUES = 2_000_000  # of the JSON: some hundred for each layer
# Of the graph, with the names of layers inside of others: a long one is repeated by every layer below.
MAX_GRAPH_BYTES = 256 << 20
MAX_NAME = 4096
_SHOWN_CONFIG = (str, int, float, bool)


def graph(model: bytes, *, details: bool = False) -> bytes:
    """The GraphDef. `details`: with what a layer is configured to, and shapes where they are told."""
    try:
        parsed = bounded_json.load(model, most_values=MAX_VALUES)
    except errors.Unreadable as error:
        raise errors.BadInput(
            f"the Keras model cannot be read: {error.message}", code="keras.unreadable", because=error
        ) from error
    if not isinstance(parsed, dict) or not isinstance(parsed.get("config"), (dict, list)):
        raise errors.BadInput(
            "this is no Keras model: it has no `config`",
            hint="log what `model.to_json()` gives",
            code="keras.no_config",
        )
    wiring = _Wiring(details)
    wiring.visit(parsed, "", None, 0)
    made: list[bytes] = []
    for layer in wiring.layers:
        made.append(wiring.message(layer))
        wiring.spend(len(made[-1]))
    return graph_messages.graph(made)


@dataclasses.dataclass
class _Layer:
    path: str
    entry: Json
    inputs: list[Tensor]


class _Wiring:
    def __init__(self, details: bool) -> None:
        self.details = details
        self.layers: list[_Layer] = []
        self.outputs: dict[str, list[Tensor]] = {}  # of models, by path
        self.shapes: dict[str, dict[int, Sequence[int]]] = {}  # by path and output, as far as told
        self.fed: dict[str, list[Tensor]] = {}  # what goes into input layers of inner models
        self.spent = 0  # bytes of names and nodes made so far

    def spend(self, size: int) -> None:
        self.spent += size
        if self.spent > MAX_GRAPH_BYTES:
            raise errors.BadInput(
                f"the graph of this Keras model would have more than {MAX_GRAPH_BYTES >> 20} MiB",
                code="graph.too_large",
                limit=MAX_GRAPH_BYTES >> 20,
            )

    def visit(self, entry: Json, scope: str, before: Tensor | None, depth: int) -> str:
        """Notes a layer or model and everything inside; answers with its path."""
        if depth > MAX_DEPTH or len(self.layers) >= MAX_LAYERS:
            raise errors.BadInput(
                "the Keras model has too many layers, or models in models",
                hint=f"up to {MAX_DEPTH}",
                code="keras.too_deep",
            )
        path = _scoped(scope, _name(entry))
        self.spend(len(path))
        calls: list[list[Tensor]] = []
        for call in _calls(entry.get("inbound_nodes")):
            self.spend(len(call) * len(scope) + sum(len(layer) for layer, _, _ in call))
            calls.append([(_scoped(scope, layer), output) for layer, output, _ in call])
            for source, (_, _, sizes) in zip(calls[-1], call, strict=True):
                if sizes is not None:
                    self.shapes.setdefault(source[0], {}).setdefault(source[1], sizes)
        if not any(calls):
            calls = [[before]] if before else []
        inner = _layers(entry)
        if inner is None:
            self.layers.append(_Layer(path, entry, [each for call in calls for each in call]))
            return path
        config = entry["config"] if isinstance(entry["config"], dict) else {}
        entries, exits = _references(config.get("input_layers")), _references(config.get("output_layers"))
        if entries and exits:
            self._functional(path, inner, [name for name, _ in entries], calls, depth)
            self.outputs[path] = [(_scoped(path, name), output) for name, output in exits]
        else:
            self._sequential(path, inner, [call[0] for call in calls if call], depth)
        return path

    def _functional(
        self, path: str, inner: list[Json], entries: list[str], calls: list[list[Tensor]], depth: int
    ) -> None:
        for call in calls:
            for name, source in zip(entries, call, strict=False):
                self.fed.setdefault(_scoped(path, name), []).append(source)
        for each in inner:
            self.visit(each, path, None, depth + 1)

    def _sequential(self, path: str, inner: list[Json], sources: list[Tensor], depth: int) -> None:
        last = sources[0] if sources else None
        for position, each in enumerate(inner):
            at = len(self.layers)
            last = (self.visit(each, path, last, depth + 1), 0)
            if position == 0 and at < len(self.layers):  # the model may be called several times
                self.layers[at].inputs += sources[1:]
        self.outputs[path] = [last] if last else []

    def source(self, path: str, output: int) -> Tensor:
        """The layer that makes this output, through any number of models."""
        for _ in range(MAX_DEPTH + 1):
            made = self.outputs.get(path)
            if not made:
                break
            path, output = made[min(output, len(made) - 1)]
        return path, output

    def message(self, layer: _Layer) -> bytes:
        inputs = []
        for path, output in [*layer.inputs, *self.fed.get(layer.path, ())]:
            source, slot = self.source(path, output)
            inputs.append(f"{source}:{slot}" if slot and self.details else source)
        attributes = {}
        name = layer.entry.get("class_name")
        if isinstance(name, str):
            attributes["keras_class"] = graph_messages.string(name)
        config = layer.entry.get("config")
        dtype = _dtype(config.get("dtype") if isinstance(config, dict) else None)
        if dtype is not None:
            attributes["dtype"] = graph_messages.dtype(dtype)
        if self.details and isinstance(config, dict):
            attributes |= _details(config)
            sizes = self._shapes(layer, config)
            if sizes:
                attributes["_output_shapes"] = graph_messages.shapes(sizes)
        return graph_messages.node(layer.path, "", inputs, attributes)

    def _shapes(self, layer: _Layer, config: Json) -> list[Sequence[int] | None]:
        known = self.shapes.get(layer.path)
        if not known:
            shape = _sizes(config.get("batch_shape", config.get("batch_input_shape")))
            return [shape] if shape is not None and layer.entry.get("class_name") == "InputLayer" else []
        return [known.get(output) for output in range(min(max(known) + 1, 1000))]


def _scoped(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope else name


def _name(entry: Json) -> str:
    config = entry.get("config")
    found = config.get("name") if isinstance(config, dict) else None
    found = found if isinstance(found, str) else entry.get("name")
    found = found if isinstance(found, str) else entry.get("class_name")
    return found[:MAX_NAME] if isinstance(found, str) and found else "layer"


def _layers(entry: Json) -> list[Json] | None:
    """Of a model; None for a layer. Very old Sequentials have the list itself as their config."""
    config = entry.get("config")
    found = config.get("layers") if isinstance(config, dict) else config
    if not isinstance(found, list):
        return None
    return [each for each in found if isinstance(each, dict)]


def _references(value: Any, depth: int = 0) -> list[Tensor]:
    """`["a", 0, 0]`, `[["a", 0, 0], ["b", 0, 1]]`, or the same with names as keys."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list) or not value or depth > MAX_DEPTH:
        return []
    if isinstance(value[0], str):
        value = [value]
    found = []
    for each in value:
        if isinstance(each, list) and each and isinstance(each[0], str):
            found.append((each[0], each[2] if len(each) > 2 and _whole(each[2]) else 0))
        elif isinstance(each, (list, dict)):
            found += _references(each, depth + 1)
    return found


def _whole(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 20


def _calls(value: Any) -> list[list[tuple[str, int, Sequence[int] | None]]]:
    return [list(_tensors(call, 0)) for call in value] if isinstance(value, list) else []


def _tensors(value: Any, depth: int) -> Iterator[tuple[str, int, Sequence[int] | None]]:
    """Every tensor in the arguments of a call, in order, wherever it stands: (layer, output, shape)."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        config = value.get("config")
        history = config.get("keras_history") if isinstance(config, dict) else None
        if isinstance(config, dict) and isinstance(history, list):
            if len(history) >= 3 and isinstance(history[0], str):
                yield history[0], history[2] if _whole(history[2]) else 0, _sizes(config.get("shape"))
            return
        for each in value.values():
            yield from _tensors(each, depth + 1)
    elif isinstance(value, list):
        if len(value) in (3, 4) and isinstance(value[0], str) and _whole(value[1]) and _whole(value[2]):
            yield value[0], value[2], None
            value = value[3:]
        for each in value:
            yield from _tensors(each, depth + 1)


def _sizes(value: Any) -> list[int] | None:
    if isinstance(value, dict):
        value = value.get("shape")
    if isinstance(value, list) and all(each is None or type(each) is int for each in value):
        return [-1 if each is None else each for each in value]
    return None


def _dtype(value: Any) -> int | None:
    if isinstance(value, dict):
        config = value.get("config")
        value = config.get("name") if isinstance(config, dict) else None
    return graph_messages.DTYPES.get(value) if isinstance(value, str) else None


def _details(config: Json) -> dict[str, bytes]:
    """What a layer is configured to, where that is a word or a number."""
    found = {}
    for key, value in config.items():
        if key in ("name", "dtype") or not isinstance(value, _SHOWN_CONFIG):
            if isinstance(value, dict) and isinstance(value.get("class_name"), str):
                found[key] = graph_messages.string(value["class_name"])
            elif isinstance(value, list) and key != "name":
                found[key] = graph_messages.string(json.dumps(value)[:1000])
            continue
        if isinstance(value, bool):
            found[key] = graph_messages.truth(value)
        elif isinstance(value, int):
            found[key] = graph_messages.integer(value)
        elif isinstance(value, float):
            found[key] = graph_messages.number(value)
        else:
            found[key] = graph_messages.string(value)
    return found
