"""Checkpoints of TensorFlow and weights of Keras, read without either: real files, packed blocks, damage anywhere."""

from __future__ import annotations

import dataclasses
import pathlib
import struct

import numpy as np
import pytest
from event_files import varint

from lightboard import errors
from lightboard.formats import checkpoints, hdf5

DATA = pathlib.Path(__file__).parents[1] / "data"
CHECKPOINT = DATA / "projector/from_checkpoint/embedding.ckpt-1"
SLICED = DATA / "models/sliced.ckpt"
KERAS = DATA / "keras_fit/update_freq_10/train/keras_embedding.ckpt-3.weights.h5"
NEWER = DATA / "models/newer.weights.h5"
NAME = "embedding/.ATTRIBUTES/VARIABLE_VALUE"


class Files:
    """Files in memory, so that damage is cheap."""

    def __init__(self, of: pathlib.Path = CHECKPOINT, /, **changed: bytes) -> None:
        self.files = {path.name: path.read_bytes() for path in of.parent.glob(f"{of.name}.*")} | changed

    def __call__(self, name: str, offset: int, length: int) -> bytes:
        if name not in self.files:
            raise errors.NotFound(name)
        return self.files[name][offset : offset + length if length >= 0 else None]


def test_a_variable_is_read_by_its_name_and_without_the_decoration() -> None:
    found = checkpoints.open_checkpoint(Files(), CHECKPOINT.name)
    assert found.find(NAME) == found.find("embedding") == NAME
    values = checkpoints.load(Files(), found, NAME)
    assert values.dtype == np.float32 and values.shape == (120, 16)
    assert np.array_equal(checkpoints.load(Files(), found, "embedding"), values)


def test_an_unknown_variable_is_answered_with_what_there_is() -> None:
    found = checkpoints.open_checkpoint(Files(), CHECKPOINT.name)
    with pytest.raises(errors.NotFound) as caught:
        found.find("weights")
    assert NAME in caught.value.hint


def test_text_is_no_embedding() -> None:
    found = checkpoints.open_checkpoint(Files(), CHECKPOINT.name)
    with pytest.raises(errors.Unreadable, match="no plain numbers"):
        checkpoints.load(Files(), found, "_CHECKPOINTABLE_OBJECT_GRAPH")


def test_a_variable_saved_in_slices_is_put_together() -> None:
    """Rows in two parts, the second in two halves of the columns, one of them in another file."""
    found = checkpoints.open_checkpoint(Files(SLICED), SLICED.name)
    assert list(found.entries) == ["bias", "table"]
    values = checkpoints.load(Files(SLICED), found, "table")
    assert np.array_equal(values, np.arange(280, dtype=np.float32).reshape(70, 4) / 8)


def test_slices_far_down_are_found() -> None:
    """Their places take two and three bytes in the names of slices."""
    name = "sliced_long.ckpt"
    values = np.arange(20_000, dtype="<f4")
    files = Files(SLICED.with_name(name), **{f"{name}.data-00000-of-00001": values.tobytes()})
    found = checkpoints.open_checkpoint(files, name)
    assert np.array_equal(checkpoints.load(files, found, "b"), values.reshape(-1, 1))


def test_a_missing_slice_is_told() -> None:
    found = checkpoints.open_checkpoint(Files(SLICED), SLICED.name)
    lost = {key: part for key, part in found.parts.items() if part.shard == 0}
    with pytest.raises(errors.Unreadable, match="a slice of the tensor `table` is missing"):
        checkpoints.load(Files(SLICED), dataclasses.replace(found, parts=lost), "table")
    half = dataclasses.replace(found.entries["table"], slices=found.entries["table"].slices[:2])
    with pytest.raises(errors.Unreadable, match="do not make"):
        checkpoints.load(Files(SLICED), dataclasses.replace(found, entries={"table": half}), "table")


