"""Objects of one kind as the API server has them, kept by a list and a watch.

An object is trimmed when it comes in: a thousand boards with their Deployments, Services and pods take tens of
megabytes, not hundreds. What a write returned is put in as well, so that nobody decides with an older object.
"""

from __future__ import annotations

import asyncio
import collections
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lightboard.operator import Label, Note
from lightboard.operator.cluster import Cluster, Fault, Resource

_LOG = logging.getLogger(__name__)
# Waits after failed lists and watches.
FIRST_WAIT_SECS = 0.5
LONGEST_WAIT_SECS = 15.0
# A kind that the cluster does not have is asked for again.
MISSING_SECS = 60.0
Key = tuple[str, str]
Trim = Callable[[Any], Any]


class Cache:
    """State, used in one event loop: `_objects` by namespace and name; uids of those that were deleted last, because
    the answer of a write may come after the deletion; `synced` is set after the first list. A kind that does not exist
    in the cluster is synced and empty."""

    def __init__(
        self,
        cluster: Cluster,
        resource: Resource,
        changed: Callable[[Any], None],
        *,
        namespace: str = "",
        labels: str = "",
        trim: Trim | None = None,
        optional: bool = False,
    ) -> None:
        self.resource = resource
        self.synced = asyncio.Event()
        self.exists = False
        self._cluster = cluster
        self._changed = changed
        self._where = {"namespace": namespace, "labels": labels}
        self._trim = trim or trimmed
        self._optional = optional
        self._objects: dict[Key, Any] = {}
        self._deleted: collections.deque[str] = collections.deque(maxlen=256)

    def __len__(self) -> int:
        return len(self._objects)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._objects.values()))

    def get(self, namespace: str, name: str) -> Any | None:
        return self._objects.get((namespace, name))

    def put(self, document: Any) -> None:
        """What a write returned."""
        self._take(document)

    def drop(self, namespace: str, name: str) -> None:
        self._objects.pop((namespace, name), None)

    async def run(self) -> None:
        """Until it is cancelled."""
        wait = FIRST_WAIT_SECS
        while True:
            try:
                version = await self._list()
                wait = FIRST_WAIT_SECS
                await self._follow(version)
            except Fault as fault:
                if fault.is_missing and self._optional:
                    self._remove_all()
                    self.exists = False
                    self.synced.set()
                    await asyncio.sleep(MISSING_SECS)
                    continue
                if fault.status != 410:
                    _LOG.warning("cannot watch %s: %s", self.resource.plural, fault.message)
                    await asyncio.sleep(wait)
                    wait = min(2 * wait, LONGEST_WAIT_SECS)

    async def _list(self) -> str:
        items, version = await self._cluster.list(self.resource, **self._where)
        found = set()
        for each in items:
            found.add(key_of(each))
            self._take(each)
        for key in set(self._objects) - found:
            self._gone(self._objects[key])
        self.exists = True
        self.synced.set()
        return version

    async def _follow(self, version: str) -> None:
        while True:
            async for kind, document in self._cluster.watch(self.resource, version, **self._where):
                version = document["metadata"]["resourceVersion"]
                if kind in ("ADDED", "MODIFIED"):
                    self._take(document)
                elif kind == "DELETED":
                    self._gone(document)

    def _take(self, document: Any) -> None:
        key = key_of(document)
        old = self._objects.get(key)
        if old is not None and _version(old) >= _version(document) and _uid(old) == _uid(document):
            return
        if _uid(document) in self._deleted:
            return
        self._objects[key] = self._trim(document)
        self._tell(document)

    def _gone(self, document: Any) -> None:
        old = self._objects.get(key_of(document))
        if old is not None and _uid(old) != _uid(document):
            return  # another one of the same name has been made
        self._objects.pop(key_of(document), None)
        self._deleted.append(_uid(document))
        self._tell(document)

    def _tell(self, document: Any) -> None:
        """One strange object does not end the watch of all others."""
        try:
            self._changed(document)
        except Exception:
            namespace, name = key_of(document)
            _LOG.exception("cannot understand %s %s/%s", self.resource.plural, namespace, name)

    def _remove_all(self) -> None:
        for each in list(self._objects.values()):
            self._gone(each)


def key_of(document: Any) -> Key:
    meta = document["metadata"]
    return meta.get("namespace", ""), meta["name"]


def _version(document: Any) -> int:
    """Versions are to be compared for equality only, says the documentation; every server has numbers that grow."""
    text = document["metadata"].get("resourceVersion", "0")
    return int(text) if text.isdecimal() else 0


def _uid(document: Any) -> str:
    return str(document["metadata"].get("uid", ""))


# -- trimming

_META = ("name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
         "labels", "annotations", "finalizers", "ownerReferences")  # fmt: skip


def _meta(document: Any, annotations: Callable[[str], bool]) -> dict[str, Any]:
    meta = {name: document["metadata"][name] for name in _META if name in document["metadata"]}
    if "annotations" in meta:
        meta["annotations"] = {name: value for name, value in meta["annotations"].items() if annotations(name)}
    return meta


def _is_ours(name: str) -> bool:
    return "lightboard.dev/" in name or name == Note.STOPPED_KUBEFLOW


def trimmed(document: Any) -> Any:
    """A resource with its spec and status."""
    made = {name: document[name] for name in ("apiVersion", "kind", "spec", "status") if name in document}
    return {**made, "metadata": _meta(document, _is_ours)}


def trimmed_deployment(document: Any) -> Any:
    spec = document.get("spec") or {}
    labels = ((spec.get("template") or {}).get("metadata") or {}).get("labels") or {}
    template = {"metadata": {"labels": {Label.TEMPLATE: labels.get(Label.TEMPLATE, "")}}}
    return {
        "metadata": _meta(document, lambda name: name == Note.HASH),
        "spec": {"replicas": spec.get("replicas", 1), "template": template},
    }


def trimmed_mark(document: Any) -> Any:
    """Of a Service or route its hash and its owner are enough."""
    return {"metadata": _meta(document, lambda name: name == Note.HASH)}


def trimmed_pod(document: Any) -> Any:
    status: Mapping[str, Any] = document.get("status") or {}
    kept = ("phase", "podIP", "conditions", "containerStatuses", "reason", "message")
    return {
        "metadata": {k: v for k, v in _meta(document, lambda _: False).items() if k != "ownerReferences"},
        "spec": {"nodeName": (document.get("spec") or {}).get("nodeName", "")},
        "status": {name: status[name] for name in kept if name in status},
    }


def trimmed_claim(document: Any) -> Any:
    spec, status = document.get("spec") or {}, document.get("status") or {}
    meta = document["metadata"]
    names = ("name", "namespace", "uid", "resourceVersion", "deletionTimestamp")
    return {
        "metadata": {name: meta[name] for name in names if name in meta},
        "spec": {"accessModes": spec.get("accessModes") or []},
        "status": {"phase": status.get("phase", "")},
    }
