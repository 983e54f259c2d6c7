"""Does what a plan says: objects, `suspend`, finalizers, status, events. Caches get what a write returned."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from lightboard.hub.life import nouns
from lightboard.operator import FINALIZER, Label, Note, kinds, objects, sources, status, telling
from lightboard.operator import plan as plans
from lightboard.operator.caches import Cache
from lightboard.operator.cluster import DEPLOYMENTS, PODS, Cluster, Fault
from lightboard.operator.kinds import Definition
from lightboard.operator.watches import Watches, is_foreign

_LOG = logging.getLogger(__name__)


class Writer:
    def __init__(
        self, cluster: Cluster, watches: Watches, metrics: telling.Metrics, clock: Callable[[], float] = time.time
    ) -> None:
        self._cluster = cluster
        self._watches = watches
        self._metrics = metrics
        self._clock = clock

    def count(self, what: str) -> None:
        self._metrics.writes.labels(what).inc()

    async def do(self, definition: Definition, document: Any, made: plans.Plan) -> None:
        if made.suspend is not None:
            await self._suspend(definition, document, made.suspend)
        elif made.forget_reason:
            await self._patch(definition, {"metadata": {"annotations": {Note.SUSPENDED_BY: None}}})
        for each in made.apply:
            await self._apply(definition, each)
        if made.scale is not None:
            body = {"spec": {"replicas": made.scale}}
            self.count("scale")
            done = await self._cluster.patch(DEPLOYMENTS, definition.namespace, definition.object_name, body)
            self._watches.deployments.put(done)

    # -- the resource

    async def _suspend(self, definition: Definition, document: Any, reason: nouns.StopReason) -> None:
        """If somebody changed the resource meanwhile, nothing is written."""
        notes: dict[str, Any] = {Note.SUSPENDED_BY: reason.value}
        body: dict[str, Any] = {"spec": {"suspend": True}}
        if definition.kind is kinds.KUBEFLOW:
            notes[Note.STOPPED_KUBEFLOW] = kinds.timestamp(self._clock())
            body = {}
        version = document["metadata"]["resourceVersion"]
        await self._patch(definition, {**body, "metadata": {"annotations": notes, "resourceVersion": version}})
        self._metrics.reclaims.labels(reason.value).inc()

    async def _patch(self, definition: Definition, body: Any, *, below: str = "") -> Any:
        cache = self._watches.boards[definition.kind.word]
        self.count(below or "resource")
        try:
            done = await self._cluster.patch(cache.resource, definition.namespace, definition.name, body, below=below)
        except Fault as fault:
            if fault.is_conflict:
                await self._refresh(cache, definition)
            if not fault.is_missing:
                raise
            return None  # it was deleted meanwhile
        if FINALIZER in (done["metadata"].get("finalizers") or []) or "deletionTimestamp" not in done["metadata"]:
            cache.put(done)
        return done

    async def _refresh(self, cache: Cache, definition: Definition) -> None:
        found = await self._cluster.get(cache.resource, definition.namespace, definition.name)
        if found is not None:
            cache.put(found)

    async def add_finalizer(self, definition: Definition, document: Any) -> Any:
        meta = document["metadata"]
        finalizers = [*(meta.get("finalizers") or []), FINALIZER]
        body = {"metadata": {"finalizers": finalizers, "resourceVersion": meta["resourceVersion"]}}
        return await self._patch(definition, body) or document

    async def remove_finalizer(self, definition: Definition, document: Any) -> None:
        meta = document["metadata"]
        rest = [each for each in meta.get("finalizers") or [] if each != FINALIZER]
        await self._patch(definition, {"metadata": {"finalizers": rest, "resourceVersion": meta["resourceVersion"]}})

    async def status(self, definition: Definition, wanted: Mapping[str, Any]) -> None:
        document = self._watches.boards[definition.kind.word].get(definition.namespace, definition.name)
        if document is None or status.is_same(document.get("status") or {}, wanted):
            return
        version = document["metadata"]["resourceVersion"]
        await self._patch(definition, {"metadata": {"resourceVersion": version}, "status": wanted}, below="status")

    # -- objects

    async def _apply(self, definition: Definition, wanted: Mapping[str, Any]) -> None:
        watches = self._watches
        cache = {"Deployment": watches.deployments, "Service": watches.services}.get(wanted["kind"], watches.routes)
        assert cache is not None
        found = cache.get(definition.namespace, definition.object_name)
        if found is None:  # or it does not have our labels
            found = await self._cluster.get(cache.resource, definition.namespace, definition.object_name)
        if found is not None and is_foreign(found, definition):
            raise Fault(
                f"a {wanted['kind']} `{definition.object_name}` that belongs to something else is in the way",
                status=422,
            )
        if wanted["kind"] == "Deployment":
            wanted = objects.near(wanted, await self._nodes(definition))
        self.count(wanted["kind"])
        cache.put(await self._cluster.apply(wanted))

    async def _nodes(self, definition: Definition) -> list[str]:
        """Nodes of pods that have mounted a volume which only one node can mount."""
        if not definition.scheduling.get("preferVolumeNode", True):
            return []
        claims = {
            name
            for name in sources.names(definition)[0]
            if sources.is_for_one_node(self._watches.claims.get(definition.namespace, name))
        }
        if not claims:
            return []
        pods, _ = await self._cluster.list(PODS, namespace=definition.namespace, fields="status.phase=Running")
        nodes = set()
        for pod in pods:
            labels = pod["metadata"].get("labels") or {}
            mounted = {
                (volume.get("persistentVolumeClaim") or {}).get("claimName")
                for volume in pod["spec"].get("volumes") or []
            }
            if mounted & claims and labels.get(Label.BOARD) != kinds.label_value(definition.name):
                nodes.add(pod["spec"].get("nodeName", ""))
        return sorted(nodes - {""})

    async def delete(self, definition: Definition) -> None:
        """All objects of the board that are not being deleted yet. Their watches say when they are gone."""
        namespace, name = definition.namespace, definition.object_name
        found = [(cache, cache.get(namespace, name)) for cache in self._watches.objects]
        left = [
            cache for cache, each in found
            if each is not None and "deletionTimestamp" not in each["metadata"] and not is_foreign(each, definition)
        ]  # fmt: skip
        for _ in left:
            self.count("delete")
        await asyncio.gather(*(self._cluster.delete(cache.resource, namespace, name) for cache in left))

    # -- events

    async def tell(self, definition: Definition, document: Any, before: plans.Memory, made: plans.Plan) -> None:
        board = made.memory.board
        if before.board.state is nouns.State.STARTING and board.state is nouns.State.RUNNING:
            self._metrics.start_secs.observe(max(0.0, self._clock() - (before.board.attempted_at or self._clock())))
        happened = list(made.events)
        if board.reason != before.board.reason and board.state is nouns.State.PENDING and board.reason:
            happened.append(nouns.Event(board.id, self._clock(), "Blocked", nouns.HUB, board.reason, board.message))
        for each in happened:
            self.count("Event")
            try:
                await self._cluster.create(telling.event(definition, each, document["metadata"]["resourceVersion"]))
            except Fault as fault:
                _LOG.warning("an event of %s could not be written: %s", board.id, fault.message)
