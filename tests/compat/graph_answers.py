"""Every graph a server answers below `/data/plugin/graphs`, TensorBoard's or ours, in the shape the oracle files have.

{info, graphs: [{run, tag, conceptual, node_count, edge_count, ops, functions, producer, nodes}],
 run_metadata: [{run, tag, devices: [{device, nodes}]}]}
"""

from __future__ import annotations

import collections
from typing import Any

import data_client

from lightboard import graph_bytes, wire

PATH = "/data/plugin/graphs"


async def everything(ask: data_client.Client) -> dict[str, Any]:
    info = await ask.json(f"{PATH}/info")
    graphs, recorded = [], []
    for run, told in info.items():
        for fields in questions(run, told):
            conceptual = fields.get("conceptual") == "true"
            text = (await ask.get(f"{PATH}/graph", **fields)).content
            graphs.append({"run": run, "tag": fields.get("tag"), "conceptual": conceptual, **described(text)})
        for tag, cell in told["tags"].items():
            if cell["profile"]:
                text = (await ask.get(f"{PATH}/run_metadata", run=run, tag=tag)).content
                recorded.append({"run": run, "tag": tag, "devices": devices(text)})
    return {"info": info, "graphs": graphs, "run_metadata": recorded}


def questions(run: str, told: dict[str, Any]) -> list[dict[str, str]]:
    """The parameters of every graph that a run has."""
    found = [{"run": run}] if told["run_graph"] else []
    for tag, cell in told["tags"].items():
        if cell["conceptual_graph"]:
            found.append({"run": run, "tag": tag, "conceptual": "true"})
        if cell["op_graph"]:
            found.append({"run": run, "tag": tag})
    return found


def described(text: bytes) -> dict[str, Any]:
    """What the oracle tells of a GraphDef."""
    content, unknown, _ = graph_bytes.from_text(text, "GraphDef")
    assert not unknown
    graph = wire.parse(content)
    nodes = [(node.text(1), node.text(2)) for node in graph.messages(1)]
    library = graph.messages(2)
    bodies = [body for each in library for body in each.messages(1)]
    return {
        "node_count": len(nodes),
        "edge_count": sum(len(node.get(3, ())) for node in graph.messages(1)),
        "ops": dict(collections.Counter(op for _, op in nodes)),
        "functions": {body.messages(1)[0].text(1): len(body.get(3, ())) for body in bodies},
        "producer": sum(each.integer(1) for each in graph.messages(4)),
        "nodes": [list(node) for node in nodes],
    }


def devices(text: bytes) -> list[dict[str, Any]]:
    content, unknown, _ = graph_bytes.from_text(text, "RunMetadata")
    assert not unknown
    steps = wire.parse(content).messages(1)
    found = [each for step in steps for each in step.messages(1)]
    return [{"device": each.text(1), "nodes": len(each.get(2, ()))} for each in found]
