"""OpenVINO models as graphs: layers and edges of the XML file."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from typing import Any

from lightboard.sdk import graph_messages


def graph(path: str | os.PathLike[str]) -> bytes:
    """GraphDef of a model's XML file."""
    root = ET.parse(os.fspath(path)).getroot()
    layers = {layer.get("id", ""): layer for layer in root.iterfind("layers/layer")}
    if not layers:
        raise ValueError(f"there are no layers in this OpenVINO model: {os.fspath(path)}")
    inputs: dict[str, list[str]] = {}
    for edge in root.iterfind("edges/edge"):
        source = layers.get(edge.get("from-layer", ""))
        if source is not None:
            inputs.setdefault(edge.get("to-layer", ""), []).append(_name(source))
    return graph_messages.graph(_node(layer, inputs.get(number, [])) for number, layer in layers.items())


def _node(layer: Any, inputs: list[str]) -> bytes:
    data = layer.find("data")
    parameters = ", ".join(f"{key} = {value}" for key, value in ({} if data is None else data.attrib).items())
    shapes = [[int(dim.text or 0) for dim in port.iterfind("dim")] for port in layer.iterfind("output/port")]
    attributes = {"parameters": graph_messages.text_attribute(parameters)}
    if shapes:
        attributes["_output_shapes"] = graph_messages.shapes_attribute(shapes)
    return graph_messages.node(_name(layer), layer.get("type", ""), inputs, attributes)


def _name(layer: Any) -> str:
    return str(layer.get("name") or layer.get("id", ""))
