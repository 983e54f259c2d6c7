"""Three kinds of resources, one `Definition`. Pure.

    boards.lightboard.dev/v1            Board         ours
    tensorstack.dev/v1beta1             TensorBoard   TensorStack's; its image is not used, because it is TensorBoard's
    tensorboard.kubeflow.org/v1alpha1   Tensorboard   Kubeflow's; suspended by an annotation, since it has no field

The sources and times are read by `hub/life/manifests`, as for a hub; the rest means something only here.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from lightboard import errors
from lightboard.hub.life import manifests, nouns
from lightboard.operator import Label, Note

Document = Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class Kind:
    """`word` is the value of the label; `before` begins the names of its objects."""

    word: str
    group: str
    version: str
    kind: str
    plural: str
    before: str
    path: str

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}"


BOARD = Kind(
    "board", "boards.lightboard.dev", "v1", "Board", "boards", "board-", "/boards/{namespace}/{name}"
)  # fmt: skip
TENSORSTACK = Kind(
    "t9k", "tensorstack.dev", "v1beta1", "TensorBoard", "tensorboards", "t9kboard-",
    "/t9k/tensorboards/projects/{namespace}/name/{name}",
)  # fmt: skip
KUBEFLOW = Kind(
    "kubeflow", "tensorboard.kubeflow.org", "v1alpha1", "Tensorboard", "tensorboards", "kfboard-",
    "/tensorboard/{namespace}/{name}",
)  # fmt: skip
ALL = (BOARD, TENSORSTACK, KUBEFLOW)
BY_WORD = {each.word: each for each in ALL}


@dataclasses.dataclass(frozen=True)
class Source:
    uri: str
    prefix: str = ""
    secret: str = ""
    endpoint: str = ""
    region: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Definition:
    """What a resource says. `fault` is set if it cannot be understood; then the rest of the spec is empty."""

    kind: Kind
    namespace: str
    name: str
    uid: str
    generation: int = 0
    created: float = 0.0
    deleting: bool = False
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    annotations: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    title: str = ""
    sources: tuple[Source, ...] = ()
    policy: nouns.Policy = dataclasses.field(default_factory=nouns.Policy)
    suspended: bool = False
    image: str = ""
    resources: Mapping[str, Any] | None = dataclasses.field(default=None, hash=False)
    scheduling: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    state_claim: str = ""
    status: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    fault: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return self.kind.word, self.namespace, self.name

    @property
    def path(self) -> str:
        return self.kind.path.format(namespace=self.namespace, name=self.name)

    @property
    def object_name(self) -> str:
        return object_name(self.kind, self.name)

    @property
    def account(self) -> str:
        return self.labels.get(Label.ACCOUNT, "")

    @property
    def suspended_by(self) -> nouns.StopReason:
        try:
            return nouns.StopReason(self.annotations.get(Note.SUSPENDED_BY, ""))
        except ValueError:
            return nouns.StopReason.USER


def object_name(kind: Kind, name: str) -> str:
    """Names of Services have 63 letters at most, those of resources 253, with dots."""
    wanted = f"{kind.before}{name.replace('.', '-')}"
    if len(wanted) <= 63 and "." not in name:
        return wanted
    return f"{wanted[:52].rstrip('-')}-{hashlib.sha256(name.encode()).hexdigest()[:10]}"


def label_value(name: str) -> str:
    """A name as the value of a label, which has 63 letters at most."""
    return name if len(name) <= 63 else f"{name[:52]}-{hashlib.sha256(name.encode()).hexdigest()[:10]}"


def read(kind: Kind, document: Document) -> Definition:
    """Never raises for a wrong spec: the fault is a part of the definition."""
    meta = document.get("metadata") or {}
    annotations = meta.get("annotations") or {}
    made = Definition(
        kind=kind,
        namespace=meta["namespace"],
        name=meta["name"],
        uid=meta["uid"],
        generation=int(meta.get("generation", 0)),
        created=seconds(meta.get("creationTimestamp")) or 0.0,
        deleting="deletionTimestamp" in meta,
        labels=meta.get("labels") or {},
        annotations=annotations,
        status=document.get("status") or {},
    )
    spec = document.get("spec") or {}
    if not isinstance(spec, Mapping):
        return dataclasses.replace(made, fault="the spec is not a mapping")
    suspended = Note.STOPPED_KUBEFLOW in annotations if kind is KUBEFLOW else bool(spec.get("suspend"))
    made = dataclasses.replace(made, suspended=suspended, title=str(spec.get("displayName") or made.name))
    try:
        parsed = manifests.definition({**document, "spec": _plain(spec)})
        sources = _sources(kind, parsed.sources, spec, annotations)
        return dataclasses.replace(
            made,
            sources=sources,
            policy=parsed.policy,
            image=str(spec.get("image") or "") if kind is BOARD else "",
            resources=_resources(spec.get("resources") or {}),
            scheduling=_scheduling(kind, spec),
            state_claim=str((spec.get("state") or {}).get("claimName") or ""),
        )
    except errors.LightboardError as error:
        return dataclasses.replace(made, fault=f"{error.message}{f' ({error.hint})' if error.hint else ''}")
    except (AttributeError, TypeError):  # a definition of the kind that checks less than ours
        return dataclasses.replace(made, fault="the spec has a list or a text where there should be a mapping")


def _plain(spec: Document) -> dict[str, Any]:
    """Without what is read here."""
    return {name: value for name, value in spec.items() if name not in ("state",)}


def _scheduling(kind: Kind, spec: Document) -> Mapping[str, Any]:
    if kind is TENSORSTACK:
        queue = ((spec.get("scheduler") or {}).get("t9kScheduler") or {}).get("queue")
        return {"queue": queue} if queue else {}
    made: Mapping[str, Any] = spec.get("scheduling") or {}
    if str(made.get("priorityClassName", "")).startswith("system-"):
        raise errors.BadInput(
            "`scheduling.priorityClassName` begins with `system-`, which is for the cluster's own pods"
        )
    return made


def _resources(given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Nothing else of a container's resources, such as claims of devices."""
    return {name: given[name] for name in ("requests", "limits") if given.get(name)} or None


def _sources(
    kind: Kind, parsed: Sequence[nouns.Source], spec: Document, annotations: Mapping[str, str]
) -> tuple[Source, ...]:
    default = annotations.get(Note.SECRET, "") if kind is not BOARD else ""
    stores: list[Mapping[str, Any]] = [{} for _ in parsed]
    if kind is BOARD:
        stores = [(each.get("s3") or {}) for each in spec["sources"]]
    return tuple(
        Source(
            source.uri,
            source.prefix,
            source.secret or (default if _takes_secret(source.uri) else ""),
            str(store.get("endpoint") or ""),
            str(store.get("region") or ""),
        )
        for source, store in zip(parsed, stores, strict=True)
    )


def _takes_secret(uri: str) -> bool:
    scheme, found, _ = uri.partition("://")
    return bool(found) and scheme.lower() not in ("pvc", "t9k", "file")


def seconds(text: str | None) -> float | None:
    """A time of the API as Unix seconds."""
    if not text:
        return None
    try:
        return _seconds(text)
    except (TypeError, ValueError, AttributeError):  # a status that others wrote
        return None


def _seconds(text: str) -> float:
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def timestamp(secs: float) -> str:
    whole = dt.datetime.fromtimestamp(int(secs), dt.timezone.utc)
    return whole.strftime("%Y-%m-%dT%H:%M:%SZ")
