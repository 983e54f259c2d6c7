"""Clips, their labels and their types."""

from __future__ import annotations

import made_media
import pytest
from data_client import strings

from lightboard import store, types
from lightboard.formats import media
from lightboard.query import audio, blobs


def test_labels_beside_the_clips_are_kept() -> None:
    value = strings(b"a", b"la", b"b", b"lb", shape=(2, 2))
    source = store.Builder().tensors("r", "t", types.Kind.AUDIO, [value]).build()
    (found,) = audio.read(source, "r", "t")
    assert [(clip.data, clip.label) for clip in found.clips] == [(b"a", "la"), (b"b", "lb")]


@pytest.mark.parametrize(
    ("content", "stated", "kind"),
    [
        (b"\x10\x0b", "", "audio/wav"),
        (b"\x10\x0b", "audio/mpeg", "audio/wav"),
        (b"", "audio/mpeg", "audio/mpeg"),
        (b"", "text/html", "application/octet-stream"),
        (b"\x10", "", "application/octet-stream"),
        (b"", "", "application/octet-stream"),
    ],
)
def test_the_tag_tells_the_type_or_else_the_clip(content: bytes, stated: str, kind: str) -> None:
    metadata = types.Metadata("audio", content=content)
    values = [strings(b"x", content_type=stated)]
    source = store.Builder().tensors("r", "t", types.Kind.AUDIO, values, metadata=metadata).build()
    steps = audio.read(source, "r", "t")
    assert steps[0].content_type == audio.content_type(steps) == kind


def test_a_tag_without_clips_has_the_unknown_type() -> None:
    source = store.Builder().tensors("r", "t", types.Kind.AUDIO, [strings(b"a", b"b", b"c", shape=(1, 3))]).build()
    assert audio.content_type(audio.read(source, "r", "t")) == media.UNKNOWN


def test_a_clip_says_what_it_is() -> None:
    clip = made_media.wav(made_media.wave(), bits=24, channels=2)
    value = strings(clip, b"*loud* <script>", b"", b"", shape=(2, 2))
    source = store.Builder().tensors("r", "t", types.Kind.AUDIO, [value]).build()
    keys = [blobs.listed(audio.read(source, "r", "t"), sample)[0].key for sample in range(2)]
    first, second = (audio.facts(source, key) for key in keys)
    assert (first.content_type, first.codec, first.bits) == ("audio/wav", "PCM", 24)
    assert (first.rate_hz, first.channels, first.seconds, first.whole) == (8000, 2, 0.5, True)
    assert first.label == "*loud* <script>"
    assert first.label_html == "<p><em>loud</em> &lt;script&gt;</p>"
    assert (second.bytes, second.seconds, second.whole, second.label_html) == (0, None, False, "")
