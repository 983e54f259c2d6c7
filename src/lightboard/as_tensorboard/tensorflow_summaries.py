"""Functions that `tf.summary.scalar` and similar ones call: TensorFlow writes, `tensorboard` prepared the values.

Everything here is TensorFlow operations, so that it works inside of `tf.function` too. Results equal those of
`lightboard.summary`, whose module describes them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from lightboard import wire
from lightboard.sdk import buckets as bucketing
from lightboard.sdk import summary_messages


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    tf = _tensorflow()

    def tensor() -> Any:
        number = tf.convert_to_tensor(data)
        tf.debugging.assert_scalar(number)
        return tf.cast(number, tf.float32)

    return _write(tf, name, "scalar_summary", [data, step], step, _metadata("scalars", description), tensor)


def histogram(name: str, data: Any, step: Any = None, buckets: Any = None, description: str | None = None) -> Any:
    tf = _tensorflow()
    metadata = _metadata("histograms", description)
    count = bucketing.DEFAULT_COUNT if buckets is None else buckets
    values = [data, buckets, step]
    return _write(tf, name, "histogram_summary", values, step, metadata, lambda: _rows(tf, data, count))


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    tf = _tensorflow()

    def tensor() -> Any:
        strings = tf.convert_to_tensor(data)
        tf.debugging.assert_type(strings, tf.string)
        return strings

    return _write(tf, name, "text_summary", [data, step], step, _metadata("text", description), tensor)


def image(name: str, data: Any, step: Any = None, max_outputs: Any = 3, description: str | None = None) -> Any:
    tf = _tensorflow()

    def tensor() -> Any:
        tf.debugging.assert_rank(data, 4)
        tf.debugging.assert_non_negative(max_outputs)
        pixels = tf.image.convert_image_dtype(data, tf.uint8, saturate=True)
        sizes = tf.shape(pixels)
        pictures = tf.image.encode_png(pixels[:max_outputs])
        return tf.concat([tf.strings.as_string([sizes[2], sizes[1]]), pictures], axis=0)

    metadata = _metadata("images", description)
    return _write(tf, name, "image_summary", [data, max_outputs, step], step, metadata, tensor)


def audio(
    name: str,
    data: Any,
    sample_rate: Any,
    step: Any = None,
    max_outputs: Any = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Any:
    if encoding not in (None, "wav"):
        raise ValueError(f"audio is encoded as 'wav', not as {encoding!r}")
    tf = _tensorflow()

    def tensor() -> Any:
        tf.debugging.assert_rank(data, 3)
        tf.debugging.assert_non_negative(max_outputs)
        some = tf.convert_to_tensor(data)[:max_outputs]
        clips = tf.map_fn(
            lambda clip: tf.audio.encode_wav(clip, sample_rate), some, fn_output_signature=tf.TensorSpec([], tf.string)
        )
        return tf.stack([clips, tf.fill(tf.shape(clips), "")], axis=1)

    metadata = _metadata("audio", description, content=wire.integer(2, 11))
    return _write(tf, name, "audio_summary", [data, sample_rate, max_outputs, step], step, metadata, tensor)


def _rows(tf: Any, data: Any, count: Any) -> Any:
    """See `lightboard.sdk.buckets.rows`."""
    numbers = tf.cast(tf.reshape(tf.convert_to_tensor(data), [-1]), tf.float64)
    numbers = tf.boolean_mask(numbers, tf.math.is_finite(numbers))
    count = tf.maximum(tf.cast(count, tf.int32), 0)

    def empty() -> Any:
        return tf.zeros(tf.stack([count, 3]), tf.float64)

    def filled() -> Any:
        lowest, highest = tf.reduce_min(numbers), tf.reduce_max(numbers)
        width = (highest - lowest) / tf.cast(count, tf.float64)
        # All are equal: the division would be by zero, and all values belong to the last bucket.
        places = tf.cast(tf.math.divide_no_nan(numbers - lowest, width), tf.int32)
        places = tf.where(tf.equal(width, 0), count - 1, tf.minimum(places, count - 1))
        counts = tf.math.unsorted_segment_sum(tf.ones_like(numbers), places, count)
        edges = tf.concat([tf.linspace(lowest, highest, count + 1)[:-1], [highest]], axis=0)
        return tf.stack([edges[:-1], edges[1:], counts], axis=1)

    return tf.cond(tf.logical_or(tf.equal(tf.size(numbers), 0), tf.equal(count, 0)), empty, filled)


def _write(
    tf: Any, name: str, default_name: str, values: list[Any], step: Any, metadata: bytes, tensor: Callable[[], Any]
) -> Any:
    with tf.summary.experimental.summary_scope(name, default_name, values=values) as (tag, _):
        # TensorFlow calls it only if the summary is recorded, and takes metadata as bytes.
        return tf.summary.write(tag=tag, tensor=tensor, step=step, metadata=metadata)


def _metadata(plugin: str, description: str | None, content: bytes = b"") -> bytes:
    return summary_messages.metadata(plugin, content=content, description=description or "")


def _tensorflow() -> Any:
    return importlib.import_module("tensorflow")
