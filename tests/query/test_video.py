"""Films of a step, and what they are."""

from __future__ import annotations

import made_media
import pytest
from data_client import strings

from lightboard import errors, store, types
from lightboard.demo import films
from lightboard.query import blobs, video

FILM = films.pendulum(1, frames=4, size=16)


def source_of(*values: types.Tensor) -> store.Store:
    return store.Builder().tensors("r", "v", types.Kind.VIDEO, list(values)).build()


def test_films_of_each_step() -> None:
    found = list(video.read(source_of(strings(FILM), strings(FILM, b"")), "r", "v"))
    assert [each.films for each in found] == [(FILM,), (FILM, b"")]


def test_a_film_says_what_it_is() -> None:
    webm = (made_media.MEDIA / "counting.webm").read_bytes()
    source = source_of(strings(FILM, webm, b"", b"nonsense"))
    keys = [blobs.listed(video.read(source, "r", "v"), sample)[0].key for sample in range(4)]
    found = [video.facts(source, key) for key in keys]
    assert [(each.content_type, each.frames, each.whole) for each in found] == [
        ("video/mp4", 4, True),
        ("video/webm", 16, True),
        ("application/octet-stream", None, False),
        ("application/octet-stream", None, True),
    ]
    assert found[0].times == [0, 0.1, 0.2, 0.3]
    assert found[0].bytes == len(FILM)


def test_a_picture_is_no_film() -> None:
    source = store.Builder().tensors("r", "i", types.Kind.IMAGES, [strings(b"1", b"1", b"GIF89a")]).build()
    points = store.Series(source, 0).points(types.Rewinds.ALL)
    with pytest.raises(errors.NotFound):
        video.facts(source, blobs.key(store.Series(source, 0), points, 0, 2))
