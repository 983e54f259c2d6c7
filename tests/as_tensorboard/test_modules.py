"""The stand-in modules in a fresh interpreter: there when `tensorboard` is not, and not there when it is.

With real PyTorch and TensorFlow: tests/frameworks/test_as_tensorboard.py.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

import lightboard

HIDE = """
import sys
class Hidden:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] == "tensorboard" or name.startswith("google.protobuf"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden)
"""


def run(program: str, tmp_path: pathlib.Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False
    )


def test_what_pytorch_imports_is_there_and_writes(tmp_path: pathlib.Path) -> None:
    done = run(
        HIDE
        + """
import lightboard.as_tensorboard
assert lightboard.as_tensorboard.active
import tensorboard, importlib.util, io
assert tensorboard.__version__ >= "2" and importlib.util.find_spec("tensorboard") is not None
from tensorboard.compat import tf
from tensorboard.compat.proto import event_pb2
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tensorboard.plugins.hparams.api_pb2 import DataType, Status
from tensorboard.plugins.hparams.metadata import PLUGIN_NAME
from tensorboard.plugins.mesh import metadata
from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboard.summary.writer.record_writer import RecordWriter
from google.protobuf import struct_pb2, text_format
assert DataType.Value("DATA_TYPE_FLOAT64") == 3 and Status.Value("STATUS_SUCCESS") == 1
writer = EventFileWriter("logs")
value = Summary.Value(tag="loss", simple_value=0.5)
writer.add_event(Event(wall_time=1.0, step=3, summary=Summary(value=[value])))
writer.add_event(Event(wall_time=1.0, step=3, file_version="brain.Event:2"))
writer.close()
file = io.BytesIO()
RecordWriter(file).write(b"abc")
assert len(file.getvalue()) == 19
config = ProjectorConfig()
config.embeddings.add(tensor_name="a")
assert text_format.MessageToString(config) == 'embeddings {\\n  tensor_name: "a"\\n}\\n'
assert "torch" not in sys.modules and "tensorflow" not in sys.modules
""",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    with lightboard.open(str(tmp_path / "logs")) as logs:
        assert logs.scalars(".", "loss").values.tolist() == [0.5]


def test_a_real_package_is_never_shadowed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "tensorboard").mkdir()
    (tmp_path / "tensorboard" / "__init__.py").write_text("__version__ = 'real'\n")
    done = run(
        "import lightboard.as_tensorboard, tensorboard\n"
        "assert not lightboard.as_tensorboard.active\n"
        "assert tensorboard.__version__ == 'real'\n",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "is installed" in done.stderr


def test_what_is_missing_says_who_does_not_have_it(tmp_path: pathlib.Path) -> None:
    done = run(HIDE + "import lightboard.as_tensorboard, tensorboard\ntensorboard.program", tmp_path)
    assert "stand-in" in done.stderr and "pip install tensorboard" in done.stderr
    done = run(HIDE + "import lightboard.as_tensorboard\nimport tensorboard.backend", tmp_path)
    assert "No module named 'tensorboard.backend'" in done.stderr


@pytest.mark.parametrize("wrong", ["None", "'text'"])
def test_what_is_no_event_is_a_warning(wrong: str, tmp_path: pathlib.Path) -> None:
    done = run(
        HIDE
        + "import lightboard.as_tensorboard\n"
        + "from tensorboard.summary.writer.event_file_writer import EventFileWriter\n"
        + f"EventFileWriter('logs').add_event({wrong})\n",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "an Event is needed" in done.stderr
