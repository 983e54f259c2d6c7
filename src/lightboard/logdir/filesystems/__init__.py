"""Where logs can lie. A file system discovers event files below a root; reading is by path.

Only local ones (which includes NFS, FUSE mounts and the like) are implemented. An object store will be a module beside
`local` with the same functions, chosen here by the scheme of the root.
"""

from __future__ import annotations

import re
import types as python_types

from lightboard import errors

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")


def scheme(path: str) -> str:
    """`s3` of `s3://bucket/runs`, "" for a plain path."""
    match = _SCHEME.match(path)
    return match.group(1).lower() if match else ""


def of(path: str) -> python_types.ModuleType:
    """The file system that a root lies on. Raises errors.BadInput for one we cannot read."""
    name = scheme(path)
    if name not in ("", "file"):
        raise errors.BadInput(
            f"`{name}://` is not supported yet, only paths of mounted file systems are: {path}",
            hint="mount the bucket (for instance with rclone or goofys) and give the mount's path",
        )
    from lightboard.logdir.filesystems import local

    return local
