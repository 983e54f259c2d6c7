"""`/api/graphs`: graphs as frames of columns. And graphs as TensorBoard serves them: protobuf messages as text."""

from __future__ import annotations

import dataclasses

from lightboard.query import graphs
from lightboard.server import context, endpoints, frames, parameters, responses
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class GraphQuestion:
    run: str = param("name of the run")
    tag: str = param("tag of a trace or of a Keras model; the run's own graph without", graphs.RUN_GRAPH)


def listing(context: context.Context, question: parameters.Nothing) -> graphs.GraphList:
    return graphs.listing(context.store)


def whole(context: context.Context, question: GraphQuestion) -> responses.Reply:
    found = graphs.whole(context.store, question.run, question.tag)
    return frames.reply(found.header, found.arrays)


API = (
    endpoints.Api("/api/graphs", listing, answer=graphs.GraphList, about="All graphs, and what times there are."),
    endpoints.Api(
        "/api/graphs/graph",
        whole,
        question=GraphQuestion,
        answer=graphs.GraphHeader,
        about="One graph, nodes and edges as one binary frame.",
        media_types=(frames.MEDIA_TYPE,),
    ),
)
