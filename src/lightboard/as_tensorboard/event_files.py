"""`EventFileWriter` and `RecordWriter`, which PyTorch's writer uses, backed by our recorder."""

from __future__ import annotations

from typing import Any, BinaryIO

from lightboard.sdk import default_writer, destinations, recorder, records, trouble

# numbers of Event's payload fields; the recorder itself writes the file version
_PAYLOADS = {
    "graph_def": recorder.GRAPH,
    "summary": recorder.SUMMARY,
    "log_message": 6,
    "session_log": recorder.SESSION_LOG,
    "tagged_run_metadata": recorder.TAGGED_RUN_METADATA,
    "meta_graph_def": 9,
}


class EventFileWriter:
    """Writes Event messages to a file in `logdir`, in the background."""

    def __init__(
        self, logdir: str, max_queue_size: int = 10, flush_secs: float = 120, filename_suffix: str = ""
    ) -> None:
        self._recorder = destinations.open_recorder(
            destinations.logdir(logdir),
            filename_suffix=filename_suffix or "",
            flush_secs=flush_secs,
            max_queue=max_queue_size,
        )
        self.strict = self._recorder.strict
        self.reopen()

    def get_logdir(self) -> str:
        return self._recorder.logdir

    @trouble.soft
    def add_event(self, event: Any) -> None:
        which = getattr(event, "WhichOneof", None)
        if which is None:
            raise TypeError(f"an Event is needed, not {type(event).__name__}")
        what = which("what")
        if what in _PAYLOADS:
            payload = default_writer.serialized(getattr(event, what))
            self._recorder.event(_PAYLOADS[what], payload, event.step, event.wall_time)

    @trouble.soft
    def flush(self) -> None:
        self._recorder.flush()

    @trouble.soft
    def close(self) -> None:
        self._recorder.close()

    @trouble.soft
    def reopen(self) -> None:
        """Create the file now: programs expect the directory as soon as there is a writer."""
        self._recorder.open()


class RecordWriter:
    """Frames bytes as TFRecords and writes them to an open file."""

    def __init__(self, writer: BinaryIO) -> None:
        self._file = writer

    def write(self, data: bytes) -> None:
        self._file.write(records.framed(data))

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    @property
    def closed(self) -> bool:
        return self._file.closed
