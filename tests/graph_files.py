"""GraphDefs of a few lines, as bytes and in event files.

"name = Op < input, input:1, ^control @ device"
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterable, Mapping, Sequence

import event_files

LINE = re.compile(r"(?P<name>.*?) = (?P<op>\S+)(?: < (?P<inputs>.*?))?(?: @ (?P<device>.*))?", re.DOTALL)


def node(line: str, attributes: Mapping[str, bytes] | None = None) -> bytes:
    """A NodeDef: name 1, op 2, input 3, device 4, attr 5 {key 1, value 2}."""
    found = LINE.fullmatch(line)
    assert found is not None, line
    message = event_files.field_bytes(1, found["name"]) + event_files.field_bytes(2, found["op"])
    for given in (found["inputs"] or "").split(", "):
        message += event_files.field_bytes(3, given) if given else b""
    message += event_files.field_bytes(4, found["device"]) if found["device"] else b""
    for name, value in (attributes or {}).items():
        message += event_files.field_bytes(5, event_files.field_bytes(1, name) + event_files.field_bytes(2, value))
    return message


def text_attribute(text: str) -> bytes:
    return event_files.field_bytes(2, text)


def graph(lines: Iterable[str], functions: Mapping[str, Sequence[str]] | None = None) -> bytes:
    """A GraphDef: node 1, library 2 {function 1 {signature 1 {name 1}, node_def 3}}."""
    message = b"".join(event_files.field_bytes(1, node(line)) for line in lines)
    for name, body in (functions or {}).items():
        signature = event_files.field_bytes(1, event_files.field_bytes(1, name))
        nodes = b"".join(event_files.field_bytes(3, node(line)) for line in body)
        message += event_files.field_bytes(2, event_files.field_bytes(1, signature + nodes))
    return message


def write(folder: pathlib.Path, graph: bytes, *, number: int = 1, wall_time: float = event_files.WALL) -> pathlib.Path:
    """Into an event file of its own."""
    events = [event_files.version_event(), event_files.event(event_files.field_bytes(4, graph), wall_time=wall_time)]
    return event_files.write(folder / f"events.out.tfevents.{number}", events)


def deep(nodes: int) -> list[str]:
    """A network of many layers, as large as wanted; layers have names of their own and hundreds of nodes."""
    lines = ["input = Placeholder"]
    before = "input"
    layer = 0
    while len(lines) < nodes:
        at = f"model/stage_{layer // 24}/layer_{layer}"
        heads = []
        for head in range(8):
            name = f"{at}/attention/head_{head}"
            lines += [f"{name}/kernel = VarHandleOp", f"{name}/read = ReadVariableOp < {name}/kernel"]
            lines += [f"{name}/matmul = MatMul < {before}, {name}/read", f"{name}/softmax = Softmax < {name}/matmul"]
            heads.append(f"{name}/softmax")
        lines += [f"{at}/attention/concat = ConcatV2 < {', '.join(heads)}"]
        lines += [f"{at}/add = AddV2 < {at}/attention/concat, {before}"]
        before = f"{at}/add"
        layer += 1
    return lines[:nodes]
