"""`/api/mesh` and `/data/plugin/mesh`."""

from __future__ import annotations

from typing import Any

import asking
import numpy as np
from data_client import Client

from lightboard import store, types
from lightboard.server import frames

PATH = "/data/plugin/mesh"


def metadata(
    name: str, part: int, shape: tuple[int, ...], *, config: str = "{}", components: int = 6
) -> types.Metadata:
    content = b"\x12" + bytes([len(name)]) + name.encode() + bytes([0x18, part])
    content += b"\x2a" + bytes([len(config)]) + config.encode() + b"\x32" + bytes([len(shape), *shape])
    return types.Metadata("mesh", content=content + bytes([0x38, components]))


def tensor(array: Any) -> types.Tensor:
    return types.Tensor(array.shape, array=array)


def made() -> store.Store:
    vertices = [tensor(np.arange(12, dtype=np.float32).reshape(2, 2, 3) + step) for step in range(2)]
    faces = [tensor(np.array([[[0, 1, 0]], [[1, 0, 1]]], np.float32))]
    builder = store.Builder()
    builder.tensors("r", "m_FACE", types.Kind.MESH, faces, metadata=metadata("m", 2, (2, 1, 3)), wall_times=[1.0])
    builder.tensors(
        "r", "m_VERTEX", types.Kind.MESH, vertices, metadata=metadata("m", 1, (2, 2, 3)), wall_times=[1.0, 2.0]
    )
    broken = types.Metadata("mesh", content=b"\x12\x7f")
    return builder.tensors("r", "broken", types.Kind.MESH, faces, metadata=broken).build()


async def test_a_mesh_is_listed_by_its_name_with_its_batch() -> None:
    async with Client(made()) as ask:
        assert await ask.json(f"{PATH}/tags") == {"r": {"m": {"samples": 2}}}


async def test_parts_are_listed_by_step() -> None:
    async with Client(made()) as ask:
        found = await ask.json(f"{PATH}/meshes", run="r", tag="m", sample=0)
    assert [(one["step"], one["content_type"], one["wall_time"]) for one in found] == [
        (0, 1, 1.0),
        (0, 2, 1.0),
        (1, 1, 2.0),
    ]
    assert found[0]["data_shape"] == [2, 2, 3]
    assert (found[0]["config"], found[0]["components"]) == ("{}", 6)


async def test_numbers_come_little_endian_in_the_type_of_their_part() -> None:
    async with Client(made()) as ask:
        fields = {"run": "r", "tag": "m", "sample": 1}
        vertex = await ask.get(f"{PATH}/data", content_type="VERTEX", step=1, **fields)
        assert vertex.headers["content-type"] == "arraybuffer"
        assert np.frombuffer(vertex.content, "<f4").tolist() == [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]
        face = await ask.get(f"{PATH}/data", content_type="FACE", step="0.0", **fields)
        assert np.frombuffer(face.content, "<i4").tolist() == [1, 0, 1]
        nothing = await ask.get(f"{PATH}/data", content_type="FACE", step=7, **fields)
        assert (nothing.status_code, nothing.content) == (200, b"")


async def test_bad_requests_are_refused() -> None:
    async with Client(made()) as ask:
        for fields in ({"content_type": "UNDEFINED"}, {"content_type": "x"}, {}, {"content_type": "FACE", "step": "x"}):
            assert (await ask.get(f"{PATH}/data", run="r", tag="m", **fields)).status_code == 400
        late = await ask.get(f"{PATH}/data", run="r", tag="m", content_type="FACE", sample=9)
        assert late.status_code == 404
        assert await ask.json(f"{PATH}/meshes", run="r", tag="gone") == []


async def test_a_mesh_of_ours_is_one_frame() -> None:
    async with asking.board(made()) as client:
        answer = await client.get("/api/mesh?run=r&tag=m_VERTEX&step=0&sample=1")
        same = await client.post("/api/mesh", json={"run": "r", "tag": "m_VERTEX", "step": 0, "sample": 1})
        absent = await client.get("/api/mesh?run=r&tag=m_VERTEX&step=9")
    assert (answer.headers["content-type"], answer.content) == (frames.MEDIA_TYPE, same.content)
    header, arrays = frames.decode(answer.content)
    assert (header["samples"], header["vertices"], header["hi"]) == (2, 2, [9.0, 10.0, 11.0])
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "vertex": [6, 7, 8, 9, 10, 11],
        "face": [1, 0, 1],
    }
    assert absent.status_code == 404
