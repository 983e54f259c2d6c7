"""Points become event files that Lightboard reads as it reads those of training programs."""

from __future__ import annotations

import itertools
import math
import pathlib
import struct

import mutations
import numpy as np
import pytest
from hub.tensorboard_dev.recorded import REQUESTS

import lightboard
from lightboard import errors, wire
from lightboard.hub.tensorboard_dev import messages, records

SCALARS = wire.message(1, wire.text(1, "scalars")) + wire.text(2, "Shown") + wire.text(3, "*why*") + wire.integer(4, 1)


def metadata_of(plugin: str, data_class: int, content: bytes = b"") -> bytes:
    return wire.message(1, wire.text(1, plugin), wire.text(2, content)) + wire.integer(4, data_class)


def logs_of(folder: pathlib.Path, *written: bytes) -> lightboard.Logs:
    (folder / "events.out.tfevents.1.test").write_bytes(records.first(1.0) + b"".join(written))
    logs = lightboard.open(folder, index=False)
    assert logs.faults == []
    return logs


def tag_of(name: str, metadata: bytes, *points: tuple[int, float, float | bytes]) -> messages.Tag:
    return messages.Tag(name, metadata, [messages.Point(*each) for each in points])


def test_numbers_keep_their_bits(tmp_path: pathlib.Path) -> None:
    numbers = [0.5, 0.1, 1e300, -1e-320, math.inf, -math.inf, math.nan, -0.0, 3.4028235677973366e38, 16777217.0]
    tag = tag_of("loss", SCALARS, *((step, 100.25 + step, number) for step, number in enumerate(numbers)))
    found = logs_of(tmp_path, *records.scalars(tag, metadata=True)).scalars(".", "loss")
    assert [struct.pack("<d", each) for each in found.values.tolist()] == [struct.pack("<d", each) for each in numbers]
    assert found.steps.tolist() == list(range(len(numbers)))
    assert found.wall_times.tolist() == [100.25 + step for step in range(len(numbers))]


def test_floats_are_stored_as_floats(tmp_path: pathlib.Path) -> None:
    numbers = [float(np.float32(each)) for each in (0.1, 2.5, -7e20)]
    tag = tag_of("loss", SCALARS, *((step, 1.0, number) for step, number in enumerate(numbers)))
    found = logs_of(tmp_path, *records.scalars(tag, metadata=True)).scalars(".", "loss")
    assert found.values.dtype == np.float32 and found.values.tolist() == numbers


def test_metadata_comes_with_the_first_value(tmp_path: pathlib.Path) -> None:
    tag = tag_of("loss", SCALARS, (0, 1.0, 1.0), (1, 2.0, 2.0))
    first, second = records.scalars(tag, metadata=True)
    again, _ = records.scalars(tag, metadata=False)
    assert b"Shown" in first and b"Shown" not in second and b"Shown" not in again
    found = logs_of(tmp_path, first, second, again).metadata(".", "loss")
    assert (found.plugin, found.display_name, found.description, found.data_class) == ("scalars", "Shown", "*why*", 1)


def test_steps_may_be_negative_and_large(tmp_path: pathlib.Path) -> None:
    steps = [-(2**63), -1, 0, 2**63 - 1]
    tag = tag_of("loss", SCALARS, *((step, 1.0, 1.0) for step in steps))
    assert logs_of(tmp_path, *records.scalars(tag, metadata=True)).scalars(".", "loss").steps.tolist() == steps


def test_recorded_tensors_are_histograms_and_text(tmp_path: pathlib.Path) -> None:
    (run,) = messages.read_tensors(REQUESTS["tensors"]).runs
    written = itertools.chain.from_iterable(records.tensors(tag, metadata=True) for tag in run.tags)
    logs = logs_of(tmp_path, *written)
    assert logs.histograms(".", "hist")[0].buckets.tolist() == [[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]]
    assert logs.text(".", "note")[0].strings == ("hi",)


def test_blobs_are_images_and_audio(tmp_path: pathlib.Path) -> None:
    images = messages.BlobSequence("up", ".", "img", 4, 1.5, 3, metadata_of("images", 3))
    audio = messages.BlobSequence("up", ".", "clip", 5, 2.5, 1, metadata_of("audio", 3, wire.integer(2, 11)))
    logs = logs_of(tmp_path, *records.blobs(images, [b"7", b"9", b"picture"]), *records.blobs(audio, [b"RIFFwave"]))
    (shown,) = logs.images(".", "img")
    assert (shown.step, shown.wall_time, shown.width, shown.height, shown.blobs) == (4, 1.5, 7, 9, (b"picture",))
    (heard,) = logs.audio(".", "clip")
    assert [clip.data for clip in heard.clips] == [b"RIFFwave"]


def test_a_run_graph_is_an_event_of_its_own_again(tmp_path: pathlib.Path) -> None:
    graph = wire.message(1, wire.text(1, "node"), wire.text(2, "NoOp"))
    sequence = messages.BlobSequence("up", ".", records.RUN_GRAPH, 0, 1.5, 2, metadata_of("graphs", 3))
    logs = logs_of(tmp_path, *records.blobs(sequence, [graph, b""]))
    assert logs.graph(".") == graph
    assert len(logs.tensors(".", records.RUN_GRAPH)) == 1  # TensorBoard sends nothing for an empty one


def test_tagged_run_metadata_is_an_event_of_its_own_again(tmp_path: pathlib.Path) -> None:
    sequence = messages.BlobSequence("up", ".", "step1", 3, 1.5, 1, metadata_of("graph_tagged_run_metadata", 3))
    (record,) = records.blobs(sequence, [b"\x0a\x00"])
    event = wire.parse(record[12:-4])
    assert wire.parse(event.last_bytes(8)).text(1) == "step1"
    assert logs_of(tmp_path, record).graph(".", "step1") == b"\x0a\x00"


@pytest.mark.parametrize("name", ["scalars", "tensors", "sequence"])
def test_whatever_is_read_becomes_whole_records(name: str, tmp_path: pathlib.Path) -> None:
    """Also what was damaged: the file that it becomes is read without a fault in its framing."""
    written = [records.first(1.0)]
    for data in mutations.inputs([REQUESTS[name]], 400, seed=5):
        try:
            if name == "sequence":
                written += records.blobs(messages.read_sequence(data), [b"1", b"2", b"3"])
            else:
                read, make = {
                    "scalars": (messages.read_scalars, records.scalars),
                    "tensors": (messages.read_tensors, records.tensors),
                }[name]
                for tag in (tag for run in read(data).runs for tag in run.tags):
                    written += make(tag, metadata=True)
        except errors.Unreadable:
            continue
    (tmp_path / "events.out.tfevents.1.test").write_bytes(b"".join(written))
    faults = lightboard.open(tmp_path, index=False).faults
    assert len(written) > 50
    assert {fault.reason for fault in faults} <= {"message", "value"}
