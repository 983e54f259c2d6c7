"""Messages without protobuf: their interface as PyTorch uses it, and their bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import event_files
import pytest

from lightboard.as_tensorboard import messages, schema


def made(name: str, **given: Any) -> Any:
    return messages.CLASSES[name](**given)


def test_a_scalar_event_has_the_bytes_protobuf_would_give() -> None:
    value = messages.CLASSES["Summary"].Value(tag="loss", simple_value=0.5)  # type: ignore[attr-defined]
    event = made("Event", summary=made("Summary", value=[value]), wall_time=event_files.WALL, step=3)
    expected = event_files.scalar_event("loss", 0.5, step=3, wall_time=event_files.WALL)
    assert sorted(event.SerializeToString()) == sorted(expected)


def test_defaults_are_left_out_but_members_of_a_oneof_are_kept() -> None:
    assert made("HistogramProto", min=0.0, num=0).SerializeToString() == b""
    assert made("Value", number_value=0.0).SerializeToString() == b"\x11" + bytes(8)
    assert made("Value", bool_value=False).SerializeToString() == b"\x20\x00"
    assert made("Value", string_value="").SerializeToString() == b"\x1a\x00"


def test_numbers_are_packed_and_negative_ones_take_ten_bytes() -> None:
    assert made("TensorProto", int64_val=[1, -1]).SerializeToString() == b"\x52\x0b\x01" + b"\xff" * 9 + b"\x01"
    assert made("HistogramProto", bucket=[1]).SerializeToString() == b"\x3a\x08" + bytes(6) + b"\xf0\x3f"


def test_the_last_member_of_a_oneof_stays() -> None:
    value = made("Value", number_value=1.0)
    value.string_value = "a"
    assert value.WhichOneof("kind") == "string_value"
    assert not value.HasField("number_value")


def test_reading_a_message_field_does_not_set_it() -> None:
    event = made("Event")
    assert event.summary.value == []
    assert event.WhichOneof("what") is None and event.SerializeToString() == b""
    assert made("Event", summary=made("Summary")).WhichOneof("what") == "summary"
    info = made("EmbeddingInfo")
    info.sprite.single_image_dim.extend([2, 3])
    assert info.HasField("sprite")


def test_maps_make_their_messages() -> None:
    started = made("SessionStartInfo")
    started.hparams["lr"].number_value = 1
    assert started.SerializeToString() == b"\x0a\x0f\x0a\x02lr\x12\x09\x11" + bytes(6) + b"\xf0\x3f"


def test_enumerations_go_by_name_and_number() -> None:
    assert made("TensorProto", dtype="DT_DOUBLE").dtype == 2
    mesh: Any = messages.CLASSES["MeshPluginData"]
    assert mesh.ContentType.Name(mesh.FACE) == "FACE"
    with pytest.raises(ValueError, match="DT_NONE"):
        made("TensorProto", dtype="DT_NONE")


def test_copies_are_whole_and_equal() -> None:
    config = made("ProjectorConfig", model_checkpoint_path="p")
    config.embeddings.add(tensor_name="a").sprite.image_path = "s"
    copy = made("ProjectorConfig")
    copy.CopyFrom(config)
    assert copy == config
    copy.ClearField("embeddings")
    assert copy != config and config.embeddings[0].sprite.image_path == "s"


def test_wrong_fields_and_types_are_told() -> None:
    event = made("Event")
    for wrong in (
        lambda: made("Event", nothing=1),
        lambda: setattr(event, "nothing", 1),
        lambda: setattr(event, "summary", made("Summary")),
    ):
        with pytest.raises(AttributeError):
            wrong()
    mistyped: list[Callable[[], Any]] = [
        lambda: made("Summary", value=[made("Event")]),
        lambda: made("Summary.Value", tag=5),
        lambda: made("Event", step=1.5),
    ]
    for each in mistyped:
        with pytest.raises(TypeError):
            each()


def test_text_is_written_as_protobuf_writes_it() -> None:
    config = made("ProjectorConfig")
    info = config.embeddings.add(tensor_name='a "b"\n')
    info.sprite.single_image_dim.extend([2, 3])
    assert messages.to_text(config) == (
        "embeddings {\n"
        '  tensor_name: "a \\"b\\"\\n"\n'
        "  sprite {\n    single_image_dim: 2\n    single_image_dim: 3\n  }\n"
        "}\n"
    )


def test_every_type_of_the_schema_is_known() -> None:
    scalars = {"double", "float", "int32", "int64", "uint32", "uint64", "bool", "string", "bytes"}
    for name, fields in schema.MESSAGES.items():
        assert len({field.number for field in fields}) == len(fields), name
        assert {field.type for field in fields} <= scalars | set(schema.MESSAGES) | set(schema.ENUMS), name
