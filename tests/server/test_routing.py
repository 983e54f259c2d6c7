"""The router: every address is answered by the same rules, whichever module has it and whenever that is loaded.

Left out on purpose: what the routes answer (a file each).
"""

from __future__ import annotations

import asking
import pytest

from lightboard import query, work
from lightboard.server import app, context, routing

PATHS = sorted(app.create(asking.small().build()).data_paths())
BY_POST = {path for path in PATHS if path.endswith("multirun")}


def allowed(path: str) -> str:
    if path.startswith("/data/plugin/hparams/") or path.endswith("timeSeries"):
        return "GET, POST"
    return "POST" if path in BY_POST else "GET"


def test_the_addresses_are_many_and_distinct() -> None:
    assert len(PATHS) > 40
    assert len(PATHS) == len(set(PATHS))


@pytest.mark.parametrize("path", PATHS)
async def test_other_methods_are_refused_with_the_possible_ones(path: str) -> None:
    async with asking.board() as client:
        for method in ("PUT", "PATCH", "DELETE", "OPTIONS"):
            answer = await client.request(method, path)
            assert (answer.status_code, answer.headers["allow"]) == (405, allowed(path)), method
            assert answer.text


@pytest.mark.parametrize("path", [path for path in PATHS if path not in BY_POST])
async def test_head_is_get_without_a_body(path: str) -> None:
    async with asking.board() as client:
        whole, head = await client.get(path), await client.head(path)
        assert (head.status_code, head.headers, head.content) == (whole.status_code, whole.headers, b"")


@pytest.mark.parametrize("path", [path for path in PATHS if path.startswith("/data/")])
async def test_one_slash_behind_and_an_experiment_before_an_address_change_nothing(path: str) -> None:
    async with asking.board() as client:
        plain = await client.get(path)
        for other in (f"{path}/", f"/experiment/mine{path}"):
            answer = await client.get(other)
            assert (answer.status_code, answer.content) == (plain.status_code, plain.content)
        for other in (f"{path}//", f"{path}/more", f"{path}%0A", path.upper()):
            assert (await client.get(other)).status_code == 404, other


async def test_below_a_prefix_are_the_same_addresses() -> None:
    async with asking.board(path_prefix="/team") as client:
        assert (await client.get("/team/data/runs")).json() == ["run1", "run10", "run2"]
        assert (await client.get("/team/api/board")).status_code == 200
        assert (await client.get("/data/runs")).status_code == 404


def made_router() -> routing.Router:
    source = query.Builder().build()
    return routing.Router(context.Context(store=source, work=work.Work(source)), app.MODULES)


@pytest.mark.parametrize("path", ["/api/steps", "/data/plugin/text/tags"])
def test_the_module_named_in_the_address_is_loaded_first(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    import_module = routing.module

    def noted(name: str) -> object:
        loaded.append(name)
        return import_module(name)

    monkeypatch.setattr(routing, "module", noted)
    router = made_router()
    assert router.known(path) is None
    assert router.find(path) is not None
    assert router.known(path) is not None
    assert loaded == [path.removesuffix("/tags").rpartition("/")[2]]
    assert not router.complete


def test_an_unknown_address_is_unknown_when_all_modules_are_loaded() -> None:
    router = made_router()
    assert router.find("/data/none") is None
    assert router.complete
    assert router.find("/data/none") is None


def test_parameters_of_an_address_are_found() -> None:
    match = made_router().find("/api/runs/a/b%")
    assert match is not None
    assert match.parameters == {"run": "a/b%"}
