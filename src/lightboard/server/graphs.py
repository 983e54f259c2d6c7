"""`/api/graphs`: graphs as frames of columns; and graphs as TensorBoard serves them: protobuf messages as text."""

from __future__ import annotations

import dataclasses

from lightboard import types
from lightboard.query import series
from lightboard.query.graphs import files as graph_files
from lightboard.query.graphs import graphs, run_metadata
from lightboard.query.graphs import nodes as graph_nodes
from lightboard.query.graphs import texts as graph_texts
from lightboard.server import context, data, endpoints, frames, parameters, responses
from lightboard.server.parameters import param

PATH = "/data/plugin/graphs"
PBTXT = "text/x-protobuf; charset=utf-8"


@dataclasses.dataclass(frozen=True)
class GraphQuestion:
    run: str = param("name of the run")
    tag: str = param("tag of a trace or of a Keras model; the run's own graph without", graphs.RUN_GRAPH)


@dataclasses.dataclass(frozen=True)
class GraphNodeQuestion:
    key: str = param("which graph, as its frame says")
    node: int = param("number of the node in the frame", lo=0)
    run: str | None = param("run of the graph, to read it again where it is not kept any longer", None)
    tag: str = param("tag of the graph, with `run`", graphs.RUN_GRAPH)
    limit: int = param(
        "attributes of more bytes are told by their size",
        graph_nodes.LARGE_BYTES,
        lo=1,
        hi=graph_nodes.MAX_ATTRIBUTE_BYTES,
    )


@dataclasses.dataclass(frozen=True)
class GraphStatsQuestion:
    run: str = param("name of the run")
    tag: str = param("tag of what was recorded, as /api/graphs lists it under `metadata`")
    key: str | None = param("graph whose nodes are meant, as its frame says", None)
    graph: str | None = param("or the tag of that graph in the same run", None)


@dataclasses.dataclass(frozen=True)
class GraphUploadQuestion:
    name: str = param("name of the file; its ending tells what it is where the content does not", "")


def listing(context: context.Context, question: parameters.Nothing) -> graphs.GraphList:
    return graphs.listing(context.store)


def whole(context: context.Context, question: GraphQuestion) -> responses.Reply:
    return _frame(graphs.whole(context.store, question.run, question.tag))


def node(context: context.Context, question: GraphNodeQuestion) -> graph_nodes.GraphNode:
    graph = _by_key(context, question.key, question.run, question.tag)
    return graph_nodes.look(graph, question.node, limit=question.limit)


def stats(context: context.Context, question: GraphStatsQuestion) -> responses.Reply:
    graph = None
    if question.key is not None or question.graph is not None:
        tag = question.graph or graphs.RUN_GRAPH
        graph = _by_key(context, question.key or "", question.run, tag)
    found = run_metadata.stats(context.store, question.run, question.tag, graph)
    return frames.reply(found.header, found.arrays)


def upload(context: context.Context, question: GraphUploadQuestion, request: endpoints.Request) -> responses.Reply:
    graph = graph_files.read(request.body.to_bytes(), question.name)
    context.work.graphs.keep(graph)
    return _frame(graph)


def _by_key(context: context.Context, key: str, run: str | None, tag: str) -> graphs.Graph:
    """Returns a graph that was uploaded or logged."""
    return context.work.graphs.maybe_find(key) or graphs.by_key(context.store, key, run, tag)


def _frame(graph: graphs.Graph) -> responses.Reply:
    return frames.reply(graph.header, graph.arrays)


API = (
    endpoints.Api("/api/graphs", listing, answer=graphs.GraphList, about="All graphs, and what times there are."),
    endpoints.Api(
        "/api/graphs/graph",
        whole,
        question=GraphQuestion,
        answer=graphs.GraphHeader,
        about="One graph, nodes and edges as one binary frame.",
        heavy_bytes=endpoints.HEAVY_BYTES,
        media_types=(frames.MEDIA_TYPE,),
    ),
    endpoints.Api(
        "/api/graphs/node",
        node,
        question=GraphNodeQuestion,
        answer=graph_nodes.GraphNode,
        about="Attributes, inputs and consumers of one node.",
    ),
    endpoints.Api(
        "/api/graphs/stats",
        stats,
        question=GraphStatsQuestion,
        answer=run_metadata.GraphStatsHeader,
        about="Time, memory and device of each node that ran, as one binary frame.",
        heavy_bytes=endpoints.HEAVY_BYTES,
        media_types=(frames.MEDIA_TYPE,),
    ),
    endpoints.Api(
        "/api/graphs/upload",
        upload,
        question=GraphUploadQuestion,
        answer=graphs.GraphHeader,
        methods=("POST",),
        about="A graph from a file (.pb, .pbtxt, .onnx, a Keras model's JSON), as one binary frame. Nothing is stored.",
        media_types=(frames.MEDIA_TYPE,),
        wants_request=True,
        file_bytes=graph_files.MAX_BYTES,
        file_cost=graph_files.cost_bytes,
    ),
)


# ---- as TensorBoard


def routes(context: context.Context) -> data.Routes:
    table = (
        data.Data(f"{PATH}/info", info),
        data.Data(f"{PATH}/graph", graph_text),
        data.Data(f"{PATH}/run_metadata", run_metadata_text),
    )
    return data.routes(context, table)


def info(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    table: dict[str, dict[str, object]] = {}
    for entry in series.listing(context.store, types.Kind.GRAPHS):
        plugin, versioned = entry.metadata.plugin, entry.metadata.content == b"1"
        cell: dict[str, object] = {"tag": entry.tag, "conceptual_graph": False, "op_graph": False, "profile": False}
        if entry.tag in (graphs.RUN_GRAPH, graphs.META_GRAPH):
            _row(table, entry.run)["run_graph"] = True
            continue
        if plugin == graphs.KERAS and versioned:
            cell["conceptual_graph"] = True
        elif plugin in graphs.TRACES and versioned:
            cell |= {"op_graph": True, "profile": plugin in graphs.PROFILES}
        elif plugin == "graph_tagged_run_metadata":
            cell["profile"] = True
        else:
            continue
        tags = _row(table, entry.run)["tags"]
        assert isinstance(tags, dict)
        tags[entry.tag] = cell
    return data.as_json(table)


def _row(table: dict[str, dict[str, object]], run: str) -> dict[str, object]:
    return table.setdefault(run, {"run": run, "tags": {}, "run_graph": False})


def graph_text(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    run, tag = arguments.get("run"), arguments.get("tag")
    if run is None:
        return data.as_text('query parameter "run" is required', 400)
    limit = arguments.get("limit_attr_size")
    size = 0
    if limit is not None:
        try:
            size = int(limit)
        except ValueError:
            return data.as_text("query parameter `limit_attr_size` must be an integer", 400)
    key = arguments.get("large_attrs_key")
    if limit is not None and key is None:
        return data.as_text("large_attrs_key must be != None when limit_attr_size!= None.", 400)
    if limit is not None and size <= 0:
        return data.as_text(f"limit_attr_size must be > 0, but is {size}", 400)
    found = graph_texts.graph(
        context.store,
        run,
        tag,
        conceptual=arguments.get("conceptual") == "true",
        large_bytes=size,
        large_key=key or "",
    )
    return data.as_bytes(found, PBTXT)


def run_metadata_text(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    run, tag = arguments.get("run"), arguments.get("tag")
    if tag is None or run is None:
        return data.as_text(f'query parameter "{"tag" if tag is None else "run"}" is required', 400)
    return data.as_bytes(graph_texts.recorded(context.store, run, tag), PBTXT)
