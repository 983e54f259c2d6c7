"""`/api/trials`, its importance and its files over HTTP."""

from __future__ import annotations

import pathlib
from typing import Any

import asking
import event_files
import numpy as np
import pytest
from made_trials import Sessions

import lightboard
from lightboard.sdk import hparams_messages
from lightboard.server import frames

pytestmark = pytest.mark.anyio


def grid() -> Sessions:
    """Units × dropout × optimizer."""
    made = Sessions()
    for units in (16, 32):
        for dropout in (0.1, 0.2):
            for optimizer in ("adam", "sgd"):
                accuracy = 0.5 + units / 100 - dropout + 0.1 * (optimizer == "adam")
                hparams = {"num_units": units, "dropout": dropout, "optimizer": optimizer}
                made.session(f"run-{units}-{dropout}-{optimizer}", hparams, status=1, accuracy=[0.1, accuracy])
    return made.session("stray", loss=1.0)


async def frame(client: Any, **asked: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    got = await client.get("/api/trials", params=asked)
    sent = await client.post("/api/trials", json=asked)
    assert got.status_code == 200, got.text
    assert got.headers["content-type"] == frames.MEDIA_TYPE
    assert got.content == sent.content
    return frames.decode(got.content)


async def test_a_grid_comes_as_columns() -> None:
    async with asking.board(grid().build()) as client:
        header, arrays = await frame(client)
    assert (header["total"], len(header["runs"]), header["unchanged"]) == (8, 8, False)
    assert [(each["name"], each["kind"], each["differs"]) for each in header["hparams"]] == [
        ("dropout", "number", True), ("num_units", "number", True), ("optimizer", "text", True),
    ]  # fmt: skip
    assert arrays["hparam.1"].tolist() == [16.0] * 4 + [32.0] * 4
    words = header["hparams"][2]["values"]
    assert [words[code] for code in arrays["hparam.2"].tolist()] == ["adam", "sgd"] * 4
    assert [each["tag"] for each in header["metrics"]] == ["accuracy"]
    assert arrays["value.0"][:2].tolist() == pytest.approx([0.66, 0.56])
    assert arrays["step.0"].tolist() == [1] * 8
    assert arrays["sessions"].tolist() == [1] * 8
    assert [header["statuses"][code] for code in arrays["status"].tolist()] == ["success"] * 8
    assert header["absent"] == [{"run": "stray", "reason": "no_hparams", "detail": ""}]
    assert "why.0" not in arrays
    assert not any(name.startswith("deviation") for name in arrays)


async def test_filters_and_chosen_columns() -> None:
    async with asking.board(grid().build()) as client:
        header, arrays = await frame(
            client,
            filter='hparams.optimizer == "sgd"',
            hparam=["num_units"],
            metric=["accuracy", "loss"],
            group=["", ""],
            goal=["min", "auto"],
            aggregate="best",
        )
    assert [run.rpartition("-")[2] for run in header["runs"]] == ["sgd"] * 4
    assert header["other_hparams"] == ["dropout", "optimizer"]
    assert arrays["value.0"].tolist() == pytest.approx([0.1] * 4)
    assert [header["reasons"][code] for code in arrays["why.1"].tolist()] == ["never_logged"] * 4
    assert np.isnan(arrays["value.1"]).all()


async def test_nothing_is_sent_twice() -> None:
    made = grid()
    store = made.build()
    async with asking.board(store) as client:
        header, _ = await frame(client)
        again, arrays = await frame(client, since=header["version"])
        assert (again["unchanged"], again["runs"], arrays) == (True, [], {})
        made.builder.scalars("run-16-0.1-adam", "accuracy", [0.99], steps=[2])
        later, arrays = await frame(client, since=header["version"])
    assert (later["unchanged"], arrays["value.0"][0]) == (False, pytest.approx(0.99))


async def test_importance_is_json() -> None:
    async with asking.board(grid().build()) as client:
        found = (await client.get("/api/trials/importance")).json()
    (metric,) = found["metrics"]
    assert (metric["tag"], metric["goal"], metric["trials"], metric["used"]) == ("accuracy", "max", 8, 8)
    assert metric["warnings"][0] == "few_trials"
    assert {each["name"] for each in metric["hparams"]} == {"dropout", "num_units", "optimizer"}


@pytest.mark.parametrize(
    ("format_", "begins"),
    [
        ("csv", b"trial,"),
        ("json", b'[{"trial": "run-32'),
        ("latex", b"\\begin"),
        ("parquet", b"PAR1"),
        ("arrow", b"\xff"),
    ],
)
async def test_files(format_: str, begins: bytes) -> None:
    asked = {"format": format_, "sort": ["-metric:accuracy"], "extra": ["status"]}
    async with asking.board(grid().build()) as client:
        got = await client.get("/api/trials/file", params=asked)
        sent = await client.post("/api/trials/file", json=asked)
    assert got.status_code == 200
    assert got.content == sent.content
    assert got.content.startswith(begins)
    assert 'filename="trials.' in got.headers["content-disposition"]


@pytest.mark.parametrize(
    "asked",
    [
        {"metric": ["a", "b"], "group": ["x"]},
        {"metric": ["a"], "goal": ["best"]},
        {"aggregate": "at"},
        {"aggregate": "median"},
        {"repeats": "all"},
        {"metric": ["a"] * 201},
        {"filter": "((("},
        {"step": "soon", "aggregate": "at"},
        {"lo": 5, "hi": 1},
    ],
)
async def test_what_makes_no_sense_is_refused(asked: dict[str, Any]) -> None:
    async with asking.board(grid().build()) as client:
        for route in ("/api/trials", "/api/trials/importance", "/api/trials/file"):
            answer = await client.post(route, json=asked)
            assert answer.status_code == 400, (route, answer.text)
            assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "asked",
    [
        {"lo": -(2**63), "hi": 2**63 - 1, "aggregate": "mean"},
        {"lo": 2**63 - 1},
        {"aggregate": "at", "step": -(2**63)},
        {"aggregate": "at", "step": 2**63 - 1},
        {"aggregate": "at", "step": 3, "lo": 9},
        {"by": "nobody"},
        {"by": "accuracy", "by_group": "..", "aggregate": "max", "lo": 1},
        {"by": "loss", "by_goal": "max"},
        {"metric": ["accuracy"], "group": ["/../..//./"]},
        {"metric": []},
        {"hparam": []},
        {"hparam": ["dropout"] * 5000},
        {"run": []},
        {"metric_limit": 0},
    ],
)
async def test_odd_ends_of_ranges_and_empty_lists_are_answered(asked: dict[str, Any]) -> None:
    async with asking.board(grid().build()) as client:
        for route in ("/api/trials", "/api/trials/importance", "/api/trials/file"):
            answer = await client.post(route, json=asked)
            assert answer.status_code == 200, (route, answer.text)


