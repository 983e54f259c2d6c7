"""One operator process: connection, lease, loop, metrics. The only place that connects them."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import os
import signal
import socket
import uuid
from collections.abc import Callable

from lightboard import errors
from lightboard.operator import leading, telling
from lightboard.operator.cluster import Cluster
from lightboard.operator.loop import Operator
from lightboard.operator.options import Options

_LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Running:
    """How the process runs, beside what it does (`Options`)."""

    kubeconfig: str = ""
    context: str = ""
    lease_namespace: str = ""  # "": that of the pod or the kubeconfig
    elect: bool = True
    host: str = "0.0.0.0"
    port: int = 8081


async def operate(options: Options, running: Running, ready: Callable[[int], None], signals: int | None = None) -> None:
    """Until SIGTERM or SIGINT, or until the descriptor `signals`, if the caller takes them, becomes readable. Raises
    errors.LightboardError if another operator took over."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    if signals is not None:
        loop.add_reader(signals, stop.set)
    else:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
    cluster = Cluster(kubeconfig=running.kubeconfig, context=running.context)
    metrics, health = telling.Metrics(), telling.Health()
    server = telling.Server(running.host, running.port, metrics, health)
    try:
        ready(server.port)
        work = asyncio.create_task(_lead(cluster, options, running, metrics, health))
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait([work, stopped], return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if not work.done():
            work.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await work
    finally:
        if signals is not None:
            loop.remove_reader(signals)
        server.close()
        await cluster.close()


async def _lead(
    cluster: Cluster, options: Options, running: Running, metrics: telling.Metrics, health: telling.Health
) -> None:
    holder = f"{os.environ.get('HOSTNAME') or socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:6]}"
    lease = leading.Lease(cluster, running.lease_namespace or cluster.namespace, holder)
    if not running.elect:
        metrics.leads.set(1)
        await Operator(cluster, options, metrics=metrics, health=health).run()
        return
    health.ready = True  # one that waits is ready to take over
    turning = asyncio.create_task(_turn(health))
    try:
        await lease.acquire()
    finally:
        turning.cancel()
    metrics.leads.set(1)
    keep = asyncio.create_task(lease.keep())
    work = asyncio.create_task(Operator(cluster, options, metrics=metrics, health=health).run())
    try:
        await asyncio.wait([keep, work], return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            work.result()
        keep.result()
    except leading.Lost as error:
        raise errors.LightboardError(str(error), hint="this process ends, so that its pod starts again") from error
    finally:
        metrics.leads.set(0)
        for task in (keep, work):
            task.cancel()
        await asyncio.gather(keep, work, return_exceptions=True)
        await asyncio.shield(lease.release())


async def _turn(health: telling.Health) -> None:
    while True:
        health.turned = asyncio.get_running_loop().time()
        await asyncio.sleep(5.0)
