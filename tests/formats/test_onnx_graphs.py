"""ONNX models as graphs: both exporters of PyTorch, branches, functions, weights; and what is no model."""

from __future__ import annotations

import contextlib
import pathlib

import event_files
import pytest

from lightboard import errors
from lightboard.formats import graph_messages, onnx_graphs
from lightboard.query.graphs import files as graph_files
from lightboard.query.graphs import graphs
from lightboard.query.graphs import nodes as graph_nodes

MODELS = pathlib.Path(__file__).parents[1] / "data/models"


def read(name: str) -> graphs.Graph:
    return graph_files.read((MODELS / name).read_bytes(), name)


def wired(graph: graphs.Graph) -> dict[str, list[str]]:
    nodes = [graph_nodes.look(graph, number) for number in range(graph.header.nodes)]
    return {node.name: [each.text for each in node.inputs] for node in nodes}


def test_modules_are_groups_of_what_torch_exports() -> None:
    found = wired(read("torchscript.onnx"))
    assert found["blocks/blocks.0/Add"] == ["blocks/blocks.0/conv/Conv", "stem/Conv"]
    assert found["stem/Conv"] == ["input/image", "stem/stem.weight", "stem/stem.bias"]
    assert found["output/scores"] == ["head/Gemm"]


def test_the_newer_exporter_tells_modules_beside_the_names() -> None:
    found = wired(read("dynamo.onnx"))
    assert found["blocks/1/node_add_1"] == ["blocks/1/norm/node_Conv_18", "blocks/0/node_relu"]
    assert found["head/node_linear"] == ["node_mean", "head/head.weight", "head/head.bias"]


def test_shapes_and_attributes_are_told() -> None:
    graph = read("torchscript.onnx")
    assert {"2×1×3×3", "?×1×8×8", "?×3"} <= set(graph.header.shapes)
    conv = next(number for number in range(graph.header.nodes) if graph_nodes.name_of(graph, number) == "stem/Conv")
    told = {each.name: each.text for each in graph_nodes.look(graph, conv).attributes}
    assert told["kernel_shape"] == "[3, 3]"
    assert told["group"] == "1"


def test_branches_are_inside_the_node_that_has_them_and_see_what_is_outside() -> None:
    graph = read("branches.onnx")
    found = wired(graph)
    assert found["branch/then_branch/plus"] == ["input/x", "w"]
    assert found["branch"] == ["check", "branch/else_branch/e_out", "branch/then_branch/plus"]
    assert found["parts/mul"] == ["parts/split:1", "parts/split"]
    assert [(each.code, each.count, each.examples) for each in graph.header.problems] == [
        ("missing_input", 1, ["check_1 ← c_f"])
    ]


def test_functions_of_a_model_are_its_library() -> None:
    graph = read("branches.onnx")
    assert [each.name for each in graph.header.functions] == ["Twice"]
    call = next(number for number in range(graph.header.nodes) if graph_nodes.name_of(graph, number) == "call")
    assert graph_nodes.look(graph, call).calls == [0]
    body = graph.header.functions[0]
    names = [graph_nodes.name_of(graph, number) for number in range(body.first, body.first + body.nodes)]
    assert names == ["v", "sum", "q", "r", "q_RetVal"]


@pytest.mark.parametrize("name", ["torchscript.onnx", "dynamo.onnx", "branches.onnx"])
def test_a_model_cut_anywhere_is_refused_or_read_in_part(name: str) -> None:
    whole = (MODELS / name).read_bytes()
    for size in range(0, len(whole), 7):
        with contextlib.suppress(errors.Unreadable):
            onnx_graphs.graph(whole[:size])


def test_graphs_in_graphs_have_an_end() -> None:
    inner = b""
    for _ in range(100):
        node = graph_messages.text(4, "If") + event_files.field_bytes(5, event_files.field_bytes(6, inner))
        inner = event_files.field_bytes(1, node)
    with pytest.raises(errors.Unreadable, match="graphs in graphs"):
        onnx_graphs.graph(event_files.field_bytes(7, inner))


def test_nodes_without_any_name_get_one() -> None:
    node = event_files.field_bytes(1, event_files.field_bytes(4, "Relu"))
    graph = graph_files.read(event_files.field_varint(1, 8) + event_files.field_bytes(7, node * 3), "x.onnx")
    assert [graph_nodes.name_of(graph, number) for number in range(3)] == ["Relu", "Relu_1", "Relu_2"]


def test_what_a_model_may_cost_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_graphs, "MAX_FIELDS", 100)
    with pytest.raises(errors.BadInput, match="more than 100 fields"):
        read("dynamo.onnx")


def test_a_long_name_that_everybody_uses_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three bytes for each use, and the name of the maker in every node of the graph."""
    monkeypatch.setattr(onnx_graphs, "MAX_GRAPH_BYTES", 1 << 20)
    maker = graph_messages.text(2, "t") + graph_messages.text(3, "n" * 4000)
    user = graph_messages.text(1, "t") * 100 + graph_messages.text(4, "Add")
    model = b"".join(event_files.field_bytes(1, each) for each in (maker, *[user] * 20))
    with pytest.raises(errors.Unreadable, match="would have more than 1 MiB"):
        onnx_graphs.graph(event_files.field_bytes(7, model))


def test_names_that_are_taken_again_and_again_come_to_an_end() -> None:
    names = ["a"]
    for _ in range(1500):
        names.append(names[-1] + "_1")
    nodes = [event_files.field_bytes(1, graph_messages.text(3, name)) for name in (*names, "a", "a")]
    assert onnx_graphs.graph(event_files.field_bytes(7, b"".join(nodes)))


def test_of_sizes_that_are_millions_only_the_first_are_read() -> None:
    tensor = event_files.field_bytes(1, b"\x7f" * 5_000_000) + event_files.field_bytes(8, "w")
    made = onnx_graphs.graph(event_files.field_bytes(7, event_files.field_bytes(5, tensor)))
    assert len(made) < 10_000


@pytest.mark.parametrize("scopes", ["['', 'layer1', 'layer1.0', 'conv']", '["", "layer1", "layer1.0", "conv"]'])
def test_scopes_are_told_with_either_quotes(scopes: str) -> None:
    assert onnx_graphs._in_scopes("n", scopes) == "layer1/0/n"
    assert onnx_graphs._in_scopes("n", scopes[:-1]) == "n"
