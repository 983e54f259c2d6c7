"""Whatever `/data` is asked, it answers or refuses: no question makes it fail."""

from __future__ import annotations

import itertools
import json

import data_client
import numpy as np
import pytest
from data_client import strings

from lightboard import store, types
from lightboard.server import app

ODD = ["", "-1", "99999999999999999999999", "1e999", "nan", "²", "\0", "[", "\udcff"]
TAGS = {"histograms": "h", "distributions": "h", "images": "i", "audio": "a", "text": "t", "pr_curves": "p"}
NAMES = ("run", "tag", "sample", "step", "content_type", "blob_key", "imageId", "requests", "format", "name", "runs")


def made() -> store.Store:
    numbers = types.Tensor((1, 3), array=np.array([[0.0, 1.0, 2.0]]))
    curve = types.Tensor((6, 2), array=np.ones((6, 2)))
    points = types.Tensor((1, 1, 3), array=np.zeros((1, 1, 3), np.float32))
    vertex = types.Metadata("mesh", content=b"\x12\x01x\x18\x01\x32\x03\x01\x01\x03")
    builder = store.Builder().scalars("x", "x", [1.0]).tensors("x", "h", types.Kind.HISTOGRAMS, [numbers])
    builder.tensors("x", "i", types.Kind.IMAGES, [strings(b"1", b"1", b"BM")])
    builder.tensors("x", "a", types.Kind.AUDIO, [strings(b"1")]).tensors("x", "t", types.Kind.TEXT, [strings(b"1")])
    builder.tensors("x", "p", types.Kind.PR_CURVES, [curve])
    return builder.tensors("x", "m", types.Kind.MESH, [points], metadata=vertex).build()


PATHS = sorted(path for path in app.create(made()).data_paths() if path.startswith("/data/"))


@pytest.mark.parametrize("path", PATHS)
async def test_odd_parameters_are_answered_or_refused(path: str) -> None:
    async with data_client.Client(made()) as ask:
        known = {"run": "x", "tag": TAGS.get(path.split("/")[-2], "x"), "content_type": "VERTEX"}
        for name, value in itertools.product(NAMES, ODD):
            encoded = value.encode("utf-8", "surrogateescape")
            response = await ask.http.get(path, params={**known, name: encoded})
            assert response.status_code < 500, (name, value, response.text)


@pytest.mark.parametrize("path", [path for path in PATHS if path.endswith(("timeSeries", "multirun"))])
async def test_odd_forms_are_answered_or_refused(path: str) -> None:
    kinds = [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=b",
        "multipart/form-data",
        "text/plain",
        "",
    ]
    bodies = [
        b"",
        b"\xff\xfe",
        b"=",
        b"&&&=",
        b"tag=x&runs=x",
        b"--b\r\n\r\n--b--",
        b'--b\r\nContent-Disposition: form-data; name="tag"\r\n\r\nx\r\n--b--\r\n',
        b'--b\r\nContent-Disposition: form-data; name="tag"\r\nContent-Transfer-Encoding: base64\r\n\r\n!!\r\n--b--',
        b"--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" * 500,
        b"requests=" + json.dumps([{"plugin": {}, "tag": [], "run": 1, "sample": "x"}, {}]).encode(),
        b"requests=" + json.dumps([{"plugin": "images", "tag": "i", "run": "x", "sample": 10**30}]).encode(),
        b"requests=" + json.dumps([{"plugin": "images", "tag": "i", "run": "x", "sample": True}]).encode(),
    ]
    async with data_client.Client(made()) as ask:
        for kind, body in itertools.product(kinds, bodies):
            response = await ask.http.post(path, content=body, headers={"Content-Type": kind} if kind else {})
            assert response.status_code < 500, (kind, body[:200], response.text)
