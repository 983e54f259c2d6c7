"""`/api/annotations` over HTTP: change, export and import, who may, who hears of it. On disk: tests/sidecar."""

from __future__ import annotations

import json
import pathlib
import random

import asking
import pytest
from listening import Listener

from lightboard import sidecar
from lightboard.server import app

pytestmark = pytest.mark.anyio


async def test_a_remark_is_kept_and_shown_everywhere(tmp_path: pathlib.Path) -> None:
    fields = {"name": "Baseline", "note": "**good** <script>x</script>", "tags": ["paper"], "color": "#112233"}
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        before = (await client.get("/api/annotations")).json()
        changed = (
            await client.post("/api/annotations", json={"runs": {"run1": fields, "gone": {"archived": True}}})
        ).json()
        after = (await client.get("/api/annotations")).json()
        one = (await client.get("/api/annotations?run=run1&run=nobody&html=false")).json()
        detail = (await client.get("/api/runs/run1")).json()
        named = (await client.get("/api/runs", params={"filter": "baseline"})).json()
        labelled = (await client.get("/api/tags", params={"filter": '"paper" in labels'})).json()
    assert before == {
        "version": before["version"],
        "runs": {},
        "writable": True,
        "place": str(tmp_path / ".lightboard"),
    }
    expected = {**fields, "note_html": "<p><strong>good</strong> &lt;script&gt;x&lt;/script&gt;</p>"}
    assert changed["runs"] == {"run1": expected, "gone": {"archived": True}}
    assert changed["version"] > before["version"]
    assert after["runs"] == changed["runs"]
    assert one["runs"] == {"run1": fields}
    assert detail["annotations"] == expected
    assert named["name"] == ["run1"]
    assert labelled["kinds"]["scalars"]["runs"] == [1]


async def test_null_removes_and_the_answer_says_what_is_left(tmp_path: pathlib.Path) -> None:
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        await client.post(
            "/api/annotations", json={"runs": {"run1": {"name": "x", "note": "y"}, "run2": {"name": "z"}}}
        )
        left = (await client.post("/api/annotations", json={"runs": {"run1": {"note": None}, "run2": None}})).json()
        now = (await client.get("/api/annotations")).json()
    assert left["runs"] == {"run1": {"name": "x"}, "run2": {}}
    assert now["runs"] == {"run1": {"name": "x"}}


async def test_what_is_exported_can_be_imported(tmp_path: pathlib.Path) -> None:
    said = {
        "a": {"name": "Ä 🙂", "note": "# n"},
        "odd\udce9": {"tags": ["论文"]},
        "c": {"archived": True, "color": "#abcdef"},
    }
    (tmp_path / "other").mkdir()
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        await client.post("/api/annotations", content=json.dumps({"runs": said}))
        exported = await client.get("/api/annotations")
    async with asking.board(logdir_of_remarks=str(tmp_path / "other")) as client:
        answer = await client.post("/api/annotations", content=exported.content)
        imported = await client.get("/api/annotations")
    assert answer.status_code == 200
    assert imported.json()["runs"] == exported.json()["runs"]


@pytest.mark.parametrize(
    "body", ['{"runs": 3}', '{"runs": [1]}', '{"runs": {"a": 5}}', '{"runs": {"a": {"color": "red"}}}']
)
async def test_wrong_changes_are_refused_in_our_shape(tmp_path: pathlib.Path, body: str) -> None:
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        answer = await client.post("/api/annotations", content=body)
        now = (await client.get("/api/annotations")).json()
    assert (answer.status_code, answer.json()["error"]["status"], now["runs"]) == (400, 400, {})


async def test_a_get_changes_nothing_and_other_sites_may_not(tmp_path: pathlib.Path) -> None:
    change = {"runs": {"run1": {"name": "x"}}}
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        asked = await client.get("/api/annotations", params={"runs": json.dumps(change["runs"])})
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}):
            refused = await client.post("/api/annotations", json=change, headers=headers)
            assert refused.status_code == 403
        own = await client.post("/api/annotations", json=change, headers={"Sec-Fetch-Site": "same-origin"})
    assert asked.status_code == 400
    assert own.status_code == 200


async def test_a_board_that_keeps_nothing_says_so() -> None:
    async with asking.board() as client:
        empty = (await client.get("/api/annotations")).json()
        refused = await client.post("/api/annotations", json={"runs": {"run1": {"name": "x"}}})
    assert (empty["writable"], empty["place"], empty["runs"]) == (False, "", {})
    assert refused.status_code == 403


