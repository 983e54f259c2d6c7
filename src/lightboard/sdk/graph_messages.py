"""GraphDef and its parts, as bytes. Field numbers: tensorflow/core/framework/{graph,node_def,attr_value}.proto."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lightboard import wire
from lightboard.sdk import summary_messages

_PRODUCER = 22  # the version that boards expect in such graphs


def graph(nodes: Iterable[bytes]) -> bytes:
    return b"".join(wire.message(1, each) for each in nodes) + wire.message(4, wire.integer(1, _PRODUCER))


def node(name: str, op: str, inputs: Iterable[str] = (), attributes: Mapping[str, bytes] | None = None) -> bytes:
    return b"".join(
        (
            wire.text(1, name),
            wire.text(2, op),
            *(wire.message(3, each.encode("utf-8", "surrogatepass")) for each in inputs),
            *(
                wire.message(5, wire.text(1, key), wire.message(2, content))
                for key, content in sorted((attributes or {}).items())
            ),
        )
    )


# ---- AttrValue: a oneof, so that an empty value is written, too ----


def text_attribute(content: str | bytes) -> bytes:
    return wire.message(2, content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)


def type_attribute(dtype: int) -> bytes:
    return wire.present_integer(6, dtype)


def shape_attribute(sizes: Sequence[int]) -> bytes:
    return wire.message(7, summary_messages.shape(sizes))


def shapes_attribute(shapes: Iterable[Sequence[int]]) -> bytes:
    """The content of `_output_shapes`, which boards read."""
    return wire.message(1, *(wire.message(7, summary_messages.shape(sizes)) for sizes in shapes))


def run_metadata(tag: str, device: str) -> bytes:
    """TaggedRunMetadata that says which device a graph ran on."""
    metadata = wire.message(1, wire.message(1, wire.text(1, device)))  # RunMetadata.step_stats.dev_stats.device
    return wire.text(1, tag) + wire.message(2, metadata)