async def test_an_unknown_order_is_refused() -> None:
    async with asking.board(grid().build()) as client:
        answer = await client.get("/api/trials/file", params={"sort": "hparam:nobody"})
    assert (answer.status_code, "hparam:NAME" in answer.json()["error"]["message"]) == (400, True)


async def test_a_board_without_any_hparams_answers() -> None:
    async with asking.board() as client:
        header, arrays = await frame(client)
        importance = (await client.get("/api/trials/importance")).json()
        file = await client.get("/api/trials/file")
    assert (header["runs"], header["absent_total"]) == ([], 3)
    assert all(len(array) == 0 for array in arrays.values())
    assert importance["metrics"] == []
    assert file.text == "trial\r\n"


async def test_names_that_are_no_utf8_come_through() -> None:
    made = Sessions().session("bad\udcff", {"lr\udc80": 1.0, "opt": "x"}, loss=1.0)
    async with asking.board(made.build()) as client:
        header, _ = await frame(client)
        for format_ in ("csv", "json", "latex", "parquet"):
            assert (await client.get("/api/trials/file", params={"format": format_})).status_code == 200
    assert header["runs"] == ["bad\udcff"]


# ---- from files


def start(hparams: dict[str, Any], step: int = 0) -> bytes:
    value = hparams_messages.session_start(hparams, start_time_secs=100.0)
    return event_files.summary_event(event_files.field_bytes(1, value), step=step)


def write(path: pathlib.Path, *events: bytes) -> None:
    event_files.write(path, [event_files.version_event(), *events])


async def test_a_session_started_again_tells_more(tmp_path: pathlib.Path) -> None:
    """The store keeps a tag's first metadata; what later starts say is read from the files."""
    loss = event_files.scalar_event("loss", 0.5, 1)
    write(tmp_path / "twice" / "events.out.tfevents.1", start({"lr": 0.1, "units": 3}), loss)
    write(tmp_path / "twice" / "events.out.tfevents.2", start({"lr": 0.2, "opt": "adam"}))
    write(tmp_path / "one_file" / "events.out.tfevents.1", loss, start({"lr": 1}), start({"late": True}, step=7))
    with lightboard.open(tmp_path, index=False) as logs:
        async with asking.board(logs._store) as client:
            header, arrays = await frame(client)
            told = {each["name"]: arrays[f"hparam.{n}"].tolist() for n, each in enumerate(header["hparams"])}
            assert header["runs"] == ["one_file", "twice"]
            assert str(told) == str({"late": [1, -1], "lr": [1.0, 0.2], "opt": [-1, 0], "units": [np.nan, 3.0]})


