"""Logs that people send to the hub: which names are accepted, how bytes arrive, where they are stored.

    uploads     `Uploads`: create, find, list, change, delete; sessions and quotas
    receiving   one request of parts: checks them, writes them, notes what arrived
    parts       the form of a part, parsed from pieces of any size
    paths       names of files that may be stored
    stored      the directory of an upload: reading, flushing, removing
    bucket      the bucket of uploads, if `store` names one
    copies      files on disk and in the bucket: moving, restoring, removing copies
    mover       the thread that moves them

Who may do it is decided before anything here is called: by `may`, with the board of the upload.
"""

from __future__ import annotations
