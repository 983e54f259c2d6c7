"""The log directory of a notebook whose user names none: for `lightboard.enable()` and the launcher of JupyterLab."""

from __future__ import annotations

import os

# Where jobs and notebooks are told to write, and where writers write without being told.
VARIABLES = ("LIGHTBOARD_LOGDIR", "PAI_OUTPUT_TENSORBOARD", "TENSORBOARD_LOGDIR")
FOLDERS = ("runs", "logs")


def find(folder: str = "") -> str:
    """Returns the directory of the first variable that is set, or `runs` or `logs` in `folder` (default: here).

    If neither is there, `runs`: training may start later.
    """
    named = next(filter(None, map(os.environ.get, VARIABLES)), "")
    there = (name for name in FOLDERS if os.path.isdir(os.path.join(folder, name)))  # noqa: PTH112, PTH118
    found = named or next(there, FOLDERS[0])
    return found if "://" in found else os.path.join(folder, found)  # noqa: PTH118
