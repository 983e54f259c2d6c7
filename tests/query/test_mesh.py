"""What the metadata of a mesh say, and its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lightboard import errors, store, types
from lightboard.query import mesh


def test_metadata_name_the_mesh_and_the_part() -> None:
    content = b"\x12\x01m\x18\x02\x2a\x02{}\x32\x03\x01\x04\x03\x38\x0e"
    described = mesh.describe(types.Metadata("mesh", content=content))
    assert described == mesh.Description("m", mesh.Part.FACE, "{}", (1, 4, 3), 14)


def test_an_unknown_part_is_undefined_and_damage_is_no_mesh() -> None:
    assert mesh.describe(types.Metadata("mesh", content=b"\x18\x63")).part is mesh.Part.UNDEFINED
    assert mesh.maybe_describe(types.Metadata("mesh", content=b"\x12\x63")) is None


@pytest.mark.parametrize(
    ("part", "dtype"), [(mesh.Part.VERTEX, "<f4"), (mesh.Part.FACE, "<i4"), (mesh.Part.COLOR, "u1")]
)
def test_numbers_come_in_the_type_of_their_part(part: mesh.Part, dtype: str) -> None:
    found = mesh.Mesh(0, 0.0, np.arange(12, dtype=np.float64).reshape(2, 2, 3))
    assert np.frombuffer(mesh.numbers(found, part, 1), dtype).tolist() == [6, 7, 8, 9, 10, 11]
    with pytest.raises(errors.NotFound):
        mesh.numbers(found, part, 2)


# ---- the whole mesh


def described(name: str, part: int, *, components: int = 0, config: str = "") -> types.Metadata:
    content = b"\x12" + bytes([len(name)]) + name.encode() + bytes([0x18, part])
    content += b"\x2a" + bytes([len(config)]) + config.encode() + bytes([0x38, components])
    return types.Metadata("mesh", content=content)


def made(
    vertices: Any, faces: Any = None, colors: Any = None, *, name: str = "m", scope: str = "", components: int = 0
) -> store.Builder:
    builder = store.Builder()
    for part, word, value in ((1, "VERTEX", vertices), (2, "FACE", faces), (3, "COLOR", colors)):
        if value is None:
            continue
        values = value if isinstance(value, list) else [value]
        builder.tensors(
            "r",
            f"{scope}{name}_{word}",
            types.Kind.MESH,
            [types.Tensor(one.shape, array=one) for one in values],
            metadata=described(name, part, components=components, config='{"camera":{}}'),
        )
    return builder


SQUARE = np.array([[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 2]]], np.float32)


def test_a_mesh_comes_whole_with_its_bounds() -> None:
    faces = np.array([[[0, 1, 2], [0, 2, 3]]], np.int32)
    colors = np.full((1, 4, 3), 200, np.uint8)
    found = mesh.whole(made(SQUARE, faces, colors, components=14).build(), "r", "m_VERTEX")
    header = found.header
    assert (header.name, header.step, header.samples, header.config) == ("m", 0, 1, '{"camera":{}}')
    assert [(part.part, part.tag, part.shape) for part in header.parts] == [
        ("vertex", "m_VERTEX", [1, 4, 3]),
        ("face", "m_FACE", [1, 2, 3]),
        ("color", "m_COLOR", [1, 4, 3]),
    ]
    assert (header.vertices, header.faces, header.missing, header.lo, header.hi) == (4, 2, [], [0, 0, 0], [1, 1, 2])
    assert {name: (array.dtype.str, len(array)) for name, array in found.arrays.items()} == {
        "vertex": ("<f4", 12),
        "face": ("<u4", 6),
        "color": ("|u1", 12),
    }


def test_faces_that_lead_nowhere_are_left_out_and_counted() -> None:
    vertices = SQUARE.copy()
    vertices[0, 3] = np.nan
    faces = np.array([[[0, 1, 2], [0, 2, 3], [0, 1, 9], [-1, 0, 1], [np.nan, 0, 1]]], np.float32)
    found = mesh.whole(made(vertices, faces).build(), "r", "m_VERTEX")
    assert found.arrays["face"].tolist() == [0, 1, 2]
    assert (found.header.dropped_faces, found.header.dropped_vertices, found.header.faces) == (4, 1, 5)
    assert np.isfinite(found.arrays["vertex"]).all()


def test_points_that_are_not_finite_leave_a_cloud_with_their_colours() -> None:
    vertices = SQUARE.astype(np.float64)
    vertices[0, 1] = 1e300
    colors = np.arange(12, dtype=np.float32).reshape(1, 4, 3)
    found = mesh.whole(made(vertices, None, colors).build(), "r", "m_VERTEX")
    assert len(found.arrays["vertex"]) == 9
    assert found.arrays["color"].tolist() == [0, 1, 2, 6, 7, 8, 9, 10, 11]


def test_four_corners_are_two_triangles_and_flat_points_lie_in_a_plane() -> None:
    flat = SQUARE[..., :2]
    found = mesh.whole(made(flat, np.array([[[0, 1, 2, 3]]], np.int64)).build(), "r", "m_VERTEX")
    assert found.arrays["face"].tolist() == [0, 1, 2, 0, 2, 3]
    assert found.arrays["vertex"].reshape(-1, 3)[:, 2].tolist() == [0, 0, 0, 0]


def test_colours_of_either_scale_and_of_the_wrong_number() -> None:
    def colored(colors: Any) -> mesh.Found:
        return mesh.whole(made(SQUARE, None, colors).build(), "r", "m_VERTEX")

    fractions = colored(np.array([[[0.5, 1, 0]] * 4], np.float32))
    assert fractions.arrays["color"][:3].tolist() == [128, 255, 0]
    assert colored(np.array([[[1, 1, 0]] * 4], np.float32)).arrays["color"][:3].tolist() == [1, 1, 0]
    assert len(colored(np.full((1, 1, 3), 9, np.uint8)).arrays["color"]) == 12
    wrong = colored(np.full((1, 3, 3), 9, np.uint8))
    assert "color" not in wrong.arrays
    assert wrong.header.unmatched_colors == 3


def test_parts_of_another_step_are_the_last_before_it() -> None:
    vertices = [SQUARE, SQUARE + 1, SQUARE + 2]
    source = made(vertices, np.array([[[0, 1, 2]]], np.int32), components=14).build()
    found = mesh.whole(source, "r", "m_VERTEX", step=2)
    assert [(part.part, part.step) for part in found.header.parts] == [("vertex", 2), ("face", 0)]
    assert found.header.missing == ["color"]
    assert mesh.whole(source, "r", "m_VERTEX").header.step == 2
    with pytest.raises(errors.NotFound, match="step 7"):
        mesh.whole(source, "r", "m_VERTEX", step=7)


def test_two_meshes_of_one_name_are_told_apart_by_their_scope() -> None:
    builder = made(SQUARE, np.array([[[0, 1, 2]]], np.int32), scope="a/")
    for series in ("b/m_VERTEX", "b/m_FACE"):
        part = 1 if series.endswith("VERTEX") else 2
        value = SQUARE if part == 1 else np.array([[[1, 2, 3]]], np.int32)
        tensor = types.Tensor(value.shape, array=value)
        builder.tensors("r", series, types.Kind.MESH, [tensor], metadata=described("m", part))
    source = builder.build()
    assert mesh.whole(source, "r", "a/m_VERTEX").arrays["face"].tolist() == [0, 1, 2]
    assert mesh.whole(source, "r", "b/m_VERTEX").arrays["face"].tolist() == [1, 2, 3]


def test_samples_of_a_batch_and_a_face_table_for_all_of_them() -> None:
    vertices = np.concatenate([SQUARE, SQUARE + 5])
    source = made(vertices, np.array([[[0, 1, 2]]], np.int32)).build()
    found = mesh.whole(source, "r", "m_VERTEX", sample=1)
    assert (found.header.samples, found.header.lo, found.arrays["face"].tolist()) == (2, [5, 5, 5], [0, 1, 2])
    assert "batch of 2" in str(mesh.whole(source, "r", "m_VERTEX", sample=2).header.problem)


def test_too_many_points_are_thinned_evenly() -> None:
    cloud = np.arange(3000, dtype=np.float32).reshape(1, 1000, 3)
    found = mesh.whole(made(cloud).build(), "r", "m_VERTEX", limit=10)
    assert (found.header.thinned, found.header.vertices, len(found.arrays["vertex"])) == (True, 1000, 30)
    assert found.arrays["vertex"][-3:].tolist() == [2997, 2998, 2999]


@pytest.mark.parametrize("shape", [(3,), (1, 4, 5), (1, 1, 4, 3), ()])
def test_what_is_no_mesh_is_told_by_its_shape(shape: tuple[int, ...]) -> None:
    source = made(np.zeros(shape, np.float32)).build()
    found = mesh.whole(source, "r", "m_VERTEX")
    assert "found float32 of the shape" in str(found.header.problem)
    assert len(found.arrays["vertex"]) == 0


def test_faces_of_no_sense_leave_the_points() -> None:
    found = mesh.whole(made(SQUARE, np.zeros((1, 2, 7), np.int32), components=6).build(), "r", "m_VERTEX")
    assert (found.header.unusable, found.header.missing, found.header.problem) == (["face"], [], None)
    assert sorted(found.arrays) == ["vertex"]


def test_nothing_in_it_is_an_empty_mesh() -> None:
    for shape in ((0, 4, 3), (1, 0, 3)):
        found = mesh.whole(made(np.zeros(shape, np.float32)).build(), "r", "m_VERTEX")
        assert (found.header.vertices, len(found.arrays["vertex"]), found.header.lo) == (0, 0, [0, 0, 0])
    alone = mesh.whole(made(SQUARE, np.zeros((1, 1, 3), np.int32)).build(), "r", "m_FACE")
    assert "without vertices" in str(alone.header.problem)
