"""Keras models as graphs: Sequential and Functional, models in models, shared layers, several inputs and outputs.

The models are in tests/data/models. TensorBoard cannot read a Functional model inside a Sequential one, knows no inputs
of Keras 2 and none that are given by keyword: there our answer is what the model says.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from lightboard import errors, graph_bytes, wire
from lightboard.formats import keras_graphs

MODELS = pathlib.Path(__file__).parents[1] / "data/models"


def wired(model: bytes) -> dict[str, list[str]]:
    """{layer: what it takes}"""
    graph = wire.parse(keras_graphs.graph(model))
    return {node.text(1): node.texts(3) for node in graph.messages(1)}


def read(name: str) -> bytes:
    return (MODELS / name).read_bytes()


def test_shared_layers_take_the_inputs_of_all_calls_and_outputs_are_several() -> None:
    assert wired(read("keras_many.json")) == {
        "many/a": [],
        "many/b": [],
        "many/shared": ["many/a", "many/b"],
        "many/both": ["many/shared", "many/shared"],
        "many/score": ["many/both"],
        "many/label": ["many/both"],
    }


def test_models_in_models_are_wired_through() -> None:
    assert wired(read("keras_nested.json")) == {
        "nested/given": [],
        "nested/encoder/raw": ["nested/given"],
        "nested/encoder/left": ["nested/encoder/raw"],
        "nested/encoder/right": ["nested/encoder/raw"],
        "nested/sum": ["nested/encoder/left", "nested/encoder/right"],
        "nested/extra": ["nested/encoder/right"],
        "nested/head/input_layer": ["nested/sum", "nested/extra"],  # called twice
        "nested/head/first": ["nested/head/input_layer"],
        "nested/head/last": ["nested/head/first"],
        "nested/mean": ["nested/head/last", "nested/head/last"],
    }


def test_a_functional_model_may_be_in_a_sequential_one() -> None:
    assert wired(read("keras_sequential.json")) == {
        "outer/input_layer_1": [],
        "outer/before": ["outer/input_layer_1"],
        "outer/inner/raw": ["outer/before"],
        "outer/inner/left": ["outer/inner/raw"],
        "outer/after": ["outer/inner/left"],
    }


def test_inputs_by_keyword_are_inputs() -> None:
    assert wired(read("keras_keyword.json"))["keyword/att"] == ["keyword/s", "keyword/k", "keyword/k"]


def test_models_of_keras_2_are_wired_too() -> None:
    assert wired(read("keras2_functional.json")) == {
        "model_1/words": [],
        "model_1/extra": [],
        "model_1/tower/tower_input": ["model_1/words"],
        "model_1/tower/fold": ["model_1/tower/tower_input"],
        "model_1/same": ["model_1/words", "model_1/extra", "model_1/words"],
        "model_1/join": ["model_1/tower/fold", "model_1/same", "model_1/same"],
    }


def test_layers_carry_class_type_and_what_they_are_configured_to() -> None:
    plain = graph_bytes.to_text(keras_graphs.graph(read("keras_many.json")), "GraphDef").decode()
    assert plain.count("keras_class") == 6
    assert "units" not in plain
    detailed = graph_bytes.to_text(keras_graphs.graph(read("keras_many.json"), details=True), "GraphDef").decode()
    assert 'key: "units"\n    value {\n      i: 4' in detailed
    assert 'key: "activation"\n    value {\n      s: "softmax"' in detailed
    columns = graph_bytes.parse([graph_bytes.Piece(keras_graphs.graph(read("keras_many.json"), details=True))])
    assert columns.ops == ["InputLayer", "Dense", "Concatenate"]
    assert columns.shapes == ["?×8", "?×4"]


def test_a_type_that_is_no_type_is_left_out() -> None:
    text = graph_bytes.to_text(keras_graphs.graph(read("keras2_functional.json")), "GraphDef").decode()
    assert text.count("type: DT_FLOAT") == 5  # `same` has a mixed policy


def test_a_model_of_its_own_class_is_one_node() -> None:
    model = {"class_name": "Mine", "config": {"name": "mine", "units": 3}}
    assert wired(json.dumps(model).encode()) == {"mine": []}


@pytest.mark.parametrize(
    "model",
    [
        {"class_name": "Sequential", "config": {"name": "m", "layers": []}},
        {"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {"name": "d"}}]},
        {"class_name": "Functional", "config": {"name": 3, "layers": [None, 3, {"config": None}, {"class_name": []}]}},
        {"config": {"layers": [{"config": {"name": "a"}, "inbound_nodes": [[["a", 0, 0]], "x", {"args": [{}]}]}]}},
        {"config": {"input_layers": {"x": ["a", 0, 0]}, "output_layers": [["b", 0, "?"]], "layers": [{"config": {}}]}},
        {"config": {"name": "a", "layers": [{"config": {"name": "\ud800", "dtype": {"config": 4}}}]}},
        {"config": {"layers": [{"config": {"name": "l", "dtype": "mixed"}, "inbound_nodes": {"a": 1}}]}},
    ],
)
def test_odd_models_are_read_as_far_as_they_make_sense(model: Any) -> None:
    columns = graph_bytes.parse([graph_bytes.Piece(keras_graphs.graph(json.dumps(model).encode(), details=True))])
    assert len(columns.arrays["op"]) <= 4


@pytest.mark.parametrize("model", [b"", b"{", b"[]", b"{}", b'{"config": 3}', b"\xff", b"[" * 100_000])
def test_what_is_no_model_is_refused_with_a_reason(model: bytes) -> None:
    with pytest.raises(errors.BadInput, match="Keras model"):
        keras_graphs.graph(model)


def test_models_in_models_have_an_end() -> None:
    model: dict[str, Any] = {"class_name": "Dense", "config": {"name": "d"}}
    for _ in range(200):
        model = {"class_name": "Sequential", "config": {"name": "m", "layers": [model]}}
    with pytest.raises(errors.BadInput, match="models in models"):
        keras_graphs.graph(json.dumps(model).encode())


def test_a_long_name_around_many_layers_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keras_graphs, "MAX_GRAPH_BYTES", 1 << 20)
    layers = [{"class_name": "Dense", "config": {"name": str(number)}} for number in range(1000)]
    model = {"class_name": "Sequential", "config": {"name": "m" * 4000, "layers": layers}}
    with pytest.raises(errors.BadInput, match="would have more than 1 MiB"):
        keras_graphs.graph(json.dumps(model).encode())


def test_numbers_that_no_float_holds_are_infinite() -> None:
    config = {"name": "a", "epsilon": 1e300, "momentum": -1e39, "whole": 10**100}
    model = {"class_name": "Sequential", "config": {"layers": [{"class_name": "Dense", "config": config}]}}
    assert keras_graphs.graph(json.dumps(model).encode(), details=True)


def test_references_nested_in_lists_come_to_an_end() -> None:
    deep = b"[" * 500 + b"]" * 500
    model = b'{"config": {"name": "m", "layers": [], "input_layers": ' + deep + b', "output_layers": ' + deep + b"}}"
    assert keras_graphs.graph(model) == b""
