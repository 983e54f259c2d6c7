"""Graphs of all sources: which there are, one as columns, one node of it."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

from numpy.typing import NDArray

from lightboard import errors, store, types
from lightboard.query import graph_columns, graph_parsing, protobuf, series, single

Source = Literal["run_graph", "function_trace", "keras", "uploaded"]
RUN_GRAPH, META_GRAPH = "__run_graph__", "__meta_graph__"
_TRACES = ("graph_run_metadata", "graph_run_metadata_graph")
_KERAS = "graph_keras_model"
_PROFILES = ("graph_run_metadata", "graph_tagged_run_metadata")


@dataclasses.dataclass(frozen=True)
class GraphEntry:
    """One graph that can be asked for."""

    run: str
    tag: str  # "__run_graph__" for the graph of the run
    source: Source
    step: int
    wall_time: float
    bytes: int
    nodes: int | None  # known once it has been looked at
    edges: int | None


@dataclasses.dataclass(frozen=True)
class GraphMetadataEntry:
    """Times and memory of one session or traced function."""

    run: str
    tag: str
    step: int
    wall_time: float
    bytes: int


@dataclasses.dataclass(frozen=True)
class GraphList:
    """All graphs of the board, by run and tag in natural order."""

    version: int
    graphs: list[GraphEntry]
    metadata: list[GraphMetadataEntry]


@dataclasses.dataclass(frozen=True)
class GraphFunction:
    """One function of the library: its nodes follow one another from `first` on."""

    name: str
    first: int
    nodes: int


@dataclasses.dataclass(frozen=True)
class GraphProblem:
    """Something odd in the graph, as a code the page puts into words: cut, duplicate_name, missing_input …"""

    code: str
    count: int
    examples: list[str]


@dataclasses.dataclass(frozen=True)
class GraphHeader:
    """Header of a frame of one graph."""

    run: str
    tag: str
    source: Source
    name: str  # of an uploaded file
    key: str  # names this very graph; for /api/graphs/node
    step: int
    wall_time: float
    bytes: int
    nodes: int
    edges: int
    producer: int  # version of the writer's graphs
    ops: list[str]
    devices: list[str]
    shapes: list[str]  # `2×?×3`, `scalar`
    clusters: list[str]  # of XLA
    functions: list[GraphFunction]
    problems: list[GraphProblem]


@dataclasses.dataclass(frozen=True)
class Found:
    """`arrays`: see docs/reference/http-api.md."""

    header: GraphHeader
    arrays: dict[str, NDArray[Any]]


def listing(source: store.Store) -> GraphList:
    version = source.version
    graphs, metadata = [], []
    entries = {(entry.run, entry.tag): entry for entry in series.listing(source, types.Kind.GRAPHS)}
    for (run, tag), entry in entries.items():
        kind = _source(entry.metadata.plugin, tag)
        points = store.Series(source, entry.row).points()
        if not len(points):
            continue
        step, wall_time, size = int(points.steps[-1]), float(points.wall_times[-1]), int(points.values["length"][-1])
        if kind is not None and not (tag == META_GRAPH and (run, RUN_GRAPH) in entries):
            graphs.append(GraphEntry(run, tag, kind, step, wall_time, size, None, None))
        if entry.metadata.plugin in _PROFILES:
            metadata.append(GraphMetadataEntry(run, tag, step, wall_time, size))
    return GraphList(version, graphs, metadata)


def _source(plugin: str, tag: str) -> Source | None:
    if tag in (RUN_GRAPH, META_GRAPH):
        return "run_graph"
    if plugin in _TRACES:
        return "function_trace"
    return "keras" if plugin == _KERAS else None


def whole(source: store.Store, run: str, tag: str = RUN_GRAPH) -> Found:
    if tag == RUN_GRAPH and source.series(run, tag) is None:
        tag = META_GRAPH
    found = series.find(source, types.Kind.GRAPHS, run, tag)
    kind = _source(found.metadata.plugin, tag)
    if kind is None:
        raise errors.BadInput(f"`{tag}` of run `{run}` holds times and memory, no graph", hint="ask /api/graphs/stats")
    points = found.points()
    at = single.place(points, None)
    raw = series.strings(found.tensor(at, points), least=1)[0]
    columns = graph_parsing.parse(_pieces(kind, tag, raw))
    return answer(columns, run, tag, kind, "", int(points.steps[at]), float(points.wall_times[at]), len(raw))


def _pieces(kind: Source, tag: str, raw: bytes) -> list[graph_columns.Piece]:
    if kind == "keras":
        from lightboard.query import keras_graphs

        return [graph_columns.Piece(keras_graphs.graph(raw, details=True))]
    if tag == META_GRAPH:
        raw = next((each for each in protobuf.parse(raw).get(2, ()) if isinstance(each, bytes)), b"")
    if kind == "run_graph":
        return [graph_columns.Piece(raw)]
    traced = protobuf.messages(protobuf.parse(raw), 4)
    graphs = [next((graph for graph in each.get(2, ()) if isinstance(graph, bytes)), b"") for each in traced]
    several = len(graphs) > 1
    return [graph_columns.Piece(each, f"graph_{number}/" if several else "") for number, each in enumerate(graphs, 1)]


def answer(
    columns: graph_columns.Columns, run: str, tag: str, kind: Source, name: str, step: int, wall_time: float, size: int
) -> Found:
    arrays = columns.arrays
    header = GraphHeader(
        run, tag, kind, name, "", step, wall_time, size, len(arrays["op"]), len(arrays["edge_from"]), columns.producer,
        columns.ops, columns.devices, columns.shapes, columns.clusters,
        [GraphFunction(each.name, each.first, each.nodes) for each in columns.functions],
        [GraphProblem(*each) for each in columns.problems],
    )  # fmt: skip
    return Found(header, arrays)
