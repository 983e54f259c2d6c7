"""Meshes: vertices, faces and colors of one mesh are separate tags, joined by the name in their metadata."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store, types, wire
from lightboard.query import series, single


class Part(enum.IntEnum):
    """The part of a mesh that a tag holds; numbers as in the metadata."""

    UNDEFINED = 0
    VERTEX = 1
    FACE = 2
    COLOR = 3


ALL_PARTS = sum(1 << part for part in (Part.VERTEX, Part.FACE, Part.COLOR))
# The dtypes that a client gets, whatever the writer used.
DTYPES: dict[Part, Any] = {Part.VERTEX: np.dtype("<f4"), Part.FACE: np.dtype("<i4"), Part.COLOR: np.dtype("u1")}


@dataclasses.dataclass(frozen=True)
class Description:
    """MeshPluginData { version 1, name 2, content_type 3, json_config 5, shape 6, components 7 }

    `components` has bit `1 << part` set for each part the mesh has; 0: unknown, treated as all.
    """

    name: str
    part: Part
    config: str
    shape: tuple[int, ...]
    components: int


@dataclasses.dataclass(frozen=True)
class Mesh:
    """One part of a mesh at one step: [batch, n, 3], in the dtype it was written with."""

    step: int
    wall_time: float
    array: NDArray[Any]


def describe(metadata: types.Metadata) -> Description:
    fields = wire.parse(metadata.content)
    code = fields.integer(3)
    return Description(
        fields.text(2),
        Part(code) if code in set(Part) else Part.UNDEFINED,
        fields.text(5),
        tuple(fields.integers(6)),
        fields.integer(7),
    )


def maybe_describe(metadata: types.Metadata) -> Description | None:
    try:
        return describe(metadata)
    except errors.Unreadable:
        return None


def parts(source: store.Store, run: str, name: str) -> list[tuple[Description, store.Series]]:
    """Return the tags of a run that belong to the mesh of this name."""
    found = []
    for each in source.all_series(types.Kind.MESH, run=run):
        described = maybe_describe(each.metadata)
        if described is not None and described.name == name:
            found.append((described, each))
    return sorted(found, key=lambda pair: pair[0].part)


def numbers(found: Mesh, part: Part, sample: int) -> bytes:
    """Return one sample of the batch, row-major and little-endian."""
    if not 0 <= sample < len(found.array):
        raise errors.NotFound(f"No sample {sample} in a batch of {len(found.array)}", code="point.gone")
    return bytes(found.array[sample].astype(DTYPES[part]).tobytes())


def _decode(step: int, wall_time: float, tensor: types.Tensor) -> Mesh:
    array = tensor.array
    if array is None or array.ndim != 3 or array.dtype.kind not in "fiub":
        raise errors.Unreadable(
            f"expected [batch, n, 3] numbers, found a tensor of shape {list(tensor.shape)}",
            code="value.shape",
            shape=str(list(tensor.shape)),
        )
    return Mesh(step, wall_time, array)


# Reads one part by its own tag (`<name>_VERTEX`).
read = series.Reader(types.Kind.MESH, _decode)


# ---- one mesh with all its parts, for Lightboard's page

MAX_POINTS = 4_000_000
MAX_FACES = 8_000_000
# A value is read completely to draw any part of it: 44 million points.
MAX_BYTES = 512 << 20


@dataclasses.dataclass(frozen=True)
class MeshPart:
    """Where a part of the mesh comes from. `step`: an earlier one where it was not logged at the mesh's own."""

    part: Literal["vertex", "face", "color"]
    tag: str
    step: int
    shape: list[int]
    dtype: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class MeshHeader:
    """Header of a frame with one mesh. Bounds are of what is finite; counts are of what was logged."""

    run: str
    tag: str
    name: str
    step: int
    wall_time: float
    sample: int
    samples: int  # of the batch
    config: str  # JSON as it was logged: camera, lights, material
    parts: list[MeshPart]
    missing: list[Literal["vertex", "face", "color"]]  # announced, and not there (yet)
    unusable: list[Literal["vertex", "face", "color"]]  # there, but of no form that could be drawn
    vertices: int
    faces: int
    dropped_vertices: int  # not finite
    dropped_faces: int  # of vertices that are not there
    unmatched_colors: int  # so many that they are not one for each vertex
    thinned: bool  # too many points: evenly chosen ones are sent
    lo: list[float]
    hi: list[float]
    problem: errors.Explanation | None  # why there is nothing to draw


