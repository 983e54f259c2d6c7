"""What somebody who means harm may ask of a board, and what comes back of what they logged."""

from __future__ import annotations

import base64
import gzip
import json
import pathlib
import zlib
from typing import Any

import asking
import httpx
import numpy as np
import pytest
from browser import hostile_payloads as payloads

from lightboard import query, types
from lightboard.formats import csv_text

pytestmark = pytest.mark.anyio

# Types a browser does not run anything of, whatever the bytes are.
PASSIVE = ("image/", "audio/", "video/", "application/octet-stream", "text/plain", "application/json", "text/csv")
HOST = "stranger.example"


def value(*strings: bytes) -> types.Tensor:
    return types.Tensor((len(strings),), strings=strings)


def everything(kind: types.Kind) -> query.Store:
    """Every payload as a blob of the kind, whether it is one or not."""
    builder = query.Builder()
    for one in payloads.ALL:
        before = (b"1", b"1") if kind is types.Kind.IMAGES else ()
        builder.tensors("run", f"{one.number}", kind, [value(*before, one.data(HOST))])
    return builder.build()


def safe(answer: httpx.Response) -> None:
    """Nothing in it can run as the board."""
    kind, policy = answer.headers.get("content-type", ""), answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers
    if kind.startswith(("text/html", "image/svg", "text/xml", "application/xhtml", "application/xml")):
        assert policy.startswith("sandbox"), kind
        assert "allow-same-origin" not in policy
        assert "default-src 'none'" in policy
    elif answer.status_code == 200:
        assert kind.startswith(PASSIVE), kind


KINDS = (
    types.Kind.IMAGES,
    types.Kind.AUDIO,
    types.Kind.VIDEO,
    types.Kind.HTML,
    types.Kind.TEXT,
    types.Kind.TABLES,
    types.Kind.PLOTLY,
    types.Kind.TENSORS,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.word)
async def test_no_blob_can_run_as_the_board(kind: types.Kind) -> None:
    ways: tuple[dict[str, str], ...] = (
        {},
        {"sec-fetch-dest": "document", "accept": "text/html"},
        {"range": "bytes=1-"},
    )
    # of kinds whose type does not depend on the bytes some will do
    some = payloads.ALL if kind in (types.Kind.IMAGES, types.Kind.AUDIO, types.Kind.VIDEO) else payloads.ALL[::7]
    async with asking.board(everything(kind)) as client:
        for number, one in enumerate(some):
            for headers in (ways[0], ways[1 + number % 2]):
                answer = await client.get("/api/blobs", params={"run": "run", "tag": one.number}, headers=headers)
                assert answer.status_code in (200, 206), one.name
                safe(answer)
                assert answer.headers["connection-allowlist"] == "()"
                active = answer.headers["content-type"].startswith(("text/html", "image/svg"))
                alone = headers.get("sec-fetch-dest") == "document"
                if active and (alone or kind is not types.Kind.HTML):
                    assert "allow-scripts" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("one", [*payloads.IMAGES, *payloads.SVG], ids=lambda one: one.name)
async def test_thumbnails_of_hostile_pictures_are_pictures_or_refused(one: payloads.Payload) -> None:
    builder = query.Builder()
    builder.tensors("run", "tag", types.Kind.IMAGES, [value(b"1", b"1", one.data(HOST))])
    async with asking.board(builder.build()) as client:
        listed = (await client.get("/data/plugin/images/images?run=run&tag=tag&sample=0")).json()
        key = dict(part.split("=", 1) for part in listed[0]["query"].split("&"))["blob_key"]
        for width in (1, 50, 4096):
            answer = await client.get(f"/api/blobs/{key}", params={"width": width})
            assert answer.status_code in (200, 400)
            safe(answer)
        safe(await client.get("/data/plugin/images/individualImage", params={"blob_key": key}))


def key(*parts: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).rstrip(b"=").decode()


KEYS = (
    key("../../../etc/passwd", "sample", 0, 0.0, 0, 0),
    key("run1", "../sample", 0, 0.0, 0, 0),
    key("run1", "sample", 0, 0.0, 10**9, 0),
    key("run1", "sample", 0, 0.0, -1, 0),
    key("run1", "sample", 0, 0.0, 0, -1),
    key("run1", "sample", 0, 0.0, 0, 10**30),
    key("run1", "sample", 0, {"$gt": 0}, 0, 0),
    key("run1", "sample"),
    key(*["x"] * 1000),
    key("run1\0", "sample\0", 0, 0.0, 0, 0),
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/etc/passwd",
    "....//....//etc/passwd",
    "/etc/passwd",
    "C:\\windows\\win.ini",
    "\\\\stranger.example\\share",
    "http://stranger.example/",
    "a" * 60_000,
    "W1tb" * 5000,
    base64.urlsafe_b64encode(b"[" * 40_000).decode(),
    "%00",
    "💥",
)


@pytest.mark.parametrize("blob_key", KEYS, ids=range(len(KEYS)))
async def test_a_made_up_key_reaches_nothing(blob_key: str) -> None:
    async with asking.board() as client:
        for address in ("/api/blobs/", "/api/audio/", "/api/video/"):
            answer = await client.get(address + blob_key)
            assert answer.status_code in (400, 404, 414), answer.text[:200]
            assert "root:" not in answer.text
            safe(answer)


