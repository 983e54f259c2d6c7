"""What people add to a board: remarks about runs and saved views. Kept beside the logs, never in them.

    location ─▶ files ─▶ annotations, views ─▶ sidecar ──set_annotations()──▶ store
    where       lock,    what the files say    one board's own
                replace

Several boards may share one sidecar: whoever writes takes the lock, reads again and changes only what it was asked to.
"""

from lightboard.sidecar.sidecar import Sidecar
from lightboard.sidecar.views import View

__all__ = ["Sidecar", "View"]
