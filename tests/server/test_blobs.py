"""`/api/blobs`: bytes as logged, ETag, Range, and nothing in them that a browser would run."""

from __future__ import annotations

import asyncio
import io
import threading

import asking
import made_pictures
import pytest
from PIL import Image

from lightboard import query, types
from lightboard.query import blobs, images, thumbnails
from lightboard.server import limits

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
async def test_an_svg_is_a_picture_that_runs_nothing() -> None:
    async with asking.board() as client:
        answer = await client.get("/api/blobs?run=run1&tag=sample&index=-1")
    assert answer.content == b"<svg>second"
    assert answer.headers["content-type"] == "image/svg+xml"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "script-src" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.anyio
async def test_a_page_is_a_stranger() -> None:
    store = one_of(types.Kind.HTML, b"<script>fetch('/api/runs')</script>")
    async with asking.board(store) as client:
        answer = await client.get(f"/api/blobs/{key_of(store)}")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    directives = [each.strip() for each in answer.headers["content-security-policy"].split(";")]
    assert directives[:2] == ["sandbox allow-scripts", "default-src 'none'"]
    assert "allow-same-origin" not in answer.headers["content-security-policy"]
    assert not any(each.startswith(("connect-src", "frame-src")) for each in directives)
    assert answer.headers["x-dns-prefetch-control"] == "off"


@pytest.mark.anyio
async def test_a_page_opened_by_itself_runs_nothing() -> None:
    store = one_of(types.Kind.HTML, b"<script>top.location = 'https://example.org'</script>")
    async with asking.board(store) as client:
        framed = await client.get(f"/api/blobs/{key_of(store)}", headers={"sec-fetch-dest": "iframe"})
        alone = await client.get(f"/api/blobs/{key_of(store)}", headers={"sec-fetch-dest": "document"})
    assert "allow-scripts" in framed.headers["content-security-policy"]
    assert "script" not in alone.headers["content-security-policy"]
    assert "Sec-Fetch-Dest" in alone.headers["vary"]  # or a browser would take the one it keeps for the other


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [types.Kind.IMAGES, types.Kind.AUDIO, types.Kind.VIDEO, types.Kind.TENSORS])
@pytest.mark.parametrize("data", [b"<html><script>1</script>", b"<script>", b"%PDF-1.7", b"\xff\xfe<\0", b"", b"{}"])
async def test_only_pages_are_pages(kind: types.Kind, data: bytes) -> None:
    store = one_of(kind, data)
    async with asking.board(store) as client:
        answer = await client.get(f"/api/blobs/{key_of(store)}")
    assert (answer.status_code, answer.content) == (200, data)
    kept = {"application/octet-stream"} | ({"audio/mpeg"} if kind is types.Kind.AUDIO else set())
    assert answer.headers["content-type"] in kept
    assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "data", "media_type"),
    [
        (types.Kind.VIDEO, b"\0\0\0\x20ftypisom", "video/mp4"),
        (types.Kind.VIDEO, b"\x1a\x45\xdf\xa3...", "video/webm"),
        (types.Kind.VIDEO, b"GIF89a", "image/gif"),
        (types.Kind.AUDIO, b"fLaC", "audio/flac"),
        (types.Kind.TEXT, b"<b>", "text/plain; charset=utf-8"),
        (types.Kind.TABLES, b"{}", "application/json"),
        (types.Kind.PLOTLY, b"{}", "application/json"),
    ],
)
async def test_kinds_and_their_types(kind: types.Kind, data: bytes, media_type: str) -> None:
    store = one_of(kind, data)
    async with asking.board(store) as client:
        answer = await client.get(f"/api/blobs/{key_of(store)}")
        part = await client.get(f"/api/blobs/{key_of(store)}", headers={"range": "bytes=1-"})
    assert (answer.content, answer.headers["content-type"]) == (data, media_type)
    assert (part.status_code, part.content, part.headers["content-type"]) == (206, data[1:], media_type)


@pytest.mark.anyio
async def test_long_texts_are_packed_and_films_are_not() -> None:
    for kind, coding in ((types.Kind.TABLES, "gzip"), (types.Kind.VIDEO, None)):
        store = one_of(kind, b"\0\0\0\x20ftyp" + b"a" * 30_000_000)
        async with asking.board(store) as client:
            answer = await client.get(f"/api/blobs/{key_of(store)}", headers={"accept-encoding": "gzip"})
        assert answer.headers.get("content-encoding") == coding
        assert len(answer.content) == 30_000_008


