"""Messages without protobuf: the part of its Python interface that PyTorch uses, and serialization.

PyTorch does not install protobuf. If it is installed, `protobuf_messages` makes real messages of the same schema.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from lightboard import wire
from lightboard.as_tensorboard import schema

_VARINTS = ("int32", "int64", "uint32", "uint64", "bool")
_FLOATS = {"double": ("<d", 1), "float": ("<f", 5)}


class Enum:
    """An enumeration: `Value(name)`, `Name(number)`, and its names as attributes."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def Value(self, name: str) -> int:
        if name not in self._names:
            raise ValueError(f"no such name: {name!r}")
        return self._names.index(name)

    def Name(self, number: int) -> str:
        return self._names[number]

    def __getattr__(self, name: str) -> int:
        try:
            return self.Value(name)
        except ValueError as error:
            raise AttributeError(str(error)) from None


class Repeated(list[Any]):
    """A repeated field: a list that converts its members when they are added."""

    def __init__(self, field: schema.Field) -> None:
        super().__init__()
        self._field = field

    def append(self, each: Any) -> None:
        super().append(_converted(self._field, each))

    def extend(self, several: Iterable[Any]) -> None:
        for each in several:
            self.append(each)

    def add(self, **fields: Any) -> Message:
        made = CLASSES[self._field.type](**fields)
        super().append(made)
        return made


class Map(dict[str, Any]):
    """A map of messages: reading a missing key creates its message."""

    def __init__(self, field: schema.Field) -> None:
        super().__init__()
        self._class = CLASSES[field.type]

    def __missing__(self, key: str) -> Message:
        made = self._class()
        self[key] = made
        return made


class Message:
    """`_contents` holds fields by name: what was set, and containers that were looked at and may still be empty."""

    _fields: ClassVar[dict[str, schema.Field]] = {}

    def __init__(self, **fields: Any) -> None:
        object.__setattr__(self, "_contents", {})
        object.__setattr__(self, "_explicit", False)
        for name, content in fields.items():
            if content is None:
                continue
            field = self._field(name)
            if field.repeated:
                getattr(self, name).extend(content)
            elif field.is_map:
                for key, each in content.items():
                    getattr(self, name)[key] = _converted(field, each)
            elif field.type in CLASSES:
                child = _converted(field, content)
                object.__setattr__(child, "_explicit", True)
                self._put(field, child)
            else:
                setattr(self, name, content)

    def __getattr__(self, name: str) -> Any:
        field = self._field(name)
        if name in self._contents:
            return self._contents[name]
        if field.repeated or field.is_map:
            self._contents[name] = Repeated(field) if field.repeated else Map(field)
        elif field.type in CLASSES:
            self._contents[name] = CLASSES[field.type]()
        else:
            return "" if field.type == "string" else b"" if field.type == "bytes" else _converted(field, 0)
        return self._contents[name]

    def __setattr__(self, name: str, content: Any) -> None:
        field = self._field(name)
        if field.repeated or field.is_map or field.type in CLASSES:
            raise AttributeError(f"`{name}` cannot be assigned to, it is filled or copied into")
        self._put(field, _converted(field, content))

    def _put(self, field: schema.Field, content: Any) -> None:
        if field.oneof is not None:
            for other in self._fields.values():
                if other.oneof == field.oneof:
                    self._contents.pop(other.name, None)
        self._contents[field.name] = content

    def _field(self, name: str) -> schema.Field:
        field = self._fields.get(name)
        if field is None:
            raise AttributeError(f"a {type(self).__name__} has no field `{name}`")
        return field

    # ---- the interface of protobuf messages ----

    def ListFields(self) -> list[tuple[schema.Field, Any]]:
        """Returns the fields that are set, in the order of their numbers."""
        return list(self._present())

    def HasField(self, name: str) -> bool:
        self._field(name)
        return any(field.name == name for field, _ in self._present())

    def WhichOneof(self, group: str) -> str | None:
        return next((field.name for field, _ in self._present() if field.oneof == group), None)

    def ClearField(self, name: str) -> None:
        self._field(name)
        self._contents.pop(name, None)

    def CopyFrom(self, other: Message) -> None:
        self._contents.clear()
        self.MergeFrom(other)

    def MergeFrom(self, other: Message) -> None:
        if type(other) is not type(self):
            raise TypeError(f"a {type(self).__name__} takes only its like, not {type(other).__name__}")
        object.__setattr__(self, "_explicit", True)
        for field, content in other._present():
            if field.repeated:
                getattr(self, field.name).extend(content)
            elif field.is_map:
                getattr(self, field.name).update(content)
            elif field.type in CLASSES:
                getattr(self, field.name).MergeFrom(content)
            else:
                setattr(self, field.name, content)

    def SerializeToString(self, deterministic: bool = False) -> bytes:
        return b"".join(_encoded(field, content) for field, content in self._present())

    def ByteSize(self) -> int:
        return len(self.SerializeToString())

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.SerializeToString() == self.SerializeToString()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return to_text(self)

    def _present(self) -> Iterator[tuple[schema.Field, Any]]:
        for field in self._fields.values():
            content = self._contents.get(field.name)
            if content is None or ((field.repeated or field.is_map) and not content):
                continue
            if isinstance(content, Message):
                if not content._explicit and next(content._present(), None) is None:
                    continue
            elif field.oneof is None and not field.repeated and not field.is_map and not content:
                continue  # a default value
            yield field, content


