"""TensorBoard's core routes and the conventions all of `/data` keeps."""

from __future__ import annotations

import pathlib

import httpx
import made_trials
import pytest
from data_client import Client, answered, strings

from lightboard import store, types
from lightboard.server import app


def made() -> store.Store:
    builder = store.Builder().scalars("b/late", "loss", [1.0], wall_times=[20.0])
    builder.scalars("a", "loss", [1.0], wall_times=[10.0]).scalars("z", "loss", [2.0], wall_times=[10.0])
    return builder.tensors("a", "words", types.Kind.TEXT, [strings(b"hi")]).build()


async def test_runs_stand_by_start_then_name() -> None:
    async with Client(made()) as ask:
        assert await ask.json("/data/runs") == ["a", "z", "b/late"]


async def test_the_environment_says_where_the_data_lie() -> None:
    options = {
        "logdir": "logs",
        "window_title": "mine",
        "flags": {"port": 6006, "paths": ("x", {"y": None}), "o": object},
    }
    async with Client(made(), **options) as ask:
        found = await ask.json("/data/environment")
        assert found["data_location"] == "logs"
        assert found["window_title"] == "mine"
        assert found["debug"]["flags"]["port"] == 6006
        assert set(found) == {
            "version",
            "data_location",
            "window_title",
            "experiment_name",
            "experiment_description",
            "creation_time",
            "debug",
        }
        assert await ask.json("/data/logdir") == {"logdir": "logs"}
        assert await ask.json("/data/window_properties") == {"window_title": "mine"}


async def test_the_listing_enables_what_the_logs_hold() -> None:
    async with Client(made(), path_prefix="/x") as ask:
        listing = await ask.json("/x/data/plugins_listing", experimentalPlugin=["a", "b"])
    assert [name for name, tab in listing.items() if tab["enabled"]] == ["timeseries", "scalars", "text"]
    assert list(listing)[:3] == ["timeseries", "scalars", "custom_scalars"]
    assert listing["scalars"]["loading_mechanism"] == {
        "type": "CUSTOM_ELEMENT",
        "element_name": "tf-scalar-dashboard",
    }
    assert listing["timeseries"]["loading_mechanism"] == {"type": "NG_COMPONENT"}
    assert listing["projector"]["loading_mechanism"]["module_path"] == "/x/data/plugin/projector/index.js"
    assert listing["graphs"]["disable_reload"] is True


async def test_logs_with_hparams_enable_their_page() -> None:
    sessions = made_trials.Sessions().session("a", {"lr": 0.1}, loss=1.0)
    async with Client(sessions.builder.build()) as ask:
        assert (await ask.json("/data/plugins_listing"))["hparams"]["enabled"] is True
    async with Client(made()) as ask:
        assert (await ask.json("/data/plugins_listing"))["hparams"]["enabled"] is False


async def test_hosted_routes_answer_with_nothing() -> None:
    async with Client(made()) as ask:
        assert await ask.json("/data/experiments") == []
        assert await ask.json("/data/experiment_runs") == []
        moved = await ask.get("/data/notifications")
        assert (moved.status_code, moved.headers["location"]) == (302, "../notifications_note.json")
        assert await ask.json("/notifications_note.json") == {"notifications": []}


async def test_old_addresses_lead_to_the_page() -> None:
    async with Client(made(), path_prefix="/x") as ask:
        moved = await ask.get("/x/events")
        assert (moved.status_code, moved.headers["location"]) == (302, "/x/")


async def test_plugin_entry_knows_no_third_party_plugin() -> None:
    async with Client(made()) as ask:
        assert (await ask.get("/data/plugin_entry.html", name="nobody")).status_code == 404
        assert (await ask.get("/data/plugin_entry.html", name="scalars")).status_code == 400


@pytest.mark.parametrize(
    "path", ["/experiment/defaultExperimentId/data/runs", "/experiment//data/runs/", "/data/runs/"]
)
async def test_an_experiment_in_front_and_a_slash_behind_are_ignored(path: str) -> None:
    async with Client(made()) as ask:
        assert await ask.json(path) == ["a", "z", "b/late"]


