"""One gRPC call: who calls, how many at once, what becomes of an error.

Every method is a function (caller, requests) → answers, of bytes. A call without a token of the hub is refused before
its first message is read, so it holds no thread. A call that moves nothing for minutes is ended.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import itertools
import logging
import secrets
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import grpc

from lightboard import errors
from lightboard.hub.people import identity, may
from lightboard.hub.tensorboard_dev import blobs, experiments

Method = Callable[[experiments.Caller, Iterator[bytes]], Iterator[bytes]]
Who = Callable[[identity.Proofs], may.Identity]

AT_ONCE = 32
PER_USER = 8
SILENT_SECS = 300.0
_LOG = logging.getLogger("lightboard.hub.tensorboard_dev")
_Code = grpc.StatusCode
# By HTTP status. TensorBoard repeats RESOURCE_EXHAUSTED and UNAVAILABLE, and takes NOT_FOUND for a deleted experiment.
_CODES = {
    400: _Code.INVALID_ARGUMENT,
    401: _Code.UNAUTHENTICATED,
    403: _Code.PERMISSION_DENIED,
    404: _Code.NOT_FOUND,
    409: _Code.FAILED_PRECONDITION,
    410: _Code.NOT_FOUND,
    412: _Code.ABORTED,
    413: _Code.INVALID_ARGUMENT,
    422: _Code.INVALID_ARGUMENT,
    429: _Code.RESOURCE_EXHAUSTED,
    501: _Code.UNIMPLEMENTED,
    503: _Code.UNAVAILABLE,
    507: _Code.FAILED_PRECONDITION,
}
_QUOTA = "UploadQuotaExceeded"


# Requests that carry no points.
SMALL_BYTES = 64 << 10


def unary(method: Callable[[experiments.Caller, bytes], bytes], most_bytes: int = SMALL_BYTES) -> Method:
    """A method with one request and one answer."""

    def called(caller: experiments.Caller, requests: Iterator[bytes]) -> Iterator[bytes]:
        yield method(caller, _only(requests, most_bytes))

    return called


def streamed(method: Callable[[experiments.Caller, bytes], Iterator[bytes]]) -> Method:
    """A method with one request and many answers."""

    def called(caller: experiments.Caller, requests: Iterator[bytes]) -> Iterator[bytes]:
        yield from method(caller, _only(requests, SMALL_BYTES))

    return called


def _only(requests: Iterator[bytes], most_bytes: int) -> bytes:
    sent = list(itertools.islice(requests, 2))
    if len(sent) != 1:
        raise errors.BadInput(f"one message is expected, not {len(sent)}")
    return checked(sent[0], most_bytes)


def checked(request: bytes, most_bytes: int) -> bytes:
    if len(request) > most_bytes:
        raise errors.BadInput(f"the message has {len(request):,} bytes; {most_bytes:,} are allowed here")
    return request


class Calls(grpc.GenericRpcHandler):
    """State, under the lock: calls under way, by user and with the time of their last message."""

    def __init__(self, methods: Mapping[str, Method], who: Who) -> None:
        self._methods, self._who = methods, who
        self._lock = threading.Lock()
        self._users: collections.Counter[str] = collections.Counter()
        self._moved: dict[grpc.ServicerContext, float] = {}

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        method = self._methods.get(handler_call_details.method)
        if method is None:
            return None  # UNIMPLEMENTED
        # Streams in both directions: a refusal does not wait for the message of a client that sends none.
        return grpc.stream_stream_rpc_method_handler(functools.partial(self._answer, method))

    def _answer(self, method: Method, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        failure: tuple[grpc.StatusCode, str]
        try:
            caller = self._caller(context)
            with self._counted(caller.user.id, context):
                for answer in method(caller, self._watched(requests, context)):
                    self._note(context)
                    yield answer
                    self._note(context)
            return
        except errors.LightboardError as error:
            failure = status_of(error)
        except Exception as error:
            if not context.is_active():
                return  # the client has left
            number = secrets.token_hex(6)
            _LOG.error("call %s failed", number, exc_info=error)
            failure = (_Code.INTERNAL, f"the hub made a mistake; its log has more about {number}")
        context.abort(*failure)

    def _caller(self, context: grpc.ServicerContext) -> experiments.Caller:
        sent = [
            (b"authorization", _bytes(value))
            for name, value in context.invocation_metadata()
            if name == "authorization"
        ]
        proofs = identity.proofs_of({"headers": sent, "path": ""}) if sent else identity.Proofs()
        found = self._who(proofs) if proofs.bearer else identity.NOBODY
        if found.user is None:
            raise _Unauthenticated(
                "this is no token of the hub", hint="`lightboard dev auth --tensorboard` writes one for TensorBoard"
            )
        return experiments.Caller(found, _address(context.peer()))

    @contextlib.contextmanager
    def _counted(self, user: str, context: grpc.ServicerContext) -> Iterator[None]:
        with self._lock:
            if self._users[user] >= PER_USER:
                raise blobs.TooMuch("too many calls at once", hint="try again in a moment")
            self._users[user] += 1
            self._moved[context] = time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._users[user] -= 1
                self._users += collections.Counter()  # drops zeros
                del self._moved[context]

    def _watched(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        for each in requests:
            self._note(context)
            yield each

    def _note(self, context: grpc.ServicerContext) -> None:
        with self._lock:
            self._moved[context] = time.monotonic()

    def end_silent(self) -> None:
        with self._lock:
            before = time.monotonic() - SILENT_SECS
            silent = [context for context, moved in self._moved.items() if moved < before]
        for context in silent:
            context.cancel()


class _Unauthenticated(errors.LightboardError):
    status = 401


def status_of(error: errors.LightboardError) -> tuple[grpc.StatusCode, str]:
    code = _CODES.get(error.status, _Code.INTERNAL)
    if isinstance(error, blobs.Exists):
        code = _Code.ALREADY_EXISTS
    elif error.code == _QUOTA:
        code = _Code.FAILED_PRECONDITION  # TensorBoard prints it and goes on; PERMISSION_DENIED means another owner
    return code, f"{error.message} ({error.hint})" if error.hint else error.message


def logged(act: Callable[..., Any], *arguments: Any) -> None:
    """For what nobody waits for."""
    try:
        act(*arguments)
    except errors.LightboardError as error:
        _LOG.warning("%s", error.message)
    except Exception:
        _LOG.exception("a background task failed")


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode("latin-1", "replace")


def _address(peer: str) -> str:
    """`ipv4:127.0.0.1:40000` → `127.0.0.1`."""
    return urllib.parse.unquote(peer).partition(":")[2].rpartition(":")[0].strip("[]")
