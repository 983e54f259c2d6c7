"""Every method of `SummaryWriter`: written, read back with `lightboard.open`, equal bit for bit.

Values of PyTorch, TensorFlow, JAX, Pillow and matplotlib, and graphs of models, are tests/frameworks' matter: here
objects that behave alike stand for them. Processes, full disks and the like: test_writer_processes.py.
"""

from __future__ import annotations

import io
import json
import math
import pathlib
import sys
import wave
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pictures
import pytest
from numpy.testing import assert_array_equal

import lightboard
from lightboard import wire
from lightboard.sdk import destinations, summary_messages, trouble

RANDOM = np.random.default_rng(7)
Written = Callable[[Callable[[lightboard.SummaryWriter], object]], lightboard.Logs]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (*destinations.VARIABLES, "LIGHTBOARD_STRICT"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def written(tmp_path: pathlib.Path) -> Iterator[Written]:
    """Calls something with a writer, and opens what it wrote."""
    opened: list[lightboard.Logs] = []

    def write(work: Callable[[lightboard.SummaryWriter], object]) -> lightboard.Logs:
        with lightboard.SummaryWriter(tmp_path / "logs", strict=True) as writer:
            work(writer)
        logs = lightboard.open(tmp_path / "logs")
        assert logs.faults == []
        opened.append(logs)
        return logs

    yield write
    for each in opened:
        each.close()


class Tensor:
    """What is asked of a torch tensor: off the graph, off the device, then NumPy."""

    def __init__(self, array: Any) -> None:
        self._array = np.asarray(array)
        self.dtype = self._array.dtype
        self.shape = self._array.shape

    def detach(self) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return self

    def numel(self) -> int:
        return self._array.size

    def item(self) -> Any:
        return self._array.item()

    def numpy(self) -> Any:
        return self._array

    def __float__(self) -> float:
        raise RuntimeError("a tensor that requires grad would warn here")


# ---- scalars ----


@pytest.mark.parametrize(
    "value",
    [0.1, 3, True, np.float32(0.1), np.float64(0.1), np.int64(-4), np.array([[2.5]]), Tensor([1.5]), [7.0], math.nan,
     math.inf, -math.inf, 1e300, np.float16(0.1)],
)  # fmt: skip
def test_a_number_of_any_library_is_a_scalar(written: Written, value: Any) -> None:
    found = written(lambda writer: writer.add_scalar("tag", value, 3, 1.5)).scalars(".", "tag")
    expected = np.asarray(value.numpy() if isinstance(value, Tensor) else value, np.float64).reshape(-1)
    with np.errstate(over="ignore"):
        assert_array_equal(found.values, expected.astype(np.float32))
    assert (found.steps.tolist(), found.wall_times.tolist()) == ([3], [1.5])


def test_a_step_may_be_left_out_or_be_any_integer(written: Written) -> None:
    def work(writer: lightboard.SummaryWriter) -> None:
        for step in (None, 5, np.int32(6), Tensor(7), 8.0, -9, 2**63 - 1):
            writer.add_scalar(f"{step!r}" if not isinstance(step, Tensor) else "tensor", 1.0, step)

    logs = written(work)
    found = {entry.tag: entry.last_step for entry in logs.series("scalars")}
    assert sorted(found.values()) == sorted([0, 5, 6, 7, 8, -9, 2**63 - 1])


@pytest.mark.parametrize("step", [2**63, -(2**63) - 1, "soon", [1, 2]])
def test_a_step_that_is_none_warns_at_the_callers_line(tmp_path: pathlib.Path, step: Any) -> None:
    with lightboard.SummaryWriter(tmp_path) as writer, pytest.warns(trouble.LoggingWarning, match="add_scalar") as seen:
        writer.add_scalar("tag", 1.0, step)
    assert seen[0].filename == __file__


@pytest.mark.parametrize("value", ["text", None, [1, 2], np.zeros(3), 1j, Tensor([1, 2])])
def test_what_is_no_number_warns_and_strict_raises(tmp_path: pathlib.Path, value: Any) -> None:
    with lightboard.SummaryWriter(tmp_path) as writer, pytest.warns(trouble.LoggingWarning, match="logged nothing"):
        writer.add_scalar("tag", value)
    with lightboard.SummaryWriter(tmp_path, strict=True) as writer, pytest.raises((TypeError, ValueError)):
        writer.add_scalar("tag", value)


def test_new_style_keeps_half_the_digits_and_double_precision_all(written: Written) -> None:
    def work(writer: lightboard.SummaryWriter) -> None:
        writer.add_scalar("new", 0.1, 0, new_style=True)
        writer.add_scalar("double", 0.1, 0, new_style=True, double_precision=True)
        writer.add_scalar("old", 0.1, 0, double_precision=True)

    logs = written(work)
    assert [logs.scalars(".", tag).values.tolist() for tag in ("new", "double", "old")] == [
        [float(np.float32(0.1))], [0.1], [float(np.float32(0.1))],
    ]  # fmt: skip


def test_tensorboardx_names_and_describes_a_scalar(written: Written) -> None:
    def work(writer: lightboard.SummaryWriter) -> None:
        writer.add_scalar("named", 1.0, 0, None, "title", "about")  # type: ignore[arg-type]
        writer.add_scalar("described", 1.0, summary_description="only this")

    logs = written(work)
    metadata = logs.metadata(".", "named")
    assert (metadata.display_name, metadata.description) == ("title", "about")
    assert logs.metadata(".", "described").description == "only this"
    assert logs.scalars(".", "named").values.tolist() == [1.0]


def test_add_scalars_makes_a_run_of_every_key(written: Written) -> None:
    def work(writer: lightboard.SummaryWriter) -> None:
        for step in range(3):
            writer.add_scalars("a/b", {"x": step, "y": Tensor(step * 2.0)}, step)

    logs = written(work)
    assert {entry.run: entry.tag for entry in logs.series("scalars")} == {"a_b_x": "a/b", "a_b_y": "a/b"}
    assert logs.scalars("a_b_y", "a/b").values.tolist() == [0.0, 2.0, 4.0]


def test_add_scalars_has_an_end(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lightboard.sdk.writer.MOST_SUB_RUNS", 3)
    with lightboard.SummaryWriter(tmp_path) as writer, pytest.warns(trouble.LoggingWarning, match="3 are enough"):
        writer.add_scalars("many", {str(number): 1.0 for number in range(5)})
    assert len(list(tmp_path.glob("many_*"))) == 3


def test_a_row_is_one_record(written: Written) -> None:
    row = {f"metric/{number}": number / 3 for number in range(50)}
    logs = written(lambda writer: writer.log(row, 4))
    assert {tag: logs.scalars(".", tag).values.tolist() for tag in row} == {
        tag: [float(np.float32(number))] for tag, number in row.items()
    }
    assert len({float(logs.scalars(".", tag).wall_times[0]) for tag in row}) == 1


def test_a_row_goes_by_the_types_of_its_values(written: Written) -> None:
    row = {
        "number": np.float32(2), "tensor": Tensor([3.0]), "nested": {"deep": {"int": 1}}, "text": "words",
        "many": np.arange(10.0), "list": [1.0, 2.0, 3.0], "table": pd.DataFrame({"a": [1]}),
    }  # fmt: skip
    logs = written(lambda writer: writer.log(row, step=2))
    assert sorted((entry.tag, entry.kind) for entry in logs.series()) == [
        ("list", "histograms"), ("many", "histograms"), ("nested/deep/int", "scalars"), ("number", "scalars"),
        ("table", "tables"), ("tensor", "scalars"), ("text/text_summary", "text"),
    ]  # fmt: skip


# ---- histograms ----


def test_default_bins_count_like_numpy(written: Written) -> None:
    data = np.concatenate([RANDOM.normal(size=5000), [0.0, -0.0, 1e-12, -1e-12, 5e-324]]).astype(np.float32)
    with lightboard.SummaryWriter(write_to_disk=False) as writer:
        edges = np.array(writer.default_bins)
    counts, _ = np.histogram(data.astype(np.float64), edges)
    found = written(lambda writer: writer.add_histogram("h", Tensor(data), 2)).histograms(".", "h")[0]
    full = np.flatnonzero(counts)
    expected = counts[full[0] : full[-1] + 1]
    assert found.step == 2
    assert found.buckets[:, 2].sum() == len(data)
    assert_array_equal(found.buckets[found.buckets[:, 2] > 0][:, 2], expected[expected > 0])
    assert (found.buckets[0, 0], found.buckets[-1, 1]) == (data.min(), data.max())


@pytest.mark.parametrize("bins", [5, "auto", "fd", [-1.0, 0.0, 0.5, 3.0]])
@pytest.mark.parametrize("max_bins", [None, 3])
def test_other_bins_are_numpys(written: Written, bins: Any, max_bins: int | None) -> None:
    data = RANDOM.normal(size=300)
    counts, _ = np.histogram(data, bins)
    found = written(lambda writer: writer.add_histogram("h", data, 1, bins, None, max_bins)).histograms(".", "h")[0]
    assert found.buckets[:, 2].sum() == counts.sum()
    if max_bins is None:
        assert_array_equal(found.buckets[found.buckets[:, 2] > 0][:, 2], counts[counts > 0])
    else:
        assert len(found.buckets) <= 2 * max_bins + 1


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i8", "u2", "?", ">f4"])
def test_a_histogram_of_any_dtype_counts_every_number(written: Written, dtype: str) -> None:
    data = np.arange(-3, 4).astype(dtype).reshape(7, 1)
    found = written(lambda writer: writer.add_histogram("h", data)).histograms(".", "h")[0]
    assert found.buckets[:, 2].sum() == 7


def test_numbers_without_a_bin_are_left_out_and_nothing_at_all_warns(tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path) as writer:
        writer.add_histogram("some", np.array([1.0, math.nan, 2.0, math.inf]))
        for nothing in (np.array([math.nan]), np.array([]), np.array(["a"])):
            with pytest.warns(trouble.LoggingWarning, match="add_histogram logged nothing"):
                writer.add_histogram("none", nothing)
    with lightboard.open(tmp_path) as logs:
        assert logs.tags("histograms") == ["some"]
        assert logs.histograms(".", "some")[0].buckets[:, 2].sum() == 2


def test_a_raw_histogram_is_kept(written: Written) -> None:
    found = written(lambda w: w.add_histogram_raw("h", 0.0, 1.0, 3, 1.5, 2.5, [0.5, 1.0], [1, 2], 7))
    assert found.histograms(".", "h")[0].buckets.tolist() == [[0.0, 0.5, 1.0], [0.5, 1.0, 2.0]]


# ---- pictures, videos, sounds ----


def as_torch_does(numbers: Any) -> Any:
    found = np.asarray(numbers)
    factor = 1 if found.dtype == np.uint8 else 255
    return (found.astype(np.float32) * factor).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("dtype", ["u1", "f2", "f4", "f8"])
@pytest.mark.parametrize("formats", ["CHW", "HWC", "HW", "WH", "CWH", "chw"])
def test_a_picture_of_any_format_keeps_its_pixels(written: Written, formats: str, dtype: str) -> None:
    sizes = {"C": 3, "H": 5, "W": 9}
    shape = [sizes[letter] for letter in formats.upper()]
    data = RANDOM.integers(0, 256, shape).astype(dtype)
    data = data if dtype == "u1" else (data / 200).astype(dtype)  # some beyond 1, which are clipped
    found = written(lambda writer: writer.add_image("i", Tensor(data), 3, dataformats=formats)).images(".", "i")[0]
    wanted = "HWC" if "C" in formats.upper() else "HW"
    expected = as_torch_does(data).transpose([formats.upper().index(letter) for letter in wanted])
    expected = expected if expected.ndim == 3 else np.stack([expected] * 3, axis=2)
    assert (found.step, found.width, found.height) == (3, 9, 5)
    assert_array_equal(pictures.png(found.blobs[0]), expected)


@pytest.mark.parametrize("kind", ["smooth", "noise", "flat", "stripes", "one pixel", "rgba"])
def test_every_filter_of_a_picture_can_be_undone(written: Written, kind: str) -> None:
    rows, columns = np.mgrid[0:40, 0:60]
    data = {
        "smooth": np.stack([rows, columns, rows + columns]), "noise": RANDOM.integers(0, 256, (3, 40, 60)),
        "flat": np.full((3, 40, 60), 9), "stripes": np.stack([columns % 2 * 255] * 3),
        "one pixel": np.full((3, 1, 1), 5), "rgba": RANDOM.integers(0, 256, (4, 40, 60)),
    }[kind].astype(np.uint8)  # fmt: skip
    found = written(lambda writer: writer.add_image("i", data)).images(".", "i")[0]
    assert_array_equal(pictures.png(found.blobs[0]), data.transpose(1, 2, 0))


def test_a_batch_becomes_a_grid_of_eight_columns(written: Written) -> None:
    batch = RANDOM.random((10, 1, 4, 6)).astype(np.float32)
    logs = written(lambda writer: (writer.add_images("n", batch), writer.add_images("l", list(batch), 0, None, "CHW")))
    found = pictures.png(logs.images(".", "n")[0].blobs[0])
    assert found.shape == (8, 48, 3)
    for number in range(10):
        top, left = number // 8 * 4, number % 8 * 6
        cell = as_torch_does(batch[number, 0])[:, :, None]
        assert_array_equal(found[top : top + 4, left : left + 6], np.repeat(cell, 3, axis=2))
    assert not found[4:, 12:].any()
    assert_array_equal(pictures.png(logs.images(".", "l")[0].blobs[0]), found)


@pytest.mark.parametrize("formats", ["CHWN", "XHW", "CCH", "HW"])
def test_a_format_that_does_not_fit_warns(tmp_path: pathlib.Path, formats: str) -> None:
    with lightboard.SummaryWriter(tmp_path) as writer, pytest.warns(trouble.LoggingWarning, match="add_image"):
        writer.add_image("i", np.zeros((3, 4, 5)), dataformats=formats)


def test_boxes_are_drawn_in_red_and_may_lie_outside(written: Written) -> None:
    def work(writer: lightboard.SummaryWriter) -> None:
        boxes = np.array([[10, 5, 30, 20], [-5, -5, 100, 100.0]])
        writer.add_image_with_boxes("b", np.zeros((3, 40, 60)), Tensor(boxes), 1)
        # tensorboardX: dataformats stands where PyTorch has rescale
        writer.add_image_with_boxes("x", np.zeros((40, 60, 3)), boxes, 1, None, "HWC", None)
        writer.add_image_with_boxes("y", np.zeros((40, 60, 3)), boxes, 1, None, "HWC")

    logs = written(work)
    found = pictures.png(logs.images(".", "b")[0].blobs[0])
    assert found.shape == (40, 60, 3)
    assert found[5, 20].tolist() == found[12, 10].tolist() == found[20, 30].tolist() == [255, 0, 0]
    assert found[12, 20].tolist() == found[30, 50].tolist() == [0, 0, 0]
    for tag in ("x", "y"):
        assert_array_equal(pictures.png(logs.images(".", tag)[0].blobs[0]), found)


@pytest.mark.parametrize("batch", [1, 3])
def test_a_video_of_few_colours_keeps_every_pixel(written: Written, batch: int) -> None:
    palette = RANDOM.integers(0, 256, (200, 3)).astype(np.uint8)
    frames = palette[RANDOM.integers(0, 200, (batch, 5, 33, 40))]  # N T H W C
    video = frames.transpose(0, 1, 4, 2, 3)
    found = written(lambda writer: writer.add_video("v", video, 2, fps=10)).images(".", "v")[0]
    shown, delays = pictures.gif(found.blobs[0])
    assert delays == [10] * 5 and found.step == 2
    places_ = 1 if batch == 1 else 4
    assert shown.shape == (5, 33 * (2 if places_ == 4 and batch > 3 else 1), shown.shape[2], 3)
    for number in range(batch):
        assert_array_equal(shown[:, :33, number * 40 : number * 40 + 40], frames[number])


def test_a_video_of_many_colours_stays_near(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    # Pillow, where it is installed, chooses the colours; this is about our own choice
    monkeypatch.setitem(sys.modules, "PIL", None)
    video = RANDOM.random((1, 2, 3, 64, 64)).astype(np.float32)
    shown, _ = pictures.gif(written(lambda writer: writer.add_video("v", video)).images(".", "v")[0].blobs[0])
    wanted = as_torch_does(video)[0].transpose(0, 2, 3, 1)
    assert np.abs(shown.astype(int) - wanted).max() <= 26


@pytest.mark.parametrize(
    ("content", "plugin"),
    [(b"\0\0\0\x18ftypmp42rest", "lightboard_video"), (b"\x1a\x45\xdf\xa3rest", "lightboard_video")],
)
def test_a_video_file_is_kept_as_it_is(written: Written, content: bytes, plugin: str) -> None:
    logs = written(lambda writer: writer.add_video("v", content))
    assert logs.metadata(".", "v").plugin == plugin
    assert logs.tensors(".", "v")[0].strings == (content,)


@pytest.mark.parametrize("channels", [1, 2])
def test_a_sound_becomes_wav(written: Written, channels: int) -> None:
    data = RANDOM.uniform(-1, 1, (1000, channels))
    found = written(lambda writer: writer.add_audio("a", Tensor(data), 1, 8000)).audio(".", "a")[0]
    assert found.content_type == "audio/wav"
    with wave.open(io.BytesIO(found.clips[0].data)) as sound:
        assert (sound.getnchannels(), sound.getframerate(), sound.getnframes()) == (channels, 8000, 1000)
        samples = np.frombuffer(sound.readframes(1000), "<i2").reshape(1000, channels)
    assert_array_equal(samples, (data * 32767).astype("<i2"))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"RIFF\0\0\0\0WAVErest", "audio/wav"),
        (b"fLaCrest", "audio/flac"),
        (b"OggSrest", "audio/ogg"),
        (b"ID3\x04rest", "audio/mpeg"),
        (b"\xff\xfb\x90\xc0", "audio/mpeg"),
    ],
)
def test_a_sound_file_is_kept_as_it_is(written: Written, tmp_path: pathlib.Path, content: bytes, kind: str) -> None:
    (tmp_path / "file").write_bytes(content)
    logged = lightboard.Audio(tmp_path / "file")
    for write in (lambda writer: writer.add_audio("a", content), lambda writer: logged.write(writer, "a", 1)):
        found = written(write).audio(".", "a")[-1]
        assert (found.clips[0].data, found.content_type) == (content, kind)


