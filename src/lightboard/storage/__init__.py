"""Access to storage outside this machine, for the board and for the SDK: addresses, settings, credentials, connections.

    uris           one parser for every address:  s3://bucket/runs  →  Location
    settings       `storage.toml`: claims, named secrets, limits
    credentials    the keys of a location, found as the store's own tools find them
    connections    obstore clients, one per bucket and identity
    web            the same for web servers: requests by `web_client`, listings by `web_listings`
    faults         what a store refused, in a sentence with its cause and remedy

Nothing here knows boards, runs or event files. Secrets stay in this room: they are never part of an address, a log
message, an error or the index.
"""

from __future__ import annotations

from lightboard.storage.connections import Connection, Connections
from lightboard.storage.settings import Limits, Secret, Settings
from lightboard.storage.uris import Location, Service, parse

__all__ = ["Connection", "Connections", "Limits", "Location", "Secret", "Service", "Settings", "parse"]
