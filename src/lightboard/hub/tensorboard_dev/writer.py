"""The service that clients write to: `tensorboard.service.TensorBoardWriterService`.

    CreateExperiment · UpdateExperiment · DeleteExperiment · WriteScalar · WriteTensor
    GetOrCreateBlobSequence · GetBlobMetadata · WriteBlob (a stream of chunks, each answered)

A method gets the caller and the bytes of requests, and yields those of answers. It raises errors.LightboardError. What
a client sends again because it got no answer is written once. Not offered: PurgeData and DeleteOwnUser, which no client
calls.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator

from lightboard import errors
from lightboard.hub.api import routes
from lightboard.hub.life import uploads
from lightboard.hub.people.may import Action
from lightboard.hub.tensorboard_dev import blobs, calls, experiments, files, handshake, messages, records

SERVICE = "tensorboard.service.TensorBoardWriterService"
# Files of an upload are counted at most this often.
NOTE_SECS = 2.0
# A record beside the name of its tag and its value: framing, times, lengths.
_RECORD_BYTES = 64

_Tagged = Callable[[messages.Run], Iterable[files.Tagged]]


class Writer:
    """State: files and blobs under way, each with its lock; uploads that are to be counted, under `_lock`."""

    def __init__(self, services: routes.Services) -> None:
        self._services = services
        self._files = files.Files()
        self._blobs = blobs.Blobs()
        self._lock = threading.Lock()
        self._changed: dict[str, float] = {}  # upload → when it was written first since the last count

    def methods(self) -> dict[str, calls.Method]:
        limits = handshake.LIMITS
        return {
            f"/{SERVICE}/CreateExperiment": calls.unary(self.create),
            f"/{SERVICE}/UpdateExperiment": calls.unary(self.update),
            f"/{SERVICE}/DeleteExperiment": calls.unary(self.delete),
            f"/{SERVICE}/WriteScalar": calls.unary(self.write_scalars, limits.scalar_request_bytes),
            f"/{SERVICE}/WriteTensor": calls.unary(self.write_tensors, limits.tensor_request_bytes),
            f"/{SERVICE}/GetOrCreateBlobSequence": calls.unary(self.begin_sequence),
            f"/{SERVICE}/GetBlobMetadata": calls.unary(self.blob_metadata),
            f"/{SERVICE}/WriteBlob": self.write_blob,
        }

    # ---- experiments

    def create(self, caller: experiments.Caller, request: bytes) -> bytes:
        name, description = messages.read_create(request)
        workspace = experiments.workspace_for_new(self._services, caller)
        made = self._services.uploads.create(
            caller.user, workspace, name=name, description=description, form=uploads.Form.POINTS
        )
        experiments.audit(self._services, caller, "upload.create", made, {"visibility": "private"})
        return messages.created(made.id, f"{handshake.EXPERIMENTS}{made.id}/")

    def update(self, caller: experiments.Caller, request: bytes) -> bytes:
        update = messages.read_update(request)
        upload = experiments.permitted(self._services, caller, update.experiment, Action.BOARD_EDIT)
        if update.name is None and update.description is None:
            raise errors.BadInput("nothing is changed", hint="send a name or a description")
        self._services.uploads.change(upload.id, name=update.name, description=update.description)
        experiments.audit(self._services, caller, "upload.change", upload)
        return b""

    def delete(self, caller: experiments.Caller, request: bytes) -> bytes:
        upload = experiments.permitted(self._services, caller, messages.read_id(request), Action.BOARD_DELETE)
        removed = self._services.uploads.delete(upload, caller.user.id)
        self._files.forget(upload.id)
        self._blobs.forget(upload.id)
        experiments.audit(
            self._services, caller, "upload.delete", upload, {"files": removed.files, "left": len(removed.left)}
        )
        if removed.left:
            raise errors.Unreadable(f"some files could not be removed: {removed.left[0]}", hint="delete it again")
        return b""

    # ---- points

    def write_scalars(self, caller: experiments.Caller, request: bytes) -> bytes:
        return self._write(caller, request, messages.read_scalars(request), _scalars)

    def write_tensors(self, caller: experiments.Caller, request: bytes) -> bytes:
        return self._write(caller, request, messages.read_tensors(request), _tensors)

    def _write(self, caller: experiments.Caller, request: bytes, write: messages.Write, tagged: _Tagged) -> bytes:
        upload = experiments.written_to(self._services, caller, write.experiment)
        for tag in (tag for run in write.runs for tag in run.tags):
            files.check_tag(tag.name)
        runs = [run for run in write.runs if any(tag.points for tag in run.tags)]
        of_upload = self._files.of(upload.id)
        with of_upload.lock:
            if of_upload.is_repeated(request):
                return b""
            self._check_quotas(upload, _most_bytes(runs), of_upload.new_files(run.name for run in runs))
            for run in runs:
                of_upload.append(
                    self._services.uploads.directory(upload), run.name, tagged(run), self._services.clock()
                )
            of_upload.note_written(request)
        self._note_later(upload.id)
        return b""

    # ---- blobs

    def begin_sequence(self, caller: experiments.Caller, request: bytes) -> bytes:
        sequence = messages.read_sequence(request)
        upload = experiments.written_to(self._services, caller, sequence.experiment)
        files.check_tag(sequence.tag)
        self._check_quotas(upload, 1, 1)
        id, ended = self._blobs.begin(caller.user.id, sequence)
        for each in ended:
            self._write_sequence(upload, each)
        if not sequence.length and (empty := self._blobs.take_complete(id)) is not None:
            self._write_sequence(upload, empty)
        return messages.created(id, "")

    def blob_metadata(self, caller: experiments.Caller, request: bytes) -> bytes:
        id, index = messages.read_blob_place(request)
        return messages.blob_metadata(*self._blobs.state(caller.user.id, id, index))

    def write_blob(self, caller: experiments.Caller, requests: Iterator[bytes]) -> Iterator[bytes]:
        for request in requests:
            chunk = messages.read_chunk(calls.checked(request, handshake.LIMITS.blob_request_bytes + calls.SMALL_BYTES))
            size = self._blobs.add(caller.user.id, chunk)
            if chunk.is_last and (complete := self._blobs.take_complete(chunk.sequence)) is not None:
                upload = experiments.written_to(self._services, caller, complete.sequence.experiment)
                self._write_sequence(upload, complete)
            yield messages.blob_written(messages.CURRENT if chunk.is_last else messages.UNFINALIZED, size)

    def _write_sequence(self, upload: uploads.Upload, waiting: blobs.Waiting) -> None:
        """What is not complete is empty; a sequence of which nothing arrived is left out."""
        pairs = zip(waiting.blobs, waiting.final, strict=True)
        values = [bytes(blob) if final else b"" for blob, final in pairs]
        if values and not any(waiting.final):
            return
        self._check_quotas(upload, waiting.size + len(waiting.sequence.metadata) + _RECORD_BYTES, 0)
        sequence = waiting.sequence
        made: files.Tagged = (sequence.tag, lambda _: records.blobs(sequence, values))
        of_upload = self._files.of(upload.id)
        with of_upload.lock:
            of_upload.append(self._services.uploads.directory(upload), sequence.run, [made], self._services.clock())
        self._note_later(upload.id)

    # ---- quotas and counts

    def _check_quotas(self, upload: uploads.Upload, size: int, new_files: int) -> None:
        left = self._services.uploads.left(upload.owner, upload.workspace)
        uploads.check_quotas(left, size, new_files)

    def _note_later(self, upload: str) -> None:
        with self._lock:
            self._changed.setdefault(upload, time.monotonic())

    def tend(self, *, all: bool = False) -> None:
        """Counts what was written, and ends sequences whose client is gone. Called every second, and at the end."""
        for waiting in self._blobs.take_all() if all else self._blobs.take_silent():
            upload = self._services.uploads.find(waiting.sequence.experiment)
            if upload is not None and not upload.deleting:
                calls.logged(self._write_sequence, upload, waiting)
        before = time.monotonic() - (0.0 if all else NOTE_SECS)
        with self._lock:
            due = [upload for upload, since in self._changed.items() if since <= before]
            for upload_id in due:
                del self._changed[upload_id]
        for upload_id in due:
            calls.logged(self._services.uploads.note, upload_id)


def _scalars(run: messages.Run) -> Iterator[files.Tagged]:
    for tag in run.tags:
        if tag.points:
            yield tag.name, lambda metadata, tag=tag: records.scalars(tag, metadata=metadata)  # type: ignore[misc]


def _tensors(run: messages.Run) -> Iterator[files.Tagged]:
    for tag in run.tags:
        if tag.points:
            yield tag.name, lambda metadata, tag=tag: records.tensors(tag, metadata=metadata)  # type: ignore[misc]


def _most_bytes(runs: Iterable[messages.Run]) -> int:
    tags = [tag for run in runs for tag in run.tags]
    return sum(
        len(tag.metadata) + sum(_size(point) for point in tag.points) + len(tag.points) * len(tag.name.encode())
        for tag in tags
    )


def _size(point: messages.Point) -> int:
    return _RECORD_BYTES + (len(point.value) if isinstance(point.value, bytes) else 0)
