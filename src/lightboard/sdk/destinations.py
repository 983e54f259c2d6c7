"""The default destination of a run, and whether a destination is a local directory or an object store.

The addresses are those of reading (`lightboard.storage.uris`); a claim of Kubernetes is a local directory.

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
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]+)://")
# a forgotten slash: not a directory with the name of a scheme
_ONE_SLASH = re.compile(r"\s*(?:s3a?|oss|minio|gc?s|az|abfss?|pvc|t9k|https?):", re.IGNORECASE)
_LOCAL, _CLAIMS = "file", ("pvc", "t9k")


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
    """Returns whether this is an address elsewhere, such as `s3://bucket/path`, also one that is misspelled."""
    match = _SCHEME.match(directory)
    return _ONE_SLASH.match(directory) is not None if match is None else match[1].lower() != _LOCAL


def local_path(directory: str) -> str:
    """Returns `file:///logs/a` and `pvc://claim/a` as paths; everything else unchanged."""
    match = _SCHEME.match(directory)
    if match is None:
        return directory
    if match[1].lower() in _CLAIMS:
        return _of_claim(directory)
    return urllib.parse.unquote(urllib.parse.urlsplit(directory).path) if match[1].lower() == _LOCAL else directory


def _of_claim(address: str) -> str:
    """Returns the directory of a claim; the address itself if there is none, which the recorder explains."""
    from lightboard import errors, storage  # imported here, because most runs never need it
    from lightboard.storage import settings

    try:
        location = storage.parse(address)
        if location.service is storage.Service.CLAIM:
            return str(pathlib.Path(settings.load().directory(location.bucket), location.key))
    except errors.LightboardError:
        pass
    return address


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
