"""`/data/plugin/images`."""

from __future__ import annotations

from data_client import Client, strings

from lightboard import store, types

PATH = "/data/plugin/images"
PNG, GIF = b"\x89PNG\r\n\x1a\n..", b"GIF89a.."


def made() -> store.Store:
    values = [strings(b"2", b"3", PNG), strings(b"2", b"3", PNG + b"1", GIF), strings(b"2", b"3")]
    return store.Builder().tensors("r", "img", types.Kind.IMAGES, values, wall_times=[1.0, 2.0, 3.0]).build()


async def test_tags_tell_how_many_samples_a_step_has() -> None:
    async with Client(made()) as ask:
        assert await ask.json(f"{PATH}/tags") == {"r": {"img": {"displayName": "", "description": "", "samples": 2}}}


async def test_each_picture_is_behind_its_query() -> None:
    async with Client(made()) as ask:
        first = await ask.json(f"{PATH}/images", run="r", tag="img")
        assert [(one["step"], one["wall_time"]) for one in first] == [(0, 1.0), (1, 2.0)]
        found = [await ask.get(f"{PATH}/individualImage?{one['query']}") for one in first]
        assert [one.content for one in found] == [PNG, PNG + b"1"]
        assert {one.headers["content-type"] for one in found} == {"image/png"}


async def test_steps_with_too_few_pictures_are_left_out() -> None:
    async with Client(made()) as ask:
        (second,) = await ask.json(f"{PATH}/images", run="r", tag="img", sample=1)
        assert second["step"] == 1
        found = await ask.get(f"{PATH}/individualImage?{second['query']}")
        assert (found.content, found.headers["content-type"]) == (GIF, "image/gif")
        assert await ask.json(f"{PATH}/images", run="r", tag="img", sample=2) == []
        assert await ask.json(f"{PATH}/images", run="r", tag="img", sample=-1) == []


async def test_bad_requests_are_told_apart() -> None:
    async with Client(made()) as ask:
        assert (await ask.get(f"{PATH}/images", run="r", tag="gone")).status_code == 404
        assert (await ask.get(f"{PATH}/images", run="r", tag="img", sample="x")).status_code == 400
        assert (await ask.get(f"{PATH}/individualImage")).status_code == 400
        assert (await ask.get(f"{PATH}/individualImage", blob_key="??")).status_code == 400
        key = (await ask.json(f"{PATH}/images", run="r", tag="img"))[0]["query"].removeprefix("blob_key=")
    async with Client(store.Builder().build()) as ask:
        assert (await ask.get(f"{PATH}/individualImage", blob_key=key)).status_code == 404


async def test_what_a_picture_is_is_told_by_its_key() -> None:
    async with Client(made()) as ask:
        listed = await ask.json(f"{PATH}/images", run="r", tag="img", sample=1)
        key = listed[0]["query"].removeprefix("blob_key=")
        found = await ask.get(f"/api/images/{key}")
        assert found.headers["cache-control"].endswith("immutable")
        told = found.json()
        assert (told["content_type"], told["bytes"], told["boxes"]) == ("image/gif", len(GIF), [])
        assert (await ask.get("/api/images/nonsense")).status_code == 400
