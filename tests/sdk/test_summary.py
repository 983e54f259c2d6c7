"""`lightboard.summary`: what is written can be read, by whom and when it is written.

Left out: that the same calls through TensorFlow give the same values (tests/frameworks has it).
"""

from __future__ import annotations

import asyncio
import contextvars
import io
import pathlib
import struct
import sys
import threading
import types
import wave
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import lightboard
from lightboard import summary, wire
from lightboard.sdk import batches, buckets, summary_messages, tensors, trouble


@pytest.fixture
def writer(tmp_path: pathlib.Path) -> Iterator[summary.SummaryWriter]:
    made = summary.create_file_writer(tmp_path / "logs", strict=True)
    yield made
    made.close()


@pytest.fixture
def read(tmp_path: pathlib.Path, writer: summary.SummaryWriter) -> Iterator[Any]:
    opened = []

    def open_logs() -> lightboard.Logs:
        writer.flush()
        opened.append(lightboard.open(str(tmp_path / "logs")))
        return opened[-1]

    yield open_logs
    for logs in opened:
        logs.close()


# ---- what is written ----


def test_a_scalar_is_read_back_as_a_float32(writer: summary.SummaryWriter, read: Any) -> None:
    with writer.as_default():
        for step in range(3):
            assert summary.scalar("loss", np.float64(0.1) * step, step=step) is True
    series = read().scalars(".", "loss")
    assert series.steps.tolist() == [0, 1, 2]
    assert [np.float32(value) for value in series.values] == [np.float32(0.1 * step) for step in range(3)]


def test_a_described_scalar_keeps_its_description(writer: summary.SummaryWriter, read: Any) -> None:
    with writer.as_default(step=4):
        assert summary.scalar("loss", 0.25, description="smaller is **better**")
    logs = read()
    assert logs.scalars(".", "loss").values.tolist() == [0.25]
    assert logs.metadata(".", "loss").description == "smaller is **better**"


def test_a_scalar_of_several_numbers_is_refused(writer: summary.SummaryWriter) -> None:
    with writer.as_default(step=0), pytest.raises(ValueError, match="one number"):
        summary.scalar("loss", np.zeros(3))


def test_a_histogram_has_thirty_buckets(writer: summary.SummaryWriter, read: Any) -> None:
    with writer.as_default(step=0):
        assert summary.histogram("weights", np.arange(90.0).reshape(3, 30))
        assert summary.histogram("few", [1, 2, 3, 4], buckets=2)
    logs = read()
    weights = logs.tensors(".", "weights")[0].array
    assert weights.shape == (30, 3)
    assert weights[:, 2].sum() == 90
    assert weights[0, 0] == 0.0 and weights[-1, 1] == 89.0
    assert logs.tensors(".", "few")[0].array.tolist() == [[1.0, 2.5, 2.0], [2.5, 4.0, 2.0]]


def test_equal_numbers_are_all_in_the_last_bucket() -> None:
    rows = buckets.rows(np.full(7, 2.5), 4)
    assert rows.tolist() == [[2.5, 2.5, 0.0], [2.5, 2.5, 0.0], [2.5, 2.5, 0.0], [2.5, 2.5, 7.0]]


@pytest.mark.parametrize(("data", "count", "shape"), [([], None, (30, 3)), ([1, 2], 0, (0, 3)), ([1, 2], -3, (0, 3))])
def test_nothing_to_count_gives_zeros(data: list[int], count: int | None, shape: tuple[int, int]) -> None:
    rows = buckets.rows(data, count)
    assert rows.shape == shape and not rows.any()


def test_numbers_that_are_not_finite_are_left_out_of_a_histogram() -> None:
    assert buckets.rows([1.0, np.nan, 2.0, np.inf], 1).tolist() == [[1.0, 2.0, 2.0]]
    assert not buckets.rows([np.nan, -np.inf], 3).any()


