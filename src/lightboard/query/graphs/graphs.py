"""Logged graphs: the list of all, one as columns, one as protobuf text.

Run and tag identify a graph; after it has been read, its `key` does: a hash of its position in the logs, or of the
bytes of an uploaded file. Recent graphs are cached, because requests for single nodes follow.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
from typing import Any, Literal

from numpy.typing import NDArray

from lightboard import errors, graph_bytes, store, types, wire
from lightboard.formats import graph_traces, keras_graphs
from lightboard.query import series, single

Source = Literal["run_graph", "function_trace", "keras", "uploaded"]
RUN_GRAPH, META_GRAPH = "__run_graph__", "__meta_graph__"
TRACES = ("graph_run_metadata", "graph_run_metadata_graph")
KERAS = "graph_keras_model"
PROFILES = ("graph_tagged_run_metadata", "graph_run_metadata")
# A value is read completely, even to draw only a part of it.
MAX_BYTES = 512 << 20
MAX_FIELDS = 100_000  # limit per message that holds a graph
_GRAPHS = store.Share("graphs", 256 << 20)  # by position in the logs


@dataclasses.dataclass(frozen=True)
class GraphEntry:
    """One graph that can be asked for."""

    run: str
    tag: str  # "__run_graph__" for the graph of the run itself
    source: Source
    step: int
    wall_time: float
    nodes: int | None  # known once it has been looked at
    edges: int | None


@dataclasses.dataclass(frozen=True)
class GraphMetadataEntry:
    """Times and memory of one session or traced function."""

    run: str
    tag: str
    step: int
    wall_time: float


@dataclasses.dataclass(frozen=True)
class GraphList:
    """All graphs of the board, in the order found."""

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


@dataclasses.dataclass(frozen=True, kw_only=True)
class GraphHeader:
    """Header of a frame of one graph."""

    run: str
    tag: str
    source: Source
    name: str  # of an uploaded file
    key: str  # names this very graph; for /api/graphs/node and /api/graphs/stats
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
class Graph:
    """One parsed graph, with the bytes from which its nodes are read again."""

    header: GraphHeader
    columns: graph_bytes.Columns
    pieces: list[graph_bytes.Piece]

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        return self.columns.arrays

    @property
    def weight(self) -> int:
        bytes_of_pieces = sum(len(piece.graph) for piece in self.pieces)
        return bytes_of_pieces + self.columns.spans.nbytes + sum(array.nbytes for array in self.arrays.values())


# ---- list


def listing(source: store.Store) -> GraphList:
    version = source.version
    cached: dict[int, Graph] = {
        cache_key[0]: graph for cache_key, graph in source.cache.items(_GRAPHS)
    }  # the last point of each row
    graphs, metadata = [], []
    entries = {(entry.run, entry.tag): entry for entry in series.listing(source, types.Kind.GRAPHS)}
    stamps = _stamps(source, [entry.row for entry in entries.values()])
    for ((run, tag), entry), stamp in zip(entries.items(), stamps, strict=True):
        if stamp is None:
            continue
        kind = source_of(entry.metadata.plugin, tag)
        if kind is not None and not (tag == META_GRAPH and (run, RUN_GRAPH) in entries):
            known = cached.get(entry.row)
            nodes, edges = (known.header.nodes, known.header.edges) if known else (None, None)
            graphs.append(GraphEntry(run, tag, kind, *stamp, nodes, edges))
        if entry.metadata.plugin in PROFILES:
            metadata.append(GraphMetadataEntry(run, tag, *stamp))
    return GraphList(version, graphs, metadata)


def _stamps(source: store.Store, rows: list[int]) -> list[tuple[int, float] | None]:
    """Return step and wall time of the last point of each series. Most have one point, and a logdir may have 100,000
    such."""
    with source.lock:
        chunks = [source.chunk_rows(row) for row in rows]
        firsts = source.chunks_table.rows[[own[0] for own in chunks if own]]
        cells = zip(*(firsts[name].tolist() for name in ("n", "last_step", "max_wall")), strict=True)
    found: list[tuple[int, float] | None] = []
    for row, own in zip(rows, chunks, strict=True):
        count, step, wall_time = next(cells) if own else (0, 0, 0.0)
        if len(own) == 1 and count == 1:
            found.append((step, wall_time))
            continue
        points = store.Series(source, row).points(types.Rewinds.ALL)
        found.append((int(points.steps[-1]), float(points.wall_times[-1])) if len(points) else None)
    return found


def source_of(plugin: str, tag: str) -> Source | None:
    if tag in (RUN_GRAPH, META_GRAPH):
        return "run_graph"
    if plugin in TRACES:
        return "function_trace"
    return "keras" if plugin == KERAS else None


# ---- one graph


def whole(source: store.Store, run: str, tag: str = RUN_GRAPH) -> Graph:
    """The graph logged last under a tag. Raises NotFound if there is none, BadInput if it cannot be parsed."""
    found = _series(source, run, tag)
    kind = source_of(found.metadata.plugin, found.tag)
    if kind is None:
        raise errors.BadQuestion(
            f"`{tag}` of run `{run}` holds times and memory, no graph", hint="ask /api/graphs/stats"
        )
    points = found.points(types.Rewinds.ALL)  # a restart that logs no graph uses the earlier one
    at = single.place(points, None)
    cache_key = _cache_key(found.row, points, at)

    def parsed() -> Graph:
        raw = read(found, points, at)
        step, wall_time = int(points.steps[at]), float(points.wall_times[at])
        return made(
            _pieces(kind, found.tag, raw),
            named=repr((run, found.tag, cache_key, len(raw), step, wall_time)).encode(),
            size=len(raw),
            run=run,
            tag=found.tag,
            kind=kind,
            step=step,
            wall=wall_time,
        )

    return source.cache.get(_GRAPHS, cache_key, parsed, size=lambda graph: graph.weight)


def by_key(source: store.Store, key: str, run: str | None = None, tag: str = RUN_GRAPH) -> Graph:
    """The graph with this key, read again if it is no longer cached and `run` is given."""
    known = _maybe_cached(source, key)
    if known is not None:
        return known
    if run is None:
        raise errors.Gone("this graph is not kept any longer", hint="upload the file again", code="upload.gone")
    found = whole(source, run, tag)
    if key and found.header.key != key:
        raise errors.Gone(
            f"another graph was logged in run `{run}`", hint="load it again", code="graph.changed", run=run
        )
    return found


def raw(source: store.Store, run: str, tag: str) -> tuple[store.Series, bytes]:
    """Return the bytes logged last under a tag of this kind."""
    found = _series(source, run, tag)
    points = found.points(types.Rewinds.ALL)
    return found, read(found, points, single.place(points, None))


def read(found: store.Series, points: store.Points, at: int) -> bytes:
    length = int(points.values["length"][at])
    if length > MAX_BYTES:
        raise errors.BadInput(
            f"the graph has {length / 2**20:,.0f} MiB; up to {MAX_BYTES >> 20} are shown",
            hint="log it without large constants: write weights to a checkpoint",
            code="graph.too_large",
            limit=MAX_BYTES >> 20,
        )
    try:
        return series.strings(found.tensor(at, points), least=1)[0]
    except errors.Unreadable as error:
        raise errors.BadInput(f"the graph cannot be read: {error.message}", code="graph.damaged") from error


def made(
    pieces: list[graph_bytes.Piece],
    *,
    named: bytes,
    size: int,
    run: str = "",
    tag: str = "",
    kind: Source = "uploaded",
    name: str = "",
    step: int = 0,
    wall: float = 0.0,
    problems: list[GraphProblem] | None = None,
) -> Graph:
    """A graph from its pieces; its key is a hash of `named`."""
    columns = graph_bytes.parse(pieces)
    arrays = columns.arrays
    key = hashlib.blake2b(named, digest_size=16, person=b"lightboard graph").hexdigest()
    header = GraphHeader(
        run=run,
        tag=tag,
        source=kind,
        name=name,
        key=key,
        step=step,
        wall_time=wall,
        bytes=size,
        nodes=len(arrays["op"]),
        edges=len(arrays["edge_from"]),
        producer=columns.producer,
        ops=columns.ops,
        devices=columns.devices,
        shapes=columns.shapes,
        clusters=columns.clusters,
        functions=[GraphFunction(*each) for each in columns.functions],
        problems=[*(problems or ()), *(GraphProblem(*each) for each in columns.problems)],
    )
    return Graph(header, columns, pieces)


def _series(source: store.Store, run: str, tag: str) -> store.Series:
    found = series.maybe_find(source, types.Kind.GRAPHS, run, tag)
    if found is None and tag == RUN_GRAPH:
        found = series.maybe_find(source, types.Kind.GRAPHS, run, META_GRAPH)
    if found is None:
        raise errors.NotFound(
            f"run `{run}` has no graph `{tag}`", hint="/api/graphs lists them", code="graph.unknown", run=run, tag=tag
        )
    return found


def _pieces(kind: Source, tag: str, content: bytes) -> list[graph_bytes.Piece]:
    try:
        if kind == "keras":
            return [graph_bytes.Piece(keras_graphs.graph(content, details=True))]
        if kind == "function_trace":
            return graph_traces.pieces(content)
        return [graph_bytes.Piece(of_meta_graph(content) if tag == META_GRAPH else content)]
    except errors.Unreadable as error:
        raise errors.BadInput(f"the graph is broken: {error.message}", code="graph.damaged") from error


def of_meta_graph(content: bytes) -> bytes:
    """MetaGraphDef{graph_def 2}"""
    fields = itertools.islice(wire.walk(content), MAX_FIELDS)
    return b"".join(content[each.at : each.end] for each in fields if each.key == 2 << 3 | 2)


# ---- cache

CacheKey = tuple[int, int, int]  # row of the series, row of its file or -1, offset


def _cache_key(row: int, points: store.Points, at: int) -> CacheKey:
    files = points.files
    return row, -1 if files is None else int(files[at]), int(points.values["offset"][at])


def _maybe_cached(source: store.Store, key: str) -> Graph | None:
    for cache_key, graph in reversed(source.cache.items(_GRAPHS)):
        if graph.header.key == key:
            found: Graph | None = source.cache.peek(_GRAPHS, cache_key)  # marks it as used
            return found
    return None
