"""`/api/openapi.json`: the routes of `/api` as an OpenAPI 3.1 document, generated from the routes."""

from __future__ import annotations

import functools
import math
import re
from typing import Any

import lightboard
from lightboard.server import context, endpoints, parameters, responses, schemas

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", parameters.Real: "number"}


def answer(context: context.Context, question: parameters.Nothing) -> responses.Reply:
    return responses.Reply(_body(), headers=(("Cache-Control", "no-cache"),))


@functools.cache
def _body() -> bytes:
    from lightboard.server import app

    return responses.to_json(document(app.apis()))


def document(apis: list[endpoints.Api]) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for api in apis:
        path = re.sub(r"\{(\w+):path\}", r"{\1}", api.path)
        paths[path] = {method.lower(): _operation(api, method) for method in api.methods}
    answers = [api.answer for api in apis if api.answer is not None]
    return {
        "openapi": "3.1.0",
        "info": {"title": "Lightboard", "version": lightboard.__version__},
        "paths": paths,
        "components": {"schemas": schemas.components([*answers, responses.Failure])},
    }


def _operation(api: endpoints.Api, method: str) -> dict[str, Any]:
    shapes = parameters.shapes(api.question)
    posted = method in ("POST", "PUT")
    operation: dict[str, Any] = {"summary": api.about}
    in_query = [_parameter(shape) for shape in shapes if shape.hint.in_path or not posted or api.file_bytes]
    if in_query:
        operation["parameters"] = in_query
    if posted:
        body_of_post = {"type": "string", "format": "binary"} if api.file_bytes else _body_schema(shapes)
        media_type = "application/octet-stream" if api.file_bytes else responses.JSON
        operation["requestBody"] = {"content": {media_type: {"schema": body_of_post}}}
    body: dict[str, Any] = {}
    if api.answer is not None and api.media_types == (responses.JSON,):
        body = {"schema": {"$ref": f"#/components/schemas/{api.answer.__name__}"}}
    elif api.answer is not None:
        body = {"x-header": {"$ref": f"#/components/schemas/{api.answer.__name__}"}}
    failure = {"schema": {"$ref": "#/components/schemas/Failure"}}
    operation["responses"] = {
        "200": {"description": api.about, "content": dict.fromkeys(api.media_types, body)},
        "default": {"description": "an error", "content": {responses.JSON: failure}},
    }
    return operation


def _parameter(shape: parameters.Shape) -> dict[str, Any]:
    return {
        "name": shape.name,
        "in": "path" if shape.hint.in_path else "query",
        "required": shape.required,
        "description": shape.hint.about,
        "schema": _shape_schema(shape),
    }


def _body_schema(shapes: tuple[parameters.Shape, ...]) -> dict[str, Any]:
    own = [shape for shape in shapes if not shape.hint.in_path]
    return {
        "type": "object",
        "required": [shape.name for shape in own if shape.required],
        "properties": {shape.name: _shape_schema(shape) | {"description": shape.hint.about} for shape in own},
    }


def _shape_schema(shape: parameters.Shape) -> dict[str, Any]:
    if shape.kind is dict:
        return schemas.schema(shape.annotation, {})
    one: dict[str, Any] = {"type": _TYPES[shape.kind]}
    if shape.choices:
        one["enum"] = list(shape.choices)
    if math.isfinite(shape.hint.lo):
        one["minimum"] = shape.hint.lo
    if math.isfinite(shape.hint.hi):
        one["maximum"] = shape.hint.hi
    if shape.many:
        return {"type": "array", "items": one}
    if not shape.required and shape.default is not None:
        one["default"] = shape.default
    return one


API = (endpoints.Api("/api/openapi.json", answer, about="This document."),)
