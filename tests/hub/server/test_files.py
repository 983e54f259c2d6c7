"""The page of the hub and its files: found by listing, compressed as built, kept by browsers."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from lightboard.hub.server import files


def scope(**headers: str) -> Any:
    return {"headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]}


@pytest.fixture
def built(tmp_path: pathlib.Path) -> files.Files:
    (tmp_path / "static" / "assets").mkdir(parents=True)
    for name in ("hub.html", "index.html", "plotly_frame.html", "early.js", "assets/hub-1.js", "assets/hub-1.js.br"):
        (tmp_path / "static" / name).write_text(name)
    (tmp_path / "secret.txt").write_text("secret")
    return files.Files(tmp_path / "static")


def test_the_page_is_asked_for_again_and_assets_are_kept(built: files.Files) -> None:
    page, asset = built.page(scope()), built.file("assets/hub-1.js", scope())
    assert page is not None and asset is not None
    assert (page.body, dict(page.headers)[b"cache-control"]) == (b"hub.html", b"no-cache")
    assert b"immutable" in dict(asset.headers)[b"cache-control"]
    again = built.page(scope(if_none_match=dict(page.headers)[b"etag"].decode()))
    assert again is not None and (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    ("accepted", "body"),
    [
        ("gzip, br", "assets/hub-1.js.br"),
        ("gzip", "assets/hub-1.js"),
        ("br;q=0", "assets/hub-1.js"),
        ("", "assets/hub-1.js"),
    ],
)
def test_files_are_sent_as_the_client_takes_them(built: files.Files, accepted: str, body: str) -> None:
    reply = built.file("assets/hub-1.js", scope(accept_encoding=accepted))
    assert reply is not None and reply.body == body.encode()
    assert (dict(reply.headers).get(b"content-encoding") == b"br") is body.endswith(".br")


@pytest.mark.parametrize(
    "address", ["../secret.txt", "index.html", "plotly_frame.html", "assets/hub-1.js.br", "assets", "", "nothing.js"]
)
def test_nothing_else_is_served(built: files.Files, address: str) -> None:
    assert built.file(address, scope()) is None


def test_a_new_build_is_found(built: files.Files, tmp_path: pathlib.Path) -> None:
    assert built.file("assets/hub-2.js", scope()) is None
    (tmp_path / "static" / "assets" / "hub-2.js").write_text("2")
    index = tmp_path / "static" / "index.html"
    index.unlink()
    assert built.page(scope()) is None
    index.write_text("new")
    assert built.file("assets/hub-2.js", scope()) is not None
    assert files.Files(None).page(scope()) is None
