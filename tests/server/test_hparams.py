"""`/api/hparams` over HTTP, and what a run tells about itself, from logs of `lightboard.init`."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import asking
import httpx
import pytest
from made_trials import Sessions

import lightboard
from lightboard import board, logdir

pytestmark = pytest.mark.anyio


def track(directory: pathlib.Path, name: str, error: BaseException | None = None, **named: Any) -> None:
    quiet = {"system_metrics": False, "console": False}
    run = lightboard.init(dir=directory, name=name, **{**quiet, **named})
    lightboard.log({"loss": 1.0})
    if "late" in name:
        run.config["warmup"] = 7
        run.config["opt"]["name"] = "sgd"
        lightboard.log({"loss": 0.5})
    lightboard.finish(error)


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    config = {"lr": 0.1, "opt": {"name": "adam", "betas": [0.9, 0.99]}, "amp": True, "seed": 10}
    track(tmp_path, "r1", config=config, project="p", tags=["x"], notes="# hello")
    track(tmp_path, "r10", config={**config, "lr": "auto", "seed": 2}, error=ValueError("boom"))
    track(tmp_path, "r2-late", config=config, metadata=False)
    track(tmp_path, "r3", metadata=False)
    return tmp_path


@pytest.fixture
def app(logs: pathlib.Path) -> Any:
    one = board.Board(logdir.spec_of([logdir.Root("", str(logs))]), board.Options(index=False))
    one.load()
    yield one.app()
    one.stop()


async def ask(app: Any, address: str) -> Any:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        answer = await client.get(address)
        assert answer.status_code == 200, answer.text
        return answer.json()


async def test_hparams_come_as_columns(app: Any) -> None:
    found = await ask(app, "/api/hparams")
    assert found["run"] == ["p/r1", "r2-late", "r3", "r10"]
    assert found["names"] == ["amp", "lr", "opt/betas", "opt/name", "seed", "warmup"]
    assert found["columns"]["lr"] == [0.1, 0.1, None, "auto"]
    assert found["columns"]["opt/name"] == ["adam", "sgd", None, "adam"], "what was changed later counts"
    assert found["columns"]["warmup"] == [None, 7, None, None]
    assert dict(zip(found["names"], found["kinds"], strict=True)) == {
        "amp": "bool", "lr": "text", "opt/betas": "text", "opt/name": "text", "seed": "number", "warmup": "number",
    }  # fmt: skip
    some = await ask(app, "/api/hparams?run=p/r1&run=r10&name=seed&name=amp&name=nobody")
    assert (some["names"], some["differs"]) == (["seed", "amp"], [True, False])
    few = await ask(app, "/api/hparams?filter=late&limit=2")
    assert (few["names"], few["total"], few["run"]) == (["amp", "lr"], 6, ["r2-late"])
    assert await ask(app, "/api/hparams?filter=nobody") | {"version": 0} == {
        "version": 0, "total": 0, "names": [], "differs": [], "kinds": [], "run": [], "columns": {},
    }  # fmt: skip


async def test_a_filter_knows_what_changed_later(app: Any) -> None:
    assert (await ask(app, "/api/runs?filter=hparams.warmup%3E5"))["name"] == ["r2-late"]


async def test_a_run_tells_where_it_comes_from(app: Any) -> None:
    run = await ask(app, "/api/runs/p/r1")
    assert run["config"] == {"lr": 0.1, "opt": {"name": "adam", "betas": [0.9, 0.99]}, "amp": True, "seed": 10}
    assert run["metadata"]["python"]["version"]
    assert run["summary"] == {"loss": 1.0}
    assert run["about"] == {"name": "r1", "project": "p", "tags": ["x"], "notes": "# hello"}
    assert run["directory"] == "p/r1"
    assert run["heartbeat"]["status"] == "success"
    assert 0 <= run["heartbeat"]["age"] < 3600
    assert run["annotations"] == {}
    assert run["files"][0]["faults"] == []


async def test_a_crash_is_told_in_words(app: Any) -> None:
    run = await ask(app, "/api/runs/r10")
    assert (run["state"], run["heartbeat"]["status"], run["heartbeat"]["detail"]) == (
        "crashed",
        "failure",
        "ValueError: boom",
    )


async def test_a_late_configuration_is_the_one_that_is_told(app: Any) -> None:
    assert (await ask(app, "/api/runs/r2-late"))["config"]["opt"]["name"] == "sgd"
    assert (await ask(app, "/api/runs/r2-late"))["metadata"] == {}


async def test_a_damaged_file_is_told_with_the_run(logs: pathlib.Path) -> None:
    (file,) = (logs / "r3").iterdir()
    body = bytearray(file.read_bytes())
    body[200] ^= 0xFF
    file.write_bytes(bytes(body))
    one = board.Board(logdir.spec_of([logdir.Root("", str(logs))]), board.Options(index=False))
    one.load()
    run = await ask(one.app(), "/api/runs/r3")
    one.stop()
    assert run["files"][0]["bad_records"] == len(run["files"][0]["faults"]) > 0
    assert run["files"][0]["faults"][0]["detail"]


# ---- TensorBoard's routes

ROUTES = ("experiment", "session_groups", "metric_evals", "download_data")


async def post(store: Any, route: str, question: Any) -> httpx.Response:
    async with asking.board(store) as client:
        content = question if isinstance(question, bytes) else json.dumps(question).encode()
        return await client.post(f"/data/plugin/hparams/{route}", content=content)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("question", [b"", b"[]", b"null", b"{", b'"x"', b"[" * 10_000, {"unknownField": 1}])
async def test_odd_questions_are_refused(route: str, question: Any) -> None:
    answer = await post(None, route, question)
    assert answer.status_code == 400, answer.text
    assert answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    "question",
    [
        {"colParams": {}},
        {"colParams": [1]},
        {"colParams": [{}]},
        {"colParams": [{"hparam": 1}]},
        {"colParams": [{"hparam": "lr", "order": "UP"}]},
        {"colParams": [{"hparam": "lr", "filterInterval": {"minValue": "low"}}]},
        {"colParams": [{"hparam": "lr", "filterDiscrete": "x"}]},
        {"allowedStatuses": ["STATUS_ODD"]},
        {"allowedStatuses": "STATUS_SUCCESS"},
        {"sliceSize": "many"},
        {"aggregationType": 9},
        {"includeMetrics": "yes"},
    ],
)
async def test_odd_requests_for_groups_are_refused(question: Any) -> None:
    answer = await post(None, "session_groups", question)
    assert answer.status_code == 400, answer.text


async def test_requests_may_be_written_in_either_way() -> None:
    store = (
        Sessions().session("a", {"lr": 0.1}, status=1, loss=1.0).session("b", {"lr": 0.2}, status=2, loss=2.0).build()
    )
    camel = {
        "allowedStatuses": ["STATUS_SUCCESS", "STATUS_FAILURE"], "sliceSize": 10,
        "colParams": [
            {"hparam": "lr", "order": "ORDER_DESC", "filterInterval": {"minValue": "-Infinity", "maxValue": 1}}
        ],
    }  # fmt: skip
    snake = {
        "allowed_statuses": [1, 2], "slice_size": "10", "start_index": None,
        "col_params": [{"hparam": "lr", "order": 2, "filter_interval": {"min_value": "-Infinity", "max_value": 1.0}}],
    }  # fmt: skip
    one, other = await post(store, "session_groups", camel), await post(store, "session_groups", snake)
    assert one.json() == other.json()
    assert [each["name"] for each in one.json()["sessionGroups"]] == ["b", "a"]


async def test_no_hparams_are_an_empty_answer() -> None:
    assert (await post(None, "session_groups", {"sliceSize": 10})).json() == {"sessionGroups": [], "totalSize": 0}
    assert (await post(None, "experiment", {})).json()["hparamInfos"] == []


async def test_downloads_leave_hidden_columns_out_and_need_to_be_told() -> None:
    store = Sessions().session("a", {"lr": 0.1, "opt": "50%_x"}, loss=float("inf")).build()
    request = json.dumps({"sliceSize": 10, "allowedStatuses": [0, 1, 2, 3]})
    async with asking.board(store) as client:

        async def get(**fields: str) -> httpx.Response:
            return await client.get("/data/plugin/hparams/download_data", params={"request": request, **fields})

        assert (await get(format="csv", columnsVisibility="[false, true]")).text == "opt\r\n50%_x\r\n"
        latex = (await get(format="latex", columnsVisibility="[true, true, true]")).text
        assert r"$0.1$ & 50\%\_x & $+\infty$ \\" in latex
        told = (await get(format="json", columnsVisibility="[true, true, true]")).json()
        assert told["rows"] == [[0.1, "50%_x", "Infinity"]]
        for odd in (
            {"format": "xls", "columnsVisibility": "[]"},
            {"format": "csv"},
            {"format": "csv", "columnsVisibility": "1"},
        ):
            assert (await get(**odd)).status_code == 400
        assert (await client.put("/data/plugin/hparams/experiment", content=b"{}")).status_code == 405
