"""The part of `tensorboard.compat.tf` that PyTorch's writer uses: files, and text as bytes. Local paths only."""

from __future__ import annotations

import os
import pathlib
import types
from typing import IO, Any


def GFile(name: str, mode: str = "r") -> IO[Any]:
    return open(name, mode, encoding=None if "b" in mode else "utf-8")


def join(first: str, *others: str) -> str:
    return os.path.join(first, *others)  # noqa: PTH118  # strings in, a string out: as the caller's file system has it


def exists(path: str) -> bool:
    return pathlib.Path(path).exists()


def isdir(path: str) -> bool:
    return pathlib.Path(path).is_dir()


def makedirs(path: str) -> None:
    pathlib.Path(path).mkdir(parents=True, exist_ok=True)


def as_bytes(content: str | bytes, encoding: str = "utf-8") -> bytes:
    return content.encode(encoding) if isinstance(content, str) else content


def as_text(content: str | bytes, encoding: str = "utf-8") -> str:
    return content.decode(encoding) if isinstance(content, bytes) else content


def tensorflow() -> types.SimpleNamespace:
    """Returns the needed part of TensorFlow, with the same names."""
    files = types.SimpleNamespace(GFile=GFile, exists=exists, isdir=isdir, join=join, makedirs=makedirs)
    return types.SimpleNamespace(
        __version__="stub",
        io=types.SimpleNamespace(gfile=files),
        compat=types.SimpleNamespace(as_bytes=as_bytes, as_str=as_text, as_str_any=as_text, as_text=as_text),
    )
