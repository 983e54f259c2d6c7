"""The schema's messages made by protobuf itself, if it is installed: its other modules then recognize them."""

from __future__ import annotations

import importlib
from typing import Any

from lightboard.as_tensorboard import schema

_PACKAGE = "lightboard.as_tensorboard"


def make() -> tuple[dict[str, Any], dict[str, Any]]:
    """(message classes, enumerations) by their names in the schema."""
    protobuf: Any = importlib.import_module("google.protobuf")
    for name in ("descriptor_pb2", "descriptor_pool", "message_factory", "struct_pb2"):
        importlib.import_module(f"google.protobuf.{name}")
    wrapper: Any = importlib.import_module("google.protobuf.internal.enum_type_wrapper")

    pool = protobuf.descriptor_pool.Default()
    pool.AddSerializedFile(_file(protobuf.descriptor_pb2).SerializeToString())
    classes, enums = {}, {}
    # older than 4.22: a factory's method
    get_class = getattr(protobuf.message_factory, "GetMessageClass", None)
    get_class = get_class or protobuf.message_factory.MessageFactory(pool).GetPrototype
    for name in schema.MESSAGES:
        descriptor = pool.FindMessageTypeByName(_full_name(name)[1:])
        classes[name] = get_class(descriptor)
    for name in schema.ENUMS:
        enums[name] = wrapper.EnumTypeWrapper(pool.FindEnumTypeByName(_full_name(name)[1:]))
    return classes, enums


def _full_name(name: str) -> str:
    return f".google.protobuf.{name}" if name in schema.WELL_KNOWN else f".{_PACKAGE}.{name}"


def _file(descriptor_pb2: Any) -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="lightboard/as_tensorboard.proto", package=_PACKAGE, syntax="proto3")
    file.dependency.append("google/protobuf/struct.proto")
    made: dict[str, Any] = {}
    for name, fields in schema.MESSAGES.items():  # an outer message is listed before its inner ones
        if name in schema.WELL_KNOWN:
            continue
        outer, _, inner = name.rpartition(".")
        made[name] = (made[outer].nested_type if outer else file.message_type).add(name=inner)
        _add_fields(made[name], name, fields, descriptor_pb2.FieldDescriptorProto)
    for name, words in schema.ENUMS.items():
        if name in schema.WELL_KNOWN:
            continue
        outer, _, inner = name.rpartition(".")
        enum = (made[outer] if outer else file).enum_type.add(name=inner)
        for number, word in enumerate(words):
            enum.value.add(name=word, number=number)
    return file


def _add_fields(message: Any, name: str, fields: tuple[schema.Field, ...], kinds: Any) -> None:
    oneofs: list[str] = []
    for field in fields:
        made = message.field.add(name=field.name, number=field.number)
        made.label = kinds.LABEL_REPEATED if field.repeated or field.is_map else kinds.LABEL_OPTIONAL
        if field.oneof is not None:
            if field.oneof not in oneofs:
                oneofs.append(field.oneof)
                message.oneof_decl.add(name=field.oneof)
            made.oneof_index = oneofs.index(field.oneof)
        if field.is_map:
            entry_name = "".join(part.capitalize() for part in field.name.split("_")) + "Entry"
            entry = message.nested_type.add(name=entry_name)
            entry.options.map_entry = True
            entry.field.add(name="key", number=1, label=kinds.LABEL_OPTIONAL, type=kinds.TYPE_STRING)
            _set_type(entry.field.add(name="value", number=2, label=kinds.LABEL_OPTIONAL), field.type, kinds)
            made.type, made.type_name = kinds.TYPE_MESSAGE, f"{_full_name(name)}.{entry_name}"
        else:
            _set_type(made, field.type, kinds)


def _set_type(made: Any, kind: str, kinds: Any) -> None:
    if kind in schema.MESSAGES or kind in schema.ENUMS:
        made.type = kinds.TYPE_MESSAGE if kind in schema.MESSAGES else kinds.TYPE_ENUM
        made.type_name = _full_name(kind)
    else:
        made.type = getattr(kinds, f"TYPE_{kind.upper()}")