def test_bytes_that_are_no_sound_are_refused(tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path) as writer, pytest.warns(trouble.LoggingWarning, match="neither WAV"):
        writer.add_audio("a", b"text")


def test_a_sound_that_is_too_loud_is_clipped_and_said(tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path) as writer, pytest.warns(trouble.LoggingWarning, match="clipped"):
        writer.add_audio("a", np.array([0.0, 2.0]))


# ---- texts, tables, curves, meshes, tensors ----


def test_a_text_gets_the_suffix_torch_gives(written: Written) -> None:
    found = written(lambda writer: writer.add_text("t", "héllo\n**x**", 2)).text(".", "t/text_summary")[0]
    assert (found.step, found.shape, found.strings) == (2, (1,), ("héllo\n**x**",))


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}],
        {"a": np.array([1, 2]), "b": ["x", "y"]},
    ],
)  # fmt: skip
def test_a_table_may_come_in_several_shapes(written: Written, table: Any) -> None:
    logs = written(lambda writer: writer.add_table("t", table, 1))
    assert logs.metadata(".", "t").plugin == "lightboard_table"
    strings = logs.tensors(".", "t")[0].strings
    assert strings is not None and json.loads(strings[0]) == {"columns": ["a", "b"], "rows": [[1, "x"], [2, "y"]]}


