"""The native scan as Python sees it: layouts, resuming, parallel files, errors, values on demand."""

from __future__ import annotations

import os
import pathlib
import re
import tempfile

import event_files
import numpy as np
import pytest

from lightboard import _native, types
from lightboard.store import row_types

WHOLE = 1 << 62
ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_tables_have_the_native_layout() -> None:
    header = (ROOT / "native/read/columns.h").read_text()
    sizes = {name: int(size) for name, size in re.findall(r"static_assert\(sizeof\((\w+)\) == (\d+)\)", header)}
    ours = {"ChunkRow": row_types.CHUNK, "FileRow": row_types.FILE, "StartRow": row_types.START, "Ref": row_types.REF}
    assert sizes == {name: dtype.itemsize for name, dtype in ours.items()}
    for name, dtype in ours.items():
        body = re.search(rf"struct {name} {{(.*?)}};", header, re.DOTALL)
        assert body
        fields = re.findall(r"(\w+)(?:\[\d+\])?;", body[1])
        renamed = ["series" if field == "tag" and name == "ChunkRow" else field for field in fields]
        assert renamed == list(dtype.names or ())


def test_kinds_have_the_native_numbers() -> None:
    header = (ROOT / "native/read/columns.h").read_text()
    names = re.search(r"enum class Kind : std::uint8_t {(.*?)};", header, re.DOTALL)
    assert names
    numbers = {name.upper(): int(number) for name, number in re.findall(r"k(\w+) = (\d+)", names[1])}
    assert numbers == {kind.name.replace("_", ""): kind.value for kind in types.Kind}


def test_columns_written_to_a_file_equal_those_in_memory(tmp_path: pathlib.Path) -> None:
    paths = []
    for number in range(20):
        events = [event_files.scalar_event("loss", step + number, step=step) for step in range(50)]
        event_files.write(tmp_path / f"{number}.tfevents", events)
        paths.append(str(tmp_path / f"{number}.tfevents"))
    tasks: list[_native.Task] = [(path, 0, WHOLE, 0, {}) for path in paths]
    in_memory = _native.scan(tasks)
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 4096)
        file.flush()
        on_disk = _native.scan(tasks, file.fileno(), 4096, 2)
        file.seek(0)
        content = file.read()
    assert on_disk.end == len(content)
    for batch, segment in ((in_memory, in_memory.memory), (on_disk, content)):
        chunks = np.frombuffer(batch.chunks, row_types.CHUNK)
        assert chunks["file"].tolist() == list(range(20))
        for chunk in chunks:
            values = np.frombuffer(segment, "<f4", 50, int(chunk["values"]))
            assert values.tolist() == [step + chunk["file"] for step in range(50)]


def test_a_second_scan_brings_only_what_is_new(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.tfevents"
    event_files.write(path, [event_files.scalar_event("loss", 1.0, step=1, form="tensor")])
    first = _native.scan([(str(path), 0, WHOLE, 0, {})])
    offset = int(np.frombuffer(first.files, row_types.FILE)["offset"][0])
    with path.open("ab") as file:
        file.write(event_files.record(event_files.scalar_event("loss", 2.0, step=2, form="tensor", metadata=None)))
    second = _native.scan([(str(path), offset, WHOLE, 0, {"loss": types.Kind.SCALARS})])
    chunks = np.frombuffer(second.chunks, row_types.CHUNK)
    assert chunks["n"].tolist() == [1]
    assert chunks["last"].tolist() == [2.0]


def test_a_file_that_is_not_there_is_a_fault(tmp_path: pathlib.Path) -> None:
    batch = _native.scan([(str(tmp_path / "gone.tfevents"), 0, WHOLE, 0, {})])
    assert [reason for _, _, reason, *_ in batch.faults] == ["open"]


def test_a_full_disk_raises(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.tfevents"
    event_files.write(path, [event_files.scalar_event("loss", 1.0, step=1)])
    with open("/dev/full", "wb", buffering=0) as full, pytest.raises(OSError, match="No space"):
        _native.scan([(str(path), 0, WHOLE, 0, {})], full.fileno())


def test_a_value_that_has_gone_raises(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "short"
    path.write_bytes(b"12345")
    with pytest.raises(OSError, match="short"):
        _native.read_value(str(path), 0, 100)
    with pytest.raises(ValueError, match="no summary value"):
        _native.read_value(str(path), 0, 5)
    assert _native.read_value(str(path), 1, 3, True) == ("raw", (), b"234", "")


def test_tags_that_are_not_utf_8_are_shown_with_replacement_characters(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.tfevents"
    good = event_files.scalar_event("abcd", 1.0, step=1)
    event_files.write(path, [good.replace(b"abcd", b"a\xff\xfed")])
    assert _native.scan([(str(path), 0, WHOLE, 0, {})]).tags == ["a��d"]


def test_paths_need_not_be_utf_8(tmp_path: pathlib.Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.tfevents")
    event_files.write(pathlib.Path(path), [event_files.scalar_event("loss", 1.0, step=1)])
    assert _native.scan([(path, 0, WHOLE, 0, {})]).tags == ["loss"]


def test_both_checksums_agree() -> None:
    assert _native.crc32c(b"123456789") == _native.crc32c(b"123456789", True) == 0xE3069283


@pytest.mark.parametrize(
    ("plugin", "kind"),
    [
        ("lightboard_video", types.Kind.VIDEO),
        ("lightboard_html", types.Kind.HTML),
        ("lightboard_table", types.Kind.TABLES),
        ("lightboard_plotly", types.Kind.PLOTLY),
        ("lightboard_later", types.Kind.TENSORS),
    ],
)
def test_kinds_of_our_own_writer(tmp_path: pathlib.Path, plugin: str, kind: types.Kind) -> None:
    path = tmp_path / "x.tfevents"
    what = event_files.field_bytes(8, event_files.string_tensor(["one", "two"], shape=[2]))
    value = event_files.value("x", what, event_files.summary_metadata(plugin))
    event_files.write(path, [event_files.summary_event(value)])
    chunks = np.frombuffer(_native.scan([(str(path), 0, WHOLE, 0, {})]).chunks, row_types.CHUNK)
    assert (chunks["kind"].tolist(), chunks["max_count"].tolist()) == ([kind], [2])


def test_numbers_among_pages_are_a_fault(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.tfevents"
    html = event_files.summary_metadata("lightboard_html")
    event_files.write(path, [event_files.scalar_event("page", 1.0, form="tensor", metadata=html)])
    batch = _native.scan([(str(path), 0, WHOLE, 0, {})])
    assert [reason for _, _, reason, *_ in batch.faults] == ["value"]
