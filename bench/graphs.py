"""A training graph of 50,000 nodes as one GraphDef event, with execution times: a worst case for the graphs page.

The graph is a transformer as TensorFlow writes it: layers of attention heads and dense blocks, the gradients of all
nodes in reverse, an optimizer with slots for each variable, summaries. Every node has a device, attributes and shapes.

    python -m bench.graphs [--nodes 50000] [--dir ~/.cache/lightboard-bench]
"""

from __future__ import annotations

import argparse
import struct
import sys
from pathlib import Path

from bench import records

NODES = 50_000
HEADS = 12
FIRST_WALL_TIME = 1.76e9
TAG = "step_100"
RUN = "train"
_DEVICES = tuple(f"/job:worker/replica:0/task:0/device:GPU:{number}" for number in range(4))
_FLOAT = b"\x30\x01"  # AttrValue{type: DT_FLOAT}


def make(root: Path, nodes: int = NODES) -> Path:
    """Return the log directory; write it unless it exists."""
    home = root / f"graph-{nodes}"
    logdir, mark = home / "logs", home / "complete"
    if mark.exists():
        return logdir
    made = Graph(nodes)
    directory = logdir / RUN
    directory.mkdir(parents=True, exist_ok=True)
    with open(directory / f"events.out.tfevents.{int(FIRST_WALL_TIME)}.bench.1.0", "wb") as file:
        file.write(records.file_version(FIRST_WALL_TIME))
        file.write(_event(records.field(4, made.graph_def())))
        recorded = records.field(1, TAG.encode()) + records.field(2, made.run_metadata())
        file.write(_event(records.field(8, recorded), step=100))
    mark.write_text("")
    return logdir


def _event(what: bytes, step: int = 0) -> bytes:
    stepped = b"\x10" + records.varint(step) if step else b""
    return records.framed(b"\x09" + struct.pack("<d", FIRST_WALL_TIME + step) + stepped + what)


