"""Embeddings: what the listing says of every sort of file, neighbours against NumPy, searching, columns, odd tables."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any

import embedding_files
import made_pictures
import numpy as np
import pytest
from embedding_files import entry, tsv

from lightboard import errors, store
from lightboard.query import board, changes, tags
from lightboard.query.projector import metadata as projector_metadata
from lightboard.query.projector import projector
from lightboard.query.projector import sources as projector_sources

DATA = pathlib.Path(__file__).parents[2] / "data"


def neighbors(source: store.Store, row: int, **options: Any) -> projector.Neighbors:
    return projector.neighbors(source, projector_sources.find(source, ".", "e"), row, **options)


def one(root: pathlib.Path, **fields: Any) -> projector.Embedding:
    """The only embedding of a project."""
    (found,) = projector.listing(embedding_files.opened(root)).embeddings
    for name, value in fields.items():
        assert getattr(found, name) == value, name
    return found


def matrix(source: store.Store, name: str = "e", run: str = ".") -> Any:
    return projector_sources.matrix(source, projector_sources.find(source, run, name))


# ---- the numbers


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1\t2\n3\t4\n", [[1, 2], [3, 4]]),
        ("1\t2\r\n3\t4", [[1, 2], [3, 4]]),
        ("\ufeff1\t2\n\n\n3\t4\n\n", [[1, 2], [3, 4]]),
        ("1.5\n", [[1.5]]),
        ("1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("1 2\n3  4\n", [[1, 2], [3, 4]]),
        ("nan\t-inf\n+1e3\t.5\n", [[np.nan, -np.inf], [1000, 0.5]]),
    ],
)
def test_text_becomes_numbers(tmp_path: pathlib.Path, text: str, wanted: Any) -> None:
    embedding_files.write(tmp_path, entry(tensor_path="t.tsv"), t__tsv=text)
    source = embedding_files.opened(tmp_path)
    listed = one(tmp_path, source="tsv", problem=None, rows=len(wanted), dims=len(wanted[0]))
    assert np.array_equal(matrix(source), np.array(wanted, np.float32), equal_nan=True)
    assert projector.describe(source, projector_sources.find(source, ".", "e")) == listed


def test_text_longer_than_a_piece_is_the_same(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).normal(size=(500, 3)).round(4)
    embedding_files.write(tmp_path, entry(tensor_path="t.tsv"), t__tsv=tsv(values) + "\n\n")
    monkeypatch.setattr(projector_sources, "PIECE_BYTES", 101)
    assert np.array_equal(matrix(embedding_files.opened(tmp_path)), values.astype(np.float32))
    one(tmp_path, rows=500, dims=3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t2\n3\n", "line 2: 1 numbers, 2 in the lines before"),
        ("1\t2\n3\t4\t5\n", "line 2: 3 numbers"),
        ("1\tx\n", "`x` is no number"),
        ("三\t1\n", "`三` is no number"),
        ("label\tx\n1\t2\n", "line 1: `label` is no number"),
        ("1\t\n", "a cell is empty"),
    ],
)
def test_a_bad_table_is_refused_with_the_line(tmp_path: pathlib.Path, text: str, message: str) -> None:
    embedding_files.write(tmp_path, entry(tensor_path="t.tsv"), t__tsv=text)
    with pytest.raises(errors.Unreadable, match=message):
        matrix(embedding_files.opened(tmp_path))


@pytest.mark.parametrize(
    ("fields", "content", "problem"),
    [
        ({"tensor_path": "gone.tsv"}, b"", "not there: gone.tsv"),
        ({"tensor_path": "t.tsv"}, b"", "holds no rows"),
        ({"tensor_path": "t.tsv"}, b"\n \n\n", "holds no rows"),
        ({"tensor_path": "../x.tsv"}, b"", "outside the config directory"),
        ({"tensor_path": "/etc/hostname"}, b"", "outside the config directory"),
        ({"tensor_path": "t.tsv"}, b"\0\0\x80\x3f", "does not tell their shape"),
        ({"tensor_path": "t.tsv", "tensor_shape": [2, 3]}, b"\0\0\x80\x3f", "24 bytes, the file has 4"),
        ({"tensor_path": "t.tsv", "tensor_shape": [-1, -1]}, b"\0\0\x80\x3f", "4 bytes, the file has 4"),
        ({}, b"", "no checkpoint beside it"),
    ],
)
def test_what_cannot_be_shown_says_why(tmp_path: pathlib.Path, fields: Any, content: bytes, problem: str) -> None:
    embedding_files.write(tmp_path, entry(**fields), t__tsv=content)
    found = one(tmp_path, rows=None, dims=None)
    assert problem in str(found.problem)
    source = embedding_files.opened(tmp_path)
    with pytest.raises(errors.LightboardError):
        matrix(source)


def test_raw_numbers_have_the_shape_of_the_config(tmp_path: pathlib.Path) -> None:
    values = np.arange(12, dtype=np.float32).reshape(4, 3)
    embedding_files.simple(tmp_path, values)
    one(tmp_path, source="bytes", rows=4, dims=3)
    assert np.array_equal(matrix(embedding_files.opened(tmp_path)), values)


def test_a_changed_file_is_read_again(tmp_path: pathlib.Path) -> None:
    embedding_files.write(tmp_path, entry(tensor_path="t.tsv"), t__tsv="1\n")
    source = embedding_files.opened(tmp_path)
    assert matrix(source) is matrix(source)
    (tmp_path / "t.tsv").write_text("1\n2\n")
    assert matrix(source).tolist() == [[1], [2]]
    assert projector.listing(source).embeddings[0].rows == 2


def test_names_of_one_run_are_told_apart(tmp_path: pathlib.Path) -> None:
    embedding_files.write(
        tmp_path, entry("x", tensor_path="a.tsv") + entry("x", tensor_path="b.tsv"), a__tsv="1\n", b__tsv="2\n"
    )
    source = embedding_files.opened(tmp_path)
    assert [each.name for each in projector.listing(source).embeddings] == ["x", "x (2)"]
    assert matrix(source, "x (2)").tolist() == [[2]]


def test_tensors_of_a_checkpoint_are_shown_though_no_config_names_them(tmp_path: pathlib.Path) -> None:
    for path in (DATA / "projector/from_checkpoint").iterdir():
        if path.name != embedding_files.CONFIG:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    embedding_files.write(tmp_path, 'model_checkpoint_path: "embedding.ckpt-1"')
    one(tmp_path, name="embedding/.ATTRIBUTES/VARIABLE_VALUE", source="checkpoint", rows=120, dims=16)


@pytest.mark.timeout(30)
def test_a_checkpoint_file_of_empty_lines_names_none_and_ends_soon(tmp_path: pathlib.Path) -> None:
    embedding_files.write(tmp_path, 'embeddings { tensor_name: "x" }')
    (tmp_path / "checkpoint").write_bytes(b"\n" * (1 << 16))
    (found,) = projector.listing(embedding_files.opened(tmp_path)).embeddings
    assert "no checkpoint beside it" in str(found.problem)


def test_the_newest_embedding_that_keras_saved_is_shown() -> None:
    found = one(DATA / "keras_fit", run="update_freq_10", source="keras", rows=40, dims=6, problem=None)
    assert found.path.endswith("ckpt-3.weights.h5")
    assert found.metadata == projector.Metadata(["word", "length"], 40)


@pytest.mark.parametrize("length", [0, 8, 9, 40, 700])
def test_half_written_weights_hide_no_other_embedding(tmp_path: pathlib.Path, length: int) -> None:
    weights = DATA / "keras_fit/update_freq_10/train/keras_embedding.ckpt-3.weights.h5"
    embedding_files.write(
        tmp_path,
        entry("layer_with_weights-0/embeddings/.ATTRIBUTES/VARIABLE_VALUE") + entry("other", tensor_path="t.tsv"),
        t__tsv="1\t2\n",
        **{"keras_embedding.ckpt-3.weights.h5": weights.read_bytes()[:length]},
    )
    half, other = projector.listing(embedding_files.opened(tmp_path)).embeddings
    assert "HDF5" in str(half.problem)
    assert (other.problem, other.rows, other.dims) == (None, 1, 2)


def test_embeddings_of_every_step_are_listed() -> None:
    found = projector.listing(embedding_files.opened(DATA / "torch_writer")).embeddings
    assert [(each.name, each.rows, each.dims) for each in found] == [
        ("hidden:00001", 150, 24), ("hidden:00003", 150, 24), ("plain:00000", 60, 5),
    ]  # fmt: skip


def test_very_large_files_are_counted_only_when_asked_for(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedding_files.write(tmp_path, entry(tensor_path="t.tsv", metadata_path="m.tsv"), t__tsv="1\n2\n", m__tsv="a\nb\n")
    monkeypatch.setattr(projector, "COUNT_BYTES", 1)
    source = embedding_files.opened(tmp_path)
    found = projector.listing(source).embeddings[0]
    assert (found.rows, found.dims, found.problem) == (None, None, None)
    assert found.metadata == projector.Metadata(["label"], None)
    asked = projector.describe(source, projector_sources.find(source, ".", "e"))
    assert (asked.rows, asked.dims) == (2, 1)


def test_a_config_that_breaks_off_is_told(tmp_path: pathlib.Path) -> None:
    embedding_files.write(tmp_path / "r", entry(tensor_path="t.tsv") + "embeddings {", t__tsv="1\n")
    found = projector.listing(embedding_files.opened(tmp_path))
    assert len(found.embeddings) == 1
    assert "still being written" in found.problems[0].message and found.problems[0].message.startswith("r:")


def test_boards_count_embeddings_as_a_kind(tmp_path: pathlib.Path) -> None:
    embedding_files.write(tmp_path / "a", entry("x") + entry("y"))
    embedding_files.write(tmp_path / "b", entry("x"))
    source = embedding_files.opened(tmp_path)
    assert board.summary(source).counts.tags == {"projector": 2}
    columns = tags.listing(source).kinds["projector"]
    assert (columns.tag, columns.runs) == (["x", "y"], [2, 1])
    assert tags.listing(source, run="b").kinds["projector"].tag == ["x"]
    assert tags.listing(source, since=source.version).kinds == {}
    assert changes.since(source, None).tags == changes.since(source, 0).tags == {"projector": "all"}
    assert changes.since(source, source.version).tags == {}


# ---- metadata


@pytest.mark.parametrize(
    ("text", "rows", "columns", "first", "notes"),
    [
        ("a\nb\n", 2, ["label"], ["a"], []),
        ("a\r\nb\r\n", 2, ["label"], ["a"], []),
        ("word\ta\nx\t1\ny\t2\n", 2, ["word", "a"], ["x", "1"], []),
        ("word\na\nb\n", 2, ["word"], ["a"], [("header_of_one", 0)]),
        ("x\t1\ny\t2\n", 2, ["label 1", "label 2"], ["x", "1"], [("no_header", 0)]),
        ("word\ta\nx\ny\t2\t3\n", 2, ["word", "a"], ["x", ""], [("odd_lines", 2)]),
        ("a\n", 2, ["label"], ["a"], [("other_rows", 1)]),
        ("a\nb\nc\nd\n", 2, ["label"], ["a"], [("other_rows", 4)]),
        ("a\n\n", 2, ["label"], ["a"], []),
        ("a\n\n\nb\n\n\n", 2, ["label"], ["a"], []),
        ("same\tsame\t\nx\ty\tz\n", 1, ["same", "same (2)", "label 3"], ["x", "y", "z"], []),
        ("三\nعربى 🚀\n", 2, ["label"], ["三"], []),
        ("", 2, ["label"], [""], [("empty", 0)]),
    ],
)
def test_metadata_is_read_whatever_its_form(
    text: str, rows: int, columns: list[str], first: list[str], notes: list[tuple[str, int]]
) -> None:
    found = projector_metadata.parse(text.encode(), rows)
    assert (found.columns, found.notes) == (columns, notes)
    assert len(found) == (rows if text else 0)
    if text:
        assert found.row(0) == first


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    assert projector_metadata.parse(b"\xff\xfe\nb\n", 2).row(0) == ["\ufffd\ufffd"]


def test_a_column_has_codes_counts_and_numbers() -> None:
    found = projector_metadata.parse(b"n\tt\n1\tb\n\ta\n1\tb\n-2.5e1\t1_0\n", 4)
    numbers, text = found.column("n"), found.column("t")
    assert numbers.values == ["1", "", "-2.5e1"] and numbers.codes.tolist() == [0, 1, 0, 2]
    assert numbers.counts.tolist() == [2, 1, 1]
    assert numbers.numbers is not None and np.array_equal(numbers.numbers, [1, np.nan, -25], equal_nan=True)
    assert text.numbers is None  # an underscore is no digit
    with pytest.raises(errors.NotFound):
        found.column("x")


@pytest.mark.parametrize(
    ("text", "regex", "wanted"),
    [("AB", False, [0, 2]), ("a.", False, []), ("^a", True, [0, 2]), ("", False, [0, 1, 2]), ("é", False, [1])],
)
def test_all_rows_are_searched(text: str, regex: bool, wanted: list[int]) -> None:
    found = projector_metadata.parse("abc\nÉx\nABBA\n".encode(), 3)
    assert projector_metadata.search(found, "label", text, regex=regex).tolist() == wanted


def test_a_pattern_that_would_backtrack_for_ever_is_answered() -> None:
    found = projector_metadata.parse(b"a" * 900 + b"b\n", 1)
    assert projector_metadata.search(found, "label", "(a+)+$", regex=True).tolist() == []


def test_metadata_with_one_column_name_20000_times_is_read() -> None:
    line = "\t".join(["same"] * 20_000)
    found = projector_metadata.parse(f"{line}\n{line}\n".encode(), 1)
    assert found.columns[:3] == ["same", "same (2)", "same (3)"]
    assert len(set(found.columns)) == len(found.row(0)) == projector_metadata.MAX_COLUMNS
    assert found.notes == [("many_columns", 20_000)]


def test_a_repeated_column_name_does_not_take_another_one() -> None:
    found = projector_metadata.parse(b"a\ta (2)\ta\ta\n1\t2\t3\t4\n", 1)
    assert found.columns == ["a", "a (2)", "a (3)", "a (4)"]


def test_metadata_of_another_length_is_noted(tmp_path: pathlib.Path) -> None:
    embedding_files.simple(tmp_path, np.zeros((3, 2)), "a\nb\n")
    found = one(tmp_path, metadata=projector.Metadata(["label"], 3))
    assert found.notes == [projector.Note("metadata", "other_rows", 2)]


def test_missing_companions_are_noted_and_the_numbers_shown(tmp_path: pathlib.Path) -> None:
    fields: dict[str, Any] = {
        "metadata_path": "gone.tsv",
        "bookmarks_path": "../b.json",
        "sprite": {"image_path": "gone.png"},
    }
    embedding_files.write(tmp_path, entry(tensor_path="t.tsv", **fields), t__tsv="1\n")
    found = one(tmp_path, rows=1, problem=None, metadata=None, sprite=None, bookmarks=False)
    assert [(note.about, note.code) for note in found.notes] == [
        ("metadata", "unreadable"), ("sprite", "unreadable"), ("bookmarks", "unreadable"),
    ]  # fmt: skip


# ---- sprites


def test_a_sprite_tells_the_size_of_its_sheet(tmp_path: pathlib.Path) -> None:
    sheet = made_pictures.png(8, 4)
    fields = {"image_path": "s.png", "single_image_dim": (2, 2)}
    embedding_files.write(tmp_path, entry("a b", tensor_path="t.tsv", sprite=fields), t__tsv="1\n" * 9, s__png=sheet)
    found = one(tmp_path)
    assert found.sprite == projector.Sprite(2, 2, 8, 4, "api/projector/sprite?run=.&name=a+b")
    assert found.notes == [projector.Note("sprite", "few_pictures", 8)]
    assert projector.sprite(projector_sources.find(embedding_files.opened(tmp_path), ".", "a b")) == sheet


@pytest.mark.parametrize("sheet", [b"", b"<svg onload=alert(1)>", b"GARBAGE"])
def test_a_sprite_that_is_no_picture_is_refused(tmp_path: pathlib.Path, sheet: bytes) -> None:
    fields = {"image_path": "s.png", "single_image_dim": (2, 2)}
    embedding_files.write(tmp_path, entry(tensor_path="t.tsv", sprite=fields), t__tsv="1\n", s__png=sheet)
    assert one(tmp_path, sprite=None).notes[0].code == "unreadable"


# ---- neighbours


def exactly(values: Any, row: int, distance: str) -> Any:
    wide = values.astype(np.float64)
    if distance == "euclidean":
        return np.linalg.norm(wide - wide[row], axis=1)
    lengths = np.linalg.norm(wide, axis=1)
    return 1 - wide @ wide[row] / lengths / lengths[row]


@pytest.mark.parametrize("distance", ["cosine", "euclidean"])
def test_neighbors_are_exact(tmp_path: pathlib.Path, distance: projector.Distance) -> None:
    values, _ = embedding_files.blobs(300, 7, 3)
    embedding_files.simple(tmp_path, values)
    source = embedding_files.opened(tmp_path)
    found = neighbors(source, 5, count=20, distance=distance)
    wanted = exactly(values, 5, distance)
    wanted[5] = np.inf
    assert found.rows.tolist() == np.argsort(wanted, kind="stable")[:20].tolist()
    assert np.allclose(found.distances, np.sort(wanted)[:20])
    within = np.array([1, 5, 9, 200])
    some = projector.neighbors(
        source, projector_sources.find(source, ".", "e"), 5, count=20, distance=distance, within=within
    )
    assert set(some.rows.tolist()) == {1, 9, 200}


def test_rows_that_are_not_finite_are_nobodys_neighbors(tmp_path: pathlib.Path) -> None:
    values = np.array([[1, 0], [np.nan, 0], [2, 0], [np.inf, 0], [0, 0]], np.float32)
    embedding_files.simple(tmp_path, values)
    source = embedding_files.opened(tmp_path)
    for distance, wanted in (("euclidean", [2, 4]), ("cosine", [2])):  # a row of zeros has no direction
        found = neighbors(source, 0, count=10, distance=distance)
        assert sorted(found.rows.tolist()) == wanted
    assert (
        projector.neighbors(
            source, projector_sources.find(source, ".", "e"), 1, count=10, distance="euclidean"
        ).rows.tolist()
        == []
    )
    with pytest.raises(errors.NotFound):
        neighbors(source, 5, count=1, distance="cosine")


def test_unknown_names_are_not_found(tmp_path: pathlib.Path) -> None:
    embedding_files.write(tmp_path, entry())
    source = embedding_files.opened(tmp_path)
    for run, name in ((".", "x"), ("x", "e")):
        with pytest.raises(errors.NotFound):
            projector_sources.find(source, run, name)
    assert dataclasses.asdict(projector.listing(source))["problems"] == []
