"""Directories of this machine that boards may read: below the roots that the admin allows, or of a claim.

A path is checked twice: as it is written, so that nothing is asked of the disk outside, and as it is after links were
followed. `real` is what a board gets. Who may write into a root can still replace a directory by a link between this
check and the board's first look, but a board follows links only inside its own sources.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from lightboard.hub.sources import refusals

_PATTERN = "*?["


class Places:
    """`closed` are directories inside roots that no board reads: the hub's own."""

    def __init__(
        self, roots: Sequence[str] = (), claims: Mapping[str, str] | None = None, *, closed: Sequence[str] = ()
    ) -> None:
        self.roots = tuple(roots)
        self.claims = dict(claims or {})
        self._closed = tuple(map(os.path.realpath, closed))

    def real(self, path: str, *, admin: bool = False) -> str:
        """The path with links followed. `admin`: the message may name the roots."""
        if not path.startswith("/"):
            raise refusals.InvalidUri(
                f"a path on the hub's machine begins with a slash: {path}",
                hint="write the whole path, or an address such as s3://bucket/path",
            )
        _check_parts(path)
        written = os.path.normpath(path).replace("//", "/", 1)
        if not any(_is_below(written, root) for each in self.roots for root in (each, os.path.realpath(each))):
            raise self._outside(path, admin)
        real = self._followed(written)
        if not any(self._is_open(real, os.path.realpath(root)) for root in self.roots):
            raise self._outside(path, admin)
        return real

    def of_claim(self, claim: str, key: str) -> str:
        """The directory of `pvc://claim/key`."""
        if claim not in self.claims:
            known = ", ".join(sorted(self.claims))
            raise refusals.PvcNotFound(
                f"no claim is named `{claim}`",
                hint=f"there are: {known}" if known else "the admin of the hub names the directories of claims",
            )
        top = os.path.realpath(self.claims[claim])
        _check_parts(key)
        real = self._followed(f"{top}/{key}" if key else top)
        if not self._is_open(real, top):
            raise refusals.InvalidUri(f"the path leads out of the claim `{claim}`: {key}", hint="name a path inside it")
        return real

    def _is_open(self, real: str, top: str) -> bool:
        """Below the top, and not in a closed directory unless the top is there, too."""
        closed = any(_is_below(real, each) and not _is_below(top, each) for each in self._closed)
        return _is_below(real, top) and not closed

    def _followed(self, path: str) -> str:
        """Only the part before a pattern: the board checks what the pattern matches."""
        parts = path.split("/")
        first = next((number for number, part in enumerate(parts) if any(sign in part for sign in _PATTERN)), None)
        if first is None or os.path.lexists(path):
            real = os.path.realpath(path)
        else:
            real = "/".join([os.path.realpath("/".join(parts[:first]) or "/").rstrip("/"), *parts[first:]])
        if real != real.strip() or not real.isprintable():
            raise refusals.InvalidUri(
                f"boards cannot read a path with such signs: {real!r}", hint="rename the directory"
            )
        return real

    def _outside(self, path: str, admin: bool) -> refusals.InvalidUri:
        """The same words whether or not something is there."""
        if not self.roots:
            hint = (
                "allow one with `--allow_root PATH`, or `roots` in [boards] of hub.toml"
                if admin
                else "use a bucket or a claim, or ask the admin of the hub to allow a directory"
            )
            return refusals.InvalidUri(f"this hub reads no paths of its machine: {path}", hint=hint)
        hint = f"allowed are: {', '.join(self.roots)}" if admin else "ask the admin of the hub which ones are"
        return refusals.InvalidUri(f"the path is not below a directory that this hub reads: {path}", hint=hint)


def _check_parts(path: str) -> None:
    if ".." in path.split("/"):
        raise refusals.InvalidUri(f"the path contains `..`: {path}", hint="write the path itself")


def _is_below(path: str, top: str) -> bool:
    return path == top or path.startswith(top.rstrip("/") + "/")