@dataclasses.dataclass(frozen=True)
class Found:
    """`arrays`: vertex f4 (x, y, z …), face u4 (three vertices each), color u1 (red, green, blue of each vertex)."""

    header: MeshHeader
    arrays: dict[str, NDArray[Any]]


def whole(
    source: store.Store,
    run: str,
    tag: str,
    *,
    step: int | None = None,
    offset: int | None = None,
    sample: int = 0,
    limit: int = MAX_POINTS,
) -> Found:
    """Return the mesh of this vertex tag at one of its steps, ready to draw: every index of a face is valid."""
    own = _find(source, run, tag)
    points = own.points(types.Rewinds.ALL)
    at = single.place(points, step, offset)
    step, wall_time = int(points.steps[at]), float(points.wall_times[at])
    described = _description(own)
    parts: list[MeshPart] = []
    unusable: list[Literal["vertex", "face", "color"]] = []
    problem: errors.Explanation | None = None
    vertices, samples = np.zeros((0, 3), np.float32), 0
    try:
        if described.part in (Part.FACE, Part.COLOR):
            raise errors.Unreadable(
                f"`{tag}` holds {described.part.name.lower()}s of a mesh without vertices",
                code="mesh.no_vertices",
                tag=tag,
            )
        vertices, logged = _rows(_tensor(own, points, at), sample, (2, 3))
        parts, samples = [MeshPart("vertex", tag, step, logged.shape, logged.dtype)], logged.samples
    except errors.Unreadable as error:
        problem = error.explanation()
    rows: dict[Part, NDArray[Any]] = {}
    for part, word, widths in ((Part.FACE, "face", (3, 4)), (Part.COLOR, "color", (3, 4))):
        beside = _beside(source, own, described, part)
        found = None if beside is None else beside.points(types.Rewinds.ALL)
        place = None if found is None else single.place_beside(found, step, wall_time)
        if beside is None or found is None or place is None or problem is not None:
            continue
        try:
            rows[part], shown = _rows(_tensor(beside, found, place), sample, widths)
        except errors.Unreadable:
            unusable.append(word)  # type: ignore[arg-type]
            continue
        parts.append(MeshPart(word, beside.tag, int(found.steps[place]), shown.shape, shown.dtype))  # type: ignore[arg-type]
    drawn = _drawable(vertices, rows.get(Part.FACE), rows.get(Part.COLOR), limit)
    there = {part.part for part in parts} | set(unusable)
    bits = described.components
    missing = [word for word in _WORDS if bits >> _WORDS[word] & 1 and word not in there]
    header = MeshHeader(
        run=run,
        tag=tag,
        name=described.name or _stem(tag),
        step=step,
        wall_time=wall_time,
        sample=sample,
        samples=samples,
        config=described.config,
        parts=parts,
        missing=missing,
        unusable=unusable,
        vertices=drawn.vertices,
        faces=drawn.faces,
        dropped_vertices=drawn.dropped_vertices,
        dropped_faces=drawn.dropped_faces,
        unmatched_colors=drawn.unmatched_colors,
        thinned=drawn.thinned,
        lo=drawn.lo,
        hi=drawn.hi,
        problem=problem,
    )
    return Found(header, drawn.arrays)


_WORDS: dict[Literal["vertex", "face", "color"], Part] = {
    "vertex": Part.VERTEX,
    "face": Part.FACE,
    "color": Part.COLOR,
}


@dataclasses.dataclass(frozen=True)
class _Logged:
    shape: list[int]
    dtype: str
    samples: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Drawable:
    """The arrays of a mesh, and the fields of `MeshHeader` that describe them."""

    arrays: dict[str, NDArray[Any]]
    vertices: int
    faces: int
    dropped_vertices: int
    dropped_faces: int
    unmatched_colors: int
    thinned: bool
    lo: list[float]
    hi: list[float]


