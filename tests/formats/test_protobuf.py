"""The wire reader: every form it knows, and that no bytes make it read beyond them."""

from __future__ import annotations

import contextlib
import random

import pytest

from lightboard import errors
from lightboard.formats import protobuf


def test_fields_of_each_wire_type() -> None:
    message = b"\x08\x96\x01\x12\x03abc\x19" + bytes(6) + b"\xf0\x3f\x25\x01\x00\x00\x00"
    fields = protobuf.parse(message)
    assert protobuf.integer(fields, 1) == 150
    assert protobuf.text(fields, 2) == "abc"
    assert protobuf.double(fields, 3) == 1.0
    assert protobuf.integer(fields, 4) == 1


def test_absent_fields_have_protobufs_defaults() -> None:
    fields = protobuf.parse(b"")
    assert (protobuf.integer(fields, 1), protobuf.text(fields, 1), protobuf.integers(fields, 1)) == (0, "", [])
    assert protobuf.double(fields, 1) is None


def test_the_last_of_several_stands() -> None:
    assert protobuf.integer(protobuf.parse(b"\x08\x01\x08\x02"), 1) == 2


def test_negative_numbers_take_ten_bytes() -> None:
    assert protobuf.integer(protobuf.parse(b"\x08" + b"\xff" * 9 + b"\x01"), 1) == -1


def test_repeated_numbers_are_read_packed_and_not() -> None:
    assert protobuf.integers(protobuf.parse(b"\x32\x03\x01\x04\x03\x30\x07"), 6) == [1, 4, 3, 7]


def test_messages_and_texts_are_read_in_order() -> None:
    fields = protobuf.parse(b"\x0a\x02\x08\x05\x0a\x02\x08\x06\x12\x01x\x12\x01y")
    assert [protobuf.integer(one, 1) for one in protobuf.messages(fields, 1)] == [5, 6]
    assert protobuf.texts(fields, 2) == ["x", "y"]


@pytest.mark.parametrize(
    "message",
    [b"\x08", b"\x12\x05abc", b"\x12\xff\xff\xff\xff\x0f", b"\x19\x00", b"\x25\x00", b"\x0b", b"\x08" + b"\xff" * 11],
    ids=["no value", "short bytes", "huge length", "short 8", "short 4", "group", "endless varint"],
)
def test_damage_is_named(message: bytes) -> None:
    with pytest.raises(errors.Unreadable):
        protobuf.parse(message)


def test_random_bytes_are_parsed_or_refused() -> None:
    chance = random.Random(3)
    for _ in range(5000):
        message = chance.randbytes(chance.randrange(40))
        with contextlib.suppress(errors.Unreadable):
            fields = protobuf.parse(message)
            for number in fields:
                protobuf.integers(fields, number)
                protobuf.messages(fields, number)
