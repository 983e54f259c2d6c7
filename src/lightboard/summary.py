"""Logging like `tf.summary`, without TensorFlow.

    from lightboard import summary

    writer = summary.create_file_writer("logs/run-1")
    with writer.as_default():
        for step in range(100):
            summary.scalar("loss", 1 / (step + 1), step=step)

Each function writes to the default writer of this thread or asyncio task and returns whether something was written:
False without a writer, or if the condition of `record_if` is false. A missing step raises ValueError. Any other error
is a warning at the line of your call, unless the writer was created with `strict=True`.
"""

from __future__ import annotations

from typing import Any

from lightboard import wire
from lightboard.sdk import default_writer, summary_messages, traces, values
from lightboard.sdk.default_writer import (
    SummaryWriter,
    create_file_writer,
    create_noop_writer,
    record_if,
    should_record_summaries,
)

__all__ = [
    "SummaryWriter", "audio", "create_file_writer", "create_noop_writer", "experimental", "flush", "histogram", "html",
    "image", "record_if", "scalar", "should_record_summaries", "text", "trace_export", "trace_off", "trace_on", "video",
    "write",
]  # fmt: skip


class experimental:
    """Steps, scopes and ready-made summaries."""

    get_step = staticmethod(default_writer.get_step)
    set_step = staticmethod(default_writer.set_step)
    summary_scope = staticmethod(default_writer.summary_scope)
    write_raw_pb = staticmethod(default_writer.write_raw_pb)


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> bool:
    """Write a number as float32, as TensorFlow does."""

    def write(writer: SummaryWriter, tag: str, at: int) -> bool:
        number = values.number(data)
        if description is None:
            return writer._scalar(tag, number, at)
        import numpy as np

        from lightboard.sdk import tensors

        metadata = summary_messages.metadata("scalars", description=description)
        return writer._value(summary_messages.tensor_value(tag, tensors.proto(np.float32(number)), metadata), at)

    return default_writer.record(name, step, write)


def histogram(
    name: str, data: Any, step: Any = None, buckets: int | None = None, description: str | None = None
) -> bool:
    """Write a histogram of an array of any shape; by default in 30 buckets of equal width."""

    def tensor() -> bytes:
        from lightboard.sdk import buckets as bucketing
        from lightboard.sdk import tensors

        return tensors.proto(bucketing.rows(data, buckets))

    metadata = summary_messages.metadata("histograms", description=description or "")
    return default_writer.write_tensor(name, step, metadata, tensor)


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> bool:
    """Write Markdown: a string, or an array of strings, shown as a table."""

    def tensor() -> bytes:
        from lightboard.sdk import tensors

        encoded = tensors.proto(data)
        if not encoded.startswith(b"\x08\x07"):  # dtype: string
            raise TypeError("text is a string or an array of strings")
        return encoded

    metadata = summary_messages.metadata("text", description=description or "")
    return default_writer.write_tensor(name, step, metadata, tensor)


def image(name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None) -> bool:
    """Write images [k, height, width, channels]: floats in [0, 1] or bytes. The first `max_outputs` are kept."""

    def tensor() -> bytes:
        from lightboard.sdk import batches

        encoded = batches.images(data, max_outputs)
        return summary_messages.string_tensor(encoded, [len(encoded)])

    metadata = summary_messages.metadata("images", description=description or "")
    return default_writer.write_tensor(name, step, metadata, tensor)


def audio(
    name: str,
    data: Any,
    sample_rate: int,
    step: Any = None,
    max_outputs: int = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> bool:
    """Write clips [k, frames, channels] of floats in [-1, 1] as 16-bit WAV."""
    if encoding not in (None, "wav"):
        raise ValueError(f"audio is encoded as 'wav', not as {encoding!r}")

    def tensor() -> bytes:
        from lightboard.sdk import batches

        clips = batches.clips(data, int(sample_rate), max_outputs)
        return summary_messages.string_tensor([part for clip in clips for part in (clip, b"")], [len(clips), 2])

    metadata = summary_messages.metadata("audio", content=wire.integer(2, 11), description=description or "")
    return default_writer.write_tensor(name, step, metadata, tensor)


def video(name: str, data: Any, step: Any = None, fps: float = 4) -> bool:
    """Videos [k, time, height, width, channels], shown side by side as an animated GIF; or the bytes of an MP4, WebM or
    GIF file. Not in `tf.summary`.
    """

    def write(writer: SummaryWriter, tag: str, at: int) -> bool:
        from lightboard.sdk import video as videos

        return writer._value(videos.value(tag, data, fps, "NTHWC"), at)

    return default_writer.record(name, step, write)


def html(name: str, data: Any, step: Any = None) -> bool:
    """Write a page of HTML: a string, or an object with an HTML representation for notebooks. Not in `tf.summary`."""

    def write(writer: SummaryWriter, tag: str, at: int) -> bool:
        from lightboard.sdk import text as texts

        return writer._value(texts.html_value(tag, data), at)

    return default_writer.record(name, step, write)


def write(tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None) -> bool:
    """Write any tensor, or the result of a function that is called only if the tensor is recorded.

    `metadata` is a SummaryMetadata, serialized or a protobuf message; it names the page that shows the tensor.
    """
    del name
    described = b"" if metadata is None else default_writer.serialized(metadata)

    def encoded() -> bytes:
        from lightboard.sdk import tensors

        return tensors.proto(tensor() if callable(tensor) else tensor)

    return default_writer.write_tensor(tag, step, described, encoded)


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Return when everything written so far is in the file; without `writer`, in that of the default writer."""
    del name
    target = writer or default_writer.current()
    if target is not None:
        target.flush()


# ---- traces ----


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: str | None = None) -> None:
    """Start a profile with `torch.profiler`, `jax.profiler` or TensorFlow's: the first that has been imported.

    `profiler` must be true, else this raises: graphs are not traced. `graph` exists only for compatibility; log a graph
    with `SummaryWriter.add_graph`.
    """
    if not profiler:
        raise RuntimeError(
            "only a profile can be traced: `trace_on(profiler=True)`; for a graph there is `SummaryWriter.add_graph()`"
        )
    writer = default_writer.current()
    traces.start(profiler_outdir or (None if writer is None else writer.logdir))


def trace_export(name: str, step: Any = None, profiler_outdir: str | None = None) -> None:
    """Stop the trace and save it in `profiler_outdir`, or in the run of the default writer."""
    if not traces.is_running():
        raise ValueError("there is no trace to export: begin one with `trace_on(profiler=True)`")
    if step is None:
        step = default_writer.get_step()
    writer = default_writer.current()
    directory = profiler_outdir or (None if writer is None else writer.logdir)
    traces.finish(directory, name if step is None else f"{name}_{int(step)}")


def trace_off() -> None:
    """Stop the trace and discard it."""
    traces.finish(None, "", keep=False)