def _stem(tag: str) -> str:
    for part in (Part.VERTEX, Part.FACE, Part.COLOR):
        if tag.endswith(f"_{part.name}"):
            return tag.removesuffix(f"_{part.name}")
    return tag


def _part_of(tag: str) -> Part:
    return next((part for part in (Part.FACE, Part.COLOR) if tag.endswith(f"_{part.name}")), Part.VERTEX)


def _beside(source: store.Store, own: store.Series, described: Description, part: Part) -> store.Series | None:
    """Another part of the same mesh. Tags may have a scope in front that the name in the metadata lacks, so that two
    meshes share a name: then the tag decides."""
    found = [each for description, each in parts(source, own.run, described.name) if description.part is part]
    stem = _stem(own.tag)
    return next((each for each in found if _stem(each.tag) == stem), found[0] if len(found) == 1 else None)


def cost_bytes(source: store.Store, run: str, tag: str, step: int | None, offset: int | None) -> int:
    """Return the peak memory of `whole`: the values of all parts, their numbers as doubles, and flags of each."""
    own = _find(source, run, tag)
    points = own.points(types.Rewinds.ALL)
    lengths = [int(points.values["length"][single.place(points, step, offset)])]
    for part in (Part.FACE, Part.COLOR):
        beside = _beside(source, own, _description(own), part)
        lengths += [] if beside is None else [int(beside.points(types.Rewinds.ALL).values["length"].max(initial=0))]
    return 5 * sum(min(length, MAX_BYTES) for length in lengths)


def _find(source: store.Store, run: str, tag: str) -> store.Series:
    found = single.find(source, run, tag)
    if found.kind is not types.Kind.MESH:
        raise errors.NotFound(
            f"`{tag}` of run `{run}` holds {found.kind.word}, no mesh", code="tag.other_kind", run=run, tag=tag
        )
    return found


def _description(own: store.Series) -> Description:
    return maybe_describe(own.metadata) or Description(_stem(own.tag), _part_of(own.tag), "", (), 0)


def _tensor(found: store.Series, points: store.Points, at: int) -> types.Tensor:
    length = int(points.values["length"][at])
    if length > MAX_BYTES:
        raise errors.Unreadable(
            f"`{found.tag}` has {length >> 20:,} MiB at this step; up to {MAX_BYTES >> 20} MiB are drawn",
            code="value.too_large",
            size=length >> 20,
            limit=MAX_BYTES >> 20,
        )
    return found.tensor(at, points)


def _rows(tensor: types.Tensor, sample: int, widths: tuple[int, ...]) -> tuple[NDArray[Any], _Logged]:
    """Return one sample of the batch as a table. A batch of one, or a value without a batch, is used for any sample."""
    array = tensor.array
    if array is None or array.ndim not in (2, 3) or array.dtype.kind not in "fiub" or array.shape[-1] not in widths:
        kind = "strings" if array is None else str(array.dtype)
        raise errors.Unreadable(
            f"expected numbers of the shape [batch, n, {widths[-1] if widths == (2, 3) else 3}], "
            f"found {kind} of the shape {list(tensor.shape)}",
            code="value.shape",
            shape=str(list(tensor.shape)),
        )
    logged = _Logged(list(array.shape), str(array.dtype), len(array) if array.ndim == 3 else 1)
    if array.ndim == 2:
        return array, logged
    if not len(array):
        return array.reshape(0, array.shape[-1]), logged
    if len(array) > 1 and not 0 <= sample < len(array):
        raise errors.Unreadable(
            f"no sample {sample} in a batch of {len(array)}", code="mesh.no_sample", sample=sample, count=len(array)
        )
    return array[sample if len(array) > 1 else 0], logged


