"""Logs for scripts: `lightboard.open("runs")`.

    logs = lightboard.open("runs")
    logs.runs                                   ['train', 'validation']
    logs.tags("scalars")                        ['accuracy', 'loss']
    logs.scalars("train", "loss").values        NumPy, every point, not copied
    logs.images("train", "samples")[-1].blobs   read from the event file on access
    logs.to_pandas()                            run, tag, step, wall_time, value
    logs.trials().to_pandas()                   a row per trial: its hparams and its metrics

`logs` has the class that `open` returns, `frames` turns a selection into tables for pandas, Polars and Arrow.
"""

from __future__ import annotations

import enum
import os
import pathlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from lightboard import board, errors, logdir, types
from lightboard.reading.logs import Entry, Logs, Scalars

if TYPE_CHECKING:
    from lightboard.storage import Settings

__all__ = ["Entry", "Logs", "Scalars", "open"]

Path = str | os.PathLike[str]
Word = TypeVar("Word", bound=enum.Enum)


def open(
    path: Path | Iterable[Path] | Mapping[str, Path],
    *,
    index: bool = True,
    index_dir: Path | None = None,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    rewinds: str = "latest",
    follow_links: str = "all",
    storage: Path | None = None,
) -> Logs:
    """Read all event files below a directory, a bucket (`s3://bucket/runs`) or another address.

    `path` is a directory, an event file, several of them, or a mapping from names (which become the first part of run
    names) to directories. With `index`, what was read is saved in the user's cache directory and the next call reads
    only what is new. `include` and `exclude` are shell patterns on run names. `rewinds="all"` also returns superseded
    points, which a restarted job wrote again. `follow_links` says which symbolic links to runs and event files are
    followed: `"never"`, those that end `"inside"` the given directories, or `"all"`. `storage` names the TOML file with
    secrets and claims; see docs/reference/storage.md.

    Raises `errors.NotFound` or `errors.Unreadable` if no source can be read; if some can, `problems` of the result has
    the others.
    """
    shown, links = _word("rewinds", types.Rewinds, rewinds), _word("follow_links", types.Links, follow_links)
    options = board.Options(index=index, index_dir=os.fspath(index_dir) if index_dir else "", rewinds=shown)
    settings = _settings(storage)
    roots = _roots(path)
    for root in roots:
        if not root.path:  # more often an unset variable than the current directory
            raise errors.BadInput("the path is empty", hint='`lightboard.open(".")` reads the current directory')
    roots = [logdir.Root(root.name, logdir.root_of(root.path, settings)) for root in roots]
    for root in roots:
        if _is_plain(root.path) and not pathlib.Path(root.path).exists():
            raise errors.NotFound(f"no such file or directory: {root.path}")
    systems = logdir.FileSystems(settings=settings)
    one = board.Board(logdir.spec_of(roots, include, exclude, links), options, systems=systems)
    one.load()
    logs = Logs(one)
    failed = [each for each in logs.problems if each.failed and not (each.partly and logs.series())]
    if len({each.source for each in failed}) >= len(roots):
        logs.close()
        raise failed[0].as_error()
    return logs


def _settings(file: Path | None) -> Settings | None:
    if file is None and not os.environ.get("LIGHTBOARD_STORAGE"):
        return None
    from lightboard.storage import settings

    return settings.load(os.fspath(file or ""))


def _roots(path: Path | Iterable[Path] | Mapping[str, Path]) -> list[logdir.Root]:
    if isinstance(path, str | os.PathLike):
        return [logdir.Root("", _text(path))]
    if isinstance(path, Mapping):
        return [logdir.Root(name, _text(one)) for name, one in path.items()]
    return [logdir.Root("", _text(one)) for one in path]


def _word(name: str, words: type[Word], word: str) -> Word:
    known = [each.value for each in words]
    if word not in known:
        raise errors.BadInput(f"`{name}` is one of {', '.join(known)}, not `{word}`")
    return words(word)


def _text(path: Path) -> str:
    return os.path.expanduser(os.fspath(path))  # noqa: PTH111 (a URL keeps its slashes)


def _is_plain(path: str) -> bool:
    """Whether it is neither a URL nor a pattern, so that it must exist."""
    return "://" not in path and not any(mark in path for mark in "*?[")
