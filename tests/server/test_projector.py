"""`/api/projector` and `/data/plugin/projector`, asked over HTTP: layouts as jobs, frames, uploads, what is refused."""

from __future__ import annotations

import asyncio
import base64
import io
import mmap
import os
import pathlib
from typing import Any

import asking
import embedding_files
import httpx
import made_pictures
import numpy as np
import pytest
from numpy.typing import NDArray

from lightboard import store
from lightboard.query.projector import sources as projector_sources
from lightboard.server import frames

pytestmark = pytest.mark.anyio
OF = {"run": "r", "name": "e"}


@pytest.fixture
def project(tmp_path: pathlib.Path) -> store.Store:
    values, labels = embedding_files.blobs(200, 6, 4)
    fields: dict[str, Any] = {"image_path": "s.png", "single_image_dim": (2, 2)}
    entry = embedding_files.entry(
        "e", tensor_path="t.bytes", tensor_shape=[200, 6], metadata_path="m.tsv", bookmarks_path="b.json", sprite=fields
    )
    rows = [("word", "group"), *((f"word {row}", int(group)) for row, group in enumerate(labels))]
    embedding_files.write(
        tmp_path / "r",
        entry + embedding_files.entry("bad", tensor_path="../../x.tsv", bookmarks_path="t.bytes"),
        t__bytes=values.tobytes(),
        m__tsv=embedding_files.tsv(rows),
        b__json='[{"label": "here"}]',
        s__png=made_pictures.png(40, 40),
    )
    return embedding_files.opened(tmp_path)


