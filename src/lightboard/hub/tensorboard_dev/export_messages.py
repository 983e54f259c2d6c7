"""Messages of the exporter's service, as bytes: what it is asked, and answers. See `messages`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from lightboard import wire
from lightboard.hub.tensorboard_dev import messages


@dataclasses.dataclass(frozen=True, kw_only=True)
class Experiment:
    id: str
    created: float
    updated: float
    name: str = ""
    description: str = ""
    owner: str = ""
    scalars: int = 0
    runs: int = 0
    tags: int = 0
    tensor_bytes: int = 0
    blob_bytes: int = 0


@dataclasses.dataclass(frozen=True)
class Listing:
    """StreamExperimentsRequest. `mask` has the numbers of the members to send."""

    before: float  # only what existed at this time
    limit: int
    mask: frozenset[int]


def read_listing(data: bytes) -> Listing:
    fields = wire.parse(data)
    mask = wire.parse(fields.last_bytes(4))
    return Listing(
        messages.time_of(fields.last_bytes(1)),
        fields.integer(3),
        frozenset(number for number in mask if mask.integer(number)),
    )


def experiments(listed: Iterable[Experiment], mask: frozenset[int]) -> bytes:
    """StreamExperimentsResponse."""
    return b"".join(wire.message(2, experiment(each, mask)) for each in listed)


def experiment(one: Experiment, mask: frozenset[int]) -> bytes:
    members = {
        2: wire.message(2, messages.timestamp(one.created)),
        3: wire.message(3, messages.timestamp(one.updated)),
        4: wire.integer(4, one.scalars),
        5: wire.integer(5, one.runs),
        6: wire.integer(6, one.tags),
        7: wire.text(7, one.name),
        8: wire.text(8, one.description),
        9: wire.integer(9, one.tensor_bytes),
        10: wire.integer(10, one.blob_bytes),
        11: wire.text(11, one.owner),
    }
    return wire.text(1, one.id) + b"".join(data for number, data in members.items() if number in mask)


def scalar_series(
    run: str, tag: str, metadata: bytes, steps: Iterable[int], times: Iterable[float], values: Iterable[float]
) -> bytes:
    """StreamExperimentDataResponse with scalars."""
    return _series(run, tag, metadata, 4, steps, times, [wire.packed_doubles(3, values)])


def tensor_series(
    run: str, tag: str, metadata: bytes, steps: Iterable[int], times: Iterable[float], tensors: Iterable[bytes]
) -> bytes:
    return _series(run, tag, metadata, 5, steps, times, (wire.message(3, each) for each in tensors))


def blob_series(
    run: str, tag: str, metadata: bytes, steps: Iterable[int], times: Iterable[float], blobs: Iterable[Iterable[str]]
) -> bytes:
    """`blobs` are ids: those of each point."""
    points = (
        wire.message(
            3,
            *(wire.message(1, wire.message(1, wire.text(1, each), wire.integer(2, messages.CURRENT))) for each in ids),
        )
        for ids in blobs
    )
    return _series(run, tag, metadata, 6, steps, times, points)


def _series(
    run: str,
    tag: str,
    metadata: bytes,
    field: int,
    steps: Iterable[int],
    times: Iterable[float],
    values: Iterable[bytes],
) -> bytes:
    head = (wire.text(1, tag), wire.text(2, run), wire.message(3, metadata))
    packed = wire.message(1, *(wire.varint(each) for each in steps))
    walls = (wire.message(2, messages.timestamp(each)) for each in times)
    return b"".join((*head, wire.message(field, packed, *walls, *values)))


def blob_parts(blob: bytes, crc32c: int, part_bytes: int) -> Iterator[bytes]:
    """StreamBlobDataResponses of one blob; an empty one has one, too."""
    for offset in range(0, max(1, len(blob)), part_bytes):
        last = offset + part_bytes >= len(blob)
        ending = wire.integer(4, 1) + messages.fixed32(5, crc32c) if last else b""
        yield wire.text(1, blob[offset : offset + part_bytes]) + wire.integer(2, offset) + ending
