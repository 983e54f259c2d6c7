"""`/api/views` over HTTP. On disk: tests/sidecar/test_views.py."""

from __future__ import annotations

import pathlib
import urllib.parse

import asking
import pytest

pytestmark = pytest.mark.anyio


async def test_a_view_is_saved_read_and_deleted(tmp_path: pathlib.Path) -> None:
    name = "Überblick/1 ?#🙂"
    address = "/api/views/" + urllib.parse.quote(name)
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        put = await client.put("/api/views", json={"name": name, "view": "#a", "description": "d"})
        await client.post("/api/views", json={"name": "b", "view": "#b"})
        listed = (await client.get("/api/views")).json()
        one = (await client.get(address)).json()
        deleted = await client.delete(address)
        gone = await client.delete(address)
        left = (await client.get("/api/views")).json()
    assert [view["name"] for view in put.json()["views"]] == [name]
    assert [view["name"] for view in listed["views"]] == ["b", name]
    assert (listed["writable"], listed["place"]) == (True, str(tmp_path / ".lightboard"))
    assert one == deleted.json() == listed["views"][1]
    assert (one["view"], one["description"]) == ("#a", "d")
    assert gone.status_code == 404
    assert [view["name"] for view in left["views"]] == ["b"]


async def test_wrong_views_are_refused(tmp_path: pathlib.Path) -> None:
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        for body in ({}, {"name": "x"}, {"view": "x"}, {"name": "", "view": "x"}, {"name": "x", "view": "y" * 300_000}):
            assert (await client.put("/api/views", json=body)).status_code == 400
        cross = await client.delete("/api/views/x", headers={"Sec-Fetch-Site": "cross-site"})
        patch = await client.patch("/api/views/x")
        assert (await client.get("/api/views")).json()["views"] == []
    assert cross.status_code == 403
    assert patch.headers["allow"] == "GET, DELETE"


async def test_a_board_that_keeps_nothing_says_so() -> None:
    async with asking.board() as client:
        listed = (await client.get("/api/views")).json()
        refused = await client.put("/api/views", json={"name": "x", "view": "y"})
        absent = await client.delete("/api/views/x")
    assert (listed["views"], listed["writable"]) == ([], False)
    assert (refused.status_code, absent.status_code) == (403, 404)


@pytest.mark.parametrize("name", ["..", ".", "/x", "a//b", "%2e", "?", "#", " x y ", "\u202e"])
async def test_names_that_addresses_do_not_like_can_be_deleted(tmp_path: pathlib.Path, name: str) -> None:
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        assert (await client.put("/api/views", json={"name": name, "view": "x"})).status_code == 200
        (kept,) = (await client.get("/api/views")).json()["views"]
        deleted = await client.delete("/api/views", params={"name": kept["name"]})
        nameless = await client.delete("/api/views")
    assert (deleted.status_code, deleted.json()["views"]) == (200, [])
    assert nameless.status_code == 400
