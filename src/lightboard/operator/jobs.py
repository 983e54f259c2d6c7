"""Training jobs and the boards that they get. Pure.

    annotation lightboard.dev/logs: ADDRESS[,ADDRESS…]     batch/v1 Job, PyTorchJob, TFJob, TensorStack's jobs
    spec.tensorboardSpec                                   TensorStack's jobs: the spec of a TensorBoard

The Board has the job's name; `spec.jobRef` names the job. The job gets two annotations with the board's name and
address, TensorStack's also `status.tensorboard`. `lightboard.dev/cleanup` says what happens when the job is deleted:
`with-job` (default) removes the board, `keep` keeps it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from lightboard import errors
from lightboard.hub.life import manifests
from lightboard.operator import Label, Note, kinds
from lightboard.operator.cluster import Resource

CLEANUPS = ("with-job", "keep")
_COPIED = (Label.ACCOUNT,)


@dataclasses.dataclass(frozen=True)
class JobKind:
    word: str
    resource: Resource
    kind: str
    tensorstack: bool = False


ALL = (
    JobKind("job", Resource("batch/v1", "jobs"), "Job"),
    JobKind("pytorchjob", Resource("kubeflow.org/v1", "pytorchjobs"), "PyTorchJob"),
    JobKind("tfjob", Resource("kubeflow.org/v1", "tfjobs"), "TFJob"),
    JobKind(
        "t9kpytorch", Resource("batch.tensorstack.dev/v1beta1", "pytorchtrainingjobs"), "PyTorchTrainingJob", True
    ),
    JobKind(
        "t9ktensorflow", Resource("batch.tensorstack.dev/v1beta1", "tensorflowtrainingjobs"), "TensorFlowTrainingJob",
        True,
    ),
)  # fmt: skip
BY_WORD = {each.word: each for each in ALL}


def kind_of(reference: Mapping[str, Any]) -> JobKind | None:
    """The kind that a `jobRef` names."""
    named = (reference.get("apiVersion"), reference.get("kind"))
    return next((each for each in ALL if (each.resource.api_version, each.kind) == named), None)


def wants_board(kind: JobKind, job: Mapping[str, Any]) -> bool:
    annotations = job["metadata"].get("annotations") or {}
    return Note.LOGS in annotations or (kind.tensorstack and bool((job.get("spec") or {}).get("tensorboardSpec")))


def board_name(job: Mapping[str, Any]) -> str:
    return str(job["metadata"]["name"])


def board(kind: JobKind, job: Mapping[str, Any]) -> dict[str, Any]:
    """The Board of a job. Raises errors.LightboardError if the job says nothing that could be read."""
    meta = job["metadata"]
    annotations = meta.get("annotations") or {}
    cleanup = annotations.get(Note.CLEANUP, CLEANUPS[0])
    if cleanup not in CLEANUPS:
        raise errors.BadInput(f"{Note.CLEANUP} is `{cleanup}`; write one of {', '.join(CLEANUPS)}")
    spec = _from_tensorboard(job) if Note.LOGS not in annotations else _from_logs(annotations)
    reference = {"apiVersion": kind.resource.api_version, "kind": kind.kind, "name": meta["name"], "uid": meta["uid"]}
    made: dict[str, Any] = {
        "apiVersion": kinds.BOARD.api_version,
        "kind": kinds.BOARD.kind,
        "metadata": {
            "name": board_name(job),
            "namespace": meta["namespace"],
            "labels": {name: value for name, value in (meta.get("labels") or {}).items() if name in _COPIED},
        },
        "spec": {**spec, "jobRef": reference},
    }
    if cleanup == "with-job":
        made["metadata"]["ownerReferences"] = [{**reference, "controller": True, "blockOwnerDeletion": False}]
    return made


def _from_logs(annotations: Mapping[str, str]) -> dict[str, Any]:
    addresses = [each.strip() for each in annotations[Note.LOGS].split(",") if each.strip()]
    if not addresses:
        raise errors.BadInput(f"{Note.LOGS} is empty", hint="write an address such as pvc://claim/path")
    secret = annotations.get(Note.SECRET, "")
    takes = {"secret": secret} if secret else {}
    return {
        "sources": [
            {"uri": each, **({} if each.startswith(("pvc://", "t9k://")) else takes)} for each in addresses
        ]
    }  # fmt: skip


def _from_tensorboard(job: Mapping[str, Any]) -> dict[str, Any]:
    """The spec of a TensorBoard as that of a Board."""
    spec = (job.get("spec") or {}).get("tensorboardSpec") or {}
    document = {
        "apiVersion": manifests.TENSORSTACK,
        "kind": "TensorBoard",
        "metadata": {"name": job["metadata"]["name"]},
        "spec": spec,
    }
    parsed = manifests.definition(document)
    made: dict[str, Any] = {
        "sources": [{"uri": each.uri, **({"secret": each.secret} if each.secret else {})} for each in parsed.sources]
    }
    if spec.get("resources"):
        made["resources"] = spec["resources"]
    if parsed.suspended:
        made["suspend"] = True
    return made


def belongs(kind: JobKind, found: Mapping[str, Any], job: Mapping[str, Any]) -> bool:
    """Whether a Board of this name is the job's, also of an earlier job of the same name (`keep`)."""
    reference = (found.get("spec") or {}).get("jobRef") or {}
    return all(
        reference.get(name) == value
        for name, value in (
            ("apiVersion", kind.resource.api_version), ("kind", kind.kind), ("name", job["metadata"]["name"])
        )
    )  # fmt: skip


def changes(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What of the Board has to follow its job: where the logs are, and which job it is."""
    spec = found.get("spec") or {}
    differing = {
        name: wanted["spec"][name] for name in ("sources", "jobRef") if spec.get(name) != wanted["spec"][name]
    }  # fmt: skip
    return {"spec": differing} if differing else {}


def links(job: Mapping[str, Any], name: str, url: str) -> dict[str, Any]:
    """The patch of the job's annotations; empty if they are there."""
    annotations = job["metadata"].get("annotations") or {}
    wanted = {Note.BOARD: name, **({Note.URL: url} if url else {})}
    missing = {key: value for key, value in wanted.items() if annotations.get(key) != value}
    return {"metadata": {"annotations": missing}} if missing else {}


def dependent_status(job: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """`status.tensorboard` of TensorStack's jobs."""
    shown = found.get("status") or {}
    wanted = {
        "action": "NOP",
        "dependent": {
            "apiVersion": kinds.BOARD.api_version,
            "kind": kinds.BOARD.kind,
            "name": found["metadata"]["name"],
        },
        "status": shown.get("phase", ""),
        "url": shown.get("url", ""),
    }
    return {} if (job.get("status") or {}).get("tensorboard") == wanted else {"status": {"tensorboard": wanted}}
