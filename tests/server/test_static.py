"""The built page, compressed when it was built: which form a client gets, and what it may keep. More: test_app.py."""

from __future__ import annotations

import gzip
import pathlib
import shutil
import subprocess

import asking
import pytest

SCRIPT = b"let a = 1;\n" * 500
PACKED = gzip.compress(SCRIPT, 9)
ADDRESS = "/assets/main-abc123.js"


@pytest.fixture
def built(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "assets" / "main-abc123.js").write_bytes(SCRIPT)
    (folder / "assets" / "main-abc123.js.br").write_bytes(b"stands for brotli")
    (folder / "assets" / "main-abc123.js.gz").write_bytes(PACKED)
    (folder / "index.html").write_text("<!doctype html><title>built</title>")
    return folder


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("*", "br"),
        ("identity", None),
        ("", None),
        ("deflate", None),
    ],
)
async def test_the_smallest_form_the_client_takes(built: pathlib.Path, accepted: str, coding: str | None) -> None:
    async with (
        asking.board(static_dir=str(built)) as client,
        client.stream("GET", ADDRESS, headers={"accept-encoding": accepted}) as answer,
    ):
        raw = b"".join([piece async for piece in answer.aiter_raw()])
    expected = {"br": b"stands for brotli", "gzip": PACKED, None: SCRIPT}[coding]
    assert (answer.headers.get("content-encoding"), raw) == (coding, expected)
    assert answer.headers["vary"] == "Accept-Encoding"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-length"] == str(len(expected))


@pytest.mark.anyio
async def test_each_form_has_a_tag_of_its_own_and_none_is_sent_twice(built: pathlib.Path) -> None:
    async with asking.board(static_dir=str(built)) as client:
        tags = {}
        for accepted in ("gzip", "identity"):
            answer = await client.get(ADDRESS, headers={"accept-encoding": accepted})
            tags[accepted] = answer.headers["etag"]
        assert len(set(tags.values())) == 2
        assert not any(tag.startswith("W/") for tag in tags.values())
        for given in (*tags.values(), f'"other", W/{tags["gzip"]}', "*"):
            again = await client.get(ADDRESS, headers={"if-none-match": given, "accept-encoding": "gzip"})
            assert (again.status_code, again.content) == (304, b"")
        fresh = await client.get(ADDRESS, headers={"if-none-match": '"other"', "accept-encoding": "gzip"})
        assert fresh.content == SCRIPT


@pytest.mark.anyio
async def test_compressed_forms_have_no_address(built: pathlib.Path) -> None:
    async with asking.board(static_dir=str(built)) as client:
        assert (await client.get(ADDRESS + ".br")).status_code == 404
        assert (await client.get(ADDRESS + ".gz")).status_code == 404


@pytest.mark.anyio
async def test_a_rebuilt_page_brings_its_own_compressed_forms(built: pathlib.Path) -> None:
    headers = {"accept-encoding": "gzip"}
    async with asking.board(static_dir=str(built)) as client:
        assert (await client.get(ADDRESS, headers=headers)).content == SCRIPT
        changed = SCRIPT + b"// more"
        (built / "assets" / "main-abc123.js").write_bytes(changed)
        (built / "assets" / "main-abc123.js.gz").write_bytes(gzip.compress(changed, 9))
        (built / "index.html").write_text("<!doctype html><title>newer</title>")
        assert (await client.get(ADDRESS, headers=headers)).content == changed


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_build_compresses_what_is_worth_it(tmp_path: pathlib.Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a.js").write_bytes(SCRIPT)
    (tmp_path / "assets" / "b.png").write_bytes(SCRIPT)
    (tmp_path / "small.css").write_bytes(b"a{}")
    tool = pathlib.Path(__file__).parents[2] / "tools" / "compress_web.mjs"
    for _ in range(2):  # the second time the compressed forms lie there already
        subprocess.run(["node", str(tool), str(tmp_path)], check=True)
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["a.js", "a.js.br", "a.js.gz", "b.png", "small.css"]
    assert gzip.decompress((tmp_path / "assets" / "a.js.gz").read_bytes()) == SCRIPT


@pytest.mark.anyio
async def test_a_page_for_logged_figures_is_a_stranger_to_the_board(built: pathlib.Path) -> None:
    """The policy takes its origin and the network away and names its script, on a repeated visit too."""
    page = pathlib.Path(__file__).parents[2] / "web" / "public" / "plotly_frame.html"
    shutil.copy(page, built / "plotly_frame.html")
    async with asking.board(static_dir=str(built)) as client:
        first = await client.get("/plotly_frame.html")
        again = await client.get("/plotly_frame.html", headers={"if-none-match": first.headers["etag"]})
        other = await client.get("/index.html")
    policy = first.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none'; script-src 'sha256-")
    for word in ("same-origin", "unsafe-eval", "script-src 'unsafe-inline'", "connect-src", "http"):
        assert word not in policy
    assert again.status_code == 304
    assert again.headers["content-security-policy"] == policy
    assert "sandbox" not in other.headers["content-security-policy"]
