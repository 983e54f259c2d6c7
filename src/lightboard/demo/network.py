"""The graph of a small transformer as TensorFlow writes it, and the time of each operation."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Sequence

from lightboard import wire
from lightboard.demo import events

BLOCKS, WIDTH, TOKENS, WORDS = 6, 64, 32, 1000
DEVICES = ("/job:trainer/task:0/device:GPU:0", "/job:trainer/task:0/device:GPU:1")
_UNKNOWN = -1  # in a shape: the batch size


@dataclasses.dataclass(frozen=True)
class _Node:
    name: str
    op: str
    inputs: Sequence[str] = ()
    shape: Sequence[int] = ()
    device: str = DEVICES[0]


def graph() -> bytes:
    """A GraphDef."""
    return b"".join(wire.message(1, *_node(node)) for node in _nodes())


def run_metadata() -> bytes:
    """A RunMetadata: time and memory of each operation of one step."""
    noise = random.Random(5)
    at = 0
    stats: dict[str, list[bytes]] = {device: [] for device in DEVICES}
    for node in _nodes():
        if node.op in ("Placeholder", "VariableV2", "NoOp"):
            continue
        micros = int((400 if node.op in ("MatMul", "BatchMatMulV2") else 30) * (0.7 + 0.6 * noise.random()))
        size = 4
        for length in node.shape:
            size *= 16 if length == _UNKNOWN else length
        memory = wire.message(6, wire.text(1, "GPU_bfc"), wire.present_integer(2, size), wire.present_integer(3, size))
        times = [wire.present_integer(2, 1 + at), wire.present_integer(4, micros), wire.present_integer(5, micros)]
        stats[node.device].append(wire.message(2, wire.text(1, node.name), *times, memory))
        at += micros
    devices = [wire.message(1, wire.text(1, device), *found) for device, found in stats.items()]
    return wire.message(1, *devices)


def _node(node: _Node) -> Iterator[bytes]:
    yield wire.text(1, node.name)
    yield wire.text(2, node.op)
    yield from (wire.text(3, one) for one in node.inputs)
    yield wire.text(4, node.device)
    if node.shape:
        lengths = [wire.message(2, wire.present_integer(1, length)) for length in node.shape]
        shapes = wire.message(1, wire.message(7, *lengths))
        yield wire.message(5, wire.text(1, "_output_shapes"), wire.message(2, shapes))
        yield wire.message(5, wire.text(1, "T"), wire.message(2, wire.present_integer(6, events.FLOAT)))


def _nodes() -> Iterator[_Node]:
    state = (_UNKNOWN, TOKENS, WIDTH)
    yield _Node("tokens", "Placeholder", shape=(_UNKNOWN, TOKENS))
    yield _Node("labels", "Placeholder", shape=(_UNKNOWN,))
    yield _Node("embedding/table", "VariableV2", shape=(WORDS, WIDTH))
    yield _Node("embedding/lookup", "GatherV2", ("embedding/table", "tokens"), state)
    yield _Node("embedding/position", "VariableV2", shape=(TOKENS, WIDTH))
    yield _Node("embedding/add", "AddV2", ("embedding/lookup", "embedding/position"), state)
    before = "embedding/add"
    for block in range(BLOCKS):
        yield from _block(f"block_{block}", before, DEVICES[2 * block // BLOCKS])
        before = f"block_{block}/mlp/add"
    yield _Node("head/pool", "Mean", (before,), (_UNKNOWN, WIDTH), DEVICES[1])
    yield from _dense("head/dense", "head/pool", (_UNKNOWN, 10), DEVICES[1])
    yield _Node("head/probabilities", "Softmax", ("head/dense/add",), (_UNKNOWN, 10), DEVICES[1])
    losses = ("head/dense/add", "labels")
    yield _Node("loss/cross_entropy", "SparseSoftmaxCrossEntropyWithLogits", losses, (_UNKNOWN,), DEVICES[1])
    yield _Node("loss/mean", "Mean", ("loss/cross_entropy",), (), DEVICES[1])
    yield _Node("loss/summary", "ScalarSummary", ("loss/mean",), (), DEVICES[1])
    updated = [f"block_{block}/mlp/{part}" for block in range(BLOCKS) for part in ("wide", "narrow")]
    for number, layer in enumerate(updated):
        yield _Node(f"train/update_{number}", "ApplyAdam", (f"{layer}/kernel", "loss/mean"))
    yield _Node("train/step", "NoOp", [f"^train/update_{number}" for number in range(len(updated))])


def _block(name: str, before: str, device: str) -> Iterator[_Node]:
    state = (_UNKNOWN, TOKENS, WIDTH)
    yield _Node(f"{name}/attention/norm", "LayerNorm", (before,), state, device)
    for part in ("query", "key", "value"):
        yield from _dense(f"{name}/attention/{part}", f"{name}/attention/norm", state, device)
    pair = (f"{name}/attention/query/add", f"{name}/attention/key/add")
    yield _Node(f"{name}/attention/scores", "BatchMatMulV2", pair, (_UNKNOWN, TOKENS, TOKENS), device)
    weights = (f"{name}/attention/scores",)
    yield _Node(f"{name}/attention/weights", "Softmax", weights, (_UNKNOWN, TOKENS, TOKENS), device)
    mixed = (f"{name}/attention/weights", f"{name}/attention/value/add")
    yield _Node(f"{name}/attention/mix", "BatchMatMulV2", mixed, state, device)
    yield from _dense(f"{name}/attention/output", f"{name}/attention/mix", state, device)
    yield _Node(f"{name}/attention/add", "AddV2", (f"{name}/attention/output/add", before), state, device)
    yield _Node(f"{name}/mlp/norm", "LayerNorm", (f"{name}/attention/add",), state, device)
    yield from _dense(f"{name}/mlp/wide", f"{name}/mlp/norm", (_UNKNOWN, TOKENS, 4 * WIDTH), device)
    yield _Node(f"{name}/mlp/gelu", "Gelu", (f"{name}/mlp/wide/add",), (_UNKNOWN, TOKENS, 4 * WIDTH), device)
    yield from _dense(f"{name}/mlp/narrow", f"{name}/mlp/gelu", state, device)
    yield _Node(f"{name}/mlp/add", "AddV2", (f"{name}/mlp/narrow/add", f"{name}/attention/add"), state, device)


def _dense(name: str, before: str, shape: Sequence[int], device: str) -> Iterator[_Node]:
    yield _Node(f"{name}/kernel", "VariableV2", shape=(WIDTH, shape[-1]), device=device)
    yield _Node(f"{name}/bias", "VariableV2", shape=(shape[-1],), device=device)
    yield _Node(f"{name}/matmul", "MatMul", (before, f"{name}/kernel"), shape, device)
    yield _Node(f"{name}/add", "BiasAdd", (f"{name}/matmul", f"{name}/bias"), shape, device)
