"""The service that clients read from: `tensorboard.service.TensorBoardExporterService`.

    StreamExperiments      the caller's uploads, one per answer, with the members of the mask
    StreamExperimentData   the series of an upload, whoever wrote its files
    StreamBlobData         one blob

Files are read by other processes (`readers`).
"""

from __future__ import annotations

import collections
import json
import pathlib
import threading
from collections.abc import Iterator
from typing import Any

from lightboard import _native, errors
from lightboard.hub.api import routes
from lightboard.hub.life import uploads
from lightboard.hub.people.may import Action
from lightboard.hub.tensorboard_dev import calls, experiments, export_messages, messages, readers

SERVICE = "tensorboard.service.TensorBoardExporterService"
BLOB_PART_BYTES = 1 << 20
# Members of an experiment that only its files tell.
_COUNTED = frozenset({4, 5, 6, 9, 10})
_MOST_COUNTS = 1000


class Exporter:
    """State: counts of uploads, with what they depend on, under the lock."""

    def __init__(self, services: routes.Services) -> None:
        self._services = services
        self._readers = readers.Readers()
        self._lock = threading.Lock()
        self._counts: collections.OrderedDict[str, tuple[object, dict[str, int]]] = collections.OrderedDict()

    def methods(self) -> dict[str, calls.Method]:
        return {
            f"/{SERVICE}/StreamExperiments": calls.streamed(self.list),
            f"/{SERVICE}/StreamExperimentData": calls.streamed(self.data),
            f"/{SERVICE}/StreamBlobData": calls.streamed(self.blob),
        }

    def tend(self) -> None:
        self._readers.end_unused()

    def close(self) -> None:
        self._readers.close()

    def list(self, caller: experiments.Caller, request: bytes) -> Iterator[bytes]:
        asked = export_messages.read_listing(request)
        listed = experiments.own(self._services, caller)
        if asked.before:
            listed = [each for each in listed if each.created <= asked.before]
        for each in listed[: asked.limit] if asked.limit > 0 else listed:
            counts = self._counted(each) if asked.mask & _COUNTED else {}
            shown = export_messages.Experiment(
                id=each.id,
                created=each.created,
                updated=each.updated,
                name=each.name,
                description=each.description,
                owner=caller.user.name,
                **counts,
            )
            yield export_messages.experiments([shown], asked.mask)

    def data(self, caller: experiments.Caller, request: bytes) -> Iterator[bytes]:
        id = messages.read_id(request)
        upload = experiments.permitted(self._services, caller, id, Action.BOARD_OPEN)
        for number in range(self._count(upload)["series"]):
            start: int | None = 0
            while start is not None:
                # asked again for each answer: an export may take long
                experiments.permitted(self._services, caller, id, Action.BOARD_OPEN)
                with self._readers.process(self._directory(upload)) as process:
                    frames = process.ask(self._directory(upload), series=number, prefix=upload.id, **{"from": start})
                yield frames[0][1]
                start = json.loads(frames[1][1])["next"]

    def blob(self, caller: experiments.Caller, request: bytes) -> Iterator[bytes]:
        id = messages.read_id(request)
        upload_id, *place = id.rsplit("-", 3)
        if len(place) != 3 or not (place[1] + place[2]).isdecimal() or len(id) > 200:
            raise errors.NotFound("not found: this blob")
        upload = experiments.permitted(self._services, caller, upload_id, Action.BOARD_OPEN)
        with self._readers.process(self._directory(upload)) as process:
            found = process.ask(self._directory(upload), blob=[place[0], int(place[1]), int(place[2])])[0][1]
        yield from export_messages.blob_parts(found, _native.crc32c(found), BLOB_PART_BYTES)

    def _counted(self, upload: uploads.Upload) -> dict[str, int]:
        """Counts of an upload that cannot be read are 0: a list shows it nevertheless."""
        version = (upload.bytes, upload.files, upload.updated)
        with self._lock:
            known = self._counts.get(upload.id)
        if known is not None and known[0] == version:
            return known[1]
        if upload.away:  # a list brings no files back from the bucket
            return {"runs": upload.runs}
        try:
            counts = self._count(upload)
        except readers.Busy:
            raise
        except errors.LightboardError:
            return {"runs": upload.runs}
        counts.pop("series")
        with self._lock:
            self._counts[upload.id] = (version, counts)
            if len(self._counts) > _MOST_COUNTS:
                self._counts.popitem(last=False)
        return counts

    def _count(self, upload: uploads.Upload) -> dict[str, Any]:
        if not any(pathlib.Path(self._directory(upload)).iterdir()):
            return dict.fromkeys(("series", "runs", "tags", "scalars", "tensor_bytes", "blob_bytes"), 0)
        with self._readers.process(self._directory(upload)) as process:
            counts: dict[str, Any] = json.loads(process.ask(self._directory(upload), counts=True)[0][1])
            return counts

    def _directory(self, upload: uploads.Upload) -> str:
        return str(self._services.uploads.local(upload))
