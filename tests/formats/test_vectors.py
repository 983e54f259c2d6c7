"""Numbers of embeddings: read in pieces, whatever their type; what a file only claims takes no memory."""

from __future__ import annotations

import pathlib
import tracemalloc

import embedding_files
import numpy as np
import pytest

from lightboard import errors
from lightboard.formats import vectors
from lightboard.query.projector import projector
from lightboard.query.projector import sources as projector_sources


def read_of(content: bytes) -> vectors.Read:
    return lambda offset, length: content[offset : offset + length]


@pytest.mark.parametrize("dtype", ["<f4", ">f8", "<f2", "|u1", "<i8"])
def test_values_of_each_type_are_the_same_in_small_pieces(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.arange(60).reshape(20, 3).astype(dtype)
    monkeypatch.setattr(vectors, "PIECE_BYTES", 64)
    found = vectors.read(read_of(b"head" + values.tobytes() + b"tail"), 4, (20, 3), dtype, "e")
    assert found.dtype == np.float32
    assert np.array_equal(found, values)


def test_doubles_beyond_float32_are_infinite() -> None:
    found = vectors.read(read_of(np.array([1e300, -1e300, 1.0]).tobytes()), 0, (3,), "<f8", "e")
    assert found.tolist() == [np.inf, -np.inf, 1.0]


@pytest.mark.parametrize(("offset", "shape"), [(1, (20, 3)), (0, (21, 3)), (1 << 63, (1, 1)), (-1, (1, 1))])
def test_what_lies_beyond_the_end_is_refused(offset: int, shape: tuple[int, ...]) -> None:
    with pytest.raises(errors.Unreadable, match="ends inside `e`"):
        vectors.read(read_of(bytes(240)), offset, shape, "<f4", "e")


def test_too_many_values_are_refused_with_what_to_do() -> None:
    with pytest.raises(
        errors.Unreadable, match=r"12,000,000 × 128 values, the projector takes up to 134,217,728"
    ) as caught:
        vectors.check((12_000_000, 128), "e")
    assert caught.value.hint == "write every 12th row, or fewer dimensions"
    with pytest.raises(errors.Unreadable, match="takes up to"):
        vectors.check((0, 1 << 62), "e")
    with pytest.raises(errors.Unreadable, match="300 dimensions"):
        vectors.check((1,) * 300, "e")


def test_a_hole_of_a_sparse_file_takes_no_memory(tmp_path: pathlib.Path) -> None:
    """As many zeros as the projector takes are 512 MiB; NumPy asks for them, and nobody writes to them."""
    rows = vectors.MAX_VALUES // 128
    entry = embedding_files.entry("e", tensor_path="t.bytes", tensor_shape=[rows, 128])
    embedding_files.write(tmp_path, entry, t__bytes=b"\0")
    with (tmp_path / "t.bytes").open("r+b") as file:
        file.truncate(4 * vectors.MAX_VALUES)
    source = embedding_files.opened(tmp_path)
    before = _resident_bytes()
    found = projector_sources.matrix(source, projector_sources.find(source, ".", "e"))
    assert found.shape == (rows, 128)
    assert _resident_bytes() - before < 100 << 20


def test_a_sparse_file_of_40_gigabytes_is_refused_before_it_is_read(tmp_path: pathlib.Path) -> None:
    rows = 10_000_000_000 // 128
    config = embedding_files.entry("raw", tensor_path="t.bytes", tensor_shape=[rows, 128])
    config += embedding_files.entry("text", tensor_path="t.tsv")
    embedding_files.write(tmp_path, config, t__bytes=b"\0", t__tsv="1\t2\n" * 2000)
    for name, size in (("t.bytes", 4 * rows * 128), ("t.tsv", 40 << 30)):
        with (tmp_path / name).open("r+b") as file:
            file.truncate(size)
    source = embedding_files.opened(tmp_path)
    tracemalloc.start()
    for name in ("raw", "text"):
        entry = projector_sources.find(source, ".", name)
        for ask in (projector_sources.matrix, projector_sources.cost_bytes):
            with pytest.raises(errors.Unreadable, match="up to") as caught:
                ask(source, entry)
            assert "write every" in caught.value.hint
        assert "write every" in str(projector.describe(source, entry).problem)
    assert all("write every" in str(each.problem) for each in projector.listing(source).embeddings)
    assert tracemalloc.get_traced_memory()[1] < 100 << 20
    tracemalloc.stop()


def test_a_table_of_one_endless_line_is_refused(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector_sources, "PIECE_BYTES", 1000)
    embedding_files.write(tmp_path, embedding_files.entry("e", tensor_path="t.tsv"), t__tsv="1\t" * 5000)
    source = embedding_files.opened(tmp_path)
    with pytest.raises(errors.Unreadable, match="a line of more than 1,000 bytes"):
        projector_sources.matrix(source, projector_sources.find(source, ".", "e"))


def test_a_table_of_too_many_rows_is_refused_while_it_is_read(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projector_sources, "PIECE_BYTES", 1000)
    monkeypatch.setattr(vectors, "MAX_VALUES", 1000)
    embedding_files.write(tmp_path, embedding_files.entry("e", tensor_path="t.tsv"), t__tsv="1\t2\n" * 3000)
    source = embedding_files.opened(tmp_path)
    with pytest.raises(errors.Unreadable, match="about 3,000 × 2 values") as caught:
        projector_sources.matrix(source, projector_sources.find(source, ".", "e"))
    assert caught.value.hint == "write every 6th row, or fewer dimensions"


def test_what_reading_takes_is_told_before(tmp_path: pathlib.Path) -> None:
    values, _ = embedding_files.blobs(1000, 16, 3)
    source = embedding_files.opened(embedding_files.simple(tmp_path, values))
    told = projector_sources.cost_bytes(source, projector_sources.find(source, ".", "e"))
    assert values.nbytes <= told <= values.nbytes + 2 * vectors.PIECE_BYTES


def _resident_bytes() -> int:
    pages = pathlib.Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]
    return int(pages) * 4096
