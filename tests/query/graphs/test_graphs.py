"""Graphs of every source as columns: real logs of TensorFlow, Keras and torch, and logs that are none."""

from __future__ import annotations

import itertools
import pathlib

import event_files
import plain_graphs
import pytest

import lightboard
from lightboard import errors, graph_bytes, store, types, wire
from lightboard.formats import graph_messages, graph_traces
from lightboard.query.graphs import graphs
from lightboard.query.graphs import nodes as graph_nodes

DATA = pathlib.Path(__file__).parents[2] / "data"


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


@pytest.mark.parametrize("corpus", ["torch_writer", "lightning", "keras_fit", "gradient_tape", "awkward"])
def test_columns_are_what_a_plain_reading_gives(corpus: str) -> None:
    source, seen = opened(corpus), 0
    for entry in graphs.listing(source).graphs:
        if entry.source != "keras":
            found = graphs.whole(source, entry.run, entry.tag)
            assert plain_graphs.of_columns(found.columns) == plain_graphs.nodes(found.pieces)
            seen += found.header.nodes
    assert seen > 10


def test_a_graph_is_kept_and_its_size_known_from_then_on() -> None:
    source = opened("torch_writer")
    assert [entry.nodes for entry in graphs.listing(source).graphs] == [None]
    found = graphs.whole(source, "cnn_digits")
    assert graphs.whole(source, "cnn_digits") is found
    assert graphs.by_key(source, found.header.key) is found
    assert [(entry.nodes, entry.edges) for entry in graphs.listing(source).graphs] == [(51, 94)]


def test_a_graph_that_is_not_kept_any_longer_is_read_again_where_its_run_is_told() -> None:
    source = opened("torch_writer")
    key = graphs.whole(opened("torch_writer"), "cnn_digits").header.key
    assert graphs.by_key(source, key, "cnn_digits").header.key == key
    with pytest.raises(errors.Gone, match="another graph"):
        graphs.by_key(source, "0" * 32, "cnn_digits")
    with pytest.raises(errors.Gone, match="not kept"):
        graphs.by_key(source, "0" * 32)


def test_what_is_no_graph_says_so() -> None:
    source = opened("torch_writer")
    with pytest.raises(errors.BadInput, match="no graph"):
        graphs.whole(source, "cnn_digits", "step1")
    with pytest.raises(errors.NotFound, match="has no graph `nothing`"):
        graphs.whole(source, "cnn_digits", "nothing")
    with pytest.raises(errors.NotFound, match="has no graph"):
        graphs.whole(source, "nobody")


def logged(tmp_path: pathlib.Path, *events: bytes) -> store.Store:
    event_files.write(tmp_path / "run/events.out.tfevents.1", [event_files.version_event(), *events])
    return lightboard.open(tmp_path, index=False)._store


def of_names(*names: str) -> bytes:
    return graph_messages.graph(graph_messages.node(name, "Op") for name in names)


def test_the_last_graph_of_a_run_counts(tmp_path: pathlib.Path) -> None:
    events = [event_files.event(event_files.field_bytes(4, of_names(*names))) for names in ("ab", "cde")]
    assert names(graphs.whole(logged(tmp_path, *events), "run")) == ["c", "d", "e"]


def test_a_restart_without_a_graph_keeps_the_one_before_it(tmp_path: pathlib.Path) -> None:
    graph = event_files.event(event_files.field_bytes(4, of_names("a")))
    restarts = [event_files.session_start(0), event_files.session_start(0)]
    source = logged(tmp_path, restarts[0], graph, restarts[1], event_files.scalar_event("loss", 1.0, step=1))
    assert len(graphs.listing(source).graphs) == 1
    assert names(graphs.whole(source, "run")) == ["a"]


def test_a_meta_graph_stands_in_for_a_graph(tmp_path: pathlib.Path) -> None:
    meta_graph = event_files.event(event_files.field_bytes(9, event_files.field_bytes(2, of_names("inside"))))
    source = logged(tmp_path, meta_graph)
    assert [(entry.tag, entry.source) for entry in graphs.listing(source).graphs] == [(graphs.META_GRAPH, "run_graph")]
    assert names(graphs.whole(source, "run")) == ["inside"]


def test_a_meta_graph_beside_a_graph_is_not_listed(tmp_path: pathlib.Path) -> None:
    events = [
        event_files.event(event_files.field_bytes(4, of_names("own"))),
        event_files.event(event_files.field_bytes(9, event_files.field_bytes(2, of_names("inside")))),
    ]
    source = logged(tmp_path, *events)
    assert [entry.tag for entry in graphs.listing(source).graphs] == [graphs.RUN_GRAPH]
    assert names(graphs.whole(source, "run")) == ["own"]


@pytest.mark.parametrize("content", [b"", b"\xff", b"\x0a\x7fa", b"\x0a\x05\x0a\x03abc" * 3, b"\0" * 100])
def test_a_broken_graph_is_an_empty_one_or_a_part_with_its_problems(tmp_path: pathlib.Path, content: bytes) -> None:
    found = graphs.whole(logged(tmp_path, event_files.event(event_files.field_bytes(4, content))), "run")
    assert found.header.nodes in (0, 3)
    if content:
        assert found.header.problems


