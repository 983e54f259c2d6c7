"""Protobuf's wire format: every wire type is written and read, and no bytes make the readers read beyond them.

What is written is compared with bytes of the specification, or with `event_files`, which shares no code with it.
"""

from __future__ import annotations

import contextlib
import random
import struct

import event_files
import pytest

from lightboard import errors, wire


def test_fields_of_each_wire_type() -> None:
    message = b"\x08\x96\x01\x12\x03abc\x19" + bytes(6) + b"\xf0\x3f\x25\x01\x00\x00\x00"
    fields = wire.parse(message)
    assert fields.integer(1) == 150
    assert fields.text(2) == "abc"
    assert fields.double(3) == 1.0
    assert fields.integer(4) == 1


def test_absent_fields_have_protobufs_defaults() -> None:
    fields = wire.parse(b"")
    assert (fields.integer(1), fields.text(1), fields.integers(1)) == (0, "", [])
    assert fields.double(1) is None


def test_the_last_of_several_values_is_taken() -> None:
    assert wire.parse(b"\x08\x01\x08\x02").integer(1) == 2


def test_negative_numbers_take_ten_bytes() -> None:
    assert wire.parse(b"\x08" + b"\xff" * 9 + b"\x01").integer(1) == -1


def test_repeated_numbers_are_read_packed_and_not() -> None:
    assert wire.parse(b"\x32\x03\x01\x04\x03\x30\x07").integers(6) == [1, 4, 3, 7]


def test_messages_and_texts_are_read_in_order() -> None:
    fields = wire.parse(b"\x0a\x02\x08\x05\x0a\x02\x08\x06\x12\x01x\x12\x01y")
    assert [one.integer(1) for one in fields.messages(1)] == [5, 6]
    assert fields.texts(2) == ["x", "y"]


@pytest.mark.parametrize(
    "message",
    [b"\x08", b"\x12\x05abc", b"\x12\xff\xff\xff\xff\x0f", b"\x19\x00", b"\x25\x00", b"\x0b", b"\x08" + b"\xff" * 11],
    ids=["no value", "short bytes", "huge length", "short 8", "short 4", "group", "endless varint"],
)
def test_damage_is_named(message: bytes) -> None:
    with pytest.raises(errors.Unreadable):
        wire.parse(message)


def test_random_bytes_are_parsed_or_refused() -> None:
    chance = random.Random(3)
    for _ in range(5000):
        message = chance.randbytes(chance.randrange(40))
        with contextlib.suppress(errors.Unreadable):
            fields = wire.parse(message)
            for number in fields:
                fields.integers(number)
                fields.messages(number)


def test_walk_and_parse_agree() -> None:
    message = wire.text(1, "a") + wire.integer(2, 300) + wire.double(3, 0.5) + wire.single(4, 0.5) + wire.message(1)
    fields = list(wire.walk(memoryview(message)))
    assert [field.key >> 3 for field in fields] == [1, 2, 3, 4, 1]
    assert b"".join(message[field.start : field.end] for field in fields) == message
    assert [message[field.at : field.end] for field in fields if field.key >> 3 == 1] == wire.parse(message)[1]
    assert fields[1].number == wire.parse(message).integer(2)


@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 2**32, 2**63 - 1, -1, -(2**63)])
def test_an_integer_is_read_as_written(number: int) -> None:
    assert wire.varint(number) == event_files.varint(number)
    assert wire.present_integer(5, number) == event_files.field_varint(5, number)
    assert wire.integer(5, number) == (wire.present_integer(5, number) if number else b"")
    assert wire.parse(wire.present_integer(5, number)).integer(5) == number
    assert wire.integers(wire.varint(number) * 2) == [number, number]


def test_floats_are_read_as_written() -> None:
    assert wire.double(3, 0.1) == event_files.field_double(3, 0.1)
    assert wire.single(3, 0.5) == event_files.field_float(3, 0.5)
    assert wire.parse(wire.double(3, 0.1)).double(3) == 0.1
    packed = wire.message(3, struct.pack("<2f", 1.5, 2.5))
    assert wire.parse(wire.single(3, 0.5) + packed).floats(3) == [0.5, 1.5, 2.5]
    assert wire.packed_doubles(2, [1.0, 2.0]) == wire.message(2, struct.pack("<2d", 1.0, 2.0))


def test_defaults_are_left_out_and_messages_are_not() -> None:
    assert wire.integer(1, None) == wire.double(1, None) == wire.single(1, None) == b""
    assert wire.text(1, "") == wire.text(1, None) == wire.packed_doubles(1, []) == b""
    assert wire.message(1) == b"\x0a\x00"
    assert wire.double(1, 0.0) == event_files.field_double(1, 0.0)


def test_texts_are_utf_8_even_with_half_a_surrogate_pair() -> None:
    assert wire.text(2, "é") == event_files.field_bytes(2, "é")
    assert wire.text(2, "\ud800") == event_files.field_bytes(2, b"\xed\xa0\x80")
    assert wire.parse(wire.text(2, "\ud800")).text(2) == "\ufffd" * 3


def test_an_error_names_the_data_and_the_position() -> None:
    with pytest.raises(errors.Unreadable, match="byte 1 of the footer"):
        wire.read_varint(b"\x01\xff", 1, "the footer")
