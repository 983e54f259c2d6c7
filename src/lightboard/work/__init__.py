"""What one board does for its pages beside answering questions: layouts under way, and files that people uploaded.

    Work(store)             nothing yet; each part is made, and its module imported, by the first request for it
      .embedding(run, name) one that was logged or uploaded
      .embeddings .graphs   uploads, kept for a while
      .layouts              jobs with threads of their own
      .close()              ends the jobs and forgets the uploads

The board makes one and closes it; handlers of the server get it with their context. `query` knows nothing of it.
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
    """State: each part is made under `_lock`; parts have locks of their own."""

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
        """Raises NotFound where there is none, Gone for an upload that is not kept any longer."""
        from lightboard.query.projector import sources as projector_sources
        from lightboard.work import uploads

        return self.embeddings.find(name) if run == uploads.RUN else projector_sources.find(self._source, run, name)

    def close(self) -> None:
        with self._lock:
            layouts, self._embeddings, self._graphs = self._layouts, None, None
        if layouts is not None:
            layouts.close()
