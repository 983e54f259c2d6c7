"""The sample logs of tests/data as objects, and everything that can be read of logs as one comparable value."""

from __future__ import annotations

import hashlib
import pathlib
import shutil
from collections.abc import Iterator
from typing import Any

from compat import oracle

from lightboard import types
from lightboard.reading import Logs


def copy_all(directory: pathlib.Path) -> pathlib.Path:
    """Copy every corpus that has an oracle. A store has no links: each becomes what it leads to, a dangling one
    nothing."""
    for corpus in oracle.corpora():
        shutil.copytree(oracle.DATA / corpus, directory / corpus, ignore=_dangling)
    return directory


def _dangling(directory: str, names: list[str]) -> list[str]:
    return [name for name in names if not pathlib.Path(directory, name).exists()]


def files(directory: pathlib.Path) -> Iterator[tuple[str, bytes]]:
    """Relative names and contents, sorted."""
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            yield path.relative_to(directory).as_posix(), path.read_bytes()


def is_hidden(name: str) -> bool:
    """Whether a web server does not list it."""
    return any(part.startswith(".") and part != "." for part in name.split("/"))


def everything(logs: Logs, root: str) -> dict[str, Any]:
    """All that was read, heavy values included. Addresses are told relative to `root`."""
    store = logs._store
    series = logs.series(hidden=True)
    return {
        "runs": logs.runs,
        "series": [tuple(each) for each in series],
        "metadata": {(each.run, each.tag): logs.metadata(each.run, each.tag) for each in series},
        "values": {(each.run, each.tag): _values(logs, each.run, each.tag, each.kind) for each in series},
        "faults": sorted((_below(each.path, root), each.offset, each.reason, each.detail) for each in logs.faults),
        "companions": [(each.kind, each.run, _below(each.path, root)) for each in store.companions],
        "sources": sorted(
            (each.kind, each.run, _below(each.address, root), each.state.size, _hash(store.read_source(each)))
            for each in store.sources()
        ),
    }


def _values(logs: Logs, run: str, tag: str, kind: str) -> list[Any]:
    if kind == types.Kind.SCALARS.word:
        points = logs.scalars(run, tag)
        return [_hash(column.tobytes()) for column in (points.steps, points.wall_times, points.values)]
    return [_value(each) for each in logs.tensors(run, tag)]


def _value(tensor: Any) -> tuple[Any, ...]:
    content = tensor.array.tobytes() if tensor.array is not None else b"\0".join(tensor.strings or ())
    return tensor.step, tensor.wall_time, tensor.shape, _hash(content)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _below(address: str, root: str) -> str:
    return address.removeprefix(root).strip("/")


def without_hidden(found: dict[str, Any]) -> dict[str, Any]:
    """What is left of `everything` where hidden directories are not listed."""
    return {
        "runs": [run for run in found["runs"] if not is_hidden(run)],
        "series": [each for each in found["series"] if not is_hidden(each[0])],
        "metadata": {key: value for key, value in found["metadata"].items() if not is_hidden(key[0])},
        "values": {key: value for key, value in found["values"].items() if not is_hidden(key[0])},
        "faults": [each for each in found["faults"] if not is_hidden(each[0])],
        "companions": [each for each in found["companions"] if not is_hidden(each[1])],
        "sources": [each for each in found["sources"] if not is_hidden(each[1])],
    }