def test_html_and_plotly_are_kept(written: Written) -> None:
    class Shown:
        def _repr_html_(self) -> str:
            return "<b>bold</b>"

    figure = {"data": [{"y": np.array([1.0, 2.0])}], "layout": {"title": "t"}}

    def work(writer: lightboard.SummaryWriter) -> None:
        writer.add_html("page", "<p>é</p>", 1)
        writer.add_html("object", Shown(), 1)
        writer.add_plotly("figure", figure, 1)

    logs = written(work)
    assert logs.tensors(".", "page")[0].strings == ("<p>é</p>".encode(),)
    assert logs.tensors(".", "object")[0].strings == (b"<b>bold</b>",)
    strings = logs.tensors(".", "figure")[0].strings
    assert strings is not None and json.loads(strings[0])["data"] == [{"y": [1.0, 2.0]}]


def test_a_pr_curve_is_counted_at_every_threshold(written: Written) -> None:
    labels, predictions = np.array([0, 1, 1, 0, 1]), np.array([0.1, 0.9, 0.4, 0.6, 1.0])
    found = written(lambda writer: writer.add_pr_curve("p", Tensor(labels), predictions, 3, 11)).pr_curves(".", "p")[0]
    above = predictions[None, :] >= np.arange(11)[:, None] / 10
    assert_array_equal(found.table[0], (above & (labels == 1)).sum(axis=1))
    assert_array_equal(found.table[1], (above & (labels == 0)).sum(axis=1))
    assert_array_equal(found.table[5], ((above & (labels == 1)).sum(axis=1) / 3).astype(np.float32))


