"""`/api/runs`, `/api/tags`, `/api/board`, `/api/health` over HTTP."""

from __future__ import annotations

import pathlib

import asking
import numpy as np
import pytest

from lightboard import errors, query, store, types


@pytest.mark.anyio
async def test_the_board_tells_what_it_has() -> None:
    async with asking.board(window_title="My runs", logdir="/data/logs") as client:
        found = (await client.get("/api/board")).json()
    assert (found["name"], found["logdir"], found["faults"]) == ("My runs", "/data/logs", 0)
    assert found["counts"] == {"runs": 3, "files": 4, "series": 4, "points": 62, "tags": {"scalars": 1, "images": 1}}
    assert found["progress"]["done"] is True
    assert found["version"] > 0
    assert found["session"]


@pytest.mark.anyio
async def test_runs_come_in_natural_order_as_columns() -> None:
    async with asking.board() as client:
        found = (await client.get("/api/runs")).json()
    assert found["name"] == ["run1", "run2", "run10"]
    assert found["total"] == 3
    assert {len(column) for name, column in found.items() if isinstance(column, list) and name != "removed"} == {3}
    assert found["duration"] == [19.0] * 3
    assert found["state"] == ["finished"] * 3


@pytest.mark.anyio
async def test_runs_are_sorted_cut_and_filtered() -> None:
    async with asking.board() as client:
        down = (await client.get("/api/runs?sort=-name&offset=1&limit=1")).json()
        chosen = (await client.post("/api/runs", json={"filter": "run1$"})).json()
        wrong = await client.get("/api/runs?sort=colour")
    assert (down["name"], down["total"]) == (["run2"], 3)
    assert chosen["name"] == ["run1"]
    assert "`sort`" in wrong.json()["error"]["message"]


@pytest.mark.anyio
async def test_since_tells_what_changed_and_what_is_gone() -> None:
    builder = asking.small()
    store = builder.build()
    async with asking.board(store) as client:
        version = (await client.get("/api/runs")).json()["version"]
        builder.scalars("new", "loss", [1.0])
        files = np.nonzero(store.files_table.rows["run"] == store.run_row("run2"))[0]
        store.retire_files(files.tolist())
        found = (await client.get(f"/api/runs?since={version}")).json()
        tags = (await client.get(f"/api/tags?since={version}")).json()
        whole = (await client.get("/api/tags")).json()["kinds"]["scalars"]
    assert found["name"] == ["new"]
    assert found["removed"] == ["run2"]
    assert tags["kinds"]["scalars"]["tag"] == ["loss"]
    # how many runs have it, not how many of them changed
    assert tags["kinds"]["scalars"]["runs"] == [whole["runs"][whole["tag"].index("loss")]]


@pytest.mark.anyio
async def test_one_run_in_full() -> None:
    store = query.Builder().scalars("a/b c/ä", "loss", [1.0, 2.0]).build()
    async with asking.board(store) as client:
        found = (await client.get("/api/runs/a/b%20c/%C3%A4")).json()
        absent = await client.get("/api/runs/nobody")
    assert found["name"] == "a/b c/ä"
    assert found["tags"] == {"scalars": 1}
    assert found["files"][0]["start_time"] == 1.7e9
    assert absent.status_code == 404


@pytest.mark.anyio
async def test_the_run_of_the_root_is_found_where_browsers_ask_for_a_lone_dot() -> None:
    store = query.Builder().scalars(".", "loss", [1.0]).build()
    async with asking.board(store) as client:
        found = await client.get("/api/runs/")
    assert found.json()["name"] == "."


@pytest.mark.anyio
async def test_names_that_are_no_utf8_survive_the_way_there_and_back() -> None:
    store = query.Builder().scalars("caf\udce9", "loss", [1.0]).build()
    async with asking.board(store) as client:
        (name,) = (await client.get("/api/runs")).json()["name"]
        detail = await client.get("/api/runs/caf%E9")
        points = await client.post("/api/points", content=b'{"run": "caf\\udce9", "tag": "loss"}')
    assert name == "caf\udce9"
    assert points.json()["value"] == [1.0]
    assert detail.status_code == 200


