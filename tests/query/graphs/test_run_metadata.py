"""What was recorded of running a graph, joined with its nodes."""

from __future__ import annotations

import pathlib

import event_files
import pytest

import lightboard
from lightboard import errors, store, types
from lightboard.formats import graph_messages
from lightboard.query.graphs import graphs, run_metadata
from lightboard.query.graphs import nodes as graph_nodes

DATA = pathlib.Path(__file__).parents[2] / "data"


def test_times_memory_and_device_are_those_of_the_nodes() -> None:
    source = lightboard.open(DATA / "awkward")._store
    graph = graphs.whole(source, "v1/tf1_writer")
    found = run_metadata.stats(source, "v1/tf1_writer", "step3", graph)
    assert found.header.rows == 30
    assert found.header.devices == ["/job:localhost/replica:0/task:0/device:CPU:0"]
    assert found.header.key == graph.header.key
    assert found.header.whole
    assert not found.header.costs
    assert found.header.matched > 20
    for row, node in enumerate(found.arrays["node"].tolist()):
        if node >= 0:
            assert graph_nodes.name_of(graph, node) == run_metadata.names(found.arrays)[row].decode().partition(":")[0]
    assert (found.arrays["compute"] >= 0).all()
    assert found.arrays["compute"].sum() > 0
    assert found.arrays["bytes"].sum() > 0
    assert (found.arrays["end"] >= found.arrays["start"]).all()


def test_without_a_graph_no_node_is_meant() -> None:
    source = lightboard.open(DATA / "awkward")._store
    found = run_metadata.stats(source, "v1/tf1_writer", "step3")
    assert found.header.key == ""
    assert (found.arrays["node"] == -1).all()


def test_torch_records_a_device_and_no_times() -> None:
    source = lightboard.open(DATA / "torch_writer")._store
    found = run_metadata.stats(source, "cnn_digits", "step1")
    assert (found.header.rows, found.header.devices, found.header.whole) == (0, ["/device:CPU:0"], True)


def test_a_graph_has_no_times() -> None:
    source = lightboard.open(DATA / "torch_writer")._store
    with pytest.raises(errors.BadInput, match="no times"):
        run_metadata.stats(source, "cnn_digits", graphs.RUN_GRAPH)


def test_what_ran_is_found_in_a_trace_without_the_prefix_of_its_graph() -> None:
    function_graphs = b"".join(
        event_files.field_bytes(4, event_files.field_bytes(2, graph_messages.graph([graph_messages.node(name, "Op")])))
        for name in ("a/b", "c")
    )
    ran = event_files.field_bytes(1, "a/b:Op") + event_files.field_varint(5, 7)
    steps = event_files.field_bytes(1, event_files.field_bytes(1, event_files.field_bytes(2, ran)))
    tensor = types.Tensor((), strings=(steps + function_graphs,))
    metadata = types.Metadata("graph_run_metadata", content=b"1")
    source = store.Builder().tensors("r", "t", types.Kind.GRAPHS, [tensor], metadata=metadata).build()
    found = run_metadata.stats(source, "r", "t", graphs.whole(source, "r", "t"))
    assert found.arrays["node"].tolist() == [0]
    assert found.arrays["compute"].tolist() == [7]
