"""`/api/steps` over HTTP."""

from __future__ import annotations

import asking
import numpy as np
import pytest

from lightboard.server import frames


@pytest.mark.anyio
async def test_by_get_and_by_post() -> None:
    async with asking.board() as client:
        got = await client.get("/api/steps?kind=images&tag=sample")
        sent = await client.post("/api/steps", json={"kind": "images", "tag": ["sample"], "run": ["run1", "absent"]})
    assert got.headers["content-type"] == frames.MEDIA_TYPE
    assert got.content == sent.content
    header, arrays = frames.decode(got.content)
    assert header["series"] == [{"run": "run1", "tag": "sample", "first": 0, "points": 2, "samples": 1}]
    assert header["kind"] == "images"
    assert (arrays["step"].tolist(), arrays["count"].tolist()) == ([0, 1], [1, 1])
    assert np.array_equal(arrays["wall"], [1.7e9, 1.7e9 + 1])
    assert sorted(arrays) == ["bytes", "count", "offset", "step", "wall"]


@pytest.mark.anyio
async def test_nothing_there_is_an_empty_frame() -> None:
    async with asking.board() as client:
        for asked in ("kind=audio&tag=sample", "kind=images&tag=absent", "kind=images&tag=sample&run="):
            answer = await client.get(f"/api/steps?{asked}")
            assert answer.status_code == 200
            assert frames.decode(answer.content)[0]["series"] == []


@pytest.mark.anyio
async def test_an_unknown_kind_is_named() -> None:
    async with asking.board() as client:
        answer = await client.get("/api/steps?kind=scalars&tag=loss")
    assert answer.status_code == 400
    assert "`kind`" in answer.json()["error"]["message"]