@pytest.mark.anyio
async def test_thumbnails() -> None:
    large, small = made_pictures.png(800, 600), made_pictures.png(60, 40)
    store = query.Builder().tensors("r", "t", types.Kind.IMAGES, [asking.picture(large), asking.picture(small)]).build()
    async with asking.board(store) as client:
        answer = await client.get(f"/api/blobs/{key_of(store)}?width=200")
        again = await client.get(f"/api/blobs/{key_of(store)}?width=200")
        etag = answer.headers["etag"]
        known = await client.get(f"/api/blobs/{key_of(store)}?width=200", headers={"if-none-match": etag})
        whole = await client.get(f"/api/blobs/{key_of(store, 1)}?width=200")
    with Image.open(io.BytesIO(answer.content)) as shown:
        assert (shown.format, shown.size) == ("WEBP", (200, 150))
    assert answer.headers["content-type"] == "image/webp"
    assert "immutable" in answer.headers["cache-control"]
    assert (again.content, known.status_code, known.content) == (answer.content, 304, b"")
    assert (whole.content, whole.headers["content-type"]) == (small, "image/png")


@pytest.mark.anyio
async def test_eight_large_thumbnails_at_once_stay_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were let in by a guess of their pixels: of pictures that fit in twice only one was made at a time."""
    pictures = [_black(2000, 2000 + at) for at in range(8)]
    store = query.Builder().tensors("r", "t", types.Kind.IMAGES, [asking.picture(each) for each in pictures]).build()
    bounds = limits.Limits(memory_bytes=5 * max(thumbnails.cost_bytes(each, 200) for each in pictures) // 2)
    make, lock, two, costs, most = thumbnails.make, threading.Lock(), threading.Barrier(2), [0], 0

    def counted(data: bytes, width: int) -> thumbnails.Picture:
        nonlocal most
        cost = len(data) + thumbnails.cost_bytes(data, width)
        with lock:
            costs.append(cost)
            most = max(most, sum(costs))
        two.wait(30)
        made = make(data, width)
        with lock:
            costs.remove(cost)
        return made

    monkeypatch.setattr(thumbnails, "make", counted)
    async with asking.board(store, limits=bounds) as client:
        answers = await asyncio.gather(*(client.get(f"/api/blobs/{key_of(store, at)}?width=200") for at in range(8)))
    assert [answer.headers["content-type"] for answer in answers] == ["image/webp"] * 8
    assert 0 < most <= bounds.memory_bytes


def _black(width: int, height: int) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (width, height)).save(target, "PNG")
    return target.getvalue()


@pytest.mark.anyio
@pytest.mark.parametrize("width", ["0", "-1", "4097", "x", "1.5", "1e3", str(2**70)])
async def test_odd_widths_are_refused(width: str) -> None:
    store = one_of(types.Kind.IMAGES, b"")
    async with asking.board(store) as client:
        answer = await client.get(f"/api/blobs/{key_of(store)}?width={width}")
    assert answer.status_code == 400
    assert "`width`" in answer.json()["error"]["message"]


@pytest.mark.anyio
async def test_what_has_no_thumbnail() -> None:
    svg, sound = one_of(types.Kind.IMAGES, b"<svg/>"), one_of(types.Kind.AUDIO, b"fLaC")
    bomb = one_of(types.Kind.IMAGES, made_pictures.claiming(60_000, 60_000))
    async with asking.board(svg) as client:
        answer = await client.get(f"/api/blobs/{key_of(svg)}?width=10")
        assert (answer.content, answer.headers["content-type"]) == (b"<svg/>", "image/svg+xml")
    async with asking.board(sound) as client:
        assert (await client.get(f"/api/blobs/{key_of(sound)}?width=10")).status_code == 400
    async with asking.board(bomb) as client:
        answer = await client.get(f"/api/blobs/{key_of(bomb)}?width=10")
        assert answer.status_code == 400
        assert "pixels" in answer.json()["error"]["message"]
        assert (await client.get(f"/api/blobs/{key_of(bomb)}")).status_code == 200


def one_of(kind: types.Kind, data: bytes) -> query.Store:
    value = asking.picture(data) if kind is types.Kind.IMAGES else types.Tensor((1,), strings=(data,))
    return query.Builder().tensors("r", "t", kind, [value]).build()


def key_of(store: query.Store, position: int = 0) -> str:
    found = store.series("r", "t")
    assert found is not None
    return blobs.key(found, found.points(), position, 2 if found.kind is types.Kind.IMAGES else 0)


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
