"""What the metadata of a mesh say, and its numbers."""

from __future__ import annotations

import numpy as np
import pytest

from lightboard import errors, types
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
