"""`/api/tensors`: facts about a tensor, its statistics and one plane. `/api/tensors/file`: all of it, as a file."""

from __future__ import annotations

import dataclasses
import functools
import io
import re
from typing import Literal

import numpy as np

from lightboard.query import tensors
from lightboard.server import context, endpoints, frames, responses
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True, kw_only=True)
class TensorsQuestion:
    run: str = param("name of the run")
    tag: str = param("name of the tag; of any kind but scalars")
    step: int | None = param("step of the value; the last one without", None)
    offset: int | None = param(
        "place of the value in its file, as /api/steps gives it, where a step was logged twice", None
    )
    index: tuple[int, ...] = param("place on each axis, for those that are not in the plane; may be repeated", ())
    row_axis: int | None = param("axis of the plane's rows; the last but one without; -1: a single row", None, lo=-1)
    column_axis: int | None = param("axis of the plane's columns; the last one without", None, lo=-1)
    row: int = param("first row of the window; of strings, the first of them", 0, lo=0)
    column: int = param("first column of the window", 0, lo=0)
    rows: int | None = param("rows of the window; all without; of strings, so many", None, lo=1)
    columns: int | None = param("columns of the window; all without", None, lo=1)
    cells: int = param(
        "cells on a side of the picture of the window, means of their blocks; 0: no picture",
        256,
        lo=0,
        hi=tensors.MAX_CELLS,
    )
    texts: bool = param("the window's elements as text, exactly", False)
    statistics: bool = param("statistics and a histogram of the whole tensor", True)


@dataclasses.dataclass(frozen=True)
class TensorFileQuestion:
    run: str = param("name of the run")
    tag: str = param("name of the tag; of any kind but scalars")
    step: int | None = param("step of the value; the last one without", None)
    offset: int | None = param("place of the value in its file, where a step was logged twice", None)
    format: Literal["npy", "raw"] = param("`npy` as NumPy reads it, `raw` bare bytes", "npy")
    element: int | None = param("which of several strings", None, lo=0)


def look(context: context.Context, question: TensorsQuestion) -> responses.Heavy:
    return responses.Heavy(_cost(context, question), functools.partial(_look, context, question))


def file(context: context.Context, question: TensorFileQuestion) -> responses.Heavy:
    return responses.Heavy(_cost(context, question), functools.partial(_file, context, question))


def _cost(context: context.Context, question: TensorsQuestion | TensorFileQuestion) -> int:
    return tensors.cost_bytes(context.store, question.run, question.tag, question.step, question.offset)


def _look(context: context.Context, question: TensorsQuestion) -> responses.Reply:
    wanted = tensors.Wanted(
        index=question.index,
        row_axis=question.row_axis,
        column_axis=question.column_axis,
        row=question.row,
        column=question.column,
        rows=question.rows,
        columns=question.columns,
        cells=question.cells,
        texts=question.texts,
        statistics=question.statistics,
    )
    found = tensors.look(
        context.store, question.run, question.tag, step=question.step, offset=question.offset, wanted=wanted
    )
    return frames.reply(found.header, found.arrays)


def _file(context: context.Context, question: TensorFileQuestion) -> responses.Reply:
    value = tensors.read(context.store, question.run, question.tag, question.step, question.offset)
    if question.format == "npy":
        target = io.BytesIO()
        np.save(target, tensors.numbers(value), allow_pickle=False)
        body = target.getvalue()
    else:
        body = tensors.raw(value, question.element)
    name = (
        re.sub(r"(?:[^\w.-]|_)+", "_", f"{question.tag}_{question.run}_{value.step}", flags=re.ASCII).strip("_")
        or "tensor"
    )
    headers = (
        ("Content-Disposition", f'attachment; filename="{name[:120]}.{"npy" if question.format == "npy" else "bin"}"'),
        ("Content-Security-Policy", "sandbox; default-src 'none'"),
        ("Cache-Control", "private, no-cache"),
    )
    return responses.Reply(body, "application/octet-stream", headers=headers, may_compress=False)


API = (
    endpoints.Api(
        "/api/tensors",
        look,
        question=TensorsQuestion,
        answer=tensors.TensorHeader,
        methods=("GET", "POST"),
        about="Shape, type, statistics and histogram of any tensor, and one plane or some strings of it.",
        media_types=(frames.MEDIA_TYPE,),
    ),
    endpoints.Api(
        "/api/tensors/file",
        file,
        question=TensorFileQuestion,
        about="A whole tensor as a file, or one of its strings.",
        media_types=("application/octet-stream",),
    ),
)
