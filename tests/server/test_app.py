"""The application around the routes: prefix, errors, methods, limits, static files, the plain page.

Left out on purpose: what single routes answer (a file each), who may ask (test_security).
"""

from __future__ import annotations

import os
import pathlib
import types
from collections.abc import AsyncIterator

import asking
import pytest

from lightboard import errors, query
from lightboard.server import app, context, endpoints, parameters, routing, settings

ROUTES = app.apis()
# values for parameters that must be given; any other gets a word
NEEDED = {"kind": "images", "tag": "loss", "at": "1", "run": "run1", "filter": "run", "charts": "none", "method": "pca",
          "row": "1", "rows": "1", "node": "1"}  # fmt: skip


def address(api: endpoints.Api, **extra: str) -> str:
    path = api.path.replace("{run:path}", "run1").replace("{key:path}", "abc")
    needed = {shape.name: NEEDED.get(shape.name, "word") for shape in parameters.shapes(api.question) if shape.required
              and not shape.hint.in_path}  # fmt: skip
    pairs = "&".join(f"{name}={value}" for name, value in {**needed, **extra}.items())
    return f"{path}?{pairs}"


def only(monkeypatch: pytest.MonkeyPatch, api: endpoints.Api) -> None:
    """A board whose every module has this one route."""
    monkeypatch.setattr(routing, "module", lambda name: types.SimpleNamespace(API=(api,)))


@pytest.mark.anyio
@pytest.mark.parametrize("api", ROUTES, ids=lambda api: api.path)
async def test_every_route_of_ours_fails_in_one_shape(api: endpoints.Api) -> None:
    async with asking.board() as client:
        answer = await client.request("PATCH", address(api))
        assert answer.status_code == 405
        assert answer.headers["allow"] == ", ".join(api.methods)
        assert set(answer.json()["error"]) == {"message", "hint", "status", "code", "parameters"}
        assert answer.json()["error"]["status"] == 405


@pytest.mark.anyio
@pytest.mark.parametrize("api", ROUTES, ids=lambda api: api.path)
async def test_bad_parameters_are_named(api: endpoints.Api) -> None:
    shapes = parameters.shapes(api.question)
    # an object cannot stand in an address: what needs one complains of that first
    in_body = [shape for shape in shapes if shape.kind is dict and shape.required]
    wrong = in_body or [shape for shape in shapes if shape.kind is not str or shape.choices]
    async with asking.board() as client:
        for shape in wrong:
            answer = await client.request(api.methods[0], address(api, **{shape.name: "x%00y"}))
            assert answer.status_code == 400, answer.text
            assert f"`{shape.name}`" in answer.json()["error"]["message"]


@pytest.mark.anyio
@pytest.mark.parametrize("api", ROUTES, ids=lambda api: api.path)
async def test_missing_parameters_are_named(api: endpoints.Api) -> None:
    needed = [shape for shape in parameters.shapes(api.question) if shape.required and not shape.hint.in_path]
    async with asking.board() as client:
        if needed:
            answer = await client.request(api.methods[0], address(api).partition("?")[0])
            assert answer.status_code == 400
            assert f"`{needed[0].name}` is missing" in answer.json()["error"]["message"]


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/api/none", "/api", "/none", "/api/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"])
async def test_unknown_addresses_are_not_found(path: str) -> None:
    async with asking.board() as client:
        answer = await client.get(path)
        assert answer.status_code == 404
        assert answer.json()["error"]["status"] == 404


@pytest.mark.anyio
async def test_tensorboards_clients_get_its_plain_text_errors() -> None:
    async with asking.board() as client:
        answer = await client.get("/data/none")
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.text.startswith("Not found")


@pytest.mark.anyio
async def test_a_failure_of_ours_is_logged_and_says_nothing_secret(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(context: context.Context, question: parameters.Nothing) -> None:
        raise RuntimeError("the password is swordfish")

    broken = endpoints.Api("/api/broken", breaks)
    only(monkeypatch, broken)
    async with asking.board() as client:
        answer = await client.get("/api/broken")
    assert answer.status_code == 500
    assert "swordfish" not in answer.text
    assert answer.json()["error"]["status"] == 500
    assert "swordfish" in caplog.text


@pytest.mark.anyio
async def test_errors_carry_their_status_and_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(context: context.Context, question: parameters.Nothing) -> None:
        raise errors.Missing("pyarrow is not there", hint="pip install it")

    only(monkeypatch, endpoints.Api("/api/missing", missing))
    async with asking.board() as client:
        answer = await client.get("/api/missing")
    assert answer.status_code == 501
    said = {"message": "pyarrow is not there", "hint": "pip install it", "code": "", "parameters": {}, "status": 501}
    assert answer.json() == {"error": said}


@pytest.mark.anyio
async def test_sizes_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "MAX_QUERY_BYTES", 10_000)  # the client itself refuses to send more than 65,536
    async with asking.board() as client:
        assert (await client.get("/api/runs?filter=" + "a" * 11_000)).status_code == 414
        assert (await client.get("/api/runs", headers={"x-long": "a" * 70_000})).status_code == 431
        huge = await client.post("/api/runs", content=b'{"filter": "' + b"a" * (17 << 20) + b'"}')
        assert huge.status_code == 413

        async def endless() -> AsyncIterator[bytes]:
            for _ in range(40):
                yield b"a" * (1 << 20)

        assert (await client.post("/api/runs", content=endless())).status_code == 413