@pytest.mark.parametrize("data", [[-1.7e308, 0.0, 1.7e308], [5e-324, 0.0, 1e-323], [1.0, np.nextafter(1.0, 2.0)]])
def test_extreme_ranges_lose_no_number(data: list[float]) -> None:
    rows = buckets.rows(data)
    assert rows[:, 2].sum() == len(data)
    assert np.isfinite(rows).all()


def test_text_keeps_its_shape(writer: summary.SummaryWriter, read: Any) -> None:
    with writer.as_default(step=0):
        assert summary.text("note", "grüß *dich*")
        assert summary.text("table", [["a", "b"], ["c", "d"]])
    logs = read()
    assert logs.text(".", "note")[0].strings == ("grüß *dich*",)
    table = logs.text(".", "table")[0]
    assert (table.shape, table.strings) == ((2, 2), ("a", "b", "c", "d"))


def test_numbers_are_no_text(writer: summary.SummaryWriter) -> None:
    with writer.as_default(step=0), pytest.raises(TypeError, match="string"):
        summary.text("note", 5)


def test_at_most_max_outputs_images_are_kept(writer: summary.SummaryWriter, read: Any) -> None:
    with writer.as_default(step=0):
        assert summary.image("noise", np.random.default_rng(0).random((5, 4, 6, 3)), max_outputs=2)
    found = read().images(".", "noise")[0]
    assert (found.width, found.height, len(found.blobs)) == (6, 4, 2)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (np.array([0.0, 0.5, 1.0, -3.0, 7.0, np.nan]), [0, 127, 255, 0, 255, 0]),
        (np.array([0, 128, 255], np.uint8), [0, 128, 255]),
        (np.array([0, 65535], np.uint16), [0, 255]),
        (np.array([-5, 127], np.int8), [0, 254]),
        (np.array([-5, 2**31 - 1], np.int32), [0, 255]),
        (np.array([False, True]), [0, 255]),
    ],
)
def test_pixels_are_cut_off_at_both_ends(given: np.ndarray[Any, Any], expected: list[int]) -> None:
    assert batches.to_uint8(given).tolist() == expected


def test_an_image_without_a_batch_is_refused(writer: summary.SummaryWriter) -> None:
    with writer.as_default(step=0), pytest.raises(ValueError, match="channels"):
        summary.image("one", np.zeros((4, 4, 3)))


def test_audio_is_a_wav(writer: summary.SummaryWriter, read: Any) -> None:
    with writer.as_default(step=0):
        assert summary.audio("sound", np.array([[[0.0], [1.0], [-1.0], [0.5]]]), 8000)
    (clip,) = read().audio(".", "sound")[0].clips
    with wave.open(io.BytesIO(clip.data)) as sound:
        assert (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) == (8000, 1, 2)
        assert struct.unpack("<4h", sound.readframes(9)) == (0, 32767, -32768, 16384)


def test_a_video_becomes_an_animated_gif(writer: summary.SummaryWriter, read: Any) -> None:
    with writer.as_default(step=0):
        assert summary.video("film", np.random.default_rng(0).random((1, 3, 4, 6, 3)))
    found = read().images(".", "film")[0]
    assert (found.width, found.height) == (6, 4)
    assert found.blobs[0].startswith(b"GIF8")


def test_html_is_kept_as_it_is(writer: summary.SummaryWriter, read: Any) -> None:
    with writer.as_default(step=0):
        assert summary.html("page", "<b>hi</b>")
    assert read().tensors(".", "page")[0].strings == (b"<b>hi</b>",)


def test_an_unknown_encoding_of_audio_is_refused() -> None:
    with pytest.raises(ValueError, match="wav"):
        summary.audio("sound", np.zeros((1, 1, 1)), 8000, step=0, encoding="mp3")


