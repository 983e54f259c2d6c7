"""Uploads: logs that are sent to a hub, and their boards.

upload = hub.uploads.create(name="resnet")
upload.send("runs")                          everything that is there now
upload.url                                   the link of its board
upload.export("copy")                        the same files back, byte for byte
"""

from __future__ import annotations

import builtins
import datetime as dt
import os
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from lightboard.client import hub_errors, values
from lightboard.client.requests import Requests, quoted

if TYPE_CHECKING:
    from lightboard.client import uploads_sending

__all__ = ["Upload", "Uploads"]

EXPORT_THREADS = 4


class Upload:
    """State: `data`, the last answer of the hub about it."""

    def __init__(self, requests: Requests, data: Mapping[str, Any]) -> None:
        self._requests = requests
        self.data = dict(data)

    def __repr__(self) -> str:
        return f"<Upload {self.id} {self.name!r}>"

    @property
    def id(self) -> str:
        return str(self.data["id"])

    @property
    def name(self) -> str:
        return str(self.data.get("name") or "")

    @property
    def description(self) -> str:
        return str(self.data.get("description") or "")

    @property
    def url(self) -> str:
        """The link of its board; empty if the board was deleted."""
        return str(self.data.get("url") or "")

    @property
    def owner(self) -> str:
        return str(self.data.get("owner") or "")

    @property
    def visibility(self) -> str:
        return str(self.data.get("visibility") or "")

    @property
    def created(self) -> dt.datetime | None:
        return values.moment(self.data.get("created"))

    @property
    def updated(self) -> dt.datetime | None:
        return values.moment(self.data.get("updated"))

    @property
    def runs(self) -> int:
        return int(self.data.get("runs") or 0)

    @property
    def files(self) -> int:
        return int(self.data.get("files") or 0)

    @property
    def bytes(self) -> int:
        return int(self.data.get("bytes") or 0)

    @property
    def _path(self) -> str:
        return quoted("uploads", self.id)

    def refresh(self) -> Upload:
        self.data = dict(self._requests.get(self._path))
        return self

    def update(self, *, name: str | None = None, description: str | None = None) -> Upload:
        body = values.given(name=name, description=description)
        self.data = dict(self._requests.send("PATCH", self._path, body, again=True))
        return self

    def delete(self) -> builtins.list[str]:
        """Deletes files and board. Returns what the hub could not remove; a second call tries again."""
        answer = self._requests.send("DELETE", self._path)
        return list((answer or {}).get("left") or ())

    def sender(self, logdir: str | os.PathLike[str], **options: Any) -> uploads_sending.Sender:
        """For programs that follow a log directory: see `uploads_sending.Sender`."""
        from lightboard.client import uploads_sending  # most users of a hub send nothing

        return uploads_sending.Sender(self._requests, self.id, os.fspath(logdir), **options)

    def send(
        self,
        logdir: str | os.PathLike[str],
        *,
        plugins: Collection[str] = (),
        bytes_per_sec: float = 0.0,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> uploads_sending.Totals:
        """Sends the event files of a directory and their companions, as they are now. What the hub has is not sent
        again."""
        sender = self.sender(logdir, plugins=plugins, bytes_per_sec=bytes_per_sec, progress=progress)
        try:
            sender.begin()
            sender.turn()
            self.data = sender.flush(end=True)
            return sender.totals
        finally:
            sender.close()

    # -- reading back

    def stored(self) -> Iterator[dict[str, Any]]:
        """Path, size and checksum of each file."""
        after = ""
        while True:
            page = self._requests.get(f"{self._path}/files", {"after": after, "limit": 5000})
            yield from page["items"]
            after = page.get("next_after") or ""
            if not after:
                return

    def export(self, outdir: str | os.PathLike[str]) -> int:
        """Writes all files below a directory, as they were sent, and returns their number. A file that is there
        already is refused."""
        from concurrent import futures

        top = Path(outdir)
        top.mkdir(parents=True, exist_ok=True)
        files = list(self.stored())
        with futures.ThreadPoolExecutor(EXPORT_THREADS, thread_name_prefix="export") as threads:
            waiting = [threads.submit(self._fetch, each, top) for each in files]
            for each in futures.as_completed(waiting):
                each.result()
        return len(files)

    def _fetch(self, file: Mapping[str, Any], top: Path) -> None:
        target = top / _inside(str(file["path"]))
        target.parent.mkdir(parents=True, exist_ok=True)
        checksum = size = 0
        path = f"/api/v1{self._path}/file?path={quote(str(file['path']), safe='')}"
        with open(target, "xb") as written:
            for piece in self._requests.connections.pieces(path):
                piece = piece[: int(file["size"]) - size]  # it may have grown since it was listed
                checksum, size = zlib.crc32(piece, checksum), size + len(piece)
                written.write(piece)
        if size != file["size"] or (file["checksum"] is not None and checksum != file["checksum"]):
            target.unlink()
            raise hub_errors.HubFailed(f"the hub sent other bytes than it has: {file['path']}", hint="try again")


def _inside(path: str) -> PurePosixPath:
    """What a hub says is not trusted: a path stays below the directory of the export."""
    parts = path.split("/")
    if any(each in ("", ".", "..") for each in parts) or "\\" in path or "\0" in path or ":" in parts[0]:
        raise hub_errors.HubFailed(f"the hub named a file outside of its upload: {path!r}")
    return PurePosixPath(path)


class Uploads:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def create(
        self,
        *,
        name: str | None = None,
        description: str | None = None,
        workspace: str | None = None,
        visibility: str | None = None,
        confirm_public: bool | None = None,
    ) -> Upload:
        """Creates an empty upload with a board. `visibility` is private (the default), workspace, or public, which
        needs `confirm_public=True`."""
        body = values.given(
            name=name,
            description=description,
            workspace=workspace,
            visibility=visibility,
            confirm_public=confirm_public,
        )
        return Upload(self._requests, self._requests.send("POST", "/uploads", body))

    def get(self, upload: str) -> Upload:
        return Upload(self._requests, self._requests.get(quoted("uploads", upload)))

    def list(self, *, workspace: str | None = None, owner: str | None = None) -> builtins.list[Upload]:
        """Uploads that this user may see, newest first."""
        found = self._requests.all("/uploads", {"workspace": workspace, "owner": owner})
        return [Upload(self._requests, each) for each in found]

    def limits(self, workspace: str) -> dict[str, Any]:
        """How much may be uploaded into a workspace: `left_bytes`, `left_files`; None: no limit."""
        return dict(self._requests.get(f"{quoted('workspaces', workspace)}/upload_limits"))
