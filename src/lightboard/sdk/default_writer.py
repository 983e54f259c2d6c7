"""The default writer, step and scope of `lightboard.summary`.

All of it is context-local: each thread or asyncio task has its own, so that two trainings in one process do not write
into each other's logs. A new thread starts without a writer, as with TensorFlow.
"""

from __future__ import annotations

import contextlib
import contextvars
import time
from collections.abc import Callable, Iterator
from typing import Any

from lightboard.sdk import destinations, recorder, summary_messages, trouble, values

Condition = bool | Callable[[], bool] | None

_writer: contextvars.ContextVar[SummaryWriter | None] = contextvars.ContextVar("lightboard_writer", default=None)
# Any value that `int()` accepts, kept as given: a counter is read when something is written.
_step: contextvars.ContextVar[Any] = contextvars.ContextVar("lightboard_step", default=None)
_condition: contextvars.ContextVar[Condition] = contextvars.ContextVar("lightboard_record_if", default=None)
_scope: contextvars.ContextVar[str] = contextvars.ContextVar("lightboard_scope", default="")


class RawSummary(bytes):
    """A serialized Summary, with the methods of a protobuf message that callers use."""

    def SerializeToString(self) -> bytes:
        return bytes(self)


class SummaryWriter:
    """The result of `create_file_writer`. `recorder` is None in a writer that writes nothing."""

    def __init__(self, target: recorder.Recorder | None, *, name: str | None = None) -> None:
        self._recorder = target
        self._closed = False
        self.name = name
        self.strict = target.strict if target is not None else False

    @contextlib.contextmanager
    def as_default(self, step: Any = None) -> Iterator[SummaryWriter]:
        """Summaries inside of `with` are written to this writer; it is flushed at the end."""
        self._must_be_open()
        # Restored by value: a generator may end in another context than it began in, where a token is refused.
        writer_before, step_before = _writer.get(), _step.get()
        _writer.set(self)
        if step is not None:
            _step.set(step)
        try:
            yield self
            self.flush()
        finally:
            if step is not None:
                _step.set(step_before)
            _writer.set(writer_before)

    def set_as_default(self, step: Any = None) -> None:
        """Write summaries to this writer from now on."""
        self._must_be_open()
        _writer.set(self)
        if step is not None:
            _step.set(step)

    def init(self) -> None:
        """Does nothing: for code written for TensorFlow."""
        self._must_be_open()

    def flush(self) -> None:
        if self._recorder is not None:
            self._recorder.flush()

    def close(self) -> None:
        if self._recorder is not None and not self._closed:
            self._recorder.close()
        self._closed = True

    @property
    def logdir(self) -> str | None:
        return None if self._recorder is None else self._recorder.logdir

    def _must_be_open(self) -> None:
        if self._closed:
            raise RuntimeError(f"this writer has been closed: {self.logdir}")

    def _value(self, value: bytes, step: int) -> bool:
        if self._recorder is None or self._closed:
            return False
        self._recorder.value(value, step, time.time())
        return True

    def _summary(self, summary: bytes, step: int) -> bool:
        if self._recorder is None or self._closed:
            return False
        self._recorder.event(recorder.SUMMARY, summary, step, time.time())
        return True

    def _scalar(self, tag: str, number: float, step: int) -> bool:
        if self._recorder is None or self._closed:
            return False
        self._recorder.scalar(tag, number, step, time.time(), recorder.TENSOR)
        return True


def create_file_writer(
    logdir: Any,
    max_queue: int | None = None,
    flush_millis: int | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    *,
    strict: bool = False,
) -> SummaryWriter:
    """Returns a writer of event files in `logdir`: a path, or an object store's URI. The first record creates it."""
    if logdir is None:
        raise ValueError("a writer needs a logdir: `create_file_writer(None)`")
    target = destinations.open_recorder(
        destinations.logdir(logdir),
        filename_suffix=".v2" if filename_suffix is None else filename_suffix,
        flush_secs=120.0 if flush_millis is None else int(flush_millis) / 1000,
        max_queue=10 if max_queue is None else int(max_queue),
        strict=strict,
    )
    return SummaryWriter(target, name=name)


def create_noop_writer() -> SummaryWriter:
    """Returns a writer that accepts everything and writes nothing."""
    return SummaryWriter(None)


# ---- current values ----


def current() -> SummaryWriter | None:
    return _writer.get()


def get_step() -> Any:
    """The default step, as it was given."""
    return _step.get()


def set_step(step: Any) -> None:
    """Summaries without a step get this one. `None` removes the default."""
    _step.set(step)


def should_record_summaries() -> bool:
    """Returns whether a summary would be written now: there is a writer, and the condition of `record_if` is true."""
    if _writer.get() is None:
        return False
    condition = _condition.get()
    return True if condition is None else bool(condition() if callable(condition) else condition)


@contextlib.contextmanager
def record_if(condition: Condition) -> Iterator[None]:
    """Record summaries inside of `with` only if this is true: a bool, or a function called at each summary."""
    before = _condition.get()
    _condition.set(condition)
    try:
        yield
    finally:
        _condition.set(before)


@contextlib.contextmanager
def summary_scope(name: str | None, default_name: str = "summary", values: Any = None) -> Iterator[tuple[str, str]]:
    """Yields (tag, scope) of a summary called `name`; tags inside of `with` begin with it."""
    del values
    before = _scope.get()
    tag = before + (name or default_name)
    _scope.set(tag + "/")
    try:
        yield tag, tag + "/"
    finally:
        _scope.set(before)


# ---- writing ----


def record(name: str, step: Any, write: Callable[[SummaryWriter, str, int], bool]) -> bool:
    """Call `write(writer, tag, step)` if summaries are recorded now. Returns False if they are not, or without a
    writer.

    A missing step is the caller's mistake and raises, as with TensorFlow. An error in `write` (data of the wrong
    shape, a full disk) does not stop a training: it warns, unless the writer is strict.
    """
    writer = _writer.get()
    if writer is None:
        return False
    if step is None:
        step = _step.get()
        if step is None:
            raise ValueError(
                "no step: pass `step=`, or set one with `summary.experimental.set_step()` or `writer.as_default(step)`"
            )
    if not should_record_summaries():
        return False
    try:
        return write(writer, _scope.get() + name, values.step(step))
    except Exception as error:
        if writer.strict:
            raise
        trouble.warn(f"summary {name!r} was not logged: {type(error).__name__}: {error}")
        return False


def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> bool:
    """Write a serialized Summary (bytes, an array that holds them, or anything with `SerializeToString`)."""
    return record(name or "raw", step, lambda writer, _, at: writer._summary(serialized(tensor), at))


def serialized(message: Any) -> bytes:
    if isinstance(message, (bytes, bytearray, memoryview)):
        return bytes(message)
    serialize = getattr(message, "SerializeToString", None)
    if serialize is not None:
        return bytes(serialize())
    from lightboard.sdk import tensors

    found = tensors.array(message).item()
    if not isinstance(found, bytes):
        raise TypeError(f"a serialized message is bytes, not {type(found).__name__}")
    return found


def write_tensor(name: str, step: Any, metadata: bytes, tensor: Callable[[], bytes]) -> bool:
    """Write a TensorProto; `tensor` is called only if summaries are recorded."""
    return record(
        name, step, lambda writer, tag, at: writer._value(summary_messages.tensor_value(tag, tensor(), metadata), at)
    )