@pytest.mark.parametrize("dtype", sorted(set(tensors.DTYPES) - {"bfloat16", "complex64", "complex128"}))
def test_write_keeps_any_tensor(dtype: str, writer: summary.SummaryWriter, read: Any) -> None:
    given = np.array([[0, 1], [1, 0]], dtype=dtype)
    with writer.as_default(step=3):
        assert summary.write("kept", lambda: given, metadata=summary_messages.metadata("mine", data_class=2))
    found = read().tensors(".", "kept")[0].array
    assert np.array_equal(found, given)


def test_write_raw_pb_takes_a_serialized_summary(writer: summary.SummaryWriter, read: Any) -> None:
    raw = wire.message(1, wire.text(1, "loss") + wire.single(2, 0.5))
    with writer.as_default():
        assert summary.experimental.write_raw_pb(raw, step=7)
        assert summary.experimental.write_raw_pb(np.array(raw, dtype=object), step=8)
    assert read().scalars(".", "loss").steps.tolist() == [7, 8]


# ---- whether it is written ----


def test_without_a_writer_nothing_is_written_and_no_step_is_needed() -> None:
    assert summary.scalar("loss", 1.0) is False
    assert summary.should_record_summaries() is False


def test_a_noop_writer_keeps_nothing() -> None:
    with summary.create_noop_writer().as_default(step=1):
        assert summary.scalar("loss", 1.0) is False


def test_a_missing_step_raises_even_into_training(tmp_path: pathlib.Path) -> None:
    with summary.create_file_writer(tmp_path).as_default(), pytest.raises(ValueError, match="no step"):
        summary.scalar("loss", 1.0)


def test_the_default_step_is_used_and_given_back(writer: summary.SummaryWriter, read: Any) -> None:
    summary.experimental.set_step(None)
    with writer.as_default(step=5):
        summary.scalar("a", 1.0)
        summary.experimental.set_step(6)
        summary.scalar("a", 2.0)
    assert summary.experimental.get_step() is None
    assert read().scalars(".", "a").steps.tolist() == [5, 6]


def test_a_step_may_be_a_counter_of_its_own(writer: summary.SummaryWriter, read: Any) -> None:
    counter = np.array(1)
    with writer.as_default(step=counter):
        summary.scalar("a", 1.0)
        counter += 1
        summary.scalar("a", 2.0)
    assert read().scalars(".", "a").steps.tolist() == [1, 2]


def test_record_if_takes_a_bool_or_asks_each_time(writer: summary.SummaryWriter, read: Any) -> None:
    with writer.as_default():
        for step in range(4):
            with summary.record_if(step == 3):
                summary.scalar("one", 1.0, step=step)
        answers = iter([True, False, True])
        with summary.record_if(lambda: next(answers)):
            written = [summary.scalar("asked", 1.0, step=step) for step in range(3)]
    assert written == [True, False, True]
    logs = read()
    assert logs.scalars(".", "one").steps.tolist() == [3]
    assert logs.scalars(".", "asked").steps.tolist() == [0, 2]


def test_what_is_not_wanted_is_not_computed(writer: summary.SummaryWriter) -> None:
    def expensive() -> np.ndarray[Any, Any]:
        raise AssertionError("computed")

    with writer.as_default(step=0), summary.record_if(False):
        assert summary.write("a", expensive) is False


def test_scopes_are_put_before_the_tag(writer: summary.SummaryWriter, read: Any) -> None:
    with writer.as_default(step=0), summary.experimental.summary_scope("train") as (tag, scope):
        assert (tag, scope) == ("train", "train/")
        summary.scalar("loss", 1.0)
    assert read().scalars(".", "train/loss").values.tolist() == [1.0]


def test_writers_nest(tmp_path: pathlib.Path) -> None:
    outer, inner = (summary.create_file_writer(tmp_path / name, strict=True) for name in ("outer", "inner"))
    with outer.as_default(step=1):
        with inner.as_default(step=2):
            summary.scalar("a", 2.0)
        summary.scalar("a", 1.0)
    with lightboard.open(str(tmp_path)) as logs:
        assert logs.scalars("outer", "a").steps.tolist() == [1]
        assert logs.scalars("inner", "a").steps.tolist() == [2]
    outer.close()
    inner.close()


