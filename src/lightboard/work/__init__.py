"""State of one board that is not in the store: layout jobs, and files that people uploaded.

    Work(store)             empty; the first request for a part creates it and imports its module
      .embedding(run, name) an embedding that was logged or uploaded
      .embeddings .graphs   uploads, kept for a limited time
      .layouts              jobs, each with its own thread
      .close()              ends the jobs and drops the uploads

The board creates and closes it; handlers of the server get it with their context. `query` does not use it.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from lightboard import store

if TYPE_CHECKING:
    from lightboard.query.projector import sources as projector_sources
    from lightboard.work import layouts as layouts_
    from lightboard.work import uploads


class Work:
    """State: each part is created under `_lock`; parts have their own locks."""

    def __init__(self, source: store.Store) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._embeddings: uploads.Embeddings | None = None
        self._graphs: uploads.Graphs | None = None
        self._layouts: layouts_.Layouts | None = None

    @property
    def embeddings(self) -> uploads.Embeddings:
        from lightboard.work import uploads

        with self._lock:
            self._embeddings = self._embeddings or uploads.Embeddings()
            return self._embeddings

    @property
    def graphs(self) -> uploads.Graphs:
        from lightboard.work import uploads

        with self._lock:
            self._graphs = self._graphs or uploads.Graphs()
            return self._graphs

    @property
    def layouts(self) -> layouts_.Layouts:
        from lightboard.work import layouts

        with self._lock:
            self._layouts = self._layouts or layouts.Layouts(self._source)
            return self._layouts

    def embedding(self, run: str, name: str) -> projector_sources.Entry:
        """Raises NotFound if there is none, Gone for an upload that is no longer kept."""
        from lightboard.query.projector import sources as projector_sources
        from lightboard.work import uploads

        return self.embeddings.find(name) if run == uploads.RUN else projector_sources.find(self._source, run, name)

    def close(self) -> None:
        with self._lock:
            layouts, self._embeddings, self._graphs = self._layouts, None, None
        if layouts is not None:
            layouts.close()
