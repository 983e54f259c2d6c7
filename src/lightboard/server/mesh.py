"""`/api/mesh`: a mesh with all its parts as a frame; and meshes as TensorBoard serves them: metadata as JSON,
coordinates as raw little-endian numbers.
"""

from __future__ import annotations

import dataclasses
import functools

import numpy as np

from lightboard import errors, types
from lightboard.query import mesh, series
from lightboard.server import context, data, endpoints, frames, responses
from lightboard.server.parameters import param

PATH = "/data/plugin/mesh"


@dataclasses.dataclass(frozen=True)
class MeshQuestion:
    run: str = param("name of the run")
    tag: str = param("tag of the vertices; faces and colors are found by the name in their metadata")
    step: int | None = param("step of the vertices; the last one without", None)
    offset: int | None = param(
        "place of the value in its file, as /api/steps gives it, where a step was logged twice", None
    )
    sample: int = param("which mesh of a batch", 0, lo=0)
    limit: int = param(
        "most points to send; of a larger cloud evenly sampled ones", mesh.MAX_POINTS, lo=1, hi=20_000_000
    )


def whole(context: context.Context, question: MeshQuestion) -> responses.Heavy:
    cost = mesh.cost_bytes(context.store, question.run, question.tag, question.step, question.offset)
    return responses.Heavy(cost, functools.partial(_whole, context, question))


def _whole(context: context.Context, question: MeshQuestion) -> responses.Reply:
    found = mesh.whole(
        context.store,
        question.run,
        question.tag,
        step=question.step,
        offset=question.offset,
        sample=question.sample,
        limit=question.limit,
    )
    # no compression: coordinates hardly shrink, and compressing a million takes longer than sending them
    return dataclasses.replace(frames.reply(found.header, found.arrays), may_compress=False)


API = (
    endpoints.Api(
        "/api/mesh",
        whole,
        question=MeshQuestion,
        answer=mesh.MeshHeader,
        methods=("GET", "POST"),
        about="One mesh at one step, vertices, faces and colors as one binary frame.",
        media_types=(frames.MEDIA_TYPE,),
    ),
)


def routes(context: context.Context) -> data.Routes:
    table = (data.Data(f"{PATH}/tags", tags), data.Data(f"{PATH}/meshes", meshes), data.Data(f"{PATH}/data", numbers))
    return data.routes(context, table)


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    table: dict[str, dict[str, dict[str, int]]] = {}
    for entry in series.listing(context.store, types.Kind.MESH):
        described = mesh.maybe_describe(entry.metadata)
        if described is None:
            continue
        cell = table.setdefault(entry.run, {}).setdefault(described.name, {"samples": 0})
        cell["samples"] = max(cell["samples"], described.shape[0] if described.shape else 0)
    return data.as_json(table)


def meshes(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    rows: list[dict[str, object]] = []
    for described, steps in _parts(context, arguments):
        stamps = zip(steps.steps.tolist(), steps.wall_times.tolist(), strict=True)
        rows += [_row(described, step, wall_time) for step, wall_time in stamps]
    return data.as_json(sorted(rows, key=lambda row: row["step"]))  # type: ignore[arg-type,return-value]


def numbers(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    part, step = _part(arguments.get("content_type")), _step(arguments)
    sample = arguments.integer("sample", 0)
    if part is None:
        return data.as_text("Bad content_type", 400)
    pieces = [
        mesh.numbers(found, part, sample)
        for described, steps in _parts(context, arguments)
        for position in np.nonzero(steps.steps == step)[0].tolist()
        if described.part is part and (found := steps.maybe(position)) is not None
    ]
    return data.as_bytes(b"".join(pieces), "arraybuffer")


def _parts(
    context: context.Context, arguments: data.Arguments
) -> list[tuple[mesh.Description, series.Steps[mesh.Mesh]]]:
    run, tag = arguments.run_and_tag()
    limit, rewinds = data.limit(context, "mesh"), context.settings.rewinds
    return [
        (described, mesh.read.steps(found, limit=limit, rewinds=rewinds))
        for described, found in mesh.parts(context.store, run, tag)
    ]


def _part(name: str | None) -> mesh.Part | None:
    return mesh.Part[name] if name in ("VERTEX", "FACE", "COLOR") else None


def _step(arguments: data.Arguments) -> int:
    """TensorBoard's page sends a step as `3` or `3.0`."""
    text = arguments.get("step") or "0"
    try:
        return int(text) if text.lstrip("-").isdigit() else int(float(text))
    except (ValueError, OverflowError):
        raise errors.BadInput(f"'step' must be a number, not {text!r}") from None


def _row(described: mesh.Description, step: int, wall_time: float) -> dict[str, object]:
    return {
        "wall_time": wall_time,
        "step": step,
        "content_type": int(described.part),
        "components": described.components or mesh.ALL_PARTS,
        "config": described.config,
        "data_shape": list(described.shape),
    }