def test_a_raw_pr_curve_is_kept(written: Written) -> None:
    a, b, c, d, e, f = rows = [[4, 2, 0], [3, 2, 1], [1, 1, 2], [0, 1, 2], [0.5, 0.25, 0.75], [1, 0.5, 0]]
    found = written(lambda writer: writer.add_pr_curve_raw("p", a, b, c, d, e, f, 2, 3)).pr_curves(".", "p")[0]
    assert found.table.tolist() == rows


def test_a_mesh_is_up_to_three_tensors(written: Written) -> None:
    vertices, faces = RANDOM.random((1, 4, 3)).astype(np.float32), np.array([[[0, 1, 2], [1, 2, 3]]])
    colors = RANDOM.integers(0, 256, (1, 4, 3))
    logs = written(lambda writer: writer.add_mesh("m", vertices, Tensor(colors), faces, {"camera": {}}, 5))
    assert_array_equal(logs.meshes(".", "m_VERTEX")[0].array, vertices)
    assert_array_equal(logs.meshes(".", "m_FACE")[0].array, faces)
    assert_array_equal(logs.meshes(".", "m_COLOR")[0].array, colors)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"])
def test_a_tensor_keeps_shape_and_dtype(written: Written, dtype: str) -> None:
    data = np.arange(6).reshape(2, 3).astype(dtype)
    found = written(lambda writer: writer.add_tensor("t", Tensor(data), 1)).tensors(".", "t")[0]
    assert found.array is not None and found.array.dtype == data.dtype
    assert_array_equal(found.array, data)


