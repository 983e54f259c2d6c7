"""Graphs and their recorded statistics as protobuf text, which TensorBoard's page reads."""

from __future__ import annotations

from lightboard import errors, graph_bytes, store
from lightboard.formats import graph_traces, keras_graphs
from lightboard.query.graphs import graphs


def graph(
    source: store.Store,
    run: str,
    tag: str | None,
    *,
    conceptual: bool = False,
    large_bytes: int = 0,
    large_key: str = "",
) -> bytes:
    """Return a GraphDef. Without a tag: the run's own graph; `conceptual`: the layers of a Keras model; else the graphs
    of a trace."""
    content = _graph_def(source, run, tag, conceptual)
    return _text(content, "GraphDef", large_bytes, large_key)


def recorded(source: store.Store, run: str, tag: str) -> bytes:
    """Return a RunMetadata."""
    found, content = graphs.raw(source, run, tag)
    if found.metadata.plugin not in graphs.PROFILES:
        raise errors.NotFound(f"`{tag}` of run `{run}` holds no times", code="graph.unknown", run=run, tag=tag)
    return _text(content, "RunMetadata")


def _graph_def(source: store.Store, run: str, tag: str | None, conceptual: bool) -> bytes:
    found, content = graphs.raw(source, run, graphs.RUN_GRAPH if tag is None else tag)
    plugin = found.metadata.plugin
    try:
        if conceptual and plugin == graphs.KERAS:
            return keras_graphs.graph(content)
        if not conceptual and tag is None:
            return graphs.of_meta_graph(content) if found.tag == graphs.META_GRAPH else content
        if not conceptual and plugin in graphs.TRACES:
            return graph_traces.merged(content)
    except errors.Unreadable as error:
        raise errors.BadInput(f"the graph is broken: {error.message}", code="graph.damaged") from error
    raise errors.NotFound(f"`{tag}` of run `{run}` holds no such graph", code="graph.unknown", run=run, tag=tag)


def _text(content: bytes, kind: graph_bytes.Message, large_bytes: int = 0, large_key: str = "") -> bytes:
    try:
        return graph_bytes.to_text(content, kind, large_bytes=large_bytes, large_key=large_key)
    except ValueError as error:
        raise errors.BadInput(str(error), code="graph.too_large_text") from error
