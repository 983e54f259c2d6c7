"""The one place that connects the rooms of the hub, and runs them until a signal.

    config → folder (lock) → database → people, vault → runtime → sources → keeper → API, door, pages → server

Everything the hub keeps lies below `dir`:

    lock                 held by the hub that uses the folder
    hub.sqlite3          the database, unless another one is named
    key                  encrypts secrets of stores
    boards/<id>/         processes of boards
    uploads/<id>/files/  files that people sent, unless another directory is named; copies, if a bucket is
    jobs/<id>/           what jobs printed

With SQLite one hub uses a folder. Hubs on one PostgreSQL share it if they run on one machine, because each of them
forwards to the boards' sockets; one of them keeps the boards. When the hub ends, boards run on; the next one finds
them.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import fcntl
import logging
import os
import pathlib
import resource
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent import futures

from lightboard import errors
from lightboard.hub import db, keeper, runtimes, sources
from lightboard.hub.api import app as api_
from lightboard.hub.api import news, routes, table
from lightboard.hub.api.pai import door as pai
from lightboard.hub.jobs import boards as job_boards
from lightboard.hub.jobs import console, watch
from lightboard.hub.life.uploads import Quotas
from lightboard.hub.people import frames, identity, passwords, vault
from lightboard.hub.runtimes import process
from lightboard.hub.server import app, clients, config, defaults, files, first_admin, metrics, visits
from lightboard.hub.tensorboard_dev import door as tensorboard_dev
from lightboard.hub.uploads import bucket, mover, uploads
from lightboard.server import serving
from lightboard.storage import settings as storage_settings
from lightboard.storage import uris

DATABASE = "hub.sqlite3"
KEY = "key"
LOCK = "lock"
UPLOADS = "uploads"
JOBS = "jobs"
THREADS = 8
# Pages of notebooks on this machine. A policy cannot name IPv6 addresses.
LOCAL_PAGES = ("http://localhost:*", "http://127.0.0.1:*", "https://localhost:*", "https://127.0.0.1:*")
DESCRIPTORS = 65536
# A keeper that has an action under way is not waited for longer; the next one finds what is real.
KEEPER_SECS = 0.7
_LOG = logging.getLogger("lightboard.hub")


@dataclasses.dataclass(frozen=True)
class Hub:
    """A hub that is ready to serve. `link` is a one-time link for the first admin, "" if there is one."""

    app: app.Hub
    services: routes.Services
    keeper: keeper.Keeper
    watch: watch.Watch  # of jobs
    link: str
    mover: mover.Mover | None = None  # of uploads, if they are stored in a bucket


class Tasks:
    """State: the keeper's task."""

    def __init__(self) -> None:
        self.keeper: asyncio.Task[None] | None = None

    def is_kept(self) -> bool:
        return self.keeper is not None and not self.keeper.done()


