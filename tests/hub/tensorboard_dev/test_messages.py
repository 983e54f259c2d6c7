"""Messages of `tensorboard dev`, read from bytes that TensorBoard wrote, and written; damaged ones are refused.

That TensorBoard reads our answers is tested by tests/tensorboard_dev, with TensorBoard itself.
"""

from __future__ import annotations

import math

import mutations
import pytest
from hub.tensorboard_dev.recorded import REQUESTS

from lightboard import errors, wire
from lightboard.hub.tensorboard_dev import export_messages, handshake, messages

READERS = {
    "server_info": messages.read_server_info,
    "create": messages.read_create,
    "update": messages.read_update,
    "delete": messages.read_id,
    "scalars": messages.read_scalars,
    "tensors": messages.read_tensors,
    "sequence": messages.read_sequence,
    "chunk": messages.read_chunk,
    "blob_place": messages.read_blob_place,
    "listing": export_messages.read_listing,
}


def test_every_request_has_a_reader() -> None:
    assert set(READERS) == set(REQUESTS)


def test_scalars_have_every_bit_of_their_numbers_and_times() -> None:
    read = messages.read_scalars(REQUESTS["scalars"])
    assert read.experiment == "up-1"
    (run,) = read.runs
    loss, other = run.tags
    assert (run.name, loss.name, other.name) == ("train", "loss", "other")
    assert [point.step for point in loss.points] == [0, 1, -3, 2**40, 7]
    times = [1600000000.25, 1600000001.123456, 1600000002.999999999, 1600000003.5, 1600000004.000001]
    assert [point.wall_time for point in loss.points] == times
    values = [float(point.value) for point in loss.points]
    assert values[:2] == [0.5, 0.0] and math.isnan(values[2]) and values[3:] == [1e-320, 0.1]
    metadata = wire.parse(loss.metadata)
    assert (metadata.text(2), metadata.text(3), metadata.integer(4)) == ("Loss", "the loss", 1)
    assert other.points == [messages.Point(5, 0.0, 3.0)]


def test_tensors_are_passed_on_as_they_came() -> None:
    (run,) = messages.read_tensors(REQUESTS["tensors"]).runs
    histogram, note = run.tags
    (point,) = histogram.points
    assert (run.name, histogram.name, point.step, point.wall_time) == (".", "hist", 3, 1600000000.75)
    assert isinstance(point.value, bytes) and wire.parse(point.value).integer(1) == 2
    assert isinstance(note.points[0].value, bytes) and wire.parse(note.points[0].value).texts(8) == ["hi"]


def test_other_requests_are_read() -> None:
    assert messages.read_server_info(REQUESTS["server_info"]) == ("2.15.0", ["scalars", "my_plugin"])
    assert messages.read_create(REQUESTS["create"]) == ("a name é", "text")
    assert messages.read_update(REQUESTS["update"]) == messages.Update("up-1", "new", None)
    assert messages.read_id(REQUESTS["delete"]) == "up-1"
    sequence = messages.read_sequence(REQUESTS["sequence"])
    assert (sequence.run, sequence.tag, sequence.step, sequence.wall_time) == ("train", "img", 4, 1600000000.5)
    assert sequence.length == 3
    chunk = messages.read_chunk(REQUESTS["chunk"])
    assert chunk == messages.Chunk(
        sequence="abc",
        index=2,
        data=b"PNG",
        offset=6,
        crc32c=0x12345678,
        is_last=True,
        blob_crc32c=0x9ABCDEF0,
        blob_bytes=9,
    )
    assert messages.read_blob_place(REQUESTS["blob_place"]) == ("abc", 2)
    listing = export_messages.read_listing(REQUESTS["listing"])
    assert listing == export_messages.Listing(1600000009.5, 2**63 - 1, frozenset({2, 4, 7}))


