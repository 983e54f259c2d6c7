"""The OpenAPI 3.1 document, made from the table of routes."""

from __future__ import annotations

import functools
import http
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

import lightboard
from lightboard.hub.api import problems
from lightboard.hub.api.routes import Answer, Asked, Reply, Route

PREFIX = "/api/v1"
_PARAMETER = re.compile(r"\{(\w+)\}")
_REF = "#/components/schemas/{name}"


class Problem(Answer, frozen=True, kw_only=True):
    """An error (RFC 9457). Some codes have more members."""

    type: str
    title: str
    status: int
    code: str  # for programs
    message: str
    hint: str  # what to do


def show(asked: Asked[Any, Any]) -> Reply:
    return Reply(value=_encoded(tuple(asked.table)), headers=(("Cache-Control", "no-cache"),))


@functools.lru_cache(maxsize=1)
def _encoded(table: tuple[Route, ...]) -> bytes:
    return msgspec.json.encode(document(table))


def document(table: Sequence[Route]) -> dict[str, Any]:
    kinds = list(dict.fromkeys(kind for route in table for kind in _kinds(route)))
    found, components = msgspec.json.schema_components([*kinds, Problem], ref_template=_REF)
    schemas = dict(zip([*kinds, Problem], found, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in table:
        paths.setdefault(PREFIX + route.path, {})[route.method.lower()] = _operation(route, schemas, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Lightboard hub",
            "version": lightboard.__version__,
            "description": "Boards for a team. Times are ISO 8601 in UTC, durations are seconds or texts such as `1h`.",
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": _SCHEMES},
    }


_SCHEMES = {
    "token": {"type": "http", "scheme": "bearer"},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "lightboard_session",
        "description": "Of a browser. Requests that change something also need the header X-Lightboard-CSRF.",
    },
}


def _kinds(route: Route) -> Iterable[Any]:
    yield from (each for each in (route.query, route.body, route.answer) if each is not None)


def _operation(route: Route, schemas: Mapping[Any, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": operation_id(route),
        "tags": [re.split(r"[/:{]", route.path.strip("/"))[0]],
        "summary": route.about,
        "parameters": [*_path_parameters(route), *_query_parameters(schemas[route.query], components)],
        "responses": _responses(route, schemas),
        "security": [] if route.action is None else [{"token": []}, {"session": []}],
    }
    if route.action is not None:
        operation["x-action"] = route.action.value
    if route.body is not None:
        content = {"application/json": {"schema": schemas[route.body]}}
        if route.body is bytes:
            content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        operation["requestBody"] = {"required": _needs_body(route.body), "content": content}
    if route.reads:
        content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        operation["requestBody"] = {"required": True, "content": content}
    if (route.method, route.path) in (("POST", "/boards"), ("POST", "/jobs")):
        noun = route.path.strip("/").removesuffix("s")
        about = f"The same key makes one {noun}, however often sent"
        operation["parameters"].append(_header("Idempotency-Key", about))
    if (route.method, route.path) == ("PATCH", "/boards/{board}"):
        operation["parameters"].append(_header("If-Match", "The generation that was read; 412 if it is another now"))
    return operation


def operation_id(route: Route) -> str:
    """`get_boards_board_events` of `GET /boards/{board}/events`."""
    return re.sub(r"\W+", "_", f"{route.method.lower()}_{route.path}").replace("__", "_").strip("_")


def _header(name: str, about: str) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": False, "description": about, "schema": {"type": "string"}}


def _path_parameters(route: Route) -> list[dict[str, Any]]:
    schema = {"type": "string", "minLength": 1, "pattern": "^[^/:]+$"}
    return [{"name": name, "in": "path", "required": True, "schema": schema} for name in _PARAMETER.findall(route.path)]


def _query_parameters(reference: Mapping[str, Any], components: Mapping[str, Any]) -> list[dict[str, Any]]:
    schema = components[reference["$ref"].rpartition("/")[2]]
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": kind}
        for name, kind in schema["properties"].items()
    ]


def _needs_body(kind: type) -> bool:
    return kind is bytes or any(each.required for each in msgspec.structs.fields(kind))


def _responses(route: Route, schemas: Mapping[Any, Any]) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    for status in _successes(route):
        answer: dict[str, Any] = {"description": http.HTTPStatus(status).phrase}
        if route.answer is not None and status != 204:
            answer["content"] = {route.media_type: {"schema": schemas[route.answer]}}
        responses[str(status)] = answer
    problem = {problems.MEDIA_TYPE: {"schema": schemas[Problem]}}
    for status in _problem_statuses(route):
        responses[str(status)] = {"description": http.HTTPStatus(status).phrase, "content": problem}
    return responses


def _successes(route: Route) -> list[int]:
    """Without an answer there is no content."""
    return [204] if route.answer is None else sorted({route.status, *route.statuses})


def _problem_statuses(route: Route) -> list[int]:
    """What every such route may answer."""
    statuses = {400, 401, 403, 404, 410, 429, 500, 503}
    if route.method != "GET":
        statuses |= {409, 412, 422}
    if route.body is not None:
        statuses |= {408, 413, 415}
    return sorted(statuses - {route.status, *route.statuses})


ROUTES = (Route("GET", "/openapi.json", show, None, answer=dict[str, Any], about="Shows this document."),)