def test_slices_that_lie_show_nothing_that_is_not_there() -> None:
    """Twice the same half, and one of more dimensions than a name can tell."""
    found = checkpoints.open_checkpoint(Files(SLICED), SLICED.name)
    entry = found.entries["table"]
    first = entry.slices[0]
    twice = dataclasses.replace(entry, shape=(2 * first[0][1], 4), slices=(first, first))
    values = checkpoints.load(Files(SLICED), dataclasses.replace(found, entries={"table": twice}), "table")
    assert np.isfinite(values[: first[0][1]]).all() and np.isnan(values[first[0][1] :]).all()
    deep = dataclasses.replace(entry, slices=(((0, 1),) * 300,))
    with pytest.raises(errors.Unreadable, match="is missing"):
        checkpoints.load(Files(SLICED), dataclasses.replace(found, entries={"table": deep}), "table")


@pytest.mark.parametrize("checkpoint", [CHECKPOINT, SLICED])
def test_an_index_cut_or_flipped_anywhere_is_refused_or_read(checkpoint: pathlib.Path) -> None:
    index = f"{checkpoint.name}.index"
    whole = Files(checkpoint).files[index]
    damaged = [whole[:end] for end in range(len(whole))]
    damaged += [whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :] for at in range(len(whole)) for bit in (1, 128)]
    for content in damaged:
        files = Files(checkpoint, **{index: content})
        try:
            found = checkpoints.open_checkpoint(files, checkpoint.name)
            for name in found.entries:
                checkpoints.load(files, found, name)
        except (errors.Unreadable, errors.NotFound):
            pass


def test_data_that_ends_early_is_said_to_be_unfinished() -> None:
    name = f"{CHECKPOINT.name}.data-00000-of-00001"
    files = Files(**{name: Files().files[name][:100]})
    found = checkpoints.open_checkpoint(files, CHECKPOINT.name)
    with pytest.raises(errors.Unreadable, match="still being written"):
        checkpoints.load(files, found, NAME)


def test_packed_blocks_are_unpacked() -> None:
    """Literals, short and long, and copies that overlap what they make."""
    block = bytes(range(256)) * 2
    packed = varint(len(block)) + bytes([61 << 2]) + struct.pack("<H", len(block) - 1) + block
    assert checkpoints._snappy(packed) == block
    assert checkpoints._snappy(varint(8) + bytes([1 << 2]) + b"ab" + bytes([(2 << 2) | 1, 2])) == b"abababab"
    assert checkpoints._snappy(varint(5) + bytes([0]) + b"a" + bytes([(3 << 2) | 2, 1, 0])) == b"aaaaa"
    for bad in (
        varint(8) + bytes([1 << 2]) + b"ab" + bytes([(2 << 2) | 1, 3]),
        varint(1 << 40),
        varint(5) + b"\x00a",
    ):
        with pytest.raises((errors.Unreadable, IndexError)):
            checkpoints._snappy(bad)


# ---- Keras


def read_of(content: bytes) -> hdf5.Read:
    return lambda offset, length: content[offset : offset + length]


def test_weights_of_keras_are_found_by_their_layer() -> None:
    read = read_of(KERAS.read_bytes())
    found = {each.path: each for each in hdf5.datasets(read)}
    layer = found["layers/embedding/vars/0"]
    assert (layer.shape, layer.dtype) == ((40, 6), "<f4")
    values = hdf5.load(read, layer)
    assert values.shape == (40, 6) and np.isfinite(values).all() and values.std() > 0.1
    assert found["optimizer/vars/0"].shape == ()


def test_weights_in_the_newer_form_are_read() -> None:
    """As HDF5 2 writes them: few members of a group in the group itself, many in a heap."""
    read = read_of(NEWER.read_bytes())
    found = {each.path: each for each in hdf5.datasets(read)}
    assert len(found) == 32
    for layer in range(30):
        values = hdf5.load(read, found[f"layers/embedding_{layer}/vars/0"])
        assert np.array_equal(values, np.arange(6, dtype=np.float32).reshape(3, 2) + 100 * layer)
    assert found["optimizer/vars/0"].shape == ()
    with pytest.raises(errors.Unreadable, match="in chunks or packed") as caught:
        hdf5.load(read, found["layers/packed/vars/0"])
    assert "TSV" in caught.value.hint


