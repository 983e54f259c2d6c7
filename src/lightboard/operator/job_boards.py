"""Gives a training job its Board, and links both."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from lightboard import errors
from lightboard.operator import jobs, kinds, status
from lightboard.operator.caches import key_of
from lightboard.operator.cluster import Cluster, Fault, resource_of
from lightboard.operator.options import Options
from lightboard.operator.queue import Key
from lightboard.operator.watches import JOB, Watches
from lightboard.operator.writing import Writer

_LOG = logging.getLogger(__name__)


class JobBoards:
    def __init__(self, cluster: Cluster, watches: Watches, writer: Writer, options: Options) -> None:
        self._cluster = cluster
        self._watches = watches
        self._writer = writer
        self._options = options

    async def look(self, key: Key) -> None:
        kind = jobs.BY_WORD[key[0].removeprefix(JOB)]
        job = self._watches.jobs[kind.word].get(key[1], key[2])
        if job is None or "deletionTimestamp" in job["metadata"] or not jobs.wants_board(kind, job):
            return
        try:
            wanted = jobs.board(kind, job)
        except errors.LightboardError as error:
            _LOG.warning("the job %s/%s gets no board: %s", key[1], key[2], error.message)
            return
        found = self._watches.boards["board"].get(key[1], jobs.board_name(job))
        if found is None:
            found = await self._create(wanted)
        if not jobs.belongs(kind, found, job):
            _LOG.warning("the job %s/%s gets no board: a Board of its name exists", key[1], key[2])
            return
        await self._link(kind, job, found, wanted)

    async def _create(self, wanted: Mapping[str, Any]) -> Any:
        self._writer.count("Board")
        try:
            made = await self._cluster.create(wanted)
        except Fault as fault:
            if not fault.is_conflict:
                raise
            meta = wanted["metadata"]
            made = await self._cluster.get(resource_of(wanted), meta["namespace"], meta["name"])
            if made is None:
                raise
        self._watches.boards["board"].put(made)
        return made

    async def _link(self, kind: jobs.JobKind, job: Any, found: Any, wanted: Mapping[str, Any]) -> None:
        namespace, name = key_of(job)
        boards, cache = self._watches.boards["board"], self._watches.jobs[kind.word]
        if patch := jobs.changes(found, wanted):
            self._writer.count("resource")
            boards.put(await self._cluster.patch(boards.resource, *key_of(found), patch))
        definition = kinds.read(kinds.BOARD, found)
        if patch := jobs.links(job, definition.name, status.url(definition, self._options)):
            self._writer.count("job")
            cache.put(await self._cluster.patch(kind.resource, namespace, name, patch))
        if kind.tensorstack and (patch := jobs.dependent_status(job, found)):
            self._writer.count("job")
            try:
                cache.put(await self._cluster.patch(kind.resource, namespace, name, patch, below="status"))
            except Fault as fault:
                if not fault.is_missing:  # a definition without a status subresource
                    raise
