"""`/api/blobs`: bytes as logged, ETag, Range, and nothing in them that a browser would run."""

from __future__ import annotations

import asking
import pytest

from lightboard import query, types
from lightboard.query import blobs, images

PNG = b"\x89PNG\r\n\x1a\nfirst"
AT = "/api/blobs?run=run1&tag=sample&index=0"


@pytest.mark.anyio
async def test_a_picture_by_position_and_by_key() -> None:
    store = asking.small().build()
    (first, _) = blobs.listed(images.read(store, "run1", "sample"), 0)
    async with asking.board(store) as client:
        for address in (AT, f"/api/blobs/{first.key}"):
            answer = await client.get(address)
            assert (answer.content, answer.headers["content-type"]) == (PNG, "image/png")
            assert "content-encoding" not in answer.headers
            assert answer.headers["etag"].startswith('"')


@pytest.mark.anyio
async def test_what_could_run_does_not() -> None:
    async with asking.board() as client:
        answer = await client.get("/api/blobs?run=run1&tag=sample&index=-1")
    assert answer.content == b"<svg>second"
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-security-policy"].startswith("sandbox")
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.anyio
async def test_an_etag_saves_the_bytes() -> None:
    async with asking.board() as client:
        etag = (await client.get(AT)).headers["etag"]
        same = await client.get(AT, headers={"if-none-match": f'"other", W/{etag}'})
        other = await client.get(AT, headers={"if-none-match": '"other"'})
    assert (same.status_code, same.content) == (304, b"")
    assert other.status_code == 200


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("asked", "status", "body", "told"),
    [
        ("bytes=0-3", 206, PNG[:4], f"bytes 0-3/{len(PNG)}"),
        ("bytes=8-", 206, b"first", f"bytes 8-12/{len(PNG)}"),
        ("bytes=-5", 206, b"first", f"bytes 8-12/{len(PNG)}"),
        ("bytes=-500", 206, PNG, f"bytes 0-12/{len(PNG)}"),
        ("bytes=0-999", 206, PNG, f"bytes 0-12/{len(PNG)}"),
        ("bytes=5-2", 200, PNG, None),
        ("bytes=0-1,3-4", 200, PNG, None),
        ("bytes=-", 200, PNG, None),
        ("lines=1-2", 200, PNG, None),
    ],
)
async def test_ranges(asked: str, status: int, body: bytes, told: str | None) -> None:
    async with asking.board() as client:
        answer = await client.get(AT, headers={"range": asked})
    assert (answer.status_code, answer.content) == (status, body)
    assert answer.headers.get("content-range") == told


@pytest.mark.anyio
async def test_a_range_beyond_the_end_is_refused_with_the_size() -> None:
    async with asking.board() as client:
        answer = await client.get(AT, headers={"range": "bytes=99-"})
        changed = await client.get(AT, headers={"range": "bytes=0-3", "if-range": '"older"'})
    assert answer.status_code == 416
    assert answer.headers["content-range"] == f"bytes */{len(PNG)}"
    assert changed.status_code == 200


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("run=run1&tag=sample&index=2", 404),
        ("run=run1&tag=sample&index=-3", 404),
        ("run=run1&tag=sample&index=0&sample=1", 404),
        ("run=run1&tag=loss", 400),
        ("run=run1&tag=none", 404),
        ("run=none&tag=sample", 404),
        ("run=run1&tag=sample&sample=-1", 400),
        (f"run=run1&tag=sample&index={2**70}", 400),
    ],
)
async def test_what_is_not_there(question: str, status: int) -> None:
    async with asking.board() as client:
        assert (await client.get(f"/api/blobs?{question}")).status_code == status


@pytest.mark.anyio
@pytest.mark.parametrize("key", ["x", "%00", "..%2f..%2fetc%2fpasswd", "W10", "e30", "A" * 60_000])
async def test_made_up_keys_reach_nothing(key: str) -> None:
    async with asking.board() as client:
        assert (await client.get(f"/api/blobs/{key}")).status_code in (400, 404)


@pytest.mark.anyio
async def test_audio_is_told_by_its_bytes() -> None:
    wav = types.Tensor((1,), strings=(b"RIFF\x00\x00\x00\x00WAVEfmt ",))
    lies = types.Tensor((1,), strings=(b"<script>",), content_type="text/html")
    store = query.Builder().tensors("a", "clip", types.Kind.AUDIO, [wav, lies]).build()
    async with asking.board(store) as client:
        assert (await client.get("/api/blobs?run=a&tag=clip&index=0")).headers["content-type"] == "audio/wav"
        answer = await client.get("/api/blobs?run=a&tag=clip&index=1")
        assert answer.headers["content-type"] == "application/octet-stream"
