"""`/api/tensors` over HTTP."""

from __future__ import annotations

import io

import asking
import numpy as np
import pytest

from lightboard import store, types
from lightboard.server import frames


def made() -> store.Store:
    value = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    builder = store.Builder()
    builder.tensors("r", "a/<b>", types.Kind.TENSORS, [types.Tensor(value.shape, array=value)])
    return builder.tensors("r", "s", types.Kind.UNTYPED, [types.Tensor((1,), strings=(b"<b>x</b>",))]).build()


@pytest.mark.anyio
async def test_a_plane_and_the_figures_of_a_tensor() -> None:
    asked = {"run": "r", "tag": "a/<b>", "step": 0, "index": [1]}
    async with asking.board(made()) as client:
        answer = await client.post("/api/tensors", json=asked)
    assert answer.headers["content-type"] == frames.MEDIA_TYPE
    header, arrays = frames.decode(answer.content)
    assert (header["shape"], header["dtype"], header["statistics"]["max"]) == ([2, 3, 4], "float32", 23)
    assert arrays["cells"].tolist() == list(range(12, 24))


@pytest.mark.anyio
async def test_files_are_attachments() -> None:
    async with asking.board(made()) as client:
        npy = await client.get("/api/tensors/file", params={"run": "r", "tag": "a/<b>"})
        raw = await client.get("/api/tensors/file", params={"run": "r", "tag": "s", "format": "raw"})
        wrong = await client.get("/api/tensors/file", params={"run": "r", "tag": "s"})
    assert np.load(io.BytesIO(npy.content)).shape == (2, 3, 4)
    assert npy.headers["content-disposition"] == 'attachment; filename="a_b_r_0.npy"'
    assert (raw.content, raw.headers["content-type"]) == (b"<b>x</b>", "application/octet-stream")
    assert "sandbox" in raw.headers["content-security-policy"]
    assert wrong.status_code == 400


@pytest.mark.anyio
async def test_scalars_are_sent_elsewhere() -> None:
    async with asking.board() as client:
        answer = await client.get("/api/tensors?run=run1&tag=loss")
    assert answer.status_code == 400
    assert "/api/points" in answer.json()["error"]["hint"]
