"""Mounted file systems that other machines may write to: the kernel does not report their changes."""

from __future__ import annotations

import os


def remote(path: str) -> str:
    """Returns the type of the file system of a path, if other machines may write to it; otherwise ""."""
    try:
        with open("/proc/self/mountinfo", errors="surrogateescape") as file:
            lines = [line.split() for line in file]
    except OSError:
        return ""
    mounts = {line[4].replace("\\040", " "): line[line.index("-") + 1] for line in lines if "-" in line}
    place = os.path.realpath(path)
    while place not in mounts and place != "/":
        place = os.path.dirname(place)  # noqa: PTH120
    kind = mounts.get(place, "")
    return kind if kind.startswith(_REMOTE) else ""


_REMOTE = (
    "nfs", "cifs", "smb", "fuse", "lustre", "beegfs", "ceph", "gluster", "gpfs", "afs", "9p", "virtiofs", "ocfs", "gfs",
)  # fmt: skip
