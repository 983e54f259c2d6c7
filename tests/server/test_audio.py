"""`/data/plugin/audio`."""

from __future__ import annotations

from data_client import Client, strings

from lightboard import store, types

PATH = "/data/plugin/audio"
WAV = types.Metadata("audio", content=b"\x10\x0b")  # encoding 2: 11


def made() -> store.Store:
    labelled = strings(b"one", b"label", b"two", b"", shape=(2, 2))
    builder = store.Builder().tensors("r", "new", types.Kind.AUDIO, [labelled], metadata=WAV)
    old = [strings(b"abc", content_type="audio/mpeg"), strings(b"def", content_type="audio/mpeg")]
    builder.tensors("r", "old", types.Kind.AUDIO, old)
    return builder.tensors("r", "evil", types.Kind.AUDIO, [strings(b"<b>", content_type="text/html")]).build()


async def test_tags_tell_how_many_clips_a_step_has() -> None:
    async with Client(made()) as ask:
        found = await ask.json(f"{PATH}/tags")
    assert {tag: cell["samples"] for tag, cell in found["r"].items()} == {"new": 2, "old": 1, "evil": 1}


async def test_each_clip_is_behind_its_query_with_the_type_its_writer_stated() -> None:
    async with Client(made()) as ask:
        for tag, sample, kind, data in (
            ("new", 0, "audio/wav", b"one"),
            ("new", 1, "audio/wav", b"two"),
            ("old", 0, "audio/mpeg", b"abc"),
            ("evil", 0, "application/octet-stream", b"<b>"),
        ):
            row = (await ask.json(f"{PATH}/audio", run="r", tag=tag, sample=sample))[0]
            assert (row["contentType"], row["label"], row["step"]) == (kind, "", 0)
            found = await ask.get(f"{PATH}/individualAudio?{row['query']}")
            assert (found.content, found.headers["content-type"]) == (data, kind)


async def test_bad_requests_are_told_apart() -> None:
    async with Client(made()) as ask:
        (row,) = await ask.json(f"{PATH}/audio", run="r", tag="new")
        key = row["query"].partition("&")[0].removeprefix("blob_key=")
        assert await ask.json(f"{PATH}/audio", run="r", tag="new", sample=2) == []
        assert (await ask.get(f"{PATH}/audio", run="r", tag="gone")).status_code == 404
        assert (await ask.get(f"{PATH}/individualAudio", blob_key=key)).status_code == 400
        for kind in ("text/html", "audio/x\r\ny: z", "image/svg+xml"):
            response = await ask.get(f"{PATH}/individualAudio", blob_key=key, content_type=kind)
            assert (response.status_code, response.text[:18]) == (400, "Invalid argument: ")
