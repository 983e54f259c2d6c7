"""Where to look for logs: roots with or without a name, and patterns on run names.

    --logdir runs                        one root, runs named by their directory below it
    --logdir_spec train:a,eval:b/c       named roots: `train/...`, `eval/...`
    --logdir "runs/*/tb"                 a pattern: every match is a root, named by the matched part

Run names never depend on the other files there: with several roots, each always has its own prefix.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import functools
import os
import re
from collections.abc import Iterable, Sequence

from lightboard import errors, types
from lightboard.logdir import filesystems

_DRIVE = re.compile(r"[A-Za-z]:\\|[A-Za-z]:/" if os.name == "nt" else r"[A-Za-z]:\\")


@dataclasses.dataclass(frozen=True)
class Root:
    """A directory, an event file or a pattern for either; `name` "" if the user gave none."""

    name: str
    path: str


@dataclasses.dataclass(frozen=True)
class LogdirSpec:
    """Defines which runs are read. `include` and `exclude` are shell patterns on run names.

    A pattern also applies to everything below a match: exclude `old*` leaves out `old_1/train` too.
    """

    roots: tuple[Root, ...]
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    links: types.Links = types.Links.ALL  # which links to runs and event files are followed

    def shows(self, run: str) -> bool:
        if self.include and not pattern(self.include).match(run):
            return False
        return not (self.exclude and pattern(self.exclude).match(run))

    def enters(self, prefix: str) -> bool:
        """Returns whether runs below a directory can be shown at all."""
        return not (self.exclude and pattern(self.exclude).match(prefix.rstrip("/")))


@dataclasses.dataclass(frozen=True)
class Place:
    """A root as it is now: where to look, and what to put before relative names."""

    path: str  # an address
    prefix: str = ""  # ends with "/" unless empty


def parse_spec(
    text: str,
    *,
    is_spec: bool = True,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    links: types.Links = types.Links.ALL,
) -> LogdirSpec:
    """Parses `--logdir_spec` (`name:path,path2`), or without `is_spec` `--logdir` (one path as it is)."""
    pieces = [piece.strip() for piece in text.split(",")] if is_spec else [text]
    return spec_of([_root(piece) if is_spec else Root("", piece) for piece in pieces if piece], include, exclude, links)


def spec_of(
    roots: Sequence[Root],
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    links: types.Links = types.Links.ALL,
) -> LogdirSpec:
    if not roots:
        raise errors.BadInput("no logdir is given", hint="`lightboard --logdir PATH`")
    return LogdirSpec(tuple(roots), tuple(include), tuple(exclude), links)


def places(spec: LogdirSpec, systems: filesystems.FileSystems) -> list[Place]:
    """Returns the places of all roots, patterns expanded; a missing path is kept, so that it can be reported."""
    expanded = [systems.of(root.path).expand(root.path) for root in spec.roots]
    labels = _labels(spec.roots)
    inside = homes(spec, systems)
    places = []
    for label, (matches, pattern_from) in zip(labels, expanded, strict=True):
        for path in matches:
            linked = pattern_from and _is_linked(path, pattern_from, systems.of(path))
            if linked and not _follows(spec, path, inside, systems):
                continue
            part = path[pattern_from:].replace(os.sep, "/") if pattern_from else ""
            prefix = "/".join(piece for piece in (label, part) if piece)
            places.append(Place(path, prefix + "/" if prefix else ""))
    return places


def homes(spec: LogdirSpec, systems: filesystems.FileSystems) -> list[str]:
    """Returns real paths of the log directories. A match that is a link does not count: no user named it."""
    paths = []
    for root in spec.roots:
        system = systems.of(root.path)
        matches, pattern_from = system.expand(root.path)
        paths += [
            system.resolve(path) for path in matches if not pattern_from or not _is_linked(path, pattern_from, system)
        ]
    return paths


def home_of(real: str, homes: Iterable[str]) -> str | None:
    """Returns the log directory that contains a real path."""
    return next((home for home in homes if real == home or real.startswith(home.rstrip("/") + "/")), None)


def inside(spec: LogdirSpec, address: str, systems: filesystems.FileSystems) -> bool:
    """Returns whether the resolved path of a file is below a log directory."""
    return home_of(systems.of(address).resolve(address), homes(spec, systems)) is not None


def follows(spec: LogdirSpec, path: str, systems: filesystems.FileSystems) -> bool:
    """Returns whether a path is no link, or a link that may be followed. Only the last part of the path is checked:
    the directories above were checked before.
    """
    if spec.links is types.Links.ALL or not _is_linked(path, path.rindex("/") + 1, systems.of(path)):
        return True
    return _follows(spec, path, homes(spec, systems) if spec.links is types.Links.INSIDE else (), systems)


@functools.lru_cache(maxsize=32)
def pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    """Returns a pattern that matches what any of the shell patterns matches, and everything below it."""
    expressions = [fnmatch.translate(one).removesuffix(r"\Z").removesuffix(r"\z") for one in globs]
    return re.compile(f"(?:{'|'.join(expressions)})(?:/.*)?\\Z", re.DOTALL)


def _root(piece: str) -> Root:
    whole_path = filesystems.scheme(piece) or piece.startswith(("/", "~", ".")) or _DRIVE.match(piece)
    if ":" not in piece or whole_path or os.path.lexists(piece):
        return Root("", piece)
    name, _, path = piece.partition(":")
    return Root(name.strip().strip("/"), path.strip())


def _is_linked(path: str, part_from: int, system: filesystems.FileSystem) -> bool:
    """Returns whether the part of a path from `part_from` on contains a link."""
    above = system.resolve(path[: part_from - 1] or "/")
    return system.resolve(path) != f"{above.rstrip('/')}/{path[part_from:]}"


def _follows(spec: LogdirSpec, link: str, inside: Iterable[str], systems: filesystems.FileSystems) -> bool:
    if spec.links is types.Links.INSIDE:
        return home_of(systems.of(link).resolve(link), inside) is not None
    return spec.links is types.Links.ALL


def _labels(roots: Sequence[Root]) -> list[str]:
    """Returns a unique prefix for each root: "" for a single unnamed one, otherwise the name or the end of the path."""
    if len(roots) == 1:
        return [roots[0].name]
    tails = _tails([filesystems.absolute(root.path) for root in roots])
    labels: list[str] = []
    for root, tail in zip(roots, tails, strict=True):
        label, n = root.name or tail, 1
        wanted = label
        while label in labels:
            n += 1
            label = f"{wanted} ({n})"
        labels.append(label)
    return labels


def _tails(paths: Sequence[str]) -> list[str]:
    """Returns the last parts of each path, as many as are needed to make them different."""
    split = [[part for part in path.replace(os.sep, "/").split("/") if part] for path in paths]
    depth, most = 1, max(len(parts) for parts in split)
    while depth < most and len({tuple(parts[-depth:]) for parts in split}) < len({tuple(parts) for parts in split}):
        depth += 1
    return ["/".join(parts[-depth:]) for parts in split]
