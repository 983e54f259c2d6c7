"""The default destination of a run, and whether a destination is a local directory or an object store.

In this order: `LIGHTBOARD_LOGDIR`, `PAI_OUTPUT_TENSORBOARD`, `TENSORBOARD_LOGDIR` (a platform that starts jobs sets one
of them and collects the files there), then `runs/<time>_<host>`, as in PyTorch's writer.
"""

from __future__ import annotations

import datetime as dt
import os
import pathlib
import re
import socket
import urllib.parse

from lightboard.sdk import recorder

VARIABLES = ("LIGHTBOARD_LOGDIR", "PAI_OUTPUT_TENSORBOARD", "TENSORBOARD_LOGDIR")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_LOCAL = "file"


def logdir(directory: str | os.PathLike[str] | None = None, comment: str = "") -> str:
    """Returns the directory or URI to write to. Without `directory`, `comment` separates runs, as in PyTorch."""
    if directory is not None and os.fspath(directory) != "":
        return local_path(os.fspath(directory))
    for variable in VARIABLES:
        configured = os.environ.get(variable, "").strip()
        if configured:
            return _below(local_path(configured), comment)
    now = dt.datetime.now().astimezone().strftime("%b%d_%H-%M-%S")
    return str(pathlib.Path("runs", f"{now}_{socket.gethostname()}{comment}"))


def is_remote(directory: str) -> bool:
    """Returns whether this is an object store's URI, such as `s3://bucket/path`."""
    match = _SCHEME.match(directory)
    return match is not None and match[1].lower() != _LOCAL


def local_path(directory: str) -> str:
    """Returns `file:///logs/a` as a path; everything else unchanged."""
    match = _SCHEME.match(directory)
    if match is None or match[1].lower() != _LOCAL:
        return directory
    return urllib.parse.unquote(urllib.parse.urlsplit(directory).path)


def open_recorder(
    directory: str,
    *,
    filename_suffix: str = "",
    flush_secs: float = 120.0,
    max_queue: int = 10,
    purge_step: int | None = None,
    strict: bool = False,
) -> recorder.Recorder:
    """Returns the recorder for a destination: a local directory, or an object store with a local spool."""
    kind = recorder.Recorder
    if is_remote(directory):
        from lightboard.sdk import object_store  # imported here, because most runs never need it

        kind = object_store.ObjectStoreRecorder
    return kind(
        directory,
        filename_suffix=filename_suffix,
        flush_secs=flush_secs,
        max_queue=max_queue,
        purge_step=purge_step,
        strict=strict,
    )


def _below(directory: str, comment: str) -> str:
    """Makes a comment the name of a sub-run: two writers of one job must not share a run by accident."""
    name = comment.strip("_-. /")
    if not name:
        return directory
    return f"{directory.rstrip('/')}/{name}" if is_remote(directory) else str(pathlib.Path(directory, name))