class Graph:
    """Nodes in the order of creation; exactly `wanted` of them."""

    def __init__(self, nodes: int) -> None:
        self.wanted = nodes
        self.nodes: list[tuple[str, str, tuple[str, ...], tuple[int, ...], int]] = []
        self.taken: dict[str, list[str]] = {}  # consumers of each node's output
        self.variables: list[str] = []
        self._fill()

    def _fill(self) -> None:
        batch = self.op("inputs/tokens", "Placeholder", shape=(64, 128))
        last = self.op("embedding/lookup", "ResourceGather", self.variable("embedding/table", (32000, 768)), batch)
        layer = 0
        # all nodes have gradients except three of each variable; its optimizer has seven more
        while 2 * len(self.nodes) + 4 * len(self.variables) < self.wanted - 200:
            last = self.layer(f"model/layer_{layer}", last, layer % len(_DEVICES))
            layer += 1
        loss = self.op("loss/mean", "Mean", self.dense("loss/logits", last, 0), shape=())
        self.op("summaries/loss", "ScalarSummary", loss, shape=())
        self.gradients(loss)
        self.optimizer()
        number = 0
        while len(self.nodes) < self.wanted:
            self.op(f"save/checkpoint/Assign_{number}", "NoOp", f"^{self.nodes[number][0]}")
            number += 1
        del self.nodes[self.wanted :]

    def op(self, name: str, op: str, *inputs: str, shape: tuple[int, ...] = (64, 128, 768), device: int = 0) -> str:
        self.nodes.append((name, op, inputs, shape, device))
        for each in inputs:
            self.taken.setdefault(each.lstrip("^"), []).append(name)
        return name

    def variable(self, name: str, shape: tuple[int, ...], device: int = 0) -> str:
        self.variables.append(name)
        handle = self.op(name, "VarHandleOp", shape=(), device=device)
        start = self.op(f"{name}/Initializer/random_normal", "Const", shape=shape, device=device)
        self.op(f"{name}/Assign", "AssignVariableOp", handle, start, shape=(), device=device)
        return self.op(f"{name}/Read/ReadVariableOp", "ReadVariableOp", handle, shape=shape, device=device)

    def dense(self, scope: str, source: str, device: int) -> str:
        kernel, bias = (self.variable(f"{scope}/{name}", (768, 768), device) for name in ("kernel", "bias"))
        product = self.op(f"{scope}/MatMul", "MatMul", source, kernel, device=device)
        return self.op(f"{scope}/BiasAdd", "BiasAdd", product, bias, device=device)

    def layer(self, scope: str, source: str, device: int) -> str:
        heads = [self.head(f"{scope}/attention/head_{number}", source, device) for number in range(HEADS)]
        joined = self.op(f"{scope}/attention/concat", "ConcatV2", *heads, device=device)
        summed = self.op(
            f"{scope}/attention/add", "AddV2", source, self.dense(f"{scope}/attention/output", joined, device)
        )
        normal = self.norm(f"{scope}/norm_1", summed, device)
        inner = self.op(f"{scope}/mlp/gelu", "Gelu", self.dense(f"{scope}/mlp/up", normal, device), device=device)
        outer = self.op(f"{scope}/mlp/add", "AddV2", normal, self.dense(f"{scope}/mlp/down", inner, device))
        return self.norm(f"{scope}/norm_2", outer, device)

    def head(self, scope: str, source: str, device: int) -> str:
        query, key, value = (self.dense(f"{scope}/{name}", source, device) for name in ("query", "key", "value"))
        scores = self.op(f"{scope}/scores", "BatchMatMulV2", query, key, shape=(64, 128, 128), device=device)
        scale = self.op(f"{scope}/scale", "Const", shape=(), device=device)
        scaled = self.op(f"{scope}/mul", "Mul", scores, scale, shape=(64, 128, 128), device=device)
        weights = self.op(f"{scope}/softmax", "Softmax", scaled, shape=(64, 128, 128), device=device)
        return self.op(f"{scope}/context", "BatchMatMulV2", weights, value, shape=(64, 128, 64), device=device)

    def norm(self, scope: str, source: str, device: int) -> str:
        gamma, beta = (self.variable(f"{scope}/{name}", (768,), device) for name in ("gamma", "beta"))
        mean = self.op(f"{scope}/moments/mean", "Mean", source, device=device)
        spread = self.op(f"{scope}/moments/variance", "Mean", source, mean, device=device)
        root = self.op(f"{scope}/batchnorm/Rsqrt", "Rsqrt", spread, device=device)
        scaled = self.op(f"{scope}/batchnorm/mul", "Mul", source, root, gamma, device=device)
        return self.op(f"{scope}/batchnorm/add", "AddV2", scaled, beta, device=device)

    def gradients(self, loss: str) -> None:
        """Add a gradient node for each node that leads to the loss, in reverse, fed by its consumers' gradients."""
        made = {loss: self.op("gradients/loss/grad_ys", "Fill", shape=())}
        for name, op, _, shape, device in self.nodes[::-1]:
            sources = [made[taker] for taker in self.taken.get(name, ()) if taker in made]
            if sources and op not in ("VarHandleOp", "Const", "Placeholder", "ScalarSummary"):
                made[name] = self.op(f"gradients/{name}_grad/{op}", f"{op}Grad", *sources, shape=shape, device=device)

    def optimizer(self) -> None:
        for name in self.variables:
            scope = f"optimizer/{name}"
            slots = [self.op(f"{scope}/{slot}", "VarHandleOp", shape=()) for slot in ("m", "v")]
            rates = [self.op(f"{scope}/{rate}", "Const", shape=()) for rate in ("beta_1", "beta_2", "epsilon", "rate")]
            self.op(f"{scope}/Adam/ResourceApplyAdam", "ResourceApplyAdam", name, *slots, *rates, shape=())

    # ---- bytes

    def graph_def(self) -> bytes:
        nodes = [records.field(1, _node(*node)) for node in self.nodes]
        return b"".join(nodes) + records.field(4, b"\x08" + records.varint(1882))

    def run_metadata(self) -> bytes:
        """Return StepStats: each node ran once, one after another on its device."""
        by_device: dict[int, list[bytes]] = {number: [] for number in range(len(_DEVICES))}
        for place, (name, op, _, shape, device) in enumerate(self.nodes):
            took = 5 + place % 97 + (400 if "MatMul" in op else 0)
            stats = records.field(1, name.encode())
            stats += b"\x10" + records.varint(1_760_000_000_000_000 + 100 * place) + b"\x28" + records.varint(took)
            size = 4
            for each in shape:
                size *= each
            stats += records.field(6, records.field(1, b"GPU_0_bfc") + b"\x10" + records.varint(size))
            by_device[device].append(records.field(2, stats))
        devices = [
            records.field(1, records.field(1, _DEVICES[number].encode()) + b"".join(rows))
            for number, rows in by_device.items()
        ]
        return records.field(1, b"".join(devices))


def _node(name: str, op: str, inputs: tuple[str, ...], shape: tuple[int, ...], device: int) -> bytes:
    sizes = b"".join(records.field(2, b"\x08" + records.varint(size)) for size in shape)
    attributes = {b"T": _FLOAT, b"_output_shapes": records.field(1, records.field(7, sizes))}
    if op == "Const":
        tensor = b"\x08\x01" + records.field(2, sizes) + records.field(5, struct.pack("<f", 0.02))
        attributes[b"value"] = records.field(8, tensor)
    pieces = [records.field(1, name.encode()), records.field(2, op.encode())]
    pieces += [records.field(3, each.encode()) for each in inputs]
    pieces.append(records.field(4, _DEVICES[device].encode()))
    pieces += [
        records.field(5, records.field(1, key) + records.field(2, value)) for key, value in sorted(attributes.items())
    ]
    return b"".join(pieces)


def main() -> None:
    parser = argparse.ArgumentParser(description="A graph of many nodes in a log directory.")
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--dir", type=Path, default=Path.home() / ".cache/lightboard-bench")
    options = parser.parse_args()
    sys.stdout.write(f"{make(options.dir, options.nodes)}\n")


if __name__ == "__main__":
    main()
