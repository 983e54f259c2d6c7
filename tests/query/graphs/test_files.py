"""Graphs out of files: every format by its content, and files that are no graphs."""

from __future__ import annotations

import pathlib

import event_files
import pytest

import lightboard
from lightboard import errors, graph_bytes
from lightboard.query.graphs import files as graph_files
from lightboard.query.graphs import graphs

DATA = pathlib.Path(__file__).parents[2] / "data"


@pytest.fixture(scope="module")
def torch_graph() -> bytes:
    return lightboard.open(DATA / "torch_writer").graph("cnn_digits")


def test_a_graph_is_the_same_as_bytes_as_text_and_in_a_model(torch_graph: bytes) -> None:
    text = graph_bytes.to_text(torch_graph, "GraphDef")
    meta_graph = event_files.field_bytes(1, b"") + event_files.field_bytes(2, torch_graph)
    saved_model = event_files.field_varint(1, 1) + event_files.field_bytes(2, meta_graph)
    for content in (torch_graph, text, b"\xef\xbb\xbf# remark\n" + text, meta_graph, saved_model):
        found = graph_files.read(content, "graph").header
        assert (found.nodes, found.edges, found.source) == (51, 94, "uploaded")
        assert not found.problems


def test_a_trace_in_a_file_is_a_graph() -> None:
    trace = lightboard.open(DATA / "gradient_tape").graph("logs/gradient_tape/train", "train_step_trace")
    assert graph_files.read(trace, "trace.pb").header.nodes == 395


def test_a_keras_model_in_a_file_is_a_graph() -> None:
    content = (DATA / "models/keras_many.json").read_bytes()
    assert graph_files.read(content, "model.json").header.nodes == 6


def test_the_key_is_that_of_the_content(torch_graph: bytes) -> None:
    keys = {graph_files.read(torch_graph, name).header.key for name in ("a.pb", "b.pb")}
    assert len(keys) == 1
    assert graph_files.read(graph_bytes.to_text(torch_graph, "GraphDef")).header.key not in keys


def test_fields_that_nobody_knows_are_told() -> None:
    found = graph_files.read(b'node { name: "a" op: "b" colour: "red" }', "x.pbtxt").header
    assert found.problems == [graphs.GraphProblem("unknown_field", 1, ["colour"])]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"node { name: 1 }", "line 1: a text in quotes"),
        (b"node {\n name: 'a'\n", "line 3"),
        (b"hello", "not a graph as text"),
        (b'{"a": 1}', "no Keras model"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "no graph"),
        (b"\0" * 1000, "no graph"),
        (b"\x08\x07" + b"\x3a\x00", "no graph"),  # an ONNX model with an empty graph
    ],
)
def test_what_is_no_graph_is_refused_with_a_reason(content: bytes, reason: str) -> None:
    with pytest.raises(errors.BadInput, match=reason) as refused:
        graph_files.read(content, "file")
    assert refused.value.hint or "JSON" in refused.value.message


def test_a_cut_graph_is_shown_in_part(torch_graph: bytes) -> None:
    found = graph_files.read(torch_graph[: len(torch_graph) // 2], "half.pb").header
    assert 10 < found.nodes < 51
    assert [each.code for each in found.problems][:1] == ["cut"]


def test_a_million_nodes_of_nothing_are_counted_and_cut() -> None:
    found = graph_files.read(b"\x0a\x00" * 2_000_010, "many.pb").header
    assert found.nodes == graph_bytes.MAX_NODES
    assert {each.code: each.count for each in found.problems} == {"unnamed": 2_000_000, "too_many_nodes": 10}