async def test_lightnings_file_beside_the_logs(tmp_path: pathlib.Path) -> None:
    for version, rate in enumerate((0.1, 0.2)):
        directory = tmp_path / "lightning_logs" / f"version_{version}"
        write(directory / "events.out.tfevents.1", event_files.scalar_event("val_loss", rate, 1))
        (directory / "hparams.yaml").write_text(f"lr: {rate}\nmodel:\n  depth: 3\n", "utf-8")
    (tmp_path / "nothing").mkdir()
    (tmp_path / "nothing" / "hparams.yaml").write_text("lr: 1\n", "utf-8")
    with lightboard.open(tmp_path, index=False) as logs:
        async with asking.board(logs._store) as client:
            header, arrays = await frame(client)
            board = (await client.get("/api/board")).json()
            assert header["runs"] == ["lightning_logs/version_0", "lightning_logs/version_1"]
            assert [each["name"] for each in header["hparams"]] == ["lr", "model/depth"]
            assert arrays["hparam.0"].tolist() == [0.1, 0.2]
            assert [header["sources"][code] for code in arrays["source"].tolist()] == ["file", "file"]
            assert board["counts"]["tags"]["hparams"] == 1, "there is a page for them"
            (tmp_path / "lightning_logs" / "version_1" / "hparams.yaml").write_text("lr: 0.7\n", "utf-8")
            logs.refresh()
            later, arrays = await frame(client, since=header["version"])
            assert (later["unchanged"], arrays["hparam.0"].tolist()) == (False, [0.1, 0.7])


async def test_broken_files_do_no_harm(tmp_path: pathlib.Path) -> None:
    write(tmp_path / "run" / "events.out.tfevents.1", event_files.scalar_event("loss", 1.0, 1))
    for content in (b"\xff\xfe\x00", b"{" * 10_000, b"", b"- just\n- a list\n", b"&a *a !!x"):
        (tmp_path / "run" / "hparams.yaml").write_bytes(content)
        with lightboard.open(tmp_path, index=False) as logs:
            async with asking.board(logs._store) as client:
                header, _ = await frame(client)
        assert header["runs"] == []
        assert [each["reason"] for each in header["absent"]] == ["no_hparams"]


@pytest.mark.parametrize("corpus", ["hf_trainer", "lightning", "torch_writer", "hparams_tuning"])
async def test_logs_of_real_writers_have_trials(corpus: str) -> None:
    data = pathlib.Path(__file__).parents[1] / "data" / corpus
    with lightboard.open(data, index=False) as logs:
        async with asking.board(logs._store) as client:
            header, arrays = await frame(client)
    expected = {"hf_trainer": 2, "lightning": 2, "torch_writer": 6, "hparams_tuning": 23}
    assert len(arrays["sessions"]) == expected[corpus]
    assert header["hparams"]
    assert all(each["trials"] for each in header["metrics"] if each["tag"] != "absent")


async def test_the_tutorials_grid() -> None:
    """Units × dropout × optimizer, as its text describes the table: 18 trials, three columns, accuracy."""
    data = pathlib.Path(__file__).parents[1] / "data" / "hparams_tuning" / "logs" / "hparam_tuning"
    with lightboard.open(data, index=False) as logs:
        async with asking.board(logs._store) as client:
            header, arrays = await frame(client)
    assert [(each["name"], each["kind"]) for each in header["hparams"]] == [
        ("dropout", "number"), ("num_units", "number"), ("optimizer", "text"),
    ]  # fmt: skip
    assert header["hparams"][0]["domain"] == {"values": None, "lo": 0.1, "hi": 0.5}
    assert header["hparams"][1]["domain"] == {"values": [200.0, 300.0, 512.0], "lo": None, "hi": None}
    assert [(each["display"], each["goal"], each["trials"]) for each in header["metrics"]] == [("Accuracy", "max", 18)]
    assert len(set(zip(*(arrays[f"hparam.{n}"].tolist() for n in range(3)), strict=True))) == 18
    assert not np.isnan(arrays["value.0"]).any()