@pytest.mark.parametrize("seconds", [0.0, 1.5, 1600000000.123456, 1795000000.9999999, -1.25])
def test_a_time_survives_a_timestamp(seconds: float) -> None:
    assert messages.time_of(messages.timestamp(seconds)) == seconds


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -math.inf, 1e300])
def test_a_time_that_no_timestamp_has_is_zero(seconds: float) -> None:
    assert messages.timestamp(seconds) == b""


def test_fields_in_another_order_and_unknown_ones_are_read() -> None:
    time = wire.message(2, wire.present_integer(2, 500_000_000), wire.present_integer(1, 7), wire.text(9, "new"))
    data = wire.double(3, 2.5) + wire.text(15, "unknown") + time + wire.integer(1, 12)
    assert messages.scalar_point(data) == messages.Point(12, 7.5, 2.5)


def test_a_name_that_is_no_text_is_refused() -> None:
    request = wire.text(1, "up-1") + wire.message(2, wire.message(1, b"\xff\xfe"))
    with pytest.raises(errors.Unreadable):
        messages.read_scalars(request)


def test_a_blob_is_sent_in_parts_with_its_checksum_last() -> None:
    parts = [wire.parse(each) for each in export_messages.blob_parts(b"abcdefg", 17, 3)]
    assert [(part.last_bytes(1), part.integer(2)) for part in parts] == [(b"abc", 0), (b"def", 3), (b"g", 6)]
    assert [(part.integer(4), part.integer(5)) for part in parts] == [(0, 0), (0, 0), (1, 17)]
    assert len(list(export_messages.blob_parts(b"", 0, 3))) == 1


def test_an_experiment_has_the_members_of_the_mask() -> None:
    one = export_messages.Experiment(id="up-1", created=1.0, updated=2.0, name="n", description="d", scalars=5, runs=2)
    fields = wire.parse(export_messages.experiment(one, frozenset({2, 4, 7})))
    assert sorted(fields) == [1, 2, 4, 7]
    assert (fields.text(1), fields.integer(4), fields.text(7)) == ("up-1", 5, "n")


def test_the_handshake_says_where_and_what_and_how_much() -> None:
    answer = wire.parse(handshake.answer(REQUESTS["server_info"], url="https://hub", endpoint="hub:1"))
    assert wire.parse(answer.last_bytes(1)).integer(1) == messages.OK
    assert wire.parse(answer.last_bytes(2)).text(1) == "hub:1"
    assert wire.parse(answer.last_bytes(3)).text(1) == "https://hub/experiment/{{EID}}/"
    assert wire.parse(answer.last_bytes(4)).texts(1) == [*handshake.PLUGINS, "my_plugin"]
    limits = wire.parse(answer.last_bytes(5))
    # a point has to fit into a request, a request into a message; a pause of 0 would mean the client's default
    assert limits.integer(2) < limits.integer(4) < handshake.MOST_MESSAGE_BYTES
    assert [limits.integer(number) for number in (6, 7, 8)] == [1, 1, 1]


def test_the_handshake_tells_trouble_and_old_versions() -> None:
    wrong = wire.parse(handshake.answer(b"", url="http://hub", endpoint="", trouble="no port"))
    assert wire.parse(wrong.last_bytes(1)).integer(1) == messages.ERROR
    assert wire.parse(wrong.last_bytes(1)).text(2) == "no port"
    old = wire.parse(handshake.answer(wire.text(1, "2.3.0"), url="http://hub", endpoint="hub:1"))
    assert "2.3.0" in wire.parse(old.last_bytes(1)).text(2)


@pytest.mark.parametrize("name", sorted(READERS))
def test_damaged_requests_are_refused_and_nothing_else(name: str) -> None:
    seeds = [REQUESTS[name], *REQUESTS.values()]
    report = mutations.Report(name)
    for data in mutations.inputs(seeds, 1500, seed=3):
        try:
            READERS[name](data)
        except errors.Unreadable:
            report.refused += 1
    assert report.refused
