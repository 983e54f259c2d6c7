"""The loop: which board is looked at when, and what a plan says, done.

A board is looked at when something of it changed (watches), when it is due (deadlines, polls), and after a failure,
with growing waits. It is never looked at twice at once. Everything that a look needs is in caches, except Secrets and
the board's own answer.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import heapq
import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import httpx2

from lightboard import errors
from lightboard.hub.life import nouns, quota
from lightboard.operator import (
    FINALIZER,
    PORT,
    SELECTOR,
    Label,
    Note,
    jobs,
    kinds,
    objects,
    observing,
    sources,
    status,
    telling,
)
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
from lightboard.operator.cluster import (
    CLAIMS,
    DEPLOYMENTS,
    PODS,
    ROUTES,
    SECRETS,
    SERVICES,
    Cluster,
    Fault,
    Resource,
    resource_of,
)  # fmt: skip
from lightboard.operator.kinds import Definition
from lightboard.operator.options import Options

_LOG = logging.getLogger(__name__)
WORKERS = 8
ANSWER_SECS = 5.0
MOST_ANSWER_BYTES = 8 << 20
# A Secret is read at most this often, unless its board is not running.
SECRET_SECS = 60.0
# A running board is asked this often what it cannot read.
SOURCES_SECS = 300.0
FIRST_WAIT_SECS = 0.2
LONGEST_WAIT_SECS = 60.0
# A deleted board waits this long for its pods.
DELETE_SECS = 60.0
METRICS_SECS = 5.0
Key = tuple[str, str, str]  # word of the kind, namespace, name
JOB = "job:"


class Operator:
    """State, used in one event loop: caches; `memories` of boards; the queue (`_queued` waits, `_busy` is looked at,
    `_again` changed meanwhile, `_due` a heap of times); `_failures` in a row by key."""

    def __init__(
        self,
        cluster: Cluster,
        options: Options,
        *,
        metrics: telling.Metrics | None = None,
        health: telling.Health | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.cluster = cluster
        self.options = options
        self.metrics = metrics or telling.Metrics()
        self.health = health or telling.Health()
        self.memories: dict[Key, plans.Memory] = {}
        self._clock = clock
        self._queue: asyncio.Queue[Key] = asyncio.Queue()
        self._queued: set[Key] = set()
        self._busy: set[Key] = set()
        self._again: set[Key] = set()
        self._due: list[tuple[float, Key]] = []
        self._due_at: dict[Key, float] = {}
        self._due_changed = asyncio.Event()
        self._failures: collections.Counter[Key] = collections.Counter()
        self._secrets: dict[tuple[str, str], tuple[float, Any | None]] = {}
        self._pods_of: dict[Key, dict[str, Any]] = collections.defaultdict(dict)
        self._labeled: dict[Key, Key] = {}  # names that are too long for a label
        self._users_of_claim: dict[tuple[str, str], set[Key]] = collections.defaultdict(set)
        self._http = httpx2.AsyncClient(timeout=ANSWER_SECS, trust_env=False)
        self._make_caches()

    def _make_caches(self) -> None:
        where: dict[str, Any] = {"namespace": self.options.namespace}
        ours: dict[str, Any] = {**where, "labels": SELECTOR}
        self.boards = {
            kind.word: Cache(
                self.cluster, Resource(kind.api_version, kind.plural), self._on_board(kind.word), **where,
                trim=trimmed, optional=kind is not kinds.BOARD,
            )
            for kind in kinds.ALL
        }  # fmt: skip
        self.deployments = Cache(self.cluster, DEPLOYMENTS, self._on_object, **ours, trim=trimmed_deployment)
        self.services = Cache(self.cluster, SERVICES, self._on_object, **ours, trim=trimmed_mark)
        self.pods = Cache(self.cluster, PODS, self._on_pod, **ours, trim=trimmed_pod)
        self.claims = Cache(self.cluster, CLAIMS, self._on_claim, **where, trim=trimmed_claim)
        self.routes: Cache | None = None
        if self.options.exposure != "none":
            resource = ROUTES[self.options.exposure]
            self.routes = Cache(self.cluster, resource, self._on_object, **ours, trim=trimmed_mark)
        self.jobs = {
            kind.word: Cache(self.cluster, kind.resource, self._on_job(kind), **where, trim=trimmed, optional=True)
            for kind in jobs.ALL
        }

    @property
    def caches(self) -> list[Cache]:
        others = [self.deployments, self.services, self.pods, self.claims, *([self.routes] if self.routes else [])]
        return [*self.boards.values(), *others, *self.jobs.values()]

    # -- running

    async def run(self) -> None:
        """Until it is cancelled."""
        tasks = [asyncio.create_task(each.run(), name=each.resource.plural) for each in self.caches]
        try:
            await asyncio.gather(*(each.synced.wait() for each in self.caches))
            self._adopt_all()
            self.health.ready = True
            tasks += [asyncio.create_task(self._work(), name=f"worker {number}") for number in range(WORKERS)]
            tasks += [asyncio.create_task(self._wake_due()), asyncio.create_task(self._measure())]
            await _first_end(tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._http.aclose()

    def _adopt_all(self) -> None:
        """Before the first decision all boards are known: quotas are counted over them."""
        now = self._clock()
        for word, cache in self.boards.items():
            for document in cache:
                definition = kinds.read(kinds.BY_WORD[word], document)
                if not definition.deleting:
                    self.memories[definition.key] = plans.adopt(definition, self._observed(definition), now)
        _LOG.info("boards found: %d", len(self.memories))

    async def _work(self) -> None:
        while True:
            key = await self._queue.get()
            self._queued.discard(key)
            self._busy.add(key)
            try:
                await self._look_safely(key)
            finally:
                self._busy.discard(key)
                if key in self._again:
                    self._again.discard(key)
                    self.wake(key)

    async def _look_safely(self, key: Key) -> None:
        self.metrics.looks.inc()
        try:
            if key[0].startswith(JOB):
                await self._look_at_job(key)
            else:
                await self._look(key)
            self._failures.pop(key, None)
        except Exception as error:
            self.metrics.faults.inc()
            self._failures[key] += 1
            wait = min(LONGEST_WAIT_SECS, FIRST_WAIT_SECS * 2 ** min(self._failures[key] - 1, 12))
            expected = isinstance(error, Fault)
            if not (expected and error.is_conflict):  # type: ignore[attr-defined]
                _LOG.warning("cannot follow %s/%s %s: %s", key[1], key[2], key[0], error, exc_info=not expected)
            self._at(key, self._clock() + wait)

    async def _wake_due(self) -> None:
        while True:
            self.health.turned = time.monotonic()
            now = self._clock()
            while self._due and self._due[0][0] <= now:
                at, key = heapq.heappop(self._due)
                if self._due_at.get(key) == at:
                    del self._due_at[key]
                    self.wake(key)
            wait = min(10.0, self._due[0][0] - now) if self._due else 10.0
            self._due_changed.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._due_changed.wait(), max(0.01, wait))

    def _at(self, key: Key, at: float | None) -> None:
        if at is None:
            self._due_at.pop(key, None)
            return
        self._due_at[key] = at
        heapq.heappush(self._due, (at, key))
        self._due_changed.set()

    def wake(self, key: Key) -> None:
        if key in self._busy:
            self._again.add(key)
        elif key not in self._queued:
            self._queued.add(key)
            self._queue.put_nowait(key)

    async def _measure(self) -> None:
        while True:
            pairs = ((each.board.state.value, key[0]) for key, each in self.memories.items())
            self.metrics.count(collections.Counter(pairs))
            await asyncio.sleep(METRICS_SECS)

    # -- what changed

    def _on_board(self, word: str) -> Callable[[Any], None]:
        return lambda document: self.wake((word, *key_of(document)))

    def _on_object(self, document: Any) -> None:
        if (key := _owner_key(document)) is not None:
            self.wake(key)

    def _on_pod(self, document: Any) -> None:
        namespace, name = key_of(document)
        labels = document["metadata"].get("labels") or {}
        found = self.pods.get(namespace, name)
        for key in self._keys_of_pod(namespace, labels):
            if found is None:
                self._pods_of[key].pop(name, None)
            else:
                self._pods_of[key][name] = found
            self.wake(self._labeled.get(key, key))

    def _keys_of_pod(self, namespace: str, labels: Mapping[str, str]) -> Iterable[Key]:
        word, name = labels.get(Label.KIND, ""), labels.get(Label.BOARD, "")
        if word in self.boards:
            yield word, namespace, name

    def _on_claim(self, document: Any) -> None:
        for key in list(self._users_of_claim.get(key_of(document), ())):
            self.wake(key)

    def _on_job(self, kind: jobs.JobKind) -> Callable[[Any], None]:
        def changed(job: Any) -> None:
            if jobs.wants_board(kind, job):
                self.wake((JOB + kind.word, *key_of(job)))

        return changed

    # -- a look

    async def _look(self, key: Key) -> None:
        word, namespace, name = key
        document = self.boards[word].get(namespace, name)
        if document is None:
            self._forget(key)
            return
        definition = kinds.read(kinds.BY_WORD[word], document)
        if definition.deleting:
            await self._finish(definition, document)
            return
        if FINALIZER not in (document["metadata"].get("finalizers") or []):
            document = await self._add_finalizer(definition, document)
        observed = await self._look_up(definition)
        before = self.memories.get(key) or plans.adopt(definition, observed, self._clock())
        made = plans.plan(
            definition, observed, before, lambda: self._full(definition), self.options, self._clock()
        )  # fmt: skip
        # at once: a slot that was given is not given again while the writes below wait
        self.memories[key] = made.memory
        try:
            await self._do(definition, document, made)
        except Fault as fault:
            del self.memories[key]  # what is so is read from the cluster again
            if fault.status and not fault.is_conflict:
                await self._write_status(
                    definition, status.refused(definition, made.status, fault.message, self._clock())
                )
            raise
        await self._write_status(definition, made.status)
        await self._tell(definition, document, before, made)
        self._at(key, made.look_again_at)
        if before.board.state in nouns.ACTIVE and made.memory.board.state not in nouns.ACTIVE:
            self._wake_waiting()

    async def _look_up(self, definition: Definition) -> plans.Observed:
        observed = self._observed(definition)
        claims, secrets = sources.names(definition)
        for claim in claims:
            self._users_of_claim[(definition.namespace, claim)].add(definition.key)
        found = {name: await self._secret(definition, name) for name in secrets}
        memory = self.memories.get(definition.key)
        answer, unanswered = await self._ask(definition, observed, memory)
        return dataclasses.replace(
            observed,
            claims={name: self.claims.get(definition.namespace, name) for name in claims},
            secrets=found,
            answer=answer,
            unanswered=unanswered,
        )

    def _observed(self, definition: Definition) -> plans.Observed:
        namespace, name = definition.namespace, definition.object_name
        labeled = (definition.kind.word, namespace, kinds.label_value(definition.name))
        if labeled != definition.key:
            self._labeled[labeled] = definition.key
        return plans.Observed(
            deployment=_owned(self.deployments.get(namespace, name), definition),
            service=self.services.get(namespace, name),
            route=self.routes.get(namespace, name) if self.routes else None,
            pods=tuple(observing.pod_of(each) for each in self._pods_of.get(labeled, {}).values()),
        )

    async def _secret(self, definition: Definition, name: str) -> Any | None:
        key = (definition.namespace, name)
        at, known = self._secrets.get(key, (0.0, None))
        now = self._clock()
        if known is None or not 0 <= now - at < SECRET_SECS:
            known = await self.cluster.get(SECRETS, *key)
            self._secrets[key] = (now, known)
        return known

    def _full(self, definition: Definition) -> plans.Full | None:
        """The narrowest scope without a free slot."""
        limits = self.options.limits
        if not definition.account:
            limits = dataclasses.replace(limits, account=None)
        active = [
            (key, each.board)
            for key, each in self.memories.items()
            if key != definition.key and each.board.state in nouns.ACTIVE and not _waits(each.board)
        ]
        scopes: dict[str, list[str]] = {
            name: [] for name, _ in quota.scopes(definition.account, definition.namespace, limits)
        }
        for key, board in active:
            for scope in (f"account:{board.owner}", f"workspace:{key[1]}", "hub"):
                if scope in scopes:
                    scopes[scope].append(key[2])
        found = quota.full_scope(
            definition.account, definition.namespace, limits, {scope: len(names) for scope, names in scopes.items()}
        )  # fmt: skip
        if found is None:
            return None
        scope, limit, used = found
        word = (
            scope.replace("workspace:", "the namespace ")
            .replace("account:", "the account ")
            .replace("hub", "the cluster")
        )
        return word, limit, used, tuple(sorted(scopes[scope])[:10])

    # -- asking the board

    async def _ask(
        self, definition: Definition, observed: plans.Observed, memory: plans.Memory | None
    ) -> tuple[observing.Answer | None, bool]:
        pod = observing.current(observed.pods, "")
        if pod is None or not pod.ready or not pod.ip:
            return None, False
        now = self._clock()
        base = f"http://{f'[{pod.ip}]' if ':' in pod.ip else pod.ip}:{PORT}{definition.path}"
        try:
            told = await self._get(f"{base}/api/activity")
            used, by = float(told["last_use"]), str(told["by"])
            places = None
            if memory is None or memory.sources is None or now - memory.sources_at > SOURCES_SECS:
                places = _places(await self._get(f"{base}/api/board?activity=0"))
        except (httpx2.HTTPError, OSError, KeyError, TypeError, ValueError) as error:
            _LOG.info("no answer of %s/%s: %r", definition.namespace, definition.name, error)
            return None, True
        return observing.Answer(at=now, pod=pod.uid, used=used, by=by, sources=places), False

    async def _get(self, url: str) -> Any:
        async with self._http.stream("GET", url) as answer:
            answer.raise_for_status()
            content = b""
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > MOST_ANSWER_BYTES:
                    raise ValueError("the answer is too large")
        return json.loads(content)

    # -- doing

    async def _do(self, definition: Definition, document: Any, made: plans.Plan) -> None:
        if made.suspend is not None:
            await self._suspend(definition, document, made.suspend)
        elif made.forget_reason:
            await self._patch(definition, {"metadata": {"annotations": {Note.SUSPENDED_BY: None}}})
        for each in made.apply:
            await self._apply(definition, each)
        if made.scale is not None:
            body = {"spec": {"replicas": made.scale}}
            self._count("scale")
            done = await self.cluster.patch(DEPLOYMENTS, definition.namespace, definition.object_name, body)
            self.deployments.put(done)

    async def _suspend(self, definition: Definition, document: Any, reason: nouns.StopReason) -> None:
        """If somebody changed the resource meanwhile, nothing is written."""
        notes: dict[str, Any] = {Note.SUSPENDED_BY: reason.value}
        body: dict[str, Any] = {"spec": {"suspend": True}}
        if definition.kind is kinds.KUBEFLOW:
            notes[Note.STOPPED_KUBEFLOW] = kinds.timestamp(self._clock())
            body = {}
        version = document["metadata"]["resourceVersion"]
        await self._patch(definition, {**body, "metadata": {"annotations": notes, "resourceVersion": version}})
        self.metrics.reclaims.labels(reason.value).inc()

    async def _patch(self, definition: Definition, body: Any, *, below: str = "") -> Any:
        resource = self.boards[definition.kind.word].resource
        self._count(below or "resource")
        try:
            done = await self.cluster.patch(resource, definition.namespace, definition.name, body, below=below)
        except Fault as fault:
            if fault.is_conflict:
                await self._refresh(definition)
            if not fault.is_missing:
                raise
            return None  # it was deleted meanwhile
        self.boards[definition.kind.word].put(done)
        return done

    async def _refresh(self, definition: Definition) -> None:
        cache = self.boards[definition.kind.word]
        found = await self.cluster.get(cache.resource, definition.namespace, definition.name)
        if found is not None:
            cache.put(found)

    async def _add_finalizer(self, definition: Definition, document: Any) -> Any:
        meta = document["metadata"]
        finalizers = [*(meta.get("finalizers") or []), FINALIZER]
        body = {"metadata": {"finalizers": finalizers, "resourceVersion": meta["resourceVersion"]}}
        return await self._patch(definition, body) or document

    async def _apply(self, definition: Definition, wanted: Mapping[str, Any]) -> None:
        cache = {"Deployment": self.deployments, "Service": self.services}.get(wanted["kind"], self.routes)
        assert cache is not None
        if cache.get(definition.namespace, definition.object_name) is None:
            found = await self.cluster.get(cache.resource, definition.namespace, definition.object_name)
            if found is not None and _owned(found, definition) is None:
                raise Fault(
                    f"a {wanted['kind']} `{definition.object_name}` that belongs to something else is in the way",
                    status=422,
                )
        if wanted["kind"] == "Deployment":
            wanted = objects.near(wanted, await self._nodes(definition))
        self._count(wanted["kind"])
        cache.put(await self.cluster.apply(wanted))

    async def _nodes(self, definition: Definition) -> list[str]:
        """Nodes of pods that have mounted a volume which only one node can mount."""
        if not definition.scheduling.get("preferVolumeNode", True):
            return []
        claims = {
            name
            for name in sources.names(definition)[0]
            if sources.is_for_one_node(self.claims.get(definition.namespace, name))
        }
        if not claims:
            return []
        pods, _ = await self.cluster.list(PODS, namespace=definition.namespace, fields="status.phase=Running")
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

    async def _write_status(self, definition: Definition, wanted: Mapping[str, Any]) -> None:
        document = self.boards[definition.kind.word].get(definition.namespace, definition.name)
        if document is None or status.is_same(document.get("status") or {}, wanted):
            return
        version = document["metadata"]["resourceVersion"]
        await self._patch(definition, {"metadata": {"resourceVersion": version}, "status": wanted}, below="status")

    async def _tell(self, definition: Definition, document: Any, before: plans.Memory, made: plans.Plan) -> None:
        board = made.memory.board
        if before.board.state is nouns.State.STARTING and board.state is nouns.State.RUNNING:
            self.metrics.start_secs.observe(max(0.0, self._clock() - (before.board.attempted_at or self._clock())))
        happened = list(made.events)
        if board.reason != before.board.reason and board.state is nouns.State.PENDING and board.reason:
            happened.append(nouns.Event(board.id, self._clock(), "Blocked", nouns.HUB, board.reason, board.message))
        for each in happened:
            self._count("Event")
            try:
                await self.cluster.create(telling.event(definition, each, document["metadata"]["resourceVersion"]))
            except Fault as fault:
                _LOG.warning("an event of %s could not be written: %s", board.id, fault.message)

    def _count(self, what: str) -> None:
        self.metrics.writes.labels(what).inc()

    # -- ends

    async def _finish(self, definition: Definition, document: Any) -> None:
        finalizers = document["metadata"].get("finalizers") or []
        if FINALIZER not in finalizers:
            self._forget(definition.key)
            return
        caches = [self.deployments, self.services, *([self.routes] if self.routes else [])]
        for cache in caches:
            found = cache.get(definition.namespace, definition.object_name)
            if found is not None and "deletionTimestamp" not in found["metadata"]:
                self._count("delete")
                await self.cluster.delete(cache.resource, definition.namespace, definition.object_name)
        since = kinds.seconds(document["metadata"]["deletionTimestamp"]) or 0.0
        left = self._observed(definition)
        gone = not left.pods and left.deployment is None and left.service is None and left.route is None
        if not gone and self._clock() < since + DELETE_SECS:
            self._at(definition.key, self._clock() + 1.0)
            return
        rest = [each for each in finalizers if each != FINALIZER]
        version = document["metadata"]["resourceVersion"]
        await self._patch(definition, {"metadata": {"finalizers": rest, "resourceVersion": version}})
        self._forget(definition.key)

    def _forget(self, key: Key) -> None:
        self.memories.pop(key, None)
        self._at(key, None)
        for users in self._users_of_claim.values():
            users.discard(key)
        self._wake_waiting()

    def _wake_waiting(self) -> None:
        waiting = [(each.board.created, key) for key, each in self.memories.items() if _waits(each.board)]
        for _, key in sorted(waiting):
            self.wake(key)

    # -- jobs

    async def _look_at_job(self, key: Key) -> None:
        kind = jobs.BY_WORD[key[0].removeprefix(JOB)]
        job = self.jobs[kind.word].get(key[1], key[2])
        if job is None or "deletionTimestamp" in job["metadata"] or not jobs.wants_board(kind, job):
            return
        try:
            wanted = jobs.board(kind, job)
        except errors.LightboardError as error:
            _LOG.warning("the job %s/%s gets no board: %s", key[1], key[2], error.message)
            return
        found = self.boards["board"].get(key[1], jobs.board_name(job))
        if found is None:
            found = await self._create_board(wanted)
        if not jobs.belongs(kind, found, job):
            _LOG.warning("the job %s/%s gets no board: a Board of its name exists", key[1], key[2])
            return
        await self._link(kind, job, found, wanted)

    async def _create_board(self, wanted: Mapping[str, Any]) -> Any:
        self._count("Board")
        try:
            made = await self.cluster.create(wanted)
        except Fault as fault:
            if not fault.is_conflict:
                raise
            meta = wanted["metadata"]
            made = await self.cluster.get(resource_of(wanted), meta["namespace"], meta["name"])
            if made is None:
                raise
        self.boards["board"].put(made)
        return made

    async def _link(self, kind: jobs.JobKind, job: Any, found: Any, wanted: Mapping[str, Any]) -> None:
        namespace, name = key_of(job)
        if patch := jobs.changes(found, wanted):
            self._count("resource")
            resource = self.boards["board"].resource
            self.boards["board"].put(await self.cluster.patch(resource, *key_of(found), patch))
        definition = kinds.read(kinds.BOARD, found)
        if patch := jobs.links(job, definition.name, status.url(definition, self.options)):
            self._count("job")
            self.jobs[kind.word].put(await self.cluster.patch(kind.resource, namespace, name, patch))
        if kind.tensorstack and (patch := jobs.dependent_status(job, found)):
            self._count("job")
            try:
                self.jobs[kind.word].put(
                    await self.cluster.patch(kind.resource, namespace, name, patch, below="status")
                )
            except Fault as fault:
                if not fault.is_missing:  # a definition without a status subresource
                    raise


def _waits(board: nouns.Board) -> bool:
    """Has no slot: it waits for one, or for its sources."""
    return board.state is nouns.State.PENDING and bool(board.reason)


def _owned(document: Any | None, definition: Definition) -> Any | None:
    """The object, if it belongs to this resource and not to an earlier one of the same name."""
    if document is None:
        return None
    owners = {each.get("uid") for each in document["metadata"].get("ownerReferences") or []}
    return document if definition.uid in owners else None


def _owner_key(document: Any) -> Key | None:
    """The board that an object belongs to; a long name is in the owner reference only."""
    meta = document["metadata"]
    word = (meta.get("labels") or {}).get(Label.KIND, "")
    owner = next((each["name"] for each in meta.get("ownerReferences") or [] if each.get("controller")), "")
    return (word, meta.get("namespace", ""), owner) if word in kinds.BY_WORD and owner else None


def _places(answer: Any) -> tuple[observing.Source, ...] | None:
    """What the board says of its sources; None while it is still listing them."""
    if not answer["progress"]["done"]:
        return None
    return tuple(
        observing.Source(str(each["path"]), str(each["problem"] or ""), str(each["detail"]), _code(each))
        for each in answer["places"]
    )


def _code(place: Any) -> str:
    """The code of what the store said, which is inside of "the logs cannot be read"."""
    todo, found = [place], ""
    while todo:
        one = todo.pop(0)
        if isinstance(one, Mapping):
            found = str(one.get("code") or found)
            if found.startswith("storage."):
                break
            todo += one.values()
        elif isinstance(one, list):
            todo += one
    return found


async def _first_end(tasks: list[asyncio.Task[None]]) -> None:
    """None of them ends by itself: an error in one is the end of all."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    for task in done:
        task.result()