# ---- graphs, layouts, hyperparameters, embeddings ----


def test_an_onnx_model_becomes_a_graph(written: Written, tmp_path: pathlib.Path) -> None:
    def variable(name: str, sizes: list[int]) -> bytes:
        shape = b"".join(wire.message(1, wire.integer(1, size)) for size in sizes)
        return wire.text(1, name) + wire.message(2, wire.message(1, wire.integer(1, 1), wire.message(2, shape)))

    attribute = wire.text(1, "kernel_shape") + wire.message(8, b"\x03\x03") + wire.integer(20, 7)
    node = wire.text(1, "x") + wire.text(2, "y") + wire.text(4, "Conv") + wire.message(5, attribute)
    parts = wire.message(1, node) + wire.message(11, variable("x", [1, 3])) + wire.message(12, variable("y", [1, 4]))
    path = tmp_path / "model.onnx"
    path.write_bytes(wire.integer(1, 8) + wire.message(7, parts))
    found = written(lambda writer: writer.add_onnx_graph(path)).graph(".")
    assert b"Conv" in found and b"Variable" in found and b"kernel_shape = [3, 3] = 7" in found
    with (
        lightboard.SummaryWriter(tmp_path / "bad", strict=True) as writer,
        pytest.raises(ValueError, match="no ONNX model"),
    ):
        writer.add_onnx_graph(onnx_model_file=b"\xff\xff")