@pytest.mark.parametrize("weights", [KERAS, NEWER])
def test_weights_cut_or_flipped_anywhere_are_refused_or_read(weights: pathlib.Path) -> None:
    whole = weights.read_bytes()
    damaged = [whole[:end] for end in range(0, len(whole), 97)]
    damaged += [whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :] for at in range(0, len(whole), 13)]
    for content in damaged:
        read = read_of(content)
        try:
            for each in hdf5.datasets(read):
                hdf5.load(read, each)
        except errors.Unreadable:
            pass


@pytest.mark.parametrize("content", [b"", b"not HDF5 at all", b"\x89HDF\r\n\x1a\n" + b"\x02" * 100])
def test_what_is_no_such_file_is_refused(content: bytes) -> None:
    with pytest.raises(errors.Unreadable):
        hdf5.datasets(read_of(content))


def superblock(address: int) -> bytes:
    """The head of an HDF5 file whose root lies there."""
    return b"\x89HDF\r\n\x1a\n\x02\x08\x08\x00" + bytes(24) + struct.pack("<Q", address) + bytes(4)


def object_header(*messages: tuple[int, bytes]) -> bytes:
    body = b"".join(struct.pack("<BHB", kind, len(data), 0) + data for kind, data in messages)
    return b"OHDR\x02\x02" + struct.pack("<I", len(body)) + body + bytes(4)


DOUBLES = b"\x11\x20\x3f\x00\x08\x00\x00\x00" + bytes(12)


@pytest.mark.parametrize("rows", [1 << 30, 1 << 27, 1 << 20])
def test_values_that_were_never_written_take_no_memory(rows: int) -> None:
    """A file of 400 bytes that claims 2^30 doubles took 8 GiB."""
    space = b"\x02\x02\x00\x01" + struct.pack("<QQ", rows, 1)
    content = superblock(48) + object_header((1, space), (3, DOUBLES), (8, b"\x03\x01" + b"\xff" * 8 + bytes(8)))
    (found,) = hdf5.datasets(read_of(content))
    assert found.shape == (rows, 1)
    with pytest.raises(errors.Unreadable, match=r"never written|the projector takes up to"):
        hdf5.load(read_of(content), found)


@pytest.mark.parametrize("length", range(100))
def test_a_file_of_which_only_the_beginning_is_written_is_refused(length: int) -> None:
    """One of exactly eight bytes was an IndexError, which hid every embedding of the board."""
    with pytest.raises(errors.Unreadable):
        hdf5.datasets(read_of(KERAS.read_bytes()[:length]))


def test_groups_that_hold_themselves_come_to_an_end() -> None:
    link = b"\x01\x00\x04self" + struct.pack("<Q", 48)
    content = superblock(48) + object_header(*[(6, link)] * 40)
    with pytest.raises(errors.Unreadable):
        hdf5.datasets(read_of(content))


def test_names_that_are_mostly_shared_are_counted() -> None:
    """A few bytes each in the file, and a megabyte each once they are put together."""
    name = b"n" * 50_000
    entries = varint(0) + varint(len(name)) + varint(0) + name
    entries += (varint(len(name) - 1) + varint(1) + varint(0) + b"x") * 50_000
    block = entries + struct.pack("<II", 0, 1)
    handle = varint(0) + varint(len(block))
    top = varint(0) + varint(1) + varint(len(handle)) + b"z" + handle + struct.pack("<II", 0, 1)
    footer = varint(0) + varint(0) + varint(len(block) + 5) + varint(len(top))
    footer += bytes(40 - len(footer)) + struct.pack("<Q", 0xDB4775248B80FB57)
    files = Files(**{f"{CHECKPOINT.name}.index": block + bytes(5) + top + bytes(5) + footer})
    with pytest.raises(errors.Unreadable, match="names are too long"):
        checkpoints.open_checkpoint(files, CHECKPOINT.name)