async def test_a_broken_file_is_told_of_in_health(tmp_path: pathlib.Path) -> None:
    (tmp_path / ".lightboard").mkdir()
    (tmp_path / ".lightboard" / "annotations.json").write_text("{")
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        assert (await client.get("/api/annotations")).json()["runs"] == {}
        (notice,) = (await client.get("/api/health")).json()["notices"]
        assert "cannot be read" in notice["message"]
        await client.post("/api/annotations", json={"runs": {"run1": {"name": "x"}}})
        (notice,) = (await client.get("/api/health")).json()["notices"]
        assert notice["code"] == "notes.set_aside"


async def test_pages_hear_of_remarks_of_this_board_and_of_another(tmp_path: pathlib.Path) -> None:
    store, other = asking.small().build(), asking.small().build()
    kept = sidecar.Sidecar(store, [str(tmp_path)])
    made = app.create(store, sidecar=kept)
    kept.start()
    listener = Listener(made)
    _, first = await listener.message()
    assert first["annotations"] is True
    kept.annotate({"run1": {"name": "x"}})
    _, told = await listener.message()
    assert (told["annotations"], told["views"], told["runs"]) == (True, False, [])
    sidecar.Sidecar(other, [str(tmp_path)]).save_view("v", "#x")
    _, told = await listener.message()
    assert (told["annotations"], told["views"]) == (False, True)
    sidecar.Sidecar(other, [str(tmp_path)]).annotate({"run2": {"archived": True}})
    _, told = await listener.message()
    assert (told["annotations"], told["views"]) == (True, False)
    assert set(store.annotations) == {"run1", "run2"}
    await listener.leave()
    kept.stop()


async def test_very_many_notes_are_rendered_only_when_asked_for(tmp_path: pathlib.Path) -> None:
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        runs = {f"r{number}": {"note": f"*{number}*"} for number in range(501)}
        await client.post("/api/annotations", json={"runs": runs, "html": False})
        every = (await client.get("/api/annotations")).json()["runs"]
        one = (await client.get("/api/annotations?run=r7")).json()["runs"]
        asked = (await client.get("/api/annotations?html=true")).json()["runs"]
    assert every["r7"] == {"note": "*7*"}
    assert one["r7"] == asked["r7"] == {"note": "*7*", "note_html": "<p><em>7</em></p>"}


async def test_very_long_notes_are_rendered_only_when_asked_for(tmp_path: pathlib.Path) -> None:
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        runs = {f"r{number}": {"note": "*long* " * 8_000} for number in range(20)}
        await client.post("/api/annotations", json={"runs": runs, "html": False})
        every = (await client.get("/api/annotations")).json()["runs"]
        one = (await client.get("/api/annotations?run=r7")).json()["runs"]
    assert "note_html" not in every["r7"]
    assert one["r7"]["note_html"].startswith("<p><em>long</em>")


async def test_random_changes_are_kept_whole_or_refused(tmp_path: pathlib.Path) -> None:
    rng = random.Random(11)
    values: list[object] = [
        None, True, False, 0, -1.5, float("nan"), 10**400, "", " ", "x", "界" * 300, "\x00\u202e\ud800",
        "#fff", "#00000g", [], ["a"], ["a", 1], [[]], [None], {}, {"a": 1}, "x" * 70_000,
    ]  # fmt: skip
    fields = ["name", "note", "tags", "archived", "color", "note_html", "", "__proto__", "name\x00"]
    async with asking.board(logdir_of_remarks=str(tmp_path)) as client:
        for _ in range(150):
            change: dict[str, object] = {
                rng.choice(["run1", "run2", "", ".", "\udc80", "x" * 5000]): rng.choice(
                    [None, 3, [], {name: rng.choice(values) for name in rng.sample(fields, rng.randrange(4))}]
                )
                for _ in range(rng.randrange(3))
            }
            before = (await client.get("/api/annotations?html=false")).json()["runs"]
            answer = await client.post("/api/annotations", content=json.dumps({"runs": change}))
            after = (await client.get("/api/annotations?html=false")).json()["runs"]
            assert answer.status_code in (200, 400), answer.text
            if answer.status_code == 400:
                assert after == before
        assert json.loads((tmp_path / ".lightboard" / "annotations.json").read_bytes())["runs"].keys() == after.keys()
        assert (await client.get("/api/health")).json()["notices"] == []
