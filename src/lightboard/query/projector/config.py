"""`projector_config.pbtxt`: which tensors to show as embeddings, and the files that belong to each.

A text protocol buffer, https://protobuf.dev/reference/protobuf/textformat-spec/, of this message:

    ProjectorConfig  model_checkpoint_path, model_checkpoint_dir, embeddings …
    EmbeddingInfo    tensor_name, metadata_path, bookmarks_path, tensor_shape …, tensor_path,
                     sprite { image_path, single_image_dim … }

People write these files by hand, so errors are tolerated: unknown fields are skipped, and a truncated config (it is
being written) gives the part before the end, with a warning.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections.abc import Iterator
from typing import Any

from lightboard import store, types

KIND = "projector"
# Deeper than any normal config.
_MAX_DEPTH = 20
# Every embedding is a line of the list, and its files are checked.
MAX_EMBEDDINGS = 10_000
_MAX_TOKENS = 1_000_000
_TOKEN = re.compile(
    r"""\s*(?:\#[^\n]*)?(?:
        (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<word>[A-Za-z_][\w./]*)
      | (?P<number>[-+]?[\d.][\w.+-]*|[-+][A-Za-z]\w*)
      | (?P<sign>[{}<>:,;\[\]])
      | (?P<space>\s+|$)
      | (?P<other>.)
    )""",
    re.VERBOSE,
)


@dataclasses.dataclass(frozen=True)
class Sprite:
    image_path: str
    single_image_dim: tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Embedding:
    name: str
    metadata_path: str = ""
    bookmarks_path: str = ""
    shape: tuple[int, ...] = ()
    sprite: Sprite | None = None
    tensor_path: str = ""


@dataclasses.dataclass(frozen=True)
class Config:
    embeddings: tuple[Embedding, ...] = ()
    checkpoint_path: str = ""
    checkpoint_dir: str = ""
    problem: str = ""  # why it could not be parsed completely


class _Broken(Exception):
    pass


def companions(source: store.Store, run: str | None = None) -> list[types.Companion]:
    return [each for each in source.companions if each.kind == KIND and run in (None, each.run)]


def names(source: store.Store) -> list[tuple[str, str]]:
    """Return (run, name) of the embeddings in the configs; fast, because no other file is read."""
    return [(each.run, one.name) for each in companions(source) for one in parse(each.content).embeddings]


@functools.lru_cache(maxsize=1024)
def parse(content: bytes) -> Config:
    text = content.decode("utf-8-sig", "replace")
    fields: dict[str, list[Any]] = {}
    problem = ""
    try:
        _message(_tokens(text), fields, "", 0)
    except _Broken as broken:
        problem = str(broken)
    entries = [_embedding(each) for each in fields.get("embeddings", ()) if isinstance(each, dict)]
    if len(entries) > MAX_EMBEDDINGS:
        problem = f"it has {len(entries):,} embeddings, the first {MAX_EMBEDDINGS:,} are shown"
    return Config(
        tuple(entries[:MAX_EMBEDDINGS]),
        _text(fields, "model_checkpoint_path"),
        _text(fields, "model_checkpoint_dir"),
        problem,
    )


def _embedding(fields: dict[str, list[Any]]) -> Embedding:
    sprite = next((each for each in fields.get("sprite", ()) if isinstance(each, dict)), None)
    return Embedding(
        _text(fields, "tensor_name").removesuffix(":0"),  # TensorFlow 1: the first output of an operation
        _text(fields, "metadata_path"),
        _text(fields, "bookmarks_path"),
        _whole(fields, "tensor_shape"),
        Sprite(_text(sprite, "image_path"), _whole(sprite, "single_image_dim")) if sprite is not None else None,
        _text(fields, "tensor_path"),
    )


def _text(fields: dict[str, list[Any]], name: str) -> str:
    return next((each for each in reversed(fields.get(name, ())) if isinstance(each, str)), "")


def _whole(fields: dict[str, list[Any]], name: str) -> tuple[int, ...]:
    return tuple(each for each in fields.get(name, ()) if isinstance(each, int) and not isinstance(each, bool))


# ---- the text format

_Token = tuple[str, str, int]  # (group, text, line)


def _tokens(text: str) -> Iterator[_Token]:
    at, line, count = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.end() == at:
            return
        line += text.count("\n", at, match.end())
        at = match.end()
        kind = match.lastgroup or "space"
        if kind == "other":
            raise _Broken(f"line {line}: `{match[kind]}` is not expected here")
        if kind != "space":
            count += 1
            if count > _MAX_TOKENS:
                raise _Broken(f"line {line}: it goes on after {_MAX_TOKENS:,} words, which are enough")
            yield kind, match[kind], line


def _message(tokens: Iterator[_Token], fields: dict[str, list[Any]], end: str, depth: int) -> None:
    """Parse fields up to the closing character; if the text is invalid, `fields` keeps those parsed before."""
    if depth > _MAX_DEPTH:
        raise _Broken("too many levels inside each other")
    held: _Token | None = None
    line = 1
    while True:
        token = held or next(tokens, None)
        held = None
        if token is None:
            if end:
                raise _Broken(
                    f"the file ends inside an entry that began before line {line}; is it still being written?"
                )
            return
        kind, text, line = token
        if kind == "sign" and text == end:
            return
        if kind == "sign" and text in ",;":
            continue
        if kind != "word":
            raise _Broken(f"line {line}: a field's name is expected, not `{text}`")
        held = _field(tokens, fields.setdefault(text, []), depth)


def _field(tokens: Iterator[_Token], values: list[Any], depth: int) -> _Token | None:
    """Parse one value or a list of values; return a token if it belongs to the next field."""
    token = next(tokens, None)
    if token is not None and token[1] == ":" and token[0] == "sign":
        token = next(tokens, None)
    if token is None:
        raise _Broken("the file ends before a value; is it still being written?")
    kind, text, line = token
    if kind == "sign" and text in "{<":
        inner: dict[str, list[Any]] = {}
        _message(tokens, inner, "}" if text == "{" else ">", depth + 1)
        values.append(inner)
        return None
    if kind == "sign" and text == "[":
        _items(tokens, values, depth)
        return None
    if kind == "string":
        pieces = [_unquoted(text, line)]
        while (token := next(tokens, None)) is not None and token[0] == "string":  # adjacent strings are concatenated
            pieces.append(_unquoted(token[1], token[2]))
        values.append("".join(pieces))
        return token
    values.append(_plain(kind, text, line))
    return None


def _items(tokens: Iterator[_Token], values: list[Any], depth: int) -> None:
    held: _Token | None = None
    while True:
        token = held or next(tokens, None)
        held = None
        if token is None:
            raise _Broken("the file ends inside a list; is it still being written?")
        kind, text, line = token
        if kind == "sign" and text == "]":
            return
        if kind == "sign" and text == ",":
            continue
        if kind == "sign" and text in "{<":
            inner: dict[str, list[Any]] = {}
            _message(tokens, inner, "}" if text == "{" else ">", depth + 1)
            values.append(inner)
        elif kind == "string":
            values.append(_unquoted(text, line))
        else:
            values.append(_plain(kind, text, line))


def _plain(kind: str, text: str, line: int) -> Any:
    if kind == "word":
        return {"true": True, "false": False}.get(text, text)
    if kind != "number":
        raise _Broken(f"line {line}: a value is expected, not `{text}`")
    try:
        return int(text, 0)
    except ValueError:
        try:
            return float(text.rstrip("fF") if text[-2:-1].isdigit() else text)
        except ValueError:
            raise _Broken(f"line {line}: `{text}` is no number") from None


def _unquoted(text: str, line: int) -> str:
    """Decode the escapes of C, which Python's bytes have too; the resulting bytes are UTF-8."""
    if "\\" not in text:
        return text[1:-1]
    try:
        raw: bytes = ast.literal_eval("b" + "".join(map(_ascii, text)))
        return raw.decode("utf-8", "replace")
    except (ValueError, SyntaxError):
        raise _Broken(f"line {line}: {text[:60]} has an escape that makes no sense") from None


def _ascii(letter: str) -> str:
    return letter if letter < "\x80" else "".join(f"\\x{byte:02x}" for byte in letter.encode("utf-8", "replace"))
