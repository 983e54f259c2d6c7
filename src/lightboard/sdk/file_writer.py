"""`SummaryWriter.file_writer` and `.all_writers`: for programs that use the internals of PyTorch's writer.

They pass protobuf messages of TensorBoard or tensorboardX; only `SerializeToString` and the names of fields are used.
"""

from __future__ import annotations

import time
from typing import Any

from lightboard import wire
from lightboard.sdk import recorder as recorder_
from lightboard.sdk import values

# Event's payload: name of the field → number; the messages among them are serialized
_BYTES = {"graph_def": 4, "meta_graph_def": 9}
_MESSAGES = {"summary": 5, "log_message": 6, "session_log": 7, "tagged_run_metadata": 8}


class FileWriter:
    """One recorder with the methods of `torch.utils.tensorboard.FileWriter`."""

    def __init__(self, recorder: Any) -> None:
        self.recorder = recorder

    def get_logdir(self) -> str:
        return str(self.recorder.logdir)

    @property
    def event_writer(self) -> FileWriter:
        return self

    def add_event(self, event: Any, step: Any = None, walltime: float | None = None) -> None:
        wall_time = walltime or event.wall_time or time.time()
        at = values.step(event.step if step is None else step)
        kind = event.WhichOneof("what")
        if kind in _BYTES:
            self.recorder.event(_BYTES[kind], bytes(getattr(event, kind)), at, wall_time)
        elif kind in _MESSAGES:
            self.recorder.event(_MESSAGES[kind], getattr(event, kind).SerializeToString(), at, wall_time)

    def add_summary(self, summary: Any, global_step: Any = None, walltime: float | None = None) -> None:
        content = summary if isinstance(summary, bytes) else summary.SerializeToString()
        at = values.step(0 if global_step is None else global_step)
        self.recorder.event(recorder_.SUMMARY, content, at, walltime or time.time())

    def add_graph(self, graph_profile: Any, walltime: float | None = None) -> None:
        graph, stats = graph_profile
        self.add_onnx_graph(graph, walltime)
        metadata = wire.text(1, "step1") + wire.message(2, stats.SerializeToString())
        self.recorder.event(recorder_.TAGGED_RUN_METADATA, metadata, 0, walltime or time.time())

    def add_onnx_graph(self, graph: Any, walltime: float | None = None) -> None:
        self.recorder.event(recorder_.GRAPH, graph.SerializeToString(), 0, walltime or time.time())

    def flush(self) -> None:
        self.recorder.flush()

    def close(self) -> None:
        self.recorder.close()

    def reopen(self) -> None:
        """Does nothing: the next record opens a new file."""


class Nowhere:
    """A recorder for `write_to_disk=False`."""

    strict = False
    path = None

    def __init__(self, logdir: str) -> None:
        self.logdir = logdir

    def open(self) -> None: ...
    def scalar(self, *_: Any) -> None: ...
    def row(self, *_: Any) -> None: ...
    def value(self, *_: Any) -> None: ...
    def event(self, *_: Any) -> None: ...
    def flush(self) -> None: ...
    def close(self) -> None: ...
