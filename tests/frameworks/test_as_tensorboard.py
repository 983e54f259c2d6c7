"""`lightboard.as_tensorboard` against the real package: the same program must leave equal events.

Each program runs twice, with `tensorboard` and with it hidden behind the stand-in. Times are left out, and maps are
compared without their order.
"""

from __future__ import annotations

import importlib
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

PROGRAMS = pathlib.Path(__file__).parent / "programs"


@pytest.fixture(scope="module", params=["stand_in_pytorch", "stand_in_tensorflow"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, pathlib.Path]:
    root = tmp_path_factory.mktemp(request.param)
    environment = {**os.environ, "LIGHTBOARD_STRICT": "1", "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": ""}
    for writer in ("theirs", "lightboard"):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", str(PROGRAMS / f"{request.param}.py"), str(root / writer), writer],
            env=environment,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
    return root / "theirs", root / "lightboard"


def events(directory: pathlib.Path) -> dict[str, list[Any]]:
    """{run: events}, parsed by TensorBoard."""
    loader: Any = importlib.import_module("tensorboard.backend.event_processing.event_file_loader")
    event_pb2: Any = importlib.import_module("tensorboard.compat.proto.event_pb2")
    found: dict[str, list[Any]] = {}
    for path in sorted(directory.rglob("events.out*")):
        run = found.setdefault(str(path.parent.relative_to(directory)), [])
        for raw in loader.RawEventFileLoader(str(path)).Load():
            event = event_pb2.Event.FromString(raw)
            if not event.HasField("file_version"):
                run.append(comparable(event))
    return found


def comparable(event: Any) -> Any:
    """Without times; what plugins keep as bytes, parsed, so that the order of a map does not count."""
    data_pb2: Any = importlib.import_module("tensorboard.plugins.hparams.plugin_data_pb2")
    event.wall_time = 0
    event.ClearField("source_metadata")
    hparams = []
    for value in event.summary.value:
        if value.metadata.plugin_data.plugin_name == "hparams":
            parsed = data_pb2.HParamsPluginData.FromString(value.metadata.plugin_data.content)
            parsed.session_end_info.end_time_secs = 0
            hparams.append(parsed)
            value.metadata.plugin_data.content = b""
    return event, hparams


def test_the_events_are_equal(both: tuple[pathlib.Path, pathlib.Path]) -> None:
    theirs, ours = map(events, both)
    assert theirs.keys() == ours.keys()
    for run, expected in theirs.items():
        assert ours[run] == expected, run
    assert sum(map(len, theirs.values())) > 20


def test_the_files_beside_them_are_equal(both: tuple[pathlib.Path, pathlib.Path]) -> None:
    theirs, ours = (
        {
            str(path.relative_to(directory)): path.read_bytes()
            for path in directory.rglob("*")
            if path.is_file() and "tfevents" not in path.name and "ckpt" not in path.name and path.name != "checkpoint"
        }
        for directory in both
    )
    assert theirs == ours
    assert any(name.endswith("projector_config.pbtxt") for name in theirs)
