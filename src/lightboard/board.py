"""One board connects a logdir, the store it is read into and the server. Only this module connects them.

    Board(spec, options)    reads nothing yet; a head start may be running
      .start()              read and follow in the background
      .load()               read once and wait (scripts, `inspect`, `export`)
      .app(...)             the ASGI application
      .serve(app, sockets)  answer requests until stopped
      .stop()

Only `app()` and `serve()` import the server: scripts that read logs never load it, and a starting board reads
while it imports.
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lightboard import activity, logdir, store, types, work

if TYPE_CHECKING:
    from lightboard import head_start, sidecar, snapshot
    from lightboard.server import context, snapshots
    from lightboard.server.app import App


@dataclasses.dataclass(frozen=True)
class Options:
    """How to read. The defaults are those of the command line."""

    rewinds: types.Rewinds = types.Rewinds.LATEST
    index: bool = True
    index_dir: str = ""  # "": the user's cache directory
    index_max_bytes: int | None = None
    reload_interval_secs: float = 5.0  # if the file system does not notify of changes; 0: read once
    sidecar: str = ""  # directory of remarks and views; "": beside local logs, "beside": beside all, "none": off


class Board:
    """State: `store` grows from `start()` or `load()` on; only the follower writes to it. `work` holds jobs and
    uploads of pages. `_stopping` stops the follower as soon as the server begins to stop."""

    def __init__(
        self,
        spec: logdir.LogdirSpec,
        options: Options | None = None,
        *,
        ahead: head_start.HeadStart | None = None,
        systems: logdir.FileSystems | None = None,
    ) -> None:
        self.spec = spec
        self.options = options or Options()
        systems = systems or logdir.FileSystems()
        values = logdir.HeavyValues(systems)
        read = logdir.SourceFiles(systems, spec).read
        self.store = store.Store(
            values.load, values.load_tables, logdir.FilesBeside(systems), read, cache=store.Cache()
        )
        self.activity = activity.Activity()
        self.follower = logdir.Follower(
            self.store,
            spec,
            index=_index(self.options),
            reload_interval=self.options.reload_interval_secs,
            first_listing=(ahead.path, ahead.walked) if ahead is not None else None,
            first_scan=ahead,
            systems=systems,
            activity=self.activity,
        )
        self.work = work.Work(self.store)
        self._stopping: threading.Thread | None = None
        self._settings = systems.settings
        self.roots = tuple(logdir.absolute(root.path) for root in spec.roots)

    @functools.cached_property
    def sidecar(self) -> sidecar.Sidecar:
        """Annotations and views. Created on first use, after reading started."""
        from lightboard import sidecar

        return sidecar.Sidecar(
            self.store,
            self.roots,
            self.options.sidecar,
            settings=self._settings,
            unseen_secs=self.activity.unseen_secs,
        )

    def start(self) -> None:
        self.follower.start()

    def load(self) -> None:
        self.follower.load_once()
        self.sidecar.load()

    def stop(self) -> None:
        self.work.close()
        if self._stopping is None:
            self.follower.stop()
        else:
            self._stopping.join()
        if "sidecar" in vars(self):
            self.sidecar.stop()

    def _stop_following(self) -> None:
        """Called while the server finishes its responses, because saving the index takes time."""
        self._stopping = threading.Thread(target=self.follower.stop, name="lightboard-stop", daemon=True)
        self._stopping.start()

    def app(self, **settings: Any) -> App:
        """The ASGI application; keywords are fields of `server.settings.Settings`."""
        from lightboard.server import app as server_app
        from lightboard.server import settings as server_settings

        fields = {"static_dir": static_dir(), "rewinds": self.options.rewinds, "roots": self.roots, **settings}
        self.sidecar.start()
        return server_app.create(
            self.store,
            server_settings.Settings(**fields),
            work=self.work,
            sidecar=self.sidecar,
            activity=self.activity,
            take_snapshot=_take_snapshot,
            give_back=logdir.return_freed_memory,
        )

    def snapshot(self, chosen: snapshot.Choice) -> snapshot.Snapshot:
        """A board that has been loaded, as one HTML file."""
        from lightboard import snapshot
        from lightboard.server import context, settings

        names = [root.name or pathlib.PurePath(root.path).name for root in self.spec.roots]
        made = settings.Settings(
            static_dir=static_dir(), rewinds=self.options.rewinds, window_title=", ".join(filter(None, names))
        )
        whole = context.Context(store=self.store, work=self.work, settings=made, sidecar=self.sidecar)
        return snapshot.take(whole, chosen)

    def serve(
        self,
        app: App,
        sockets: list[socket.socket],
        *,
        stops: Callable[[], int | None],
        tls_cert: str = "",
        tls_key: str = "",
    ) -> None:
        """Serve on listening sockets until stopped.

        `stops` is called when the event loop runs; it returns a descriptor that becomes readable to stop it.
        """
        from lightboard.server import serving

        bounds = app.context.settings.limits
        server = serving.server(
            app, stops=stops, closing=self._stop_following, tls_cert=tls_cert, tls_key=tls_key, bounds=bounds
        )
        try:
            server.run(sockets)
        finally:
            app.end()


def _take_snapshot(context: context.Context, question: snapshots.SnapshotQuestion) -> snapshot.Snapshot:
    """Called by the server, which does not import what is built from its answers."""
    from lightboard import snapshot

    chosen = snapshot.Choice(run=question.run, tag=question.tag, points=question.points, view=question.view)
    return snapshot.take(context, chosen)


def static_dir() -> str | None:
    """Directory of the built page; None if this installation has none."""
    import lightboard

    # not importlib.resources: importing it takes longer than everything else here
    for base in lightboard.__path__:
        if (pathlib.Path(base) / "static" / "index.html").is_file():
            return str(pathlib.Path(base) / "static")
    return None


def _index(options: Options) -> logdir.Index | None:
    if not options.index:
        return None
    return logdir.Index(options.index_dir or None, max_bytes=options.index_max_bytes)
