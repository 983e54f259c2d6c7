"""Graphs of every source as columns: real logs of TensorFlow, Keras and torch."""

from __future__ import annotations

import itertools
import pathlib

import pytest

import lightboard
from lightboard import graph_bytes, store
from lightboard.query import graphs

DATA = pathlib.Path(__file__).parents[1] / "data"


def opened(corpus: str) -> store.Store:
    return lightboard.open(DATA / corpus)._store


def names(found: graphs.Graph) -> list[str]:
    blob, at = found.arrays["names"].tobytes(), found.arrays["name_at"].tolist()
    return [blob[first:past].decode() for first, past in itertools.pairwise(at)]


def edges(found: graphs.Graph) -> list[tuple[str, str]]:
    """(from, to) of all edges."""
    known, at = names(found), found.arrays["edge_at"].tolist()
    return [
        (known[source], known[node])
        for node in range(found.header.nodes)
        for source in found.arrays["edge_from"][at[node] : at[node + 1]].tolist()
    ]


def test_graphs_of_all_sources_are_listed() -> None:
    listed = graphs.listing(opened("keras_fit"))
    assert {(each.run, each.tag, each.source) for each in listed.graphs} == {
        ("all_options/train", "keras", "keras"),
        ("all_options/train", "batch_2", "function_trace"),
        ("logs/fit/20260105-093001/train", "keras", "keras"),
        ("update_freq_10/train", "keras", "keras"),
        ("update_freq_10/train", "batch_20", "function_trace"),
    }
    assert listed.metadata == []


def test_what_was_recorded_of_a_session_is_listed_apart() -> None:
    listed = graphs.listing(opened("torch_writer"))
    assert [(each.run, each.tag) for each in listed.graphs] == [("cnn_digits", graphs.RUN_GRAPH)]
    assert [(each.run, each.tag) for each in listed.metadata] == [("cnn_digits", "step1")]


def test_a_keras_model_is_a_chain_of_its_layers() -> None:
    found = graphs.whole(opened("keras_fit"), "all_options/train", "keras")
    scope = "sequential_1"
    assert names(found) == [
        f"{scope}/{layer}" for layer in ("input_layer_1", "flatten_2", "dense_4", "dropout_1", "dense_5")
    ]
    assert edges(found) == list(zip(names(found), names(found)[1:], strict=False))
    assert found.header.ops == ["InputLayer", "Flatten", "Dense", "Dropout"]
    assert found.header.shapes == ["?×28×28"]


def test_a_trace_has_its_graphs_side_by_side_and_its_functions_behind_them() -> None:
    found = graphs.whole(opened("keras_fit"), "update_freq_10/train", "batch_20")
    own = found.arrays["function"] == -1
    assert own.sum() == 371
    assert not own[371:].any()
    assert {name.partition("/")[0] for name in names(found)[:371]} >= {"graph_1", "graph_95"}
    assert len(found.header.functions) == 8
    body = found.header.functions[0]
    assert body.name == "graph_2___inference_Dataset_map_permutation_13177"
    ops = [found.header.ops[op] for op in found.arrays["op"][body.first : body.first + body.nodes]]
    assert sum(op not in ("input_arg", "output_arg") for op in ops) == 5
    # every function is called by some node of its own graph
    called = found.arrays["call_function"].tolist()
    assert sorted(set(called)) == list(range(8))
    assert {graph_bytes.KINDS[found.arrays["kind"][node]] for node in found.arrays["call_node"]} == {"call"}


def test_a_graph_of_torch_has_shapes_and_no_problems() -> None:
    found = graphs.whole(opened("torch_writer"), "cnn_digits")
    assert found.header.nodes == 51
    assert "2×1×28×28" in found.header.shapes
    assert found.header.problems == []
    assert len(edges(found)) == found.header.edges == 94  # 12 of 106 inputs are modules, which torch leaves out


@pytest.mark.parametrize("run", ["lightning_logs/version_0", "lightning_logs/version_1/tb"])
def test_graphs_of_lightning_are_those_of_torch(run: str) -> None:
    found = graphs.whole(opened("lightning"), run)
    assert found.header.nodes == 12
    assert ("input/x", "Lit/Sequential[net]/Flatten[0]/input.1") in edges(found)