def test_threads_do_not_share_a_default_writer(writer: summary.SummaryWriter) -> None:
    seen = []
    with writer.as_default(step=0):
        thread = threading.Thread(target=lambda: seen.append(summary.should_record_summaries()))
        thread.start()
        thread.join()
        assert summary.should_record_summaries()
    assert seen == [False]


def test_asyncio_tasks_do_not_share_a_default_writer(tmp_path: pathlib.Path) -> None:
    async def train(name: str, meet: asyncio.Event, wait: asyncio.Event) -> None:
        writer = summary.create_file_writer(tmp_path / name, strict=True)
        with writer.as_default(step=0):
            meet.set()
            await wait.wait()
            summary.scalar(name, 1.0)
        writer.close()

    async def both() -> None:
        first, second = asyncio.Event(), asyncio.Event()
        await asyncio.gather(train("a", first, second), train("b", second, first))

    asyncio.run(both())
    with lightboard.open(str(tmp_path)) as logs:
        assert [logs.tags(run=run) for run in ("a", "b")] == [["a"], ["b"]]


def test_a_block_may_end_in_another_context(writer: summary.SummaryWriter) -> None:
    def fixture() -> Iterator[None]:
        with writer.as_default(step=0), summary.record_if(True):
            yield

    begun = fixture()
    contextvars.copy_context().run(next, begun)
    contextvars.copy_context().run(lambda: next(begun, None))


def test_a_closed_writer_cannot_be_the_default(writer: summary.SummaryWriter) -> None:
    writer.close()
    with pytest.raises(RuntimeError, match="closed"), writer.as_default():
        pass


def test_bad_data_warn_at_the_callers_line(tmp_path: pathlib.Path) -> None:
    writer = summary.create_file_writer(tmp_path)
    with writer.as_default(step=0), pytest.warns(trouble.LoggingWarning, match="'loss' was not logged") as caught:
        assert summary.scalar("loss", "much") is False
    assert caught[0].filename == __file__
    writer.close()


def test_a_writer_needs_a_directory() -> None:
    with pytest.raises(ValueError, match="logdir"):
        summary.create_file_writer(None)


def test_the_file_name_ends_with_the_suffix(tmp_path: pathlib.Path) -> None:
    for suffix in (None, ".mine"):
        writer = summary.create_file_writer(tmp_path, filename_suffix=suffix)
        with writer.as_default(step=0):
            summary.scalar("a", 1.0)
        writer.close()
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".mine", ".v2"]


# ---- traces ----


def test_a_graph_cannot_be_traced() -> None:
    with pytest.raises(RuntimeError, match="add_graph"):
        summary.trace_on(graph=True)


def test_exporting_without_a_trace_raises() -> None:
    with pytest.raises(ValueError, match="no trace"):
        summary.trace_export("t", step=0)
    summary.trace_off()


def test_without_a_framework_there_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "jax", "tensorflow"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(RuntimeError, match="import torch, jax or tensorflow"):
        summary.trace_on(profiler=True)


def test_jax_is_told_where_to_write(writer: summary.SummaryWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    profiler = types.SimpleNamespace(start_trace=calls.append, stop_trace=lambda: calls.append("stop"))
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setitem(sys.modules, "jax", types.SimpleNamespace(profiler=profiler))
    with pytest.raises(ValueError, match="profiler_outdir"):
        summary.trace_on(profiler=True)
    with writer.as_default(step=0):
        summary.trace_on(profiler=True)
        with pytest.raises(RuntimeError, match="running already"):
            summary.trace_on(profiler=True)
        summary.trace_export("t")
    assert calls == [writer.logdir, "stop"]
