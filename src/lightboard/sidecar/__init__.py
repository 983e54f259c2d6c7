"""What people add to a board: annotations of runs and saved views. Stored beside the logs, never in them.

    location ─▶ files ─▶ annotations, views, slots ─▶ sidecar ──set_annotations()──▶ store
    where       lock,    contents of files            of one board
                replace

Several boards may share one sidecar: a writer takes the lock, reads again and changes only the requested fields.
"""

from lightboard.sidecar.sidecar import Sidecar
from lightboard.sidecar.views import View

__all__ = ["Sidecar", "View"]
