"""Audio: each step holds some encoded clips, each with an optional label."""

from __future__ import annotations

import dataclasses

from lightboard import errors, store, types, wire
from lightboard.formats import markup, media, sound_headers
from lightboard.query import blobs, series

# AudioPluginData { version 1, encoding 2 (0 unknown, 11 WAV), converted_to_tensor 3 }
_ENCODING_FIELD, _ENCODINGS = 2, {11: "audio/wav"}


@dataclasses.dataclass(frozen=True)
class Clip:
    data: bytes
    label: str = ""


@dataclasses.dataclass(frozen=True)
class Audio:
    """The clips of one step."""

    step: int
    wall_time: float
    content_type: str
    clips: tuple[Clip, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class AudioFacts:
    """What a clip is, told by its head. None: it does not say."""

    content_type: str
    bytes: int
    codec: str
    rate_hz: int | None
    channels: int | None
    bits: int | None  # of a sample
    seconds: float | None
    whole: bool  # false: the clip ends before it should
    label: str  # as it was logged beside the clip, often empty
    label_html: str  # the same, its Markdown as safe HTML


def facts(source: store.Store, key: str) -> AudioFacts:
    """Return the facts about the clip with this key."""
    blob = blobs.read(source, key, (types.Kind.AUDIO,))
    found = sound_headers.read(blob.data)
    label = b"".join(blob.beside[:1]).decode("utf-8", "replace")
    return AudioFacts(
        content_type=media.clip(blob.data, blob.stated_type),
        bytes=len(blob.data),
        codec=found.codec,
        rate_hz=found.rate_hz,
        channels=found.channels,
        bits=found.bits,
        seconds=found.seconds,
        whole=found.whole and len(blob.data) > 0,
        label=label,
        label_html=markup.render(label) if label else "",
    )


def content_type(steps: series.Steps[Audio]) -> str:
    """Return the content type of the whole series: as the tag states it, else as its first clip does (only old
    summaries)."""
    stated = _stated_encoding(steps.series.metadata)
    if stated:
        return stated
    first = next(iter(steps), None)
    return media.UNKNOWN if first is None else first.content_type


def _stated_encoding(metadata: types.Metadata) -> str:
    try:
        return _ENCODINGS.get(wire.parse(metadata.content).integer(_ENCODING_FIELD), "")
    except errors.Unreadable:
        return ""


def _clips(tensor: types.Tensor) -> tuple[Clip, ...]:
    strings = series.strings(tensor)
    if len(tensor.shape) == 1:
        return tuple(Clip(data) for data in strings)
    if len(tensor.shape) == 2 and tensor.shape[1] == 2:
        pairs = zip(strings[::2], strings[1::2], strict=True)
        return tuple(Clip(data, label.decode("utf-8", "replace")) for data, label in pairs)
    raise errors.Unreadable(
        f"expected clips or pairs of clip and label, found shape {list(tensor.shape)}",
        code="value.shape",
        shape=str(list(tensor.shape)),
    )


def _decoder(found: store.Series) -> series.Decode[Audio]:
    stated = _stated_encoding(found.metadata)
    return lambda step, wall_time, tensor: Audio(
        step, wall_time, stated or media.allowed_sound(tensor.content_type), _clips(tensor)
    )


read = series.Reader(types.Kind.AUDIO, decoder=_decoder)