def test_an_openvino_model_becomes_a_graph(written: Written, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(
        '<net><layers><layer id="0" name="in" type="Parameter"><output><port><dim>1</dim></port></output></layer>'
        '<layer id="1" name="act" type="ReLU"/></layers><edges><edge from-layer="0" to-layer="1"/></edges></net>'
    )
    found = written(lambda writer: writer.add_openvino_graph(path)).graph(".")
    assert b"ReLU" in found and b"\x1a\x02in" in found


def test_custom_scalars_are_a_layout(written: Written) -> None:
    layout = {"c": {"x": ["Multiline", ["a", "b"]], "y": ["Margin", ["a", "b", "c"]]}}
    strings = (
        written(lambda writer: writer.add_custom_scalars(layout)).tensors(".", "custom_scalars__config__")[0].strings
    )
    multiline = wire.message(2, wire.text(1, "x"), wire.message(2, wire.text(1, "a"), wire.text(1, "b")))
    series = wire.message(1, wire.text(1, "a"), wire.text(2, "b"), wire.text(3, "c"))
    margin = wire.message(2, wire.text(1, "y"), wire.message(3, series))
    assert strings == (wire.message(2, wire.text(1, "c"), multiline, margin),)


def test_a_margin_chart_needs_three_tags(tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path) as writer, pytest.warns(trouble.LoggingWarning, match="three tags"):
        writer.add_custom_scalars_marginchart(["a", "b"])


def test_hparams_are_a_run_below(written: Written) -> None:
    given = {"lr": 0.1, "bs": 4, "on": True, "opt": "adam", "none": None, "tensor": Tensor([3.0])}

    def work(writer: lightboard.SummaryWriter) -> None:
        writer.add_hparams(given, {"hparam/loss": Tensor(1.5)}, {"opt": ["adam", "sgd"]}, "trial", 7)
        writer.add_hparams({"lr": 1}, {"m": 1}, "named", 3)  # as tensorboardX has it
        writer.add_hparams({"lr": 2}, {"m": 2})

    logs = written(work)
    assert logs.hparams("trial") == {"lr": 0.1, "bs": 4.0, "on": 1.0, "opt": "adam", "tensor": 3.0}
    metric = logs.scalars("trial", "hparam/loss")
    assert (metric.steps.tolist(), metric.values.tolist()) == ([7], [1.5])
    assert logs.scalars("named", "m").steps.tolist() == [3]
    assert len([run for run in logs.runs if run.startswith("1") or run[0].isdigit()]) == 1


def test_embeddings_are_files_and_an_entry_each(tmp_path: pathlib.Path) -> None:
    matrix = RANDOM.random((5, 3)).astype(np.float32)
    sprites = RANDOM.random((5, 3, 4, 4))
    for _ in range(2):  # a restarted run writes the same again
        with lightboard.SummaryWriter(tmp_path, strict=True) as writer:
            writer.add_embedding(Tensor(matrix), list("abcde"), sprites, 3, "words/1")
            writer.add_embedding(matrix, [["a", 1]] * 5, metadata_header=["name", "number"])
    place = tmp_path / "00003" / "words%2f1"
    assert_array_equal(np.loadtxt(place / "tensors.tsv", dtype=np.float32), matrix)
    assert (place / "metadata.tsv").read_text() == "a\nb\nc\nd\ne\n"
    assert pictures.png((place / "sprite.png").read_bytes()).shape == (12, 12, 3)
    assert (tmp_path / "00000" / "default" / "metadata.tsv").read_text().splitlines()[:2] == ["name\tnumber", "a\t1"]
    config = (tmp_path / "projector_config.pbtxt").read_text()
    assert config.count("embeddings {") == 2
    assert 'tensor_name: "words/1:00003"' in config and "  sprite {\n" in config


# ---- the file ----


def test_the_directory_is_there_as_soon_as_the_writer(tmp_path: pathlib.Path) -> None:
    writer = lightboard.SummaryWriter(tmp_path / "a" / "b", filename_suffix=".mine")
    (file,) = (tmp_path / "a" / "b").iterdir()
    assert file.name.startswith("events.out.tfevents.") and file.name.endswith(".mine")
    writer.close()


def test_a_place_is_found_when_none_is_given(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with lightboard.SummaryWriter(comment="_note") as writer:
        assert writer.get_logdir().startswith("runs/") and writer.get_logdir().endswith("_note")
    with lightboard.SummaryWriter(logdir="x") as writer:  # tensorboardX's name
        assert writer.log_dir == writer.logdir == "x"


def test_logging_after_close_opens_another_file(tmp_path: pathlib.Path) -> None:
    writer = lightboard.SummaryWriter(tmp_path, strict=True)
    for step in range(3):
        writer.add_scalar("a", step, step)
        writer.close()
        writer.close()
    with lightboard.open(tmp_path) as logs:
        assert logs.scalars(".", "a").steps.tolist() == [0, 1, 2]


def test_purge_step_hides_what_a_crashed_run_logged(tmp_path: pathlib.Path) -> None:
    for purge_step, steps in ((None, range(10)), (5, range(5, 8))):
        with lightboard.SummaryWriter(tmp_path, purge_step=purge_step, strict=True) as writer:
            for step in steps:
                writer.add_scalar("a", 0.5, step)
    with lightboard.open(tmp_path) as logs:
        assert logs.scalars(".", "a").steps.tolist() == list(range(8))


def test_write_to_disk_false_keeps_nothing(tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path / "none", write_to_disk=False, strict=True) as writer:
        writer.add_scalar("a", 1.0)
        writer.add_scalars("b", {"c": 1.0})
        writer.add_hparams({"a": 1}, {"b": 1})
        writer.add_embedding(np.zeros((2, 2)))
        writer.log({"a": 1.0})
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_place_warns_and_training_goes_on(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.warns(trouble.LoggingWarning):
        writer = lightboard.SummaryWriter(tmp_path / "file" / "logs")
    with pytest.warns(trouble.LoggingWarning, match="add_scalar") as seen:
        writer.add_scalar("a", 1.0)
    assert seen[0].filename == __file__
    with pytest.raises(OSError, match="file"):
        lightboard.SummaryWriter(tmp_path / "file" / "logs", strict=True)


def test_use_metadata_sets_step_and_time(written: Written) -> None:
    def work(writer: lightboard.SummaryWriter) -> None:
        with writer.use_metadata(global_step=10, walltime=5.0):
            writer.add_scalar("a", 1.0)
            writer.add_text("t", "x")
        writer.add_scalar("a", 1.0, walltime=6.0)
        writer.add_text("epoch", "x", walltime=0.0)

    logs = written(work)
    assert list(logs.scalars(".", "a")) == [(10, 5.0, 1.0), (0, 6.0, 1.0)]
    assert logs.text(".", "epoch/text_summary")[0].wall_time == 0.0
    assert logs.text(".", "t/text_summary")[0].step == 10


def test_programs_that_reach_for_the_file_writer_find_one(written: Written) -> None:
    class Message:
        def __init__(self, content: bytes) -> None:
            self.content = content

        def SerializeToString(self) -> bytes:
            return self.content

    def work(writer: lightboard.SummaryWriter) -> None:
        assert writer._get_file_writer() is writer.file_writer
        assert list(writer.all_writers) == [writer.file_writer.get_logdir()] == [writer.get_logdir()]
        value = wire.message(1, summary_messages.value("theirs", wire.single(2, 0.5)))
        writer.file_writer.add_summary(Message(value), 3)

    logs = written(work)
    assert logs.scalars(".", "theirs").steps.tolist() == [3]


def test_scalars_can_be_exported(tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path / "logs", strict=True) as writer:
        writer.add_scalars("m", {"a": 1.0}, 2, 3.0)
        writer.export_scalars_to_json(tmp_path / "all.json")
    assert json.loads((tmp_path / "all.json").read_text()) == {f"{tmp_path}/logs/m_a": [[3.0, 2, 1.0]]}
