"""Clips, their labels and their types."""

from __future__ import annotations

import pytest
from data_client import strings

from lightboard import store, types
from lightboard.query import audio, media


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
