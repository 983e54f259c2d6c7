"""`lightboard.init`, `log`, `finish`: steps, names, configuration, values, and what happens without a run.

How runs end is in test_heartbeat.py.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from run_records import records

import lightboard
from lightboard import errors
from lightboard.sdk import run_records, runs, trouble


def begin(directory: pathlib.Path, **named: Any) -> runs.Run:
    quiet = {"metadata": False, "system_metrics": False, "console": False}
    return lightboard.init(dir=directory, **{"name": "a", **quiet, **named})


def test_steps_count_by_themselves(tmp_path: pathlib.Path) -> None:
    begin(tmp_path)
    lightboard.log({"loss": 3.0})
    lightboard.log({"loss": 2.0}, commit=False)
    lightboard.log({"acc": 0.5})
    lightboard.log({"loss": 1.0}, step=10)
    lightboard.log({"loss": 0.5})
    lightboard.finish()
    with lightboard.open(tmp_path) as logs:
        assert [(step, value) for step, _, value in logs.scalars("a", "loss")] == [(0, 3), (1, 2), (10, 1), (11, 0.5)]
        assert logs.scalars("a", "acc").steps.tolist() == [1]


def test_numbers_of_all_sorts_and_nested_names(tmp_path: pathlib.Path) -> None:
    with begin(tmp_path) as run:
        run.log(
            {"a": True, "b": 2, "c": np.float32(0.5), "d": np.array([7]), "e": {"f": {"g": np.int64(9)}}, "h": None}
        )
        run.log({"a": float("nan")})
    with lightboard.open(tmp_path) as logs:
        last = {tag: float(logs.scalars("a", tag).values[0]) for tag in logs.tags("scalars")}
        assert last == {"a": 1, "b": 2, "c": 0.5, "d": 7, "e/f/g": 9}
        assert np.isnan(logs.scalars("a", "a").values[1])


def test_a_value_that_cannot_be_logged_hides_no_other(tmp_path: pathlib.Path) -> None:
    run = begin(tmp_path)
    with pytest.warns(trouble.LoggingWarning, match="object") as caught:
        run.log({"loss": 1.0, "odd": object()})
    assert caught[0].filename == __file__
    lightboard.finish()
    with lightboard.open(tmp_path) as logs:
        assert logs.tags("scalars") == ["loss"]


def test_strict_runs_raise(tmp_path: pathlib.Path) -> None:
    with begin(tmp_path, strict=True) as run, pytest.raises(TypeError):
        run.log({"odd": object()})


def test_logging_without_a_run_warns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert runs.current() is None
    with pytest.warns(trouble.LoggingWarning, match="init"):
        lightboard.log({"loss": 1.0})
    lightboard.finish()
    monkeypatch.setenv("LIGHTBOARD_STRICT", "1")
    with pytest.raises(errors.BadInput):
        lightboard.log({"loss": 1.0})


@dataclasses.dataclass
class Settings:
    lr: float = 0.1


@pytest.mark.parametrize("config", [{"lr": 0.1}, argparse.Namespace(lr=0.1), Settings()])
def test_configuration_becomes_hparams(tmp_path: pathlib.Path, config: Any) -> None:
    with begin(tmp_path, config=config, group="sweep", tags=["x"]) as run:
        run.config.layers = {"count": 3, "sizes": [1, 2]}
        run.config.update(seed=np.int64(5))
        run.log({"loss": 1.0})
        run.config["late"] = 1
        run.summary["best"] = 0.25
    with lightboard.open(tmp_path) as logs:
        assert logs.hparams("a") == {"lr": 0.1, "layers/count": 3, "layers/sizes": "[1, 2]", "seed": 5, "late": 1}
        assert not any(tag.startswith("_lightboard_/") for tag in logs.tags())
        assert "_lightboard_/config" in {entry.tag for entry in logs.series(hidden=True)}
        first, last = records(logs, "a", "config")
        assert (first["group"], first["tags"]) == ("sweep", ["x"])
        assert "late" not in first["config"]
        assert last["config"]["late"] == 1
        assert records(logs, "a", "summary") == [{"loss": 1.0, "best": 0.25}]


def test_configuration_reads_like_attributes() -> None:
    config = runs.Config(lr=0.1)
    assert config.lr == config["lr"] == 0.1
    with pytest.raises(AttributeError):
        _ = config.missing


def test_a_new_run_ends_the_one_before(tmp_path: pathlib.Path) -> None:
    first = begin(tmp_path, name="first")
    begin(tmp_path, name="second")
    lightboard.log({"loss": 1.0})
    lightboard.finish()
    first.finish()
    with lightboard.open(tmp_path) as logs:
        assert [each["status"] for each in records(logs, "first", "heartbeat")] == ["running", "success"]
        assert logs.scalars("second", "loss").values.tolist() == [1]


def test_projects_are_folders_and_names_are_free(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lightboard.sdk.runs.time.strftime", lambda *_: "Nov15_10-00-00")
    monkeypatch.setattr("lightboard.sdk.runs.socket.gethostname", lambda: "host")
    directories = []
    for _ in range(2):
        with begin(tmp_path, project="digits", name=None) as run:
            directories.append(pathlib.Path(run.dir).relative_to(tmp_path).as_posix())
    assert directories == ["digits/Nov15_10-00-00_host", "digits/Nov15_10-00-00_host_2"]


@pytest.mark.parametrize(("name", "folder"), [("a/b", "a/b"), ("../../x", "x"), ("/abs", "abs"), ("..", "run")])
def test_a_name_does_not_lead_out_of_the_directory(tmp_path: pathlib.Path, name: str, folder: str) -> None:
    with begin(tmp_path, name=name) as run:
        assert pathlib.Path(run.dir) == tmp_path / folder


def test_the_place_comes_from_the_environment(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTBOARD_LOGDIR", str(tmp_path / "logs"))
    with lightboard.init(name="a", metadata=False, system_metrics=False, console=False) as run:
        assert pathlib.Path(run.dir) == tmp_path / "logs" / "a"


def test_odd_configurations_are_written_as_text() -> None:
    assert run_records.plain({1: {float("inf")}, "f": run_records, "n": np.arange(3)})["1"] == ["inf"]
    assert run_records.to_json({"a": "\ud800"}) == b'{"a":"\\ud800"}'


def test_importing_runs_loads_no_numpy() -> None:
    code = "import sys, lightboard; lightboard.init; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_directory_that_cannot_be_made_ends_no_program(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code = (
        "import sys, lightboard\n"
        "with lightboard.init(name='a', dir=sys.argv[1], config=5, system_metrics=False) as run:\n"
        "    run.log({'loss': 1.0})\n"
        "    run.config.lr = 0.1\n"
        "    run.log({'loss': 0.5})\n"
        "print('trained')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "file")], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "trained\n"), done.stderr
    assert "LoggingWarning" in done.stderr


def test_a_forked_child_logs_although_a_thread_of_its_parent_held_the_run(tmp_path: pathlib.Path) -> None:
    code = (
        "import os, sys, threading, lightboard\n"
        "run = lightboard.init(name='a', dir=sys.argv[1], metadata=False, system_metrics=False, console=False)\n"
        "held, done = threading.Event(), threading.Event()\n"
        "def hold():\n"
        "    with run._lock: held.set(); done.wait()\n"
        "threading.Thread(target=hold).start(); held.wait()\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    lightboard.log({'child': 1.0}); run.recorder.flush(); os._exit(0)\n"
        "os.waitpid(pid, 0); done.set(); lightboard.log({'parent': 1.0})"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code, str(tmp_path)], check=True, timeout=60)
    with lightboard.open(tmp_path) as logs:
        assert logs.tags("scalars") == ["child", "parent"]