@contextlib.contextmanager
def opened(
    settings: config.Config,
    *,
    environment: Mapping[str, str] | None = None,
    loopback: bool = True,
    tasks: Tasks | None = None,
    clock: Callable[[], float] = time.time,
) -> Iterator[Hub]:
    """Opens everything but the socket; the keeper does not run yet. Boards run on when it is left."""
    environment = os.environ if environment is None else environment
    tasks = tasks or Tasks()
    first_admin.checked(environment.get(first_admin.VARIABLE, ""))
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(used_folder(settings))
        database = db.Database(settings.database or str(folder / DATABASE))
        stack.callback(database.close)
        defaults.put(database.settings, settings)
        keys = vault.Vault(vault.load_key(folder / KEY, environment))
        link = first_admin.prepare(database, environment, clock())
        runtime = process.Processes(folder, environment=environment, now=clock)
        stack.callback(runtime.close)
        sent, moves = _uploads(settings, folder, database, clock)
        if moves is not None:
            stack.callback(moves.close)
        places = sources.Sources(
            database,
            keys,
            roots=settings.roots,
            claims=settings.claims,
            environment={name: environment[name] for name in settings.environment if name in environment},
            limits=runtimes.Limits(memory_bytes=settings.memory),
            allow_networks=settings.allow_networks,
            closed=[str(folder), str(sent.store)],
            uploads=sent.place_of,
        )
        stack.callback(places.close)
        numbers = metrics.Metrics()
        keep = keeper.Keeper(
            database, runtime, places.launch, holder=_holder(settings), clock=clock, decided=numbers.decided
        )
        threads = futures.ThreadPoolExecutor(THREADS, thread_name_prefix="hub")
        stack.callback(threads.shutdown, wait=False, cancel_futures=True)
        who_asks = clients.Clients(url=settings.url, trusted_proxies=settings.trusted_proxies, loopback=loopback)
        identities = identity.Identities(
            database, clock=clock, url=who_asks.url, threads=threads, frame_tickets=frames.Frames(keys)
        )
        of_jobs = job_boards.JobBoards(database, places, clock)
        consoles = console.Consoles(folder / JOBS)
        ancestors = _frame_ancestors(settings, loopback=loopback)
        services = routes.Services(
            database=database,
            passwords=passwords.Passwords(),
            vault=keys,
            runtime=runtime,
            keeper=keep,
            sources=places,
            uploads=sent,
            consoles=consoles,
            job_boards=of_jobs,
            clock=clock,
            url=who_asks.url,
            who=identities.who,
            csrf_holds=identities.csrf_holds,
            self_service=settings.self_service,
            session_secs=settings.session,
            name=settings.name,
            roots=settings.roots,
            frame_ancestors=ancestors,
            claims=tuple(settings.claims),
        )
        waits = news.News(database)
        stack.callback(waits.close)
        visitors = visits.Visits(database, identities, runtime, keep, waits, clock=clock, threads=threads)
        stack.callback(visitors.close)
        api = api_.App(services, table.all_routes())
        uploader = _tensorboard_dev(settings, services, identities, stack)
        root = app.Hub(
            database=database,
            api=api,
            pai=pai.Door(services, api),
            uploader=uploader,
            visitors=visitors,
            who_asks=who_asks,
            numbers=numbers,
            leads=lambda: keep.leads,
            is_kept=tasks.is_kept,
            clock=clock,
            page=files.Files(files.root()),
            frame_tickets=frames.Frames(keys),
            frame_ancestors=ancestors,
        )
        watching = watch.Watch(database, of_jobs, consoles, clock=clock)
        yield Hub(root, services, keep, watching, link, moves)


def serve(
    settings: config.Config,
    sockets: list[socket.socket],
    *,
    loopback: bool,
    ready: Callable[[Hub], None],
    stops: Callable[[], int | None] = lambda: None,
) -> None:
    """Serves until the descriptor of `stops` is readable. `ready` is called when everything is open."""
    tasks = Tasks()
    _allow_connections()
    with opened(settings, loopback=loopback, tasks=tasks) as hub:
        server = serving.server(hub.app, stops=stops, tls_cert=settings.tls_cert, tls_key=settings.tls_key)
        if hub.mover is not None:
            hub.mover.start()
        ready(hub)

        async def main() -> None:
            tasks.keeper = asyncio.create_task(hub.keeper.run(), name="keeper")
            watching = asyncio.create_task(hub.watch.run(), name="jobs")
            try:
                await server.serve(sockets)
            finally:
                watching.cancel()
                await _end(tasks.keeper)
                await hub.app.aclose()

        serving.run(server, main())


