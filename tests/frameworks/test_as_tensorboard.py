"""`lightboard.as_tensorboard` against the real package: the same program must leave equal events.

Each program runs twice, with `tensorboard` and with it hidden behind the stand-in. Times are left out, and maps are
compared without their order.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import wave
from typing import Any

import pytest

PROGRAMS = pathlib.Path(__file__).parent / "programs"
RUNS = ["stand_in_pytorch lightboard", "stand_in_pytorch with_protobuf", "stand_in_tensorflow lightboard"]


@pytest.fixture(scope="module", params=RUNS)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, pathlib.Path]:
    program, ours = request.param.split()
    root = tmp_path_factory.mktemp(program)
    run_both(program, root, ours)
    return root / "theirs", root / ours


def run_both(program: str, root: pathlib.Path, ours: str = "lightboard") -> None:
    environment = {**os.environ, "LIGHTBOARD_STRICT": "1", "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": ""}
    for writer in ("theirs", ours):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", str(PROGRAMS / f"{program}.py"), str(root / writer), writer],
            env=environment,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]


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
    parsed = []
    if event.graph_def:
        graph_pb2: Any = importlib.import_module("tensorboard.compat.proto.graph_pb2")
        parsed.append(graph_pb2.GraphDef.FromString(event.graph_def))
        event.graph_def = b""
    for value in event.summary.value:
        if value.metadata.plugin_data.plugin_name == "hparams":
            data = data_pb2.HParamsPluginData.FromString(value.metadata.plugin_data.content)
            if data.HasField("session_end_info"):
                data.session_end_info.end_time_secs = 0
            parsed.append(data)
            value.metadata.plugin_data.content = b""
    return event, parsed


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


# ---- lightboard.summary and lightboard.hparams against the originals ----


@pytest.fixture(scope="module")
def same_calls(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, pathlib.Path]:
    root = tmp_path_factory.mktemp("summary")
    run_both("stand_in_summary", root)
    return root / "theirs", root / "lightboard"


def test_our_summaries_are_those_of_tensorflow(same_calls: tuple[pathlib.Path, pathlib.Path]) -> None:
    theirs, ours = (
        {
            (event.step, value.tag): (described(value), parsed)
            for event, parsed in events(directory)["run"]
            for value in event.summary.value
        }
        for directory in same_calls
    )
    assert len(theirs) == 20
    assert theirs.keys() == ours.keys()
    for tag, expected in theirs.items():
        assert ours[tag] == expected, tag


def described(value: Any) -> Any:
    """What a value says. PNG and WAV files are decoded, for two programs may write one picture differently."""
    tensor_util: Any = importlib.import_module("tensorboard.util.tensor_util")
    array = tensor_util.make_ndarray(value.tensor)
    value.metadata.ClearField("data_class")  # we say it, TensorFlow leaves it to the reader
    shown = [decoded(each) for each in array.flat] if array.dtype.kind == "O" else array.tolist()
    return value.metadata.SerializeToString(), str(array.dtype), array.shape, shown


def decoded(content: bytes) -> Any:
    if content.startswith(b"\x89PNG"):
        pictures: Any = importlib.import_module("PIL.Image")
        picture = pictures.open(io.BytesIO(content))
        return picture.mode, picture.size, picture.tobytes()
    if content.startswith(b"RIFF"):
        with wave.open(io.BytesIO(content)) as sound:
            return sound.getparams(), sound.readframes(sound.getnframes())
    return content


def test_hparams_are_recorded_by_the_keras_callback(tmp_path: pathlib.Path) -> None:
    program = (
        "import keras, numpy as np, sys\n"
        "from lightboard import hparams as hp\n"
        "model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])\n"
        "model.compile('sgd', 'mse')\n"
        "callback = hp.KerasCallback(sys.argv[1], {'lr': 0.1, 'units': 1})\n"
        "model.fit(np.zeros((4, 3)), np.zeros((4, 1)), verbose=0, callbacks=[callback])\n"
        "assert not any(name.split('.')[0] == 'tensorflow' for name in sys.modules)\n"
    )
    environment = {**os.environ, "KERAS_BACKEND": "torch", "LIGHTBOARD_STRICT": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(tmp_path)],
        env=environment, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    started, ended = (parsed[0] for _, parsed in events(tmp_path)["."])
    assert {name: value.number_value for name, value in started.session_start_info.hparams.items()} == {
        "lr": 0.1,
        "units": 1.0,
    }
    assert ended.session_end_info.status == 1


# ---- what the pages say ----


@pytest.mark.parametrize("page", ["howto/use-without-tensorboard.md", "reference/as-tensorboard.md"])
def test_examples_run_without_tensorboard(page: str, tmp_path: pathlib.Path) -> None:
    text = (PROGRAMS.parent.parent.parent / "docs" / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert blocks
    hidden = (
        f"import sys\nsys.path.insert(0, {str(PROGRAMS)!r})\n"
        "import stand_in_hiding\nstand_in_hiding.hide('tensorboard')\n"
    )
    for block in blocks:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", hidden + block],
            cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False,
        )  # fmt: skip
        assert done.returncode == 0, block + done.stderr[-3000:]
    written = {path.parent.relative_to(tmp_path).parts[1] for path in tmp_path.rglob("events.out*")}
    assert written == set(re.findall(r'"runs/(\w+)"', text))


def test_a_trace_of_torch_is_left_in_the_run(tmp_path: pathlib.Path) -> None:
    program = (
        "import torch\n"
        "from lightboard import summary\n"
        "with summary.create_file_writer('run', strict=True).as_default(step=3):\n"
        "    summary.trace_on(graph=True, profiler=True)\n"
        "    torch.rand(10, 10) @ torch.rand(10, 10)\n"
        "    summary.trace_export('steps')\n"
        "summary.trace_on(profiler=True)\n"
        "summary.trace_off()\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    (trace,) = (tmp_path / "run").glob("*.pt.trace.json")
    assert "steps_3" in trace.name
    assert any("aten::" in event.get("name", "") for event in json.loads(trace.read_text())["traceEvents"])
