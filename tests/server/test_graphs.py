"""`/api/graphs` and `/data/plugin/graphs`, asked as a page asks them."""

from __future__ import annotations

import pathlib

import asking
import data_client
import pytest

import lightboard
from lightboard import store
from lightboard.server import frames, graphs

DATA = pathlib.Path(__file__).parents[1] / "data"
PATH = "/data/plugin/graphs"


def opened(corpus: str) -> store.Store:
    return lightboard.open(DATA / corpus)._store


async def test_a_graph_comes_as_one_frame() -> None:
    async with asking.board(opened("torch_writer")) as client:
        listed = (await client.get("/api/graphs")).json()
        assert [(each["run"], each["tag"]) for each in listed["graphs"]] == [("cnn_digits", "__run_graph__")]
        answer = await client.get("/api/graphs/graph", params={"run": "cnn_digits"})
    assert answer.headers["content-type"] == frames.MEDIA_TYPE
    header, arrays = frames.decode(answer.content)
    assert header["nodes"] == len(arrays["op"]) == len(arrays["edge_at"]) - 1 == 51
    assert header["edges"] == len(arrays["edge_from"]) == arrays["edge_at"][-1]
    assert bytes(arrays["names"][: arrays["name_at"][1]]) == b"input/x"


async def test_a_node_is_asked_for_by_the_key_of_its_graph() -> None:
    async with asking.board(opened("torch_writer")) as client:
        answer = await client.get("/api/graphs/graph", params={"run": "cnn_digits"})
        header, _ = frames.decode(answer.content)
        node = (await client.get("/api/graphs/node", params={"key": header["key"], "node": 0})).json()
        assert (node["name"], node["op"], node["kind"]) == ("input/x", "IO Node", "placeholder")
        missing = await client.get("/api/graphs/node", params={"key": header["key"], "node": 51})
        assert missing.status_code == 404
        unknown = await client.get("/api/graphs/node", params={"key": "?", "node": 0})
        assert unknown.status_code == 410
        assert "upload" in unknown.json()["error"]["hint"]
        again = await client.get("/api/graphs/node", params={"key": "?", "node": 0, "run": "cnn_digits"})
        assert again.status_code == 410
        assert "load it again" in again.json()["error"]["hint"]


async def test_times_are_joined_with_a_graph_by_key_or_tag() -> None:
    async with asking.board(opened("awkward")) as client:
        asked = {"run": "v1/tf1_writer", "tag": "step3"}
        plain = await client.get("/api/graphs/stats", params=asked)
        header, arrays = frames.decode(plain.content)
        assert (header["rows"], header["matched"]) == (30, 0)
        by_tag = await client.get("/api/graphs/stats", params={**asked, "graph": "__run_graph__"})
        header, arrays = frames.decode(by_tag.content)
        assert header["matched"] == (arrays["node"] >= 0).sum() > 20
        by_key = await client.get("/api/graphs/stats", params={**asked, "key": header["key"]})
        assert by_key.content == by_tag.content


async def test_an_uploaded_file_is_a_frame_and_its_nodes_can_be_asked_for() -> None:
    content = (DATA / "models/torchscript.onnx").read_bytes()
    async with asking.board() as client:
        answer = await client.post("/api/graphs/upload", params={"name": "net.onnx"}, content=content)
        assert answer.status_code == 200
        header, arrays = frames.decode(answer.content)
        assert (header["source"], header["name"], header["nodes"]) == ("uploaded", "net.onnx", len(arrays["op"]))
        node = (await client.get("/api/graphs/node", params={"key": header["key"], "node": 9})).json()
        assert node["name"] == "stem/Conv"
        # nothing of it is on the board
        assert (await client.get("/api/graphs")).json()["graphs"] == []


async def test_a_file_that_is_no_graph_is_refused_with_what_to_do() -> None:
    async with asking.board() as client:
        answer = await client.post("/api/graphs/upload", content=b"hello")
        assert answer.status_code == 400
        assert ".onnx" in answer.json()["error"]["hint"]
        assert (await client.get("/api/graphs/upload")).status_code == 405


async def test_a_file_that_is_too_large_is_refused_before_it_is_read() -> None:
    limit = graphs.API[-1].file_bytes
    async with asking.board() as client:
        answer = await client.post("/api/graphs/upload", content=b"x", headers={"content-length": str(limit + 1)})
    assert answer.status_code == 413


# ---- as TensorBoard; what real logs answer is compared in tests/compat


async def test_graphs_are_protobuf_as_text() -> None:
    async with data_client.Client(opened("torch_writer")) as ask:
        answer = await ask.get(f"{PATH}/graph", run="cnn_digits")
        assert answer.headers["content-type"] == "text/x-protobuf; charset=utf-8"
        assert answer.text.startswith('node {\n  name: "input/x"\n  op: "IO Node"\n')
        assert answer.text.endswith("versions {\n  producer: 22\n}\n")
        recorded = await ask.get(f"{PATH}/run_metadata", run="cnn_digits", tag="step1")
        assert recorded.text == 'step_stats {\n  dev_stats {\n    device: "/device:CPU:0"\n  }\n}\n'


async def test_large_attributes_are_named_instead() -> None:
    async with data_client.Client(opened("awkward")) as ask:
        asked = {"run": "v1/tf1_writer", "limit_attr_size": 60, "large_attrs_key": "_too_large_attrs"}
        text = (await ask.get(f"{PATH}/graph", **asked)).text
        whole = (await ask.get(f"{PATH}/graph", run="v1/tf1_writer")).text
    assert "_too_large_attrs" not in whole
    assert text.count('key: "_too_large_attrs"') > 0
    assert len(text) < len(whole)


@pytest.mark.parametrize(
    ("route", "asked", "status", "words"),
    [
        ("graph", {}, 400, '"run" is required'),
        ("graph", {"run": "cnn_digits", "limit_attr_size": "x"}, 400, "must be an integer"),
        ("graph", {"run": "cnn_digits", "limit_attr_size": "9"}, 400, "large_attrs_key"),
        ("graph", {"run": "cnn_digits", "limit_attr_size": "0", "large_attrs_key": "k"}, 400, "> 0"),
        ("graph", {"run": "nobody"}, 404, "Not found"),
        ("graph", {"run": "cnn_digits", "tag": "step1"}, 404, "Not found"),
        ("graph", {"run": "cnn_digits", "conceptual": "true"}, 404, "Not found"),
        ("run_metadata", {"run": "cnn_digits"}, 400, '"tag" is required'),
        ("run_metadata", {"tag": "step1"}, 400, '"run" is required'),
        ("run_metadata", {"run": "cnn_digits", "tag": "__run_graph__"}, 404, "Not found"),
    ],
)
async def test_wrong_questions_are_answered_as_tensorboard_does(
    route: str, asked: dict[str, str], status: int, words: str
) -> None:
    async with data_client.Client(opened("torch_writer")) as ask:
        answer = await ask.get(f"{PATH}/{route}", **asked)
    assert answer.status_code == status
    assert words in answer.text