ADDRESSES = (
    "/../../../etc/passwd",
    "/..%2f..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/../../../../etc/passwd",
    "/assets/%2e%2e%2f%2e%2e%2fserver/app.py",
    "/assets\\..\\..\\x",
    "/index.html%00.png",
    "//stranger.example/%2e%2e",
    "/data/..%2f..%2fetc/passwd",
    "/api/blobs",
    "/<script>alert(1)</script>",
    "/api/<script>alert(1)</script>",
    "/data/plugin/<script>alert(1)</script>",
    "/experiment/<script>/data/runs",
)


@pytest.mark.parametrize("address", ADDRESSES)
async def test_no_address_leads_to_other_files_or_back_into_a_page(address: str) -> None:
    async with asking.board() as client:
        answer = await client.get(address, headers={"accept": "text/html"})
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "root:" not in answer.text
        assert "location" not in answer.headers
        if "html" in answer.headers.get("content-type", ""):
            assert "<script>alert" not in answer.text


async def test_names_of_downloads_are_safe() -> None:
    builder = query.Builder()
    names = [one.text(HOST) for one in payloads.NAMES if "\ud83d" not in str(one.source)]
    for name in names:
        builder.scalars(name, "loss", np.ones(2, np.float32))
        builder.scalars("run", name, np.ones(2, np.float32))
    async with asking.board(builder.build()) as client:
        for name in names:
            for question in ({"run": [name], "tag": ["loss"]}, {"run": ["run"], "tag": [name]}):
                answer = await client.post("/api/export", json=question)
                assert answer.status_code == 200, name
                told = answer.headers["content-disposition"]
                assert told.startswith("attachment; filename=")
                plain = told.split('"')[1]
                assert not set(plain) & set('/\\<>:|?*%\r\n\0"'), told
                assert not plain.startswith("."), told
                assert len(told) < 1500
                assert "set-cookie" not in answer.headers
                safe(answer)


FORMULAS = ("=1+1", "+1+1", "-1+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", '=HYPERLINK("http://stranger.example")')


@pytest.mark.parametrize("text", FORMULAS)
async def test_no_cell_of_a_csv_begins_like_a_formula(text: str) -> None:
    builder = query.Builder()
    builder.scalars(text, text, np.ones(2, np.float32))
    table = json.dumps({"columns": [text, "n"], "rows": [[text, -5]]}).encode()
    builder.tensors("tables", "cells", types.Kind.TABLES, [value(table)])
    async with asking.board(builder.build()) as client:
        points = (await client.post("/api/export", json={"run": [text]})).text
        steps = (await client.get("/api/steps?kind=tables&tag=cells")).status_code
        assert steps == 200
    assert text not in points.replace("'" + text.replace('"', '""'), "").replace("'" + text, "")
    assert csv_text.no_formula(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-5", "+1e9", "-inf", "-1.5e-7", "plain", "", "a=b"])
def test_numbers_and_plain_texts_stay_as_they_are(text: str) -> None:
    assert csv_text.no_formula(text) == text


@pytest.mark.parametrize("coding", ["gzip", "zstd", "deflate", "br", "gzip, gzip"])
async def test_a_packed_body_is_not_unpacked(coding: str) -> None:
    """64 MB in a few kilobytes: whoever unpacks it has lost."""
    bomb = gzip.compress(bytes(64 << 20)) if "gzip" in coding else zlib.compress(bytes(64 << 20))
    async with asking.board() as client:
        answer = await client.post("/api/export", content=bomb, headers={"content-encoding": coding})
        assert 400 <= answer.status_code < 500
        safe(answer)


@pytest.mark.parametrize("body", payloads.JSON_BOMBS, ids=range(len(payloads.JSON_BOMBS)))
@pytest.mark.parametrize("address", ["/api/export", "/api/steps", "/api/text", "/api/views", "/api/annotations"])
async def test_odd_json_is_answered_in_words(address: str, body: bytes, tmp_path: pathlib.Path) -> None:
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        answer = await client.post(address, content=body)
        assert answer.status_code < 500, answer.text[:200]
        assert len(answer.content) < 10_000
        safe(answer)


@pytest.mark.parametrize("pattern", payloads.PATTERNS, ids=range(len(payloads.PATTERNS)))
async def test_no_pattern_takes_long(pattern: str, tmp_path: pathlib.Path) -> None:
    builder = query.Builder()
    for name in ("a" * 900 + "!", "x" * 900, "ab" * 400):
        builder.scalars(name, name, np.ones(2, np.float32))
        builder.tensors("run", "text", types.Kind.TEXT, [value(name.encode() * 50)])
    async with asking.board(builder.build()) as client:
        for address, params in (
            ("/api/runs", {"filter": f"name ~ /{pattern}/"}),
            ("/api/text/search", {"run": "run", "tag": "text", "words": f"/{pattern}/"}),
            ("/data/plugin/custom_scalars/scalars", {"run": "run", "tag": pattern}),
        ):
            answer = await client.get(address, params=params)
            assert answer.status_code in (200, 400, 404), (address, answer.text[:200])
            safe(answer)