def _drawable(
    positions: NDArray[Any], faces: NDArray[Any] | None, colors: NDArray[Any] | None, limit: int
) -> _Drawable:
    count = len(positions)
    vertices = np.zeros((count, 3), np.float32)
    with np.errstate(over="ignore"):  # values beyond the range of float32 become infinite and are dropped
        vertices[:, : positions.shape[1]] = positions
    flags = np.isfinite(vertices)
    # Fast path: usually all are finite, and checking row by row takes fifty times as long.
    all_finite = bool(flags.all())
    finite = np.ones(count, np.bool_) if all_finite else np.asarray(flags.all(axis=1))
    drawn_faces, dropped_faces, face_count = None, 0, 0
    if faces is not None and len(faces):
        triangles, face_count = _triangles(faces), len(faces)
        inside = (triangles >= 0) & (triangles < count)
        sound: NDArray[np.bool_] = np.asarray(inside.all(axis=1))
        if not all_finite:
            sound[sound] = finite[triangles[sound]].all(axis=1)
        dropped_faces = int(len(triangles) - np.count_nonzero(sound))
        drawn_faces = triangles[sound].astype(np.uint32)
    unmatched = 0
    shades = None if colors is None or not len(colors) else _bytes(colors[:, :3])
    if shades is not None and len(shades) == 1 and count > 1:
        shades = np.repeat(shades, count, axis=0)
    if shades is not None and len(shades) != count:
        unmatched, shades = len(shades), None
    dropped = int(count - np.count_nonzero(finite))
    sound_vertices = vertices if all_finite else vertices[finite]
    lo, hi = _bounds(sound_vertices) if dropped < count else (np.zeros(3),) * 2
    too_many = count > limit or (drawn_faces is not None and len(drawn_faces) > MAX_FACES)
    if drawn_faces is not None and not too_many:
        # These vertices are never drawn, but need a finite value.
        if not all_finite:
            vertices[~finite] = lo
    elif all_finite and count <= limit:
        drawn_faces = None
    else:
        drawn_faces, chosen = None, np.nonzero(finite)[0]
        if len(chosen) > limit:
            chosen = chosen[np.linspace(0, len(chosen) - 1, limit).astype(np.int64)]
        if len(chosen) < count:
            vertices, shades = vertices[chosen], None if shades is None else shades[chosen]
    arrays: dict[str, NDArray[Any]] = {"vertex": vertices.reshape(-1)}
    if drawn_faces is not None:
        arrays["face"] = drawn_faces.reshape(-1)
    if shades is not None:
        arrays["color"] = np.ascontiguousarray(shades).reshape(-1)
    return _Drawable(
        arrays=arrays,
        vertices=count,
        faces=face_count,
        dropped_vertices=dropped,
        dropped_faces=dropped_faces,
        unmatched_colors=unmatched,
        thinned=too_many,
        lo=lo.tolist(),
        hi=hi.tolist(),
    )


def _bounds(vertices: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return minimum and maximum of each column. One column at a time is several times faster than along an axis of
    length 3."""
    columns = vertices.T
    return np.array([column.min() for column in columns]), np.array([column.max() for column in columns])


def _triangles(faces: NDArray[Any]) -> NDArray[np.int64]:
    with np.errstate(invalid="ignore"):  # NaN becomes an invalid index
        numbers: NDArray[np.int64] = np.nan_to_num(faces, nan=-1, posinf=-1, neginf=-1).astype(np.int64)
    if numbers.shape[1] == 3:
        return numbers
    return np.concatenate([numbers[:, :3], numbers[:, (0, 2, 3)]])


def _bytes(colors: NDArray[Any]) -> NDArray[np.uint8]:
    """Return colors as 0 … 255. Writers send floats in both scales: if there are fractions, 1 is the brightest."""
    if colors.dtype == np.uint8:
        return colors
    with np.errstate(over="ignore"):  # values beyond the range of float32 become infinite
        numbers = colors.astype(np.float32, copy=False)
    if colors.dtype.kind == "f" and not np.isfinite(numbers).all():
        numbers = np.nan_to_num(numbers, posinf=255.0, neginf=0.0)
    if colors.dtype.kind == "f" and numbers.max(initial=0) <= 1 and bool((numbers % 1 != 0).any()):
        numbers = numbers * np.float32(255)
    return np.clip(np.rint(numbers), 0, 255).astype(np.uint8)
