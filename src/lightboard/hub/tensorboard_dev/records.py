"""Points of a client → records of event files, as TensorFlow writes them.

    scalars           a tensor of rank 0: float if the number is one, double otherwise
    tensors           as they arrived (histograms, text, curves, meshes, layouts, hparams …)
    blob sequences    a tensor of strings: images as [width, height, picture …], audio as [clip …]
    `__run_graph__`   Event.graph_def; run metadata with a tag: Event.tagged_run_metadata

TensorBoard turned the last two into summaries before it sent them. Metadata is written with the first value of a tag in
a file, as SDKs do; which tags a file has is what the caller remembers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from lightboard import _native, wire
from lightboard.hub.tensorboard_dev import messages

FILE_VERSION, GRAPH, SUMMARY, TAGGED_RUN_METADATA = 3, 4, 5, 8  # members of Event
RUN_GRAPH = "__run_graph__"
_GRAPHS, _TAGGED_RUN_METADATA = "graphs", "graph_tagged_run_metadata"  # plugins
_STRING = 7  # dtype
# TensorProto of rank 0, without its four or eight bytes: dtype, shape, key and length of tensor_content
_FLOAT, _DOUBLE = bytes.fromhex("080112002204"), bytes.fromhex("080212002208")
_PACK_FLOAT, _PACK_DOUBLE = struct.Struct("<f"), struct.Struct("<d")


def first(wall_time: float) -> bytes:
    """The record at the beginning of a file."""
    return _native.event_record(wall_time, 0, FILE_VERSION, b"brain.Event:2")


def scalars(tag: messages.Tag, *, metadata: bool) -> Iterator[bytes]:
    name = wire.text(1, tag.name)
    beginnings = {size: _beginning(name, size) for size in (10, 14)}
    for point in tag.points:
        tensor = _number(float(point.value))
        if metadata:
            metadata = False
            payload = wire.message(1, name, wire.message(8, tensor), wire.message(9, tag.metadata))
        else:
            payload = beginnings[len(tensor)] + tensor
        yield _native.event_record(point.wall_time, point.step, SUMMARY, payload)


def _beginning(name: bytes, tensor_bytes: int) -> bytes:
    """A Summary with one value without metadata, up to its tensor: the same for all points of a tag."""
    return wire.message(1, name, wire.message(8, bytes(tensor_bytes)))[:-tensor_bytes]


def _number(number: float) -> bytes:
    try:
        packed = _PACK_FLOAT.pack(number)
    except OverflowError:
        return _DOUBLE + _PACK_DOUBLE.pack(number)
    (single,) = _PACK_FLOAT.unpack(packed)
    return _FLOAT + packed if single == number or number != number else _DOUBLE + _PACK_DOUBLE.pack(number)


def tensors(tag: messages.Tag, *, metadata: bool) -> Iterator[bytes]:
    name = wire.text(1, tag.name)
    for point in tag.points:
        ending = wire.message(9, tag.metadata) if metadata else b""
        metadata = False
        tensor = point.value if isinstance(point.value, bytes) else b""
        payload = wire.message(1, name, wire.message(8, tensor), ending)
        yield _native.event_record(point.wall_time, point.step, SUMMARY, payload)


def blobs(sequence: messages.BlobSequence, values: Sequence[bytes]) -> Iterator[bytes]:
    """The records of one point. Metadata is small beside blobs: every point has it."""
    plugin = plugin_of(sequence.metadata)
    if plugin == _GRAPHS and sequence.tag == RUN_GRAPH:
        for value in filter(None, values):
            yield _native.event_record(sequence.wall_time, sequence.step, GRAPH, value)
    elif plugin == _TAGGED_RUN_METADATA:
        for value in values:
            payload = wire.text(1, sequence.tag) + wire.text(2, value)
            yield _native.event_record(sequence.wall_time, sequence.step, TAGGED_RUN_METADATA, payload)
    else:
        tensor = _nested(8, _string_tensor(values))
        summary = _nested(1, [wire.text(1, sequence.tag), *tensor, wire.message(9, sequence.metadata)])
        yield _native.event_record(sequence.wall_time, sequence.step, SUMMARY, b"".join(summary))


def _string_tensor(values: Sequence[bytes]) -> list[bytes]:
    """The pieces of a TensorProto of rank 1."""
    shape = wire.message(2, wire.integer(1, len(values)))
    strings = [piece for each in values for piece in _nested(8, [each])]
    return [wire.integer(1, _STRING), wire.message(2, shape), *strings]


def _nested(field: int, pieces: list[bytes]) -> list[bytes]:
    """A message inside another one, without copying its pieces: they may be large."""
    return [wire.key(field, wire.BYTES) + wire.varint(sum(map(len, pieces))), *pieces]


def plugin_of(metadata: bytes) -> str:
    return wire.parse(wire.parse(metadata).last_bytes(1)).text(1)
