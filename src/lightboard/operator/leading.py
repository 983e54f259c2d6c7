"""One operator acts: the one that holds the lease. The others watch and wait.

The holder renews the lease; who sees it unchanged for `LEASE_SECS` by its own clock takes it, so that clocks need not
agree. A holder that cannot renew in time ends, before another one may begin.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import logging
import time
from typing import Any

from lightboard.operator.cluster import LEASES, Cluster, Fault

NAME = "lightboard-operator"
LEASE_SECS = 15.0
# A holder gives up this long after its last renewal.
GIVE_UP_SECS = 10.0
RENEW_SECS = 2.0
_LOG = logging.getLogger(__name__)


class Lost(Exception):
    """Somebody else leads, or the lease could not be renewed."""


class Lease:
    """State: the lease as it was read last, and since when it has been unchanged."""

    def __init__(self, cluster: Cluster, namespace: str, holder: str) -> None:
        self._cluster = cluster
        self._namespace = namespace
        self._holder = holder
        self._seen: Any = None
        self._since = 0.0

    async def acquire(self) -> None:
        """Returns when this operator leads."""
        while True:
            with contextlib.suppress(Fault):
                if await self._take():
                    _LOG.info("this operator leads: %s", self._holder)
                    return
            await asyncio.sleep(RENEW_SECS)

    async def keep(self) -> None:
        """Renews until it is cancelled; raises Lost."""
        renewed = time.monotonic()
        while True:
            await asyncio.sleep(RENEW_SECS)
            try:
                if not await asyncio.wait_for(self._take(), GIVE_UP_SECS):
                    raise Lost("another operator leads")
                renewed = time.monotonic()
            except (Fault, asyncio.TimeoutError) as error:
                if time.monotonic() - renewed > GIVE_UP_SECS:
                    raise Lost(f"the lease could not be renewed: {error}") from error

    async def release(self) -> None:
        """So that the next one need not wait."""
        with contextlib.suppress(Fault):
            lease = await self._cluster.get(LEASES, self._namespace, NAME)
            if lease is not None and (lease.get("spec") or {}).get("holderIdentity") == self._holder:
                lease["spec"]["holderIdentity"] = ""
                await self._cluster.replace(LEASES, self._namespace, lease)

    async def _take(self) -> bool:
        lease = await self._cluster.get(LEASES, self._namespace, NAME)
        if lease is None:
            lease = {
                "apiVersion": "coordination.k8s.io/v1",
                "kind": "Lease",
                "metadata": {"name": NAME, "namespace": self._namespace},
                "spec": self._spec(0),
            }
            return await self._write(self._cluster.create(lease))
        spec = lease.get("spec") or {}
        if spec.get("holderIdentity") not in ("", None, self._holder) and not self._is_old(lease):
            return False
        changed = spec.get("holderIdentity") != self._holder
        lease["spec"] = self._spec(int(spec.get("leaseTransitions") or 0) + changed)
        # the version of the lease that was read makes two operators' writes exclude each other
        return await self._write(self._cluster.replace(LEASES, self._namespace, lease))

    async def _write(self, request: Any) -> bool:
        try:
            await request
        except Fault as fault:
            if fault.is_conflict:
                return False
            raise
        return True

    def _is_old(self, lease: Any) -> bool:
        version = lease["metadata"]["resourceVersion"]
        if version != self._seen:
            self._seen, self._since = version, time.monotonic()
        return time.monotonic() - self._since > LEASE_SECS

    def _spec(self, transitions: int) -> dict[str, Any]:
        now = dt.datetime.now(dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return {
            "holderIdentity": self._holder,
            "leaseDurationSeconds": int(LEASE_SECS),
            "renewTime": now,
            "acquireTime": now,
            "leaseTransitions": transitions,
        }