@pytest.mark.parametrize("plugin", ["graph_run_metadata", "graph_run_metadata_graph", "graph_keras_model"])
@pytest.mark.parametrize("content", [b"\xff\xff", b"\x22\x03\x12\x7f", b"{", b"{}"])
def test_broken_traces_and_models_are_refused_with_a_reason(plugin: str, content: bytes) -> None:
    tensor = types.Tensor((), strings=(content,))
    metadata = types.Metadata(plugin, content=b"1")
    source = store.Builder().tensors("r", "t", types.Kind.GRAPHS, [tensor], metadata=metadata).build()
    with pytest.raises(errors.BadInput, match=r"graph|Keras"):
        graphs.whole(source, "r", "t")


# ---- nodes


def test_a_node_tells_its_attributes_inputs_and_consumers() -> None:
    found = graphs.whole(opened("torch_writer"), "cnn_digits")
    number = names(found).index("Net/Sequential[features]/Conv2d[0]/input.1")
    node = graph_nodes.look(found, number)
    assert (node.op, node.kind, node.function) == ("aten::_convolution", "op", -1)
    assert node.inputs[0].text == "input/x"
    assert names(found)[node.inputs[0].node] == "input/x"
    assert [names(found)[each.node] for each in node.consumers] == ["Net/Sequential[features]/BatchNorm2d[1]/input.3"]
    assert node.consumer_count == 1
    assert node.shapes == ["2×6×24×24"]
    assert {each.name: each.kind for each in node.attributes} == {"_output_shapes": "list", "attr": "s"}


def test_an_input_that_leads_nowhere_is_told_among_the_others() -> None:
    content = graph_messages.graph(
        [
            graph_messages.node("a", "Op"),
            graph_messages.node("scope/b", "Op"),
            graph_messages.node("c", "Op", ["nobody", "a:1", "^gone", "scope/b", "^a", "a"]),
        ]
    )
    found = graphs.made([graph_bytes.Piece(content)], named=content, size=len(content))
    inputs = graph_nodes.look(found, 2).inputs
    assert [(each.text, each.node, each.slot, each.control) for each in inputs] == [
        ("nobody", -1, 0, False),
        ("a:1", 0, 1, False),
        ("^gone", -1, 0, True),
        ("scope/b", 1, 0, False),
        ("^a", 0, 0, True),
        ("a", 0, 0, False),
    ]


def test_attributes_are_told_as_people_read_them() -> None:
    text = b"""node { name: "n" op: "Op"
      attr { key: "b" value { b: false } } attr { key: "f" value { f: 0.1 } } attr { key: "i" value { i: -3 } }
      attr { key: "type" value { type: DT_FLOAT_REF } } attr { key: "other" value { type: 77 } }
      attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } }
      attr { key: "any" value { shape { unknown_rank: true } } }
      attr { key: "func" value { func { name: "g" } } } attr { key: "none" value { } }
      attr { key: "s" value { s: "caf\\303\\251" } } attr { key: "bytes" value { s: "\\377" } }
      attr { key: "list" value { list { i: [1, -2] f: [0.5] type: [DT_INT64] s: ["x"] func { name: "h" } } } }
      attr { key: "tensor" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: [3, 4] } } }
      attr { key: "content" value { tensor { dtype: DT_FLOAT tensor_content: "\\000\\000\\200?" } } }
      attr { key: "words" value { tensor { dtype: DT_STRING string_val: "w" } } }
      attr { key: "large" value { s: "0123456789012345678901234567890123456789" } }
      attr { key: "weights" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 9 } }
             tensor_content: "012345678901234567890123456789012345" } } } }"""
    content, _, _ = graph_bytes.from_text(text, "GraphDef")
    found = graphs.made([graph_bytes.Piece(content)], named=content, size=len(content))
    told = {each.name: (each.kind, each.text) for each in graph_nodes.look(found, 0, limit=35).attributes}
    assert told == {
        "b": ("b", "false"),
        "f": ("f", "0.1"),
        "i": ("i", "-3"),
        "type": ("type", "DT_FLOAT_REF"),
        "other": ("type", "type 77"),
        "shape": ("shape", "?×2"),
        "any": ("shape", "?"),
        "func": ("func", "g"),
        "none": ("", ""),
        "s": ("s", "café"),
        "bytes": ("s", "0xff"),
        "list": ("list", "[1, -2, 0.5, DT_INT64, x, h]"),
        "tensor": ("tensor", "DT_INT32 2: 3, 4"),
        "content": ("tensor", "DT_FLOAT scalar: 1.0"),
        "words": ("tensor", "DT_STRING scalar: w"),
        "large": ("s", ""),
        "weights": ("tensor", "DT_FLOAT 9"),
    }


def test_a_broken_node_tells_what_can_be_read() -> None:
    node = graph_messages.node("n", "Op", ["n"], {"good": graph_messages.integer(1)})
    odd = wire.message(5, wire.message(1, b"odd") + wire.message(2, b"\x0a\x7f"))
    content = wire.message(1, node + odd)
    found = graphs.made([graph_bytes.Piece(content)], named=content, size=len(content))
    told = graph_nodes.look(found, 0)
    assert [(each.name, each.text) for each in told.attributes] == [("good", "1"), ("odd", "?")]
    with pytest.raises(errors.NotFound, match="has 1 nodes"):
        graph_nodes.look(found, 1)


def test_merged_traces_must_be_of_one_version() -> None:
    graph_of = [of_names("a") + event_files.field_bytes(4, event_files.field_varint(1, version)) for version in (1, 2)]
    traced = b"".join(event_files.field_bytes(4, event_files.field_bytes(2, each)) for each in graph_of)
    with pytest.raises(errors.BadInput, match="different versions"):
        graph_traces.merged(traced)
    assert len(graph_traces.pieces(traced)) == 2
