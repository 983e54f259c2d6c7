"""Blobs that arrive in chunks: offsets, checksums, limits, clients that leave."""

from __future__ import annotations

import pytest

from lightboard import _native, errors
from lightboard.hub.tensorboard_dev import blobs, messages


def sequence_of(tag: str = "img", length: int = 2, step: int = 0) -> messages.BlobSequence:
    return messages.BlobSequence("up-1", "run", tag, step, 1.5, length, b"")


def chunk_of(
    sequence: str, data: bytes, *, index: int = 0, offset: int = 0, last: bool = False, **more: int
) -> messages.Chunk:
    checksums = {"crc32c": 0, "blob_crc32c": 0, "blob_bytes": 0, **more}
    return messages.Chunk(
        sequence=sequence,
        index=index,
        data=data,
        offset=offset,
        is_last=last,
        **checksums,
    )


def test_chunks_become_blobs_and_a_sequence_is_taken_once() -> None:
    waiting = blobs.Blobs()
    id, ended = waiting.begin("ada", sequence_of())
    assert ended == []
    assert waiting.add("ada", chunk_of(id, b"abc")) == 3
    assert waiting.add("ada", chunk_of(id, b"de", offset=3, last=True, blob_bytes=5)) == 5
    assert waiting.take_complete(id) is None
    waiting.add("ada", chunk_of(id, b"x", index=1, last=True))
    taken = waiting.take_complete(id)
    assert taken is not None and [bytes(each) for each in taken.blobs] == [b"abcde", b"x"]
    assert waiting.take_complete(id) is None


def test_a_client_that_lost_its_line_goes_on_or_begins_the_blob_again() -> None:
    waiting = blobs.Blobs()
    id, _ = waiting.begin("ada", sequence_of(length=1))
    waiting.add("ada", chunk_of(id, b"abcdef"))
    assert waiting.begin("ada", sequence_of(length=1)) == (id, [])
    assert waiting.state("ada", id, 0) == (messages.UNFINALIZED, 6, _native.crc32c(b"abcdef"))
    assert waiting.add("ada", chunk_of(id, b"XY", offset=2)) == 4  # from where it likes
    assert waiting.add("ada", chunk_of(id, b"1234", last=True)) == 4  # or from the beginning
    assert waiting.state("ada", id, 0) == (messages.CURRENT, 4, _native.crc32c(b"1234"))
    with pytest.raises(blobs.Exists):
        waiting.add("ada", chunk_of(id, b"again"))


def test_the_next_sequence_ends_the_one_before() -> None:
    waiting = blobs.Blobs()
    first, _ = waiting.begin("ada", sequence_of(step=1))
    waiting.add("ada", chunk_of(first, b"abc", last=True))
    _, ended = waiting.begin("ada", sequence_of(step=2))
    assert [(each.id, each.final) for each in ended] == [(first, [True, False])]


@pytest.mark.parametrize(
    "wrong",
    [
        {"index": 2},
        {"index": -1},
        {"offset": 1},
        {"offset": -1},
        {"crc32c": 7},
        {"last": True, "blob_bytes": 2},
        {"last": True, "blob_crc32c": 9},
        {"blob_bytes": blobs.MOST_BLOB_BYTES + 1},
    ],
)
def test_a_wrong_chunk_is_refused(wrong: dict[str, int]) -> None:
    waiting = blobs.Blobs()
    id, _ = waiting.begin("ada", sequence_of())
    with pytest.raises(errors.BadInput):
        waiting.add("ada", chunk_of(id, b"abc", **wrong))  # type: ignore[arg-type]
    waiting.add(
        "ada", chunk_of(id, b"abc", last=True, crc32c=_native.crc32c(b"abc"), blob_crc32c=_native.crc32c(b"abc"))
    )


def test_sequences_belong_to_their_user() -> None:
    waiting = blobs.Blobs()
    id, _ = waiting.begin("ada", sequence_of())
    for use in (lambda: waiting.add("bob", chunk_of(id, b"x")), lambda: waiting.state("bob", id, 0)):
        with pytest.raises(errors.NotFound):
            use()


@pytest.mark.parametrize("length", [-1, blobs.MOST_LENGTH + 1, 2**62])
def test_a_length_that_no_sequence_has_is_refused(length: int) -> None:
    with pytest.raises(errors.BadInput):
        blobs.Blobs().begin("ada", sequence_of(length=length))


def test_memory_is_bounded_per_sequence_and_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blobs, "MOST_SEQUENCE_BYTES", 10)
    monkeypatch.setattr(blobs, "MOST_USER_BYTES", 15)
    waiting = blobs.Blobs()
    one = waiting.begin("ada", messages.BlobSequence("up-1", "r", "t", 0, 0.0, 2, b""))[0]
    waiting.add("ada", chunk_of(one, b"12345678"))
    with pytest.raises(errors.BadInput):
        waiting.add("ada", chunk_of(one, b"12345678", index=1))
    other = waiting.begin("ada", messages.BlobSequence("up-2", "r", "t", 0, 0.0, 2, b""))[0]
    with pytest.raises(blobs.TooMuch):
        waiting.add("ada", chunk_of(other, b"12345678"))
    theirs = waiting.begin("bob", messages.BlobSequence("up-3", "r", "t", 0, 0.0, 2, b""))[0]
    waiting.add("bob", chunk_of(theirs, b"12345678"))


def test_what_no_client_comes_back_for_is_given_up() -> None:
    now = [100.0]
    waiting = blobs.Blobs(lambda: now[0])
    id, _ = waiting.begin("ada", sequence_of())
    now[0] += blobs.SILENT_SECS - 1
    assert waiting.take_silent() == []
    now[0] += 2
    assert [each.id for each in waiting.take_silent()] == [id]
