"""Code that all routes below `/data` share: TensorBoard's conventions for parameters, forms, encodings and headers.

A handler is a plain function of context and arguments that returns a `responses.Reply`:

    def routes(context: context.Context) -> data.Routes:
        return data.routes(context, (data.Data("/data/plugin/text/tags", tags),))

Errors are raised; the application turns them into the plain text that TensorBoard's clients expect.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from lightboard import errors, types
from lightboard.query import series
from lightboard.server import bodies, context, endpoints, json_pieces, parameters, responses

Routes: TypeAlias = dict[str, endpoints.App]
PIECE_TAGS = 1024  # tags per piece of a listing
UNCACHED = (("Cache-Control", "no-cache, must-revalidate"), ("Expires", "0"))


@dataclasses.dataclass(frozen=True)
class Arguments:
    """The fields of a query string or of a form. Names are case-sensitive, the first of several values counts."""

    fields: Mapping[str, Sequence[str]]

    def get(self, name: str) -> str | None:
        values = self.fields.get(name)
        return values[0] if values else None

    def all(self, name: str) -> Sequence[str]:
        return self.fields.get(name, ())

    def need(self, name: str) -> str:
        value = self.get(name)
        if value is None:
            raise errors.BadInput(f"Missing {name!r} field")
        return value

    def integer(self, name: str, default: int) -> int:
        value = self.get(name)
        try:
            return default if value is None else int(value)
        except ValueError:
            raise errors.BadInput(f"{name!r} must be a whole number, not {value!r}") from None

    def run_and_tag(self) -> tuple[str, str]:
        run, tag = self.get("run"), self.get("tag")
        if run is None or tag is None:
            raise errors.BadInput(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
        return run, tag


Handler = Callable[[context.Context, Arguments], responses.Reply | responses.Heavy]


@dataclasses.dataclass(frozen=True)
class Data:
    path: str
    handle: Handler
    methods: tuple[str, ...] = ("GET",)
    heavy_bytes: int = 0  # not 0: it is answered in the heavy lane, and takes about so much memory


class Endpoint:
    """One route as an ASGI application."""

    def __init__(self, context: context.Context, data: Data) -> None:
        self._context = context
        self._data = data

    async def __call__(self, scope: endpoints.Scope, receive: endpoints.Receive, send: endpoints.Send) -> None:
        method, allowed = scope["method"], self._data.methods
        if method not in allowed and not (method == "HEAD" and "GET" in allowed):
            raise responses.MethodNotAllowed(method, allowed)
        headers = dict(scope["headers"])
        lanes = self._context.threads
        body = await bodies.read(headers, receive, lanes) if method == "POST" else None
        cost = max(self._data.heavy_bytes, 0 if body is None else endpoints.cost_of_fields(body))
        answering = functools.partial(self._answer, scope, headers, body)
        await endpoints.answer(
            self._context, cost, answering=answering, headers=headers, scope=scope, receive=receive, send=send
        )

    def _answer(
        self, scope: endpoints.Scope, headers: dict[bytes, bytes], body: bodies.Body | None
    ) -> responses.Reply | responses.Heavy:
        if body is None:
            fields = parameters.from_query(scope["query_string"])
        else:
            fields = form(body.to_bytes(), headers.get(b"content-type", b"").decode("latin-1"))
        return self._data.handle(self._context, Arguments(fields))


def routes(context: context.Context, table: Iterable[Data]) -> Routes:
    return {each.path: Endpoint(context, each) for each in table}


def limit(context: context.Context, plugin: str) -> int | None:
    """Returns the maximum number of points per series in a response; None: all."""
    return context.settings.samples_per_plugin.get(plugin) or None


def by_run(entries: Iterable[series.Entry], cell: Callable[[series.Entry], object]) -> Iterator[bytes]:
    """Yields {run: {tag: cell}} of a listing in pieces, because a logdir may have a million tags."""
    between = b"{"
    for run, found in itertools.groupby(entries, lambda entry: entry.run):
        yield between + to_json(run) + b": "
        opening = b"{"
        while some := list(itertools.islice(found, PIECE_TAGS)):
            yield opening + to_json({entry.tag: cell(entry) for entry in some})[1:-1]
            opening = b", "
        yield b"}"
        between = b", "
    yield b"{}" if between == b"{" else b"}"


def described(entry: series.Entry) -> dict[str, object]:
    """Returns the fields that every listing has for a tag."""
    metadata = entry.metadata
    html = ""
    if metadata.description:
        from lightboard.formats import markup

        html = markup.description(metadata.description)
    return {"displayName": metadata.display_name, "description": html}


def tags(context: context.Context, kind: types.Kind) -> responses.Reply | responses.Heavy:
    """Returns the listing that most kinds have."""
    return endpoints.by_size(context, lambda: as_pieces(by_run(series.listing(context.store, kind), described)))


def tags_with_samples(context: context.Context, kind: types.Kind) -> responses.Reply | responses.Heavy:
    """The same for kinds with several blobs per step."""

    def cell(entry: series.Entry) -> dict[str, object]:
        return {**described(entry), "samples": series.samples(context.store, entry.row)}

    return endpoints.by_size(context, lambda: as_pieces(by_run(series.listing(context.store, kind), cell)))


def to_json(value: object) -> bytes:
    """Non-finite numbers become strings; integers of any size stay numbers, as in TensorBoard."""
    return _dumps(value).encode()


def _dumps(value: object) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:  # rare: some number is not finite
        return json.dumps(_finite(value), allow_nan=False)


_FORM = json_pieces.Form(_dumps, ", ", ": ")


def as_json(value: object) -> responses.Reply:
    return as_pieces(json_pieces.pieces(value, _FORM))


def as_pieces(text: Iterator[bytes]) -> responses.Reply:
    """Long JSON is generated while it is sent."""
    return responses.Reply(json_pieces.body(text), responses.JSON, headers=UNCACHED)


def as_text(message: str, status: int = 200, media_type: str = responses.TEXT) -> responses.Reply:
    return responses.Reply(message.encode("utf-8", "replace"), media_type, status, UNCACHED)


def as_bytes(body: bytes, media_type: str) -> responses.Reply:
    return responses.Reply(body, media_type, headers=UNCACHED)


def as_object(members: Mapping[str, bytes]) -> responses.Reply:
    """Returns a JSON object whose values are JSON already: native code writes long columns."""
    return as_bytes(object_of(members), responses.JSON)


def object_of(members: Mapping[str, bytes]) -> bytes:
    return b"{" + b", ".join(json.dumps(name).encode() + b": " + value for name, value in members.items()) + b"}"


def form(body: bytes, content_type: str) -> dict[str, list[str]]:
    """Parses the fields of an urlencoded or multipart form."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        return _multipart(body, content_type)
    if kind in ("application/x-www-form-urlencoded", ""):
        return parameters.from_query(body)
    raise errors.BadInput(f"a form is expected, not {kind!r}")


def _multipart(body: bytes, content_type: str) -> dict[str, list[str]]:
    """Uses the mail parser of the standard library: a form of text fields has the format of a mail with parts."""
    import email.parser
    import email.policy

    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1")
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
    fields: dict[str, list[str]] = {}
    for part in message.iter_parts() if message.is_multipart() else ():
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(payload, bytes):
            fields.setdefault(name, []).append(payload.decode("utf-8", "surrogateescape"))
    return fields


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return (
            value if math.isfinite(value) else "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        )
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return value