async def laid_out(client: httpx.AsyncClient, **question: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    answer = await client.post("/api/projector/layouts", json={**OF, **question})
    assert answer.status_code == 200, answer.text
    address = f"/api/projector/layouts/{answer.json()['id']}"
    while True:
        frame = await client.get(address, params={"wait": 0.5})
        header, arrays = frames.decode(frame.content)
        if header["state"] not in ("waiting", "running"):
            return header, arrays
        await asyncio.sleep(0.01)


async def test_a_layout_is_begun_followed_and_dropped(project: store.Store) -> None:
    async with asking.board(project) as client:
        header, arrays = await laid_out(client, method="umap", dims=2, iterations=20)
        assert (header["state"], header["iteration"], header["rows"]) == ("done", 20, 200)
        assert arrays["coordinates"].shape == (400,)
        address = f"/api/projector/layouts/{header['id']}"
        known = await client.get(address, params={"since": header["version"]})
        assert frames.decode(known.content)[1] == {}
        assert (await client.post(f"{address}/pause")).json()["state"] == "done"
        assert (await client.post(f"{address}/jump")).status_code == 400
        assert (await client.delete(address)).status_code == 204
        assert (await client.get(address)).status_code == 404


async def test_components_are_chosen_by_axes(project: store.Store) -> None:
    async with asking.board(project) as client:
        header, arrays = await laid_out(client, method="pca")
        assert header["components"] == 6 and sum(header["shares"]) == pytest.approx(1)
        address = f"/api/projector/layouts/{header['id']}"
        some = frames.decode((await client.get(address, params={"axes": [5, 0]})).content)[1]["coordinates"]
        assert np.array_equal(some.reshape(-1, 2)[:, 1], arrays["coordinates"].reshape(-1, 3)[:, 0])
        assert (await client.get(address, params={"axes": 6})).status_code == 400


async def test_very_many_rows_are_told_as_bits(project: store.Store) -> None:
    rows = [0, 9, 17, 100, 199]
    bits = np.zeros(200, np.uint8)
    bits[rows] = 1
    mask = base64.b64encode(np.packbits(bits, bitorder="little").tobytes()).decode()
    async with asking.board(project) as client:
        some = await laid_out(client, method="pca", rows=rows)
        same = await laid_out(client, method="pca", mask=mask)
        assert some[0]["rows"] == 5 and np.array_equal(some[1]["coordinates"], same[1]["coordinates"])
        near = await client.post("/api/projector/neighbors", json={**OF, "row": 9, "mask": mask})
        assert sorted(frames.decode(near.content)[1]["rows"].tolist()) == [0, 17, 100, 199]
        for wrong in ({"mask": "%"}, {"within": [200]}, {"within": [-1]}):
            answer = await client.post("/api/projector/neighbors", json={**OF, "row": 9, **wrong})
            assert answer.status_code == 400


async def test_what_cannot_be_laid_out_says_why(project: store.Store) -> None:
    async with asking.board(project) as client:
        for question, word in (
            ({"name": "bad", "method": "pca"}, "outside the config directory"),
            ({"method": "umap", "supervise": 1}, "column of labels"),
            ({"method": "pca", "dims": 4}, "`dims`"),
            ({"method": "magic"}, "`method`"),
        ):
            answer = await client.post("/api/projector/layouts", json={**OF, **question})
            assert answer.status_code == 400 and word in answer.json()["error"]["message"]
        header, _ = await laid_out(client, method="umap", supervise=1, label="nothing")
        assert header["state"] == "failed" and "no column" in header["problem"]["message"]


async def test_rows_are_asked_for_one_by_one(project: store.Store) -> None:
    async with asking.board(project) as client:
        near = await client.get(
            "/api/projector/neighbors", params={**OF, "row": 3, "count": 7, "distance": "euclidean"}
        )
        arrays = frames.decode(near.content)[1]
        assert len(arrays["rows"]) == 7 and 3 not in arrays["rows"] and (np.diff(arrays["distances"]) >= 0).all()
        found = await client.get("/api/projector/search", params={**OF, "text": "WORD 19"})
        header, arrays = frames.decode(found.content)
        assert header["total"] == 11 and arrays["rows"].tolist() == [19, *range(190, 200)]
        column = await client.get("/api/projector/column", params={**OF, "column": "group", "limit": 2})
        header, arrays = frames.decode(column.content)
        assert (header["kind"], header["distinct"], len(header["values"]), header["max"]) == ("number", 4, 2, 3)
        assert len(arrays["codes"]) == len(arrays["numbers"]) == 200
        rows = await client.post("/api/projector/rows", json={**OF, "rows": [7], "values": True})
        assert rows.json()["columns"] == ["word", "group"] and rows.json()["rows"][0][0] == "word 7"
        assert len(rows.json()["values"][0]) == 6
        assert (await client.post("/api/projector/rows", json={**OF, "rows": [200]})).status_code == 404


async def test_pictures_and_bookmarks_are_sent_safely(project: store.Store) -> None:
    async with asking.board(project) as client:
        listed = (await client.get("/api/projector")).json()["embeddings"][0]
        sheet = await client.get("/" + listed["sprite"]["address"])
        assert sheet.headers["content-type"] == "image/png"
        assert sheet.headers["content-security-policy"].startswith("sandbox")
        assert (await client.get("/api/projector/bookmarks", params=OF)).json() == [{"label": "here"}]
        bad = {"run": "r", "name": "bad"}
        assert (await client.get("/api/projector/bookmarks", params=bad)).status_code == 422  # no JSON
        assert (await client.get("/api/projector/sprite", params=bad)).status_code == 404


async def test_a_file_of_the_readers_own_is_laid_out(project: store.Store) -> None:
    text = embedding_files.tsv(np.random.default_rng(0).normal(size=(30, 4)))
    async with asking.board(project) as client:
        sent = await client.post("/api/projector/upload", params={"name": "mine.tsv"}, content=text.encode())
        mine = sent.json()
        assert (mine["run"], mine["rows"], mine["dims"], mine["metadata"]) == ("", 30, 4, None)
        labels = "".join(f"l{row}\n" for row in range(30))
        with_labels = await client.post("/api/projector/upload", params={"of": mine["name"]}, content=labels.encode())
        of = {"run": "", "name": with_labels.json()["name"]}
        assert with_labels.json()["metadata"] == {"columns": ["label"], "rows": 30}
        header, arrays = await laid_out(client, **of, method="tsne", dims=2, iterations=5)
        assert header["state"] == "done" and np.isfinite(arrays["coordinates"]).all()
        both = await client.post("/api/projector/upload", json={"name": "x", "tensors": text, "metadata": labels})
        assert both.json()["metadata"]["rows"] == 30
        raw = await client.post("/api/projector/upload", params={"rows": 2, "dims": 3}, content=b"\0\0\x80\x3f" * 6)
        assert (raw.json()["source"], raw.json()["rows"]) == ("bytes", 2)
        fewer = await client.post("/api/projector/upload", params={"dims": 2}, content=b"\0\0\x80\x3f" * 6)
        assert (fewer.json()["rows"], fewer.json()["dims"]) == (3, 2)
        array = npy(np.arange(12).reshape(4, 3))
        saved = await client.post("/api/projector/upload", params={"name": "a.npy"}, content=array)
        assert (saved.json()["rows"], saved.json()["dims"]) == (4, 3)
        listed = (await client.get("/api/projector")).json()["embeddings"]
        assert "" not in [each["run"] for each in listed]


def npy(values: NDArray[Any]) -> bytes:
    array = io.BytesIO()
    np.save(array, values)
    return array.getvalue()


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 400),
        (b"1\t2\n3\n", 400),
        (b"{}", 400),
        (b'{"tensors": 5}', 400),
        (b"\0\1\2\3", 400),
        (b"{" * 100, 400),
        (b"\x93NUMPY", 400),
        (npy(np.zeros(3)), 400),
        (npy(np.array([["a"]])), 400),
        (npy(np.zeros((20, 3)))[:200], 400),
    ],
)
async def test_files_that_make_no_sense_are_refused(content: bytes, status: int) -> None:
    async with asking.board() as client:
        answer = await client.post("/api/projector/upload", content=content)
        assert answer.status_code == status and answer.json()["error"]["message"]
        gone = await client.post("/api/projector/upload", params={"of": "nothing"}, content=b"a\n")
        assert gone.status_code == 410


