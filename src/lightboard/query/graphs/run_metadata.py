"""Statistics recorded while a graph ran: time, memory and device of each node."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, graph_bytes, store
from lightboard.query.graphs import graphs


@dataclasses.dataclass(frozen=True, kw_only=True)
class GraphStatsHeader:
    """Header of a frame of what was recorded: a row per node and device it ran on."""

    run: str
    tag: str
    key: str  # of the graph whose nodes are meant; "" where none was named
    devices: list[str]
    rows: int
    matched: int  # rows whose node is in the graph
    costs: bool  # estimates of the cost model, as no times were recorded
    whole: bool  # False: some of it could not be read


@dataclasses.dataclass(frozen=True)
class Found:
    """`arrays`: names u1 and name_at u4, node i4 (-1: not in the graph), device i4, and as i8 start, end, compute (all
    in microseconds), bytes, count."""

    header: GraphStatsHeader
    arrays: dict[str, NDArray[Any]]


def stats(source: store.Store, run: str, tag: str, graph: graphs.Graph | None = None) -> Found:
    found, content = graphs.raw(source, run, tag)
    if found.metadata.plugin not in graphs.PROFILES:
        raise errors.BadQuestion(f"`{tag}` of run `{run}` holds a graph, no times", hint="/api/graphs lists what does")
    recorded = graph_bytes.stats(content)
    nodes = np.full(len(recorded.arrays["device"]), -1, np.int32)
    if graph is not None:
        nodes = _matched(recorded.arrays, graph)
    header = GraphStatsHeader(
        run=run,
        tag=tag,
        key="" if graph is None else graph.header.key,
        devices=recorded.devices,
        rows=len(nodes),
        matched=int((nodes >= 0).sum()),
        costs=recorded.costs,
        whole=recorded.whole,
    )
    return Found(header, {**recorded.arrays, "node": nodes})


def names(arrays: dict[str, NDArray[Any]]) -> list[bytes]:
    blob, at = arrays["names"].tobytes(), arrays["name_at"].tolist()
    return [blob[first:past] for first, past in itertools.pairwise(at)]


def _matched(arrays: dict[str, NDArray[Any]], graph: graphs.Graph) -> NDArray[np.int32]:
    """Return the node of each row by its name; an op on a stream of a device is named `name:Op`. Nodes of a trace have
    prefixes that recorded names lack: there a bare name means the first node that has it."""
    numbers: dict[bytes, int] = {}
    known = names(graph.arrays)
    for number, name in enumerate(known):
        numbers.setdefault(name, number)
    if any(piece.prefix for piece in graph.pieces):
        for number, name in enumerate(known):
            numbers.setdefault(name.partition(b"/")[2], number)
    return np.array([numbers.get(name, numbers.get(name.partition(b":")[0], -1)) for name in names(arrays)], np.int32)