def _converted(field: schema.Field, content: Any) -> Any:
    kind = field.type
    if kind in CLASSES:
        if isinstance(content, dict):
            return CLASSES[kind](**content)
        if not isinstance(content, CLASSES[kind]):
            raise TypeError(f"`{field.name}` is a {kind}, not {type(content).__name__}")
        return content
    if kind in _FLOATS:
        return float(content)
    if kind == "string":
        return content.decode("utf-8") if isinstance(content, bytes) else _checked(field, content, str)
    if kind == "bytes":
        return _checked(field, content, bytes)
    if kind == "bool":
        return bool(content)
    if kind in ENUMS and isinstance(content, str):
        return ENUMS[kind].Value(content)
    if isinstance(content, float) and not content.is_integer():
        raise TypeError(f"`{field.name}` is a whole number, not {content!r}")
    return int(content)


def _checked(field: schema.Field, content: Any, kind: type) -> Any:
    if not isinstance(content, kind):
        raise TypeError(f"`{field.name}` is of type {kind.__name__}, not {type(content).__name__}")
    return content


def _encoded(field: schema.Field, content: Any) -> bytes:
    number, kind = field.number, field.type
    if field.is_map:
        entries = (wire.text(1, key) + wire.message(2, each.SerializeToString()) for key, each in content.items())
        return b"".join(wire.message(number, entry) for entry in entries)
    if not field.repeated:
        return _encoded_one(number, kind, content)
    if kind in _FLOATS:
        return wire.message(number, struct.pack(f"<{len(content)}{_FLOATS[kind][0][1]}", *content))
    if kind in _VARINTS or kind in ENUMS:
        return wire.message(number, b"".join(map(wire.varint, content)))
    return b"".join(_encoded_one(number, kind, each) for each in content)


def _encoded_one(number: int, kind: str, content: Any) -> bytes:
    if kind in _FLOATS:
        form, wire_type = _FLOATS[kind]
        return wire.key(number, wire_type) + struct.pack(form, content)
    if kind in _VARINTS or kind in ENUMS:
        return wire.present_integer(number, content)
    if isinstance(content, Message):
        return wire.message(number, content.SerializeToString())
    return wire.message(number, content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)


# ---- text ----


def to_text(message: Message, indent: str = "") -> str:
    """Returns the message in protobuf's text format, as in the configuration of the embedding projector."""
    lines = []
    for field, content in message._present():
        if field.is_map:
            members: list[Any] = [content[key] for key in sorted(content)]
        else:
            members = list(content) if field.repeated else [content]
        for each in members:
            if isinstance(each, Message):
                lines.append(f"{indent}{field.name} {{\n{to_text(each, indent + '  ')}{indent}}}\n")
            else:
                lines.append(f"{indent}{field.name}: {_literal(field, each)}\n")
    return "".join(lines)


def _literal(field: schema.Field, content: Any) -> str:
    if isinstance(content, bool):
        return "true" if content else "false"
    if field.type in ENUMS:
        return ENUMS[field.type].Name(content)
    if isinstance(content, (str, bytes)):
        raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        return '"' + "".join(_escaped(byte) for byte in raw) + '"'
    return repr(content)


_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", ord("'"): "\\'", ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}


def _escaped(byte: int) -> str:
    if byte in _ESCAPES:
        return _ESCAPES[byte]
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


# ---- classes of the schema ----

CLASSES: dict[str, type[Message]] = {}
ENUMS: dict[str, Enum] = {name: Enum(names) for name, names in schema.ENUMS.items()}


def _make_classes() -> None:
    for name, fields in schema.MESSAGES.items():
        in_order = sorted(fields, key=lambda field: field.number)
        CLASSES[name] = type(name.rpartition(".")[2], (Message,), {"_fields": {each.name: each for each in in_order}})
    for name, made in CLASSES.items():
        outer, _, inner = name.rpartition(".")
        if outer:
            setattr(CLASSES[outer], inner, made)
    for name, enum in ENUMS.items():
        outer, _, inner = name.rpartition(".")
        if outer:
            setattr(CLASSES[outer], inner, enum)
            for number, word in enumerate(schema.ENUMS[name]):
                setattr(CLASSES[outer], word, number)


_make_classes()