@pytest.mark.parametrize("form", ["raw", "npy", "npy of float64"])
async def test_a_large_upload_is_kept_outside_of_memory(form: str) -> None:
    values = np.arange(2 << 20, dtype="<f4").reshape(-1, 8)
    content = values.tobytes() if form == "raw" else npy(values.astype("f8" if form.endswith("64") else "f4"))
    async with asking.board() as client:
        sent = await client.post("/api/projector/upload", params={"dims": 8} if form == "raw" else {}, content=content)
        assert (sent.status_code, sent.json()["rows"]) == (200, len(values))
        transport: Any = client._transport
        context = transport.app.context
        entry = context.work.embedding("", sent.json()["name"])
        found = projector_sources.matrix(context.store, entry)
        assert np.array_equal(found, values)
        assert not found.flags.owndata
        assert isinstance(context.work.embeddings._get(entry.name).files["tensors"], mmap.mmap)


async def test_tensorboards_routes_answer_as_it_does(project: store.Store) -> None:
    path = "/data/plugin/projector"
    async with asking.board(project) as client:
        assert (await client.get(f"{path}/runs")).json() == ["r"]
        info = (await client.get(f"{path}/info", params={"run": "r"})).json()
        assert info["embeddings"][0]["tensorShape"] == [200, 6]
        assert info["embeddings"][1] == {"tensorName": "bad", "tensorPath": "../../x.tsv", "bookmarksPath": "t.bytes"}
        two = await client.get(f"{path}/tensor", params={**OF, "num_rows": 2})
        assert len(two.content) == 2 * 6 * 4 and two.headers["content-type"] == "application/octet-stream"
        lines = (await client.get(f"{path}/metadata", params={**OF, "num_rows": 2})).text.splitlines()
        assert lines[0] == "word\tgroup" and len(lines) == 3
        listing = (await client.get("/data/plugins_listing")).json()
        assert listing["projector"]["enabled"] is True
        for route, params in (
            ("info", {}),
            ("info", {"run": "x"}),
            ("tensor", {"run": "r"}),
            ("tensor", {"run": "r", "name": "x"}),
            ("tensor", {"run": "r", "name": "bad"}),
            ("tensor", {**OF, "num_rows": "0"}),
            ("metadata", {"run": "r", "name": "bad"}),
            ("sprite_image", {"run": "r", "name": "bad"}),
        ):
            assert (await client.get(f"{path}/{route}", params=params)).status_code == 400, (route, params)


NO_FILES = [
    "nothing.tsv",
    "directory",
    "pipe.tsv",
    "loop",
    "up/x.tsv",
    "/etc/passwd",
    "..",
    "x" * 300,
    "x" * 10_000,
    "a\\000b",
]


@pytest.mark.parametrize("name", NO_FILES, ids=lambda name: name[:20])
async def test_files_that_cannot_be_read_are_no_failure_of_the_server(
    tmp_path: pathlib.Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    entry = embedding_files.entry(
        "e", tensor_path=name, metadata_path=name, bookmarks_path=name, sprite={"image_path": name}
    )
    home = embedding_files.write(tmp_path / "r", entry)
    (home / "directory").mkdir()
    os.mkfifo(home / "pipe.tsv")
    (home / "loop").symlink_to("loop")
    (home / "up").symlink_to(tmp_path.parent)
    async with asking.board(embedding_files.opened(tmp_path)) as client:
        assert (await client.get("/api/projector")).status_code == 200
        for route in ("embedding", "sprite", "bookmarks", "search", "column", "neighbors"):
            params = {**OF, "text": "x", "column": "x", "row": "0"}
            answer = await client.get(f"/api/projector/{route}", params=params)
            assert answer.status_code < 500, (route, answer.text)
        for route in ("tensor", "metadata", "sprite_image", "bookmarks"):
            answer = await client.get(f"/data/plugin/projector/{route}", params=OF)
            assert 400 <= answer.status_code < 500, (route, answer.text)
        layout = await client.post("/api/projector/layouts", json={**OF, "method": "pca"})
        assert layout.status_code < 500
    assert not [record for record in caplog.records if record.exc_info]
