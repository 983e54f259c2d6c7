"""All that the operator watches, and which board or job is woken by a change of it."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from lightboard.operator import SELECTOR, Label, jobs, kinds, observing
from lightboard.operator import plan as plans
from lightboard.operator.caches import (
    Cache,
    key_of,
    trimmed,
    trimmed_claim,
    trimmed_deployment,
    trimmed_mark,
    trimmed_pod,
)  # fmt: skip
from lightboard.operator.cluster import CLAIMS, DEPLOYMENTS, PODS, ROUTES, SERVICES, Cluster, Resource
from lightboard.operator.kinds import Definition
from lightboard.operator.options import Options
from lightboard.operator.queue import Key

JOB = "job:"  # begins the kind of keys of jobs


class Watches:
    """State, used in one event loop: the caches; pods by board; which boards use a claim."""

    def __init__(self, cluster: Cluster, options: Options, wake: Callable[[Key], None]) -> None:
        self._wake = wake
        self._pods_of: dict[Key, dict[str, Any]] = collections.defaultdict(dict)
        self._labeled: dict[Key, Key] = {}  # names that are too long for a label
        self._users_of_claim: dict[tuple[str, str], set[Key]] = collections.defaultdict(set)
        where: dict[str, Any] = {"namespace": options.namespace}
        ours: dict[str, Any] = {**where, "labels": SELECTOR}
        self.boards = {
            kind.word: Cache(
                cluster, Resource(kind.api_version, kind.plural), self._on_board(kind.word), **where,
                trim=trimmed, optional=kind is not kinds.BOARD,
            )
            for kind in kinds.ALL
        }  # fmt: skip
        self.deployments = Cache(cluster, DEPLOYMENTS, self._on_object, **ours, trim=trimmed_deployment)
        self.services = Cache(cluster, SERVICES, self._on_object, **ours, trim=trimmed_mark)
        self.pods = Cache(cluster, PODS, self._on_pod, **ours, trim=trimmed_pod)
        self.claims = Cache(cluster, CLAIMS, self._on_claim, **where, trim=trimmed_claim)
        self.routes: Cache | None = None
        if options.exposure != "none":
            self.routes = Cache(cluster, ROUTES[options.exposure], self._on_object, **ours, trim=trimmed_mark)
        self.jobs = {
            kind.word: Cache(cluster, kind.resource, self._on_job(kind), **where, trim=trimmed, optional=True)
            for kind in jobs.ALL
        }

    @property
    def objects(self) -> list[Cache]:
        """Of what the operator makes for a board."""
        return [self.deployments, self.services, *([] if self.routes is None else [self.routes])]

    @property
    def all(self) -> list[Cache]:
        return [*self.boards.values(), *self.objects, self.pods, self.claims, *self.jobs.values()]

    def observed(self, definition: Definition) -> plans.Observed:
        """What is known of a board's objects and pods."""
        namespace, name = definition.namespace, definition.object_name
        labeled = (definition.kind.word, namespace, kinds.label_value(definition.name))
        if labeled != definition.key:
            self._labeled[labeled] = definition.key
        return plans.Observed(
            deployment=owned(self.deployments.get(namespace, name), definition),
            service=self.services.get(namespace, name),
            route=None if self.routes is None else self.routes.get(namespace, name),
            pods=tuple(observing.pod_of(each) for each in self._pods_of.get(labeled, {}).values()),
        )

    def uses_claim(self, key: Key, claim: str) -> None:
        self._users_of_claim[(key[1], claim)].add(key)

    def forget(self, key: Key) -> None:
        for claim, users in list(self._users_of_claim.items()):
            users.discard(key)
            if not users:
                del self._users_of_claim[claim]
        labeled = (key[0], key[1], kinds.label_value(key[2]))
        self._labeled.pop(labeled, None)
        if not self._pods_of.get(labeled):
            self._pods_of.pop(labeled, None)

    # -- what changed

    def _on_board(self, word: str) -> Callable[[Any], None]:
        def changed(document: Any) -> None:
            self._wake((word, *key_of(document)))
            kind = jobs.kind_of((document.get("spec") or {}).get("jobRef") or {}) if word == kinds.BOARD.word else None
            if kind is not None and kind.tensorstack and "deletionTimestamp" not in document["metadata"]:
                # its status shows that of the board
                self._wake((JOB + kind.word, key_of(document)[0], document["spec"]["jobRef"]["name"]))

        return changed

    def _on_object(self, document: Any) -> None:
        if (key := _owner_key(document)) is not None:
            self._wake(key)

    def _on_pod(self, document: Any) -> None:
        namespace, name = key_of(document)
        labels = document["metadata"].get("labels") or {}
        key = (labels.get(Label.KIND, ""), namespace, labels.get(Label.BOARD, ""))
        if key[0] not in self.boards:
            return
        found = self.pods.get(namespace, name)
        if found is None:
            self._pods_of[key].pop(name, None)
        else:
            self._pods_of[key][name] = found
        self._wake(self._labeled.get(key, key))

    def _on_claim(self, document: Any) -> None:
        for key in list(self._users_of_claim.get(key_of(document), ())):
            self._wake(key)

    def _on_job(self, kind: jobs.JobKind) -> Callable[[Any], None]:
        def changed(job: Any) -> None:
            if jobs.wants_board(kind, job):
                self._wake((JOB + kind.word, *key_of(job)))

        return changed


def owned(document: Any | None, definition: Definition) -> Any | None:
    """The object, if it belongs to this resource and not to an earlier one of the same name."""
    if document is None:
        return None
    owners = {each.get("uid") for each in document["metadata"].get("ownerReferences") or []}
    return document if definition.uid in owners else None


def is_foreign(document: Any, definition: Definition) -> bool:
    """Whether an object belongs neither to this resource nor to an earlier one of the same name."""
    owners = [
        (each.get("kind"), each.get("name")) for each in document["metadata"].get("ownerReferences") or []
    ]  # fmt: skip
    return (definition.kind.kind, definition.name) not in owners


def _owner_key(document: Any) -> Key | None:
    """The board that an object belongs to; a long name is in the owner reference only."""
    meta = document["metadata"]
    word = (meta.get("labels") or {}).get(Label.KIND, "")
    owner = next((each["name"] for each in meta.get("ownerReferences") or [] if each.get("controller")), "")
    return (word, meta.get("namespace", ""), owner) if word in kinds.BY_WORD and owner else None