def _allow_connections() -> None:
    """A page at a board needs two descriptors here; many systems start programs with 1,024. Boards have limits of their
    own (`runtimes.Limits`)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def _end(task: asyncio.Task[None]) -> None:
    """The lease is given back if that takes no longer than the process may take to end."""
    task.cancel()
    _, late = await asyncio.wait([task], timeout=KEEPER_SECS)
    if late:
        _LOG.info("a board is being started or stopped; the next hub finds it")


@contextlib.contextmanager
def used_folder(settings: config.Config) -> Iterator[pathlib.Path]:
    """The folder of the hub, locked: alone with SQLite, together with other hubs otherwise."""
    folder = pathlib.Path(settings.dir or default_folder())
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise errors.Unreadable(f"the hub cannot use its directory, {error.strerror}: {folder}") from error
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if _is_shared(settings) else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise errors.Unreadable(
            f"another hub uses this directory: {folder}",
            hint="stop it, or use another `--dir`; several hubs share one only on PostgreSQL",
        ) from error
    try:
        yield folder
    finally:
        os.close(descriptor)


def default_folder() -> pathlib.Path:
    """Below the user's data directory."""
    base = os.environ.get("LIGHTBOARD_DATA_DIR", "")
    if base:
        return pathlib.Path(base) / "hub"
    home = os.environ.get("XDG_DATA_HOME", "") or pathlib.Path.home() / ".local" / "share"
    return pathlib.Path(home) / "lightboard" / "hub"


def _holder(settings: config.Config) -> str:
    """The name of this process in the lease of the keeper. A hub that is alone has the name of the one before it, so
    that it takes over at once if that one was killed."""
    machine = socket.gethostname()
    return f"{machine}:{os.getpid()}:{secrets.token_hex(4)}" if _is_shared(settings) else machine


def _frame_ancestors(settings: config.Config, *, loopback: bool) -> tuple[str, ...]:
    """A hub that only this machine reaches is shown by notebooks of this machine, as boards are."""
    local = LOCAL_PAGES if loopback and not settings.url else ()
    return ("'self'", *local, *settings.frame_ancestors)


def _tensorboard_dev(
    settings: config.Config, services: routes.Services, identities: identity.Identities, stack: contextlib.ExitStack
) -> tensorboard_dev.Door | None:
    """The port of TensorBoard's uploader, if one is configured."""
    if settings.tensorboard_dev_port is None:
        return None
    try:
        from lightboard.hub.tensorboard_dev import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "lightboard":
            raise
        hint = "`pip install 'lightboard[tensorboard-dev]'`"
        raise errors.Missing(f"`tensorboard_dev_port` needs `{error.name}`", hint=hint) from error
    listening = server.Server(
        services,
        identities.identity_of,
        host=settings.host,
        port=settings.tensorboard_dev_port,
        cert=settings.tls_cert,
        key=settings.tls_key,
    )
    stack.callback(listening.close)
    endpoint = settings.tensorboard_dev_endpoint
    return tensorboard_dev.Door(services, port=listening.port, secure=listening.is_secure, endpoint=endpoint)


def _uploads(
    settings: config.Config, folder: pathlib.Path, database: db.Database, clock: Callable[[], float]
) -> tuple[uploads.Uploads, mover.Mover | None]:
    """Uploads, and what moves them if they are stored in a bucket."""
    elsewhere = uris.is_elsewhere(settings.store)
    store = pathlib.Path(folder / UPLOADS if elsewhere or not settings.store else settings.store)
    made = None
    if elsewhere:
        found = storage_settings.load(settings.storage)
        made = bucket.Bucket(settings.store, found, boards_secret=settings.boards_secret)
    bucket.check_same(folder / UPLOADS, made, is_used=database.uploads.is_used())
    sent = uploads.Uploads(database, store, quotas=_quotas(settings), clock=clock, bucket=made)
    moves = None if sent.copies is None else mover.Mover(database, sent, sent.copies, local_secs=settings.local_copy)
    return sent, moves


def _quotas(settings: config.Config) -> Quotas:
    return Quotas(
        account_bytes=settings.account_bytes or None,
        workspace_bytes=settings.workspace_bytes or None,
        hub_bytes=settings.hub_bytes or None,
        account_files=settings.account_files or None,
    )


def _is_shared(settings: config.Config) -> bool:
    return bool(settings.database) and not settings.database.startswith("sqlite")


def link_address(hub: Hub, url: str) -> str:
    return f"{url}/#/link/{hub.link}"