async def test_nothing_answers_outside_the_prefix() -> None:
    async with Client(made(), path_prefix="/x") as ask:
        assert (await ask.get("/data/runs")).status_code == 404
        assert await ask.json("/x/experiment/e/data/runs") == ["a", "z", "b/late"]


async def test_answers_are_not_cached_and_not_sniffed() -> None:
    async with Client(made()) as ask:
        headers = (await ask.get("/data/runs")).headers
    assert headers["cache-control"] == "no-cache, must-revalidate"
    assert headers["expires"] == "0"
    assert headers["x-content-type-options"] == "nosniff"


async def test_errors_are_plain_text() -> None:
    async with Client(made()) as ask:
        for response, status, start in (
            (await ask.get("/data/nowhere"), 404, "Not found"),
            (await ask.get("/data/plugin/nobody/tags"), 404, "Not found"),
            (await ask.get("/data/plugin/scalars/scalars", run="a"), 400, "Invalid argument: "),
            (await ask.get("/data/plugin/scalars/scalars", run="a", tag="x"), 404, "Not found: "),
            (await ask.get("/data/plugin/images/images", run="a", tag="x", sample="one"), 404, "Not found: "),
            (await ask.get("/experiment/e/data/plugin/images/individualImage"), 400, "Invalid argument: "),
        ):
            assert (response.status_code, response.headers["content-type"]) == (status, "text/plain; charset=utf-8")
            assert response.text.startswith(start)


async def test_long_answers_are_compressed_where_the_client_takes_it() -> None:
    source = store.Builder().scalars("r", "t", list(range(5000))).build()
    async with Client(source) as ask:
        packed = await ask.get("/data/plugin/scalars/scalars", run="r", tag="t")
        assert packed.headers["content-encoding"] == "gzip"
        assert len(answered(packed)) == 5000


async def test_forms_are_read_in_both_codings() -> None:
    async with Client(made()) as ask:
        path = "/data/plugin/scalars/scalars_multirun"
        plain = await ask.post(path, tag="loss", runs=["a", "z"])
        parts = [("tag", (None, "loss")), ("runs", (None, "a")), ("runs", (None, "z"))]
        multipart = await ask.http.post(path, files=parts)
        assert "multipart/form-data" in multipart.request.headers["content-type"]
        assert answered(plain) == answered(multipart) == {"a": [[10.0, 0, 1.0]], "z": [[10.0, 0, 2.0]]}


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b'{"tag": "loss"}', "application/json", 400),
        (b"nonsense", "multipart/form-data; boundary=x", 400),
        (b"--x\r\n\r\n", "multipart/form-data", 400),
        (b"\xff\xfe=1", "application/x-www-form-urlencoded", 400),
    ],
)
async def test_a_bad_form_is_refused(body: bytes, content_type: str, status: int) -> None:
    async with Client(made()) as ask:
        response = await ask.http.post(
            "/data/plugin/scalars/scalars_multirun", content=body, headers={"Content-Type": content_type}
        )
    assert response.status_code == status


async def test_names_in_any_script_go_through() -> None:
    run, tag = "läufe/试验 1", "损失&=?#%+/ö"
    source = store.Builder().scalars(run, tag, [4.0], wall_times=[1.0]).build()
    async with Client(source) as ask:
        assert await ask.json("/data/plugin/scalars/scalars", run=run, tag=tag) == [[1.0, 0, 4.0]]
        parts: list[tuple[str, tuple[None, str]]] = [("tag", (None, tag)), ("runs", (None, run))]
        response: httpx.Response = await ask.http.post("/data/plugin/scalars/scalars_multirun", files=parts)
        assert answered(response) == {run: [[1.0, 0, 4.0]]}


def test_every_route_is_in_the_reference() -> None:
    document = pathlib.Path(__file__).parents[2] / "docs/reference/tensorboard-api.md"
    text = document.read_text("utf-8")
    paths = [path for path in app.create(made()).data_paths() if path.startswith("/data/")]
    assert len(paths) > 30
    assert [path for path in paths if path not in text] == []
