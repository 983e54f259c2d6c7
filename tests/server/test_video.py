"""`/api/video`: what a film is; the film itself through /api/blobs, in ranges."""

from __future__ import annotations

import asking
import made_media
import pytest
from data_client import strings

from lightboard import query, types
from lightboard.demo import films
from lightboard.query import blobs, video

FILM = films.pendulum(1, frames=4, size=16)
WEBM = (made_media.MEDIA / "counting.webm").read_bytes()


@pytest.mark.anyio
async def test_a_film_and_what_it_is() -> None:
    store = query.Builder().tensors("r", "v", types.Kind.VIDEO, [strings(FILM, WEBM)]).build()
    for sample, data, kind in ((0, FILM, "video/mp4"), (1, WEBM, "video/webm")):
        key = blobs.listed(video.read(store, "r", "v"), sample)[0].key
        async with asking.board(store) as client:
            facts = await client.get(f"/api/video/{key}")
            part = await client.get(f"/api/blobs/{key}", headers={"range": "bytes=4-11"})
        assert facts.json()["content_type"] == kind
        assert len(facts.json()["times"]) == facts.json()["frames"]
        assert "immutable" in facts.headers["cache-control"]
        assert (part.status_code, part.content, part.headers["content-type"]) == (206, data[4:12], kind)
        assert part.headers["content-range"] == f"bytes 4-11/{len(data)}"


@pytest.mark.anyio
async def test_a_key_of_nothing() -> None:
    async with asking.board() as client:
        assert (await client.get("/api/video/nonsense")).status_code == 400
        assert (await client.get("/api/video/WyJyIiwidCIsMCwwLDAsMF0")).status_code == 404