@pytest.mark.anyio
@pytest.mark.parametrize("body", [b"[]", b"{", b"3", b"[" * 100_000, b"\xff"])
async def test_a_body_that_is_no_object_is_refused(body: bytes) -> None:
    async with asking.board() as client:
        answer = await client.post("/api/runs", content=body)
        assert answer.status_code == 400
        assert "body" in answer.json()["error"]["message"]


@pytest.mark.anyio
async def test_below_a_prefix_everything_answers_and_nothing_outside() -> None:
    async with asking.board(path_prefix="/a/b") as client:
        moved = await client.get("/a/b")
        assert (moved.status_code, moved.headers["location"]) == (301, "/a/b/")
        assert (await client.get("/a/b/")).status_code == 200
        assert (await client.get("/a/b/api/board")).status_code == 200
        assert (await client.get("/a/b/api/runs/run1")).status_code == 200
        assert (await client.get("/a/b/data/none")).status_code == 404
        for outside in ("/", "/api/board", "/a", "/a/bc", "/a/bc/api/board"):
            assert (await client.get(outside)).status_code == 404


@pytest.mark.anyio
async def test_without_a_built_page_a_plain_list_is_shown() -> None:
    store = query.Builder().scalars("<b>run</b>", "loss & gain", values=[1.0]).build()
    async with asking.board(store, window_title="<My> title") as client:
        page = await client.get("/")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert "&lt;b&gt;run&lt;/b&gt;" in page.text
        assert "loss &amp; gain" in page.text
        assert "<title>&lt;My&gt; title</title>" in page.text
        assert (await client.post("/")).status_code == 405


@pytest.fixture
def built(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "secret.txt").write_text("outside")
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "assets" / "main-abc123.js").write_text("let a = 1;\n" * 500)
    (folder / "index.html").write_text("<!doctype html><title>built</title>")
    return folder


@pytest.mark.anyio
async def test_the_built_page_is_served(built: pathlib.Path) -> None:
    async with asking.board(static_dir=str(built)) as client:
        page = await client.get("/")
        assert "built" in page.text
        assert page.headers["cache-control"] == "no-cache"
        again = await client.get("/", headers={"if-none-match": page.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        script = await client.get("/assets/main-abc123.js")
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-type"].startswith("text/javascript")
        assert script.headers["content-encoding"] in ("zstd", "gzip")
        assert script.text.startswith("let a")


@pytest.mark.anyio
async def test_a_page_built_again_without_a_change_needs_no_sending(built: pathlib.Path) -> None:
    async with asking.board(static_dir=str(built)) as client:
        etag = (await client.get("/")).headers["etag"]
        os.utime(built / "index.html", (1, 1))
        assert (await client.get("/")).headers["etag"] == etag


@pytest.mark.anyio
async def test_a_page_built_anew_is_served_without_a_restart(built: pathlib.Path) -> None:
    async with asking.board(static_dir=str(built)) as client:
        assert "built" in (await client.get("/")).text
        (built / "assets" / "main-new.js").write_text("new")
        (built / "index.html").write_text("<!doctype html><title>newer</title>")
        assert "newer" in (await client.get("/")).text
        assert (await client.get("/assets/main-new.js")).text == "new"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt", "//etc/passwd", "/assets/", "/\x00"]
)
async def test_no_address_leads_out_of_the_static_directory(built: pathlib.Path, path: str) -> None:
    made = app.create(asking.small().build(), settings.Settings(static_dir=str(built)))
    statuses: list[int] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b""}

    async def send(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(int(str(message["status"])))

    # not through a client, which would tidy the path first
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
    await made(scope, receive, send)  # type: ignore[arg-type]
    assert statuses == [404]


@pytest.mark.anyio
async def test_head_answers_without_a_body() -> None:
    async with asking.board() as client:
        for path in ("/", "/api/board", "/api/runs/run1"):
            answer = await client.head(path)
            assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.anyio
async def test_websockets_are_turned_away() -> None:
    made = app.create(asking.small().build())
    sent: list[object] = []

    async def receive() -> dict[str, object]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, object]) -> None:
        sent.append(message["type"])

    await made({"type": "websocket", "path": "/"}, receive, send)  # type: ignore[arg-type]
    assert sent == ["websocket.close"]


@pytest.mark.anyio
async def test_a_prefix_may_have_any_letters() -> None:
    async with asking.board(path_prefix="/a b/日本;x", token="sesame") as client:
        bare = await client.get("/a b/日本;x")
        assert (bare.status_code, bare.headers["location"]) == (301, "/a%20b/%E6%97%A5%E6%9C%AC%3Bx/")
        opened = await client.get("/a b/日本;x/?token=sesame")
        assert (opened.status_code, opened.headers["location"]) == (302, "./")
        asked = await client.get("/a b/日本;x/api/board", headers={"authorization": "Bearer sesame"})
        assert asked.status_code == 200
