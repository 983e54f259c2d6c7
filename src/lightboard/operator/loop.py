"""The loop: looks at a board, plans, and does what the plan says.

`queue` says when a board is looked at, `watches` has what is known of the cluster, `asking` the board's own answer,
`writing` does the rest. Everything that a look needs is in caches, except Secrets and the answer.
"""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import logging
import time
from collections.abc import Callable
from typing import Any

from lightboard.hub.life import nouns
from lightboard.operator import FINALIZER, kinds, slots, sources, status, telling
from lightboard.operator import plan as plans
from lightboard.operator.asking import Asker
from lightboard.operator.cluster import SECRETS, Cluster, Fault
from lightboard.operator.job_boards import JobBoards
from lightboard.operator.kinds import Definition
from lightboard.operator.options import Options
from lightboard.operator.queue import Key, Queue
from lightboard.operator.watches import JOB, Watches, is_foreign
from lightboard.operator.writing import Writer

_LOG = logging.getLogger(__name__)
# A Secret is read at most this often, unless it is missing.
SECRET_SECS = 60.0
# A deleted board waits this long for its pods.
DELETE_SECS = 60.0
METRICS_SECS = 5.0


class Operator:
    """State, used in one event loop: `memories` of boards, and Secrets that were read within SECRET_SECS."""

    def __init__(
        self,
        cluster: Cluster,
        options: Options,
        *,
        metrics: telling.Metrics | None = None,
        health: telling.Health | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.options = options
        self.metrics = metrics or telling.Metrics()
        self.health = health or telling.Health()
        self.memories: dict[Key, plans.Memory] = {}
        self.queue = Queue(self._look_at, metrics=self.metrics, health=self.health, clock=clock)
        self.watches = Watches(cluster, options, self.queue.wake)
        self._cluster = cluster
        self._clock = clock
        self._writer = Writer(cluster, self.watches, self.metrics, clock)
        self._jobs = JobBoards(cluster, self.watches, self._writer, options)
        self._asker = Asker(clock)
        self._secrets: dict[tuple[str, str], tuple[float, Any]] = {}

    async def run(self) -> None:
        """Until it is cancelled."""
        tasks = [asyncio.create_task(each.run(), name=each.resource.plural) for each in self.watches.all]
        try:
            await asyncio.gather(*(each.synced.wait() for each in self.watches.all))
            self._adopt_all()
            self.health.ready = True
            tasks += [*self.queue.tasks(), asyncio.create_task(self._measure(), name="metrics")]
            await _first_end(tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._asker.close()

    def _adopt_all(self) -> None:
        """Before the first decision all boards are known: quotas are counted over them."""
        now = self._clock()
        for word, cache in self.watches.boards.items():
            for document in cache:
                try:
                    definition = kinds.read(kinds.BY_WORD[word], document)
                    if not definition.deleting:
                        observed = self.watches.observed(definition)
                        self.memories[definition.key] = plans.adopt(definition, observed, now)
                except Exception:  # a status that others wrote: this board's looks say it
                    _LOG.exception("cannot understand %s", document["metadata"].get("name"))
        _LOG.info("boards found: %d", len(self.memories))

    async def _measure(self) -> None:
        while True:
            pairs = ((each.board.state.value, key[0]) for key, each in self.memories.items())
            self.metrics.count(collections.Counter(pairs))
            old = self._clock() - SECRET_SECS
            self._secrets = {key: each for key, each in self._secrets.items() if each[0] > old}
            await asyncio.sleep(METRICS_SECS)

    # -- a look

    async def _look_at(self, key: Key) -> None:
        await (self._jobs.look(key) if key[0].startswith(JOB) else self._look(key))

    async def _look(self, key: Key) -> None:
        word, namespace, name = key
        document = self.watches.boards[word].get(namespace, name)
        if document is None:
            self._forget(key)
            return
        if "deletionTimestamp" in document["metadata"]:
            await self._finish(kinds.read(kinds.BY_WORD[word], document), document)
            return
        definition = kinds.read(kinds.BY_WORD[word], document)
        if FINALIZER not in (document["metadata"].get("finalizers") or []):
            document = await self._writer.add_finalizer(definition, document)
        observed = await self._look_up(definition)
        before = self.memories.get(key) or plans.adopt(definition, observed, self._clock())
        made = plans.plan(
            definition, observed, before, lambda: slots.full(definition, self.memories, self.options.limits),
            self.options, self._clock(),
        )  # fmt: skip
        # at once: a slot that was given is not given again while the writes below wait
        self.memories[key] = made.memory
        try:
            await self._writer.do(definition, document, made)
        except Fault as fault:
            self.memories.pop(key, None)  # what is so is read from the cluster again
            if fault.status and not fault.is_conflict:
                refused = status.refused(definition, made.status, fault.message, self._clock())
                await self._writer.status(definition, refused)
            raise
        await self._writer.status(definition, made.status)
        await self._writer.tell(definition, document, before, made)
        self.queue.at(key, made.look_again_at)
        if before.board.state in nouns.ACTIVE and made.memory.board.state not in nouns.ACTIVE:
            self._wake_waiting()

    async def _look_up(self, definition: Definition) -> plans.Observed:
        observed = self.watches.observed(definition)
        claims, secrets = sources.names(definition)
        for claim in claims:
            self.watches.uses_claim(definition.key, claim)
        found = {name: await self._secret(definition, name) for name in secrets}
        memory = self.memories.get(definition.key)
        answer, unanswered = await self._asker.ask(definition, observed.pods, memory)
        return dataclasses.replace(
            observed,
            claims={name: self.watches.claims.get(definition.namespace, name) for name in claims},
            secrets=found,
            answer=answer,
            unanswered=unanswered,
        )

    async def _secret(self, definition: Definition, name: str) -> Any | None:
        key = (definition.namespace, name)
        at, known = self._secrets.get(key, (0.0, None))
        now = self._clock()
        if known is None or not 0 <= now - at < SECRET_SECS:
            known = await self._cluster.get(SECRETS, *key)
            if known is None:
                self._secrets.pop(key, None)
            else:
                self._secrets[key] = (now, known)
        return known

    # -- ends

    async def _finish(self, definition: Definition, document: Any) -> None:
        """Watches say when the objects are gone: nothing is polled, so a thousand deleted boards cost no more looks."""
        if FINALIZER not in (document["metadata"].get("finalizers") or []):
            self._forget(definition.key)
            return
        await self._writer.delete(definition)
        ends = (kinds.seconds(document["metadata"]["deletionTimestamp"]) or 0.0) + DELETE_SECS
        left = self.watches.observed(definition)
        objects = (left.deployment, left.service, left.route)
        gone = not left.pods and all(each is None or is_foreign(each, definition) for each in objects)
        if not gone and self._clock() < ends:
            self.queue.at(definition.key, ends)
            return
        await self._writer.remove_finalizer(definition, document)
        self._forget(definition.key)

    def _forget(self, key: Key) -> None:
        known = self.memories.pop(key, None)
        self.queue.at(key, None)
        self.watches.forget(key)
        if known is not None and not slots.waits(known.board):
            self._wake_waiting()

    def _wake_waiting(self) -> None:
        waiting = [(each.board.created, key) for key, each in self.memories.items() if slots.waits(each.board)]
        for _, key in sorted(waiting):
            self.queue.wake(key)


async def _first_end(tasks: list[asyncio.Task[None]]) -> None:
    """None of them ends by itself: an error in one is the end of all."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    for task in done:
        task.result()