@pytest.mark.anyio
async def test_tags_per_kind_with_their_runs() -> None:
    builder = asking.small()
    described = types.Metadata("scalars", display_name="Accuracy", description="**good**", data_class=1)
    builder.scalars("run1", "acc/10", [1.0], metadata=described).scalars("run1", "acc/2", [1.0])
    builder.tensors("run1", "odd", types.Kind.TENSORS, [asking.picture()], metadata=types.Metadata("my_plugin"))
    async with asking.board(builder.build()) as client:
        found = (await client.get("/api/tags")).json()["kinds"]
        one = (await client.get("/api/tags?run=run2")).json()["kinds"]
        some = (await client.get("/api/tags", params={"filter": "run1$"})).json()["kinds"]
    assert found["scalars"]["tag"] == ["acc/2", "acc/10", "loss"]
    assert found["scalars"]["runs"] == [1, 1, 3]
    assert found["scalars"]["display_name"] == {"acc/10": "Accuracy"}
    assert found["scalars"]["description"] == {"acc/10": "**good**"}
    assert found["tensors"]["plugin"] == {"odd": "my_plugin"}
    assert one["scalars"]["tag"] == ["loss"]
    assert some["scalars"]["runs"] == [1, 1, 1]


@pytest.mark.anyio
async def test_health_names_file_offset_and_reason() -> None:
    store = asking.small().build()
    store.faults[1] = [types.Fault("/logs/root/run2/events", 1234, "checksum", "the record's checksum is wrong")]
    store.paths._cache[1] = "/logs/root/run2/events"
    async with asking.board(
        store, roots=("/logs/root",), notices=(errors.Explanation("`--fast` has no effect"),)
    ) as client:
        found = (await client.get("/api/health")).json()
        board = (await client.get("/api/board")).json()
        runs = (await client.get("/api/runs")).json()
    (file,) = found["files"]
    assert (file["path"], file["run"]) == ("run2/events", "run2")
    told = {"offset": 1234, "reason": "checksum", "detail": "the record's checksum is wrong"}
    assert file["faults"] == [{**told, "code": "", "parameters": {}}]
    assert found["notices"][0]["message"] == "`--fast` has no effect"
    assert board["faults"] == 1
    assert runs["faults"] == [0, 1, 0]


@pytest.mark.anyio
async def test_a_filter_is_checked_while_it_is_typed() -> None:
    async with asking.board() as client:
        good = (await client.post("/api/filter", json={"filter": "run1$"})).json()
        bad = await client.post("/api/filter", json={"filter": 'last("loss") <'})
        refused = await client.post("/api/runs", json={"filter": 'last("loss") <'})
    assert good == {"run": ["run1"], "error": None}
    # browsers write refused requests to the console
    assert bad.status_code == 200
    assert bad.json() == {"run": [], "error": refused.json()["error"]}
    assert (refused.status_code, refused.json()["error"]["position"]) == (400, 14)


@pytest.mark.anyio
async def test_filters_are_completed() -> None:
    async with asking.board() as client:
        words = (await client.get("/api/complete", params={"filter": 'last("lo'})).json()["words"]
    assert words == ["loss"]


@pytest.mark.anyio
async def test_health_tells_of_a_logdir_that_is_not_there_as_long_as_it_is_not(tmp_path: pathlib.Path) -> None:
    logdir = tmp_path / "later"
    async with asking.board(roots=(str(logdir), str(tmp_path / "any*"))) as client:
        (notice,) = (await client.get("/api/health")).json()["notices"]
        assert notice["message"].endswith(f": {logdir}")
        logdir.mkdir()
        assert (await client.get("/api/health")).json()["notices"] == []


@pytest.mark.anyio
async def test_what_writers_said_about_a_tag_is_told_as_markup_with_who_said_it() -> None:
    def saying(text: str) -> types.Metadata:
        return types.Metadata("scalars", description=text, data_class=1)

    builder = store.Builder()
    for run in range(7):
        builder.scalars(f"run{run}", "loss", [1.0], metadata=saying("the **mean** <script>x</script>"))
    builder.scalars("run7", "loss", [1.0], metadata=saying("summed"))
    builder.scalars("run8", "loss", [1.0]).scalars("run0", "acc", [1.0])
    async with asking.board(builder.build()) as client:
        found = (await client.get("/api/descriptions?kind=scalars&tag=loss")).json()["said"]
        nothing = [
            (await client.get(f"/api/descriptions?kind={kind}&tag={tag}")).json()["said"]
            for kind, tag in (("scalars", "acc"), ("images", "loss"), ("tensors", "no such tag"))
        ]
        unknown = await client.get("/api/descriptions?kind=curves&tag=loss")
    assert [(one["runs"], one["count"]) for one in found] == [([f"run{i}" for i in range(5)], 7), (["run7"], 1)]
    assert "<strong>mean</strong>" in found[0]["html"]
    assert "<script" not in found[0]["html"]
    assert nothing == [[], [], []]
    assert unknown.status_code == 400
