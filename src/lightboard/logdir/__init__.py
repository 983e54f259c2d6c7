"""Finds event files, follows their growth, fills the store and keeps the index.

    spec ─▶ discovery ─▶ comparison ─▶ loading ─▶ store          follower runs them in turn
            filesystems                segments ◀── merging
            notifications              index ── catalog

`spec` says where to look, `discovery` lists files, `comparison` finds changes, `loading` reads them into `segments`;
`index` saves all of it for the next start. `blobs` reads heavy values on demand, `companions` the files beside the
events.
"""

from lightboard._native import return_freed_memory
from lightboard.logdir.blobs import HeavyValues
from lightboard.logdir.companions import FilesBeside, SourceFiles
from lightboard.logdir.discovery import FirstListing
from lightboard.logdir.filesystems import FileSystems, absolute, root_of
from lightboard.logdir.follower import Follower
from lightboard.logdir.index import Index
from lightboard.logdir.spec import LogdirSpec, Root, parse_spec, spec_of

__all__ = [
    "FileSystems",
    "FilesBeside",
    "FirstListing",
    "Follower",
    "HeavyValues",
    "Index",
    "LogdirSpec",
    "Root",
    "SourceFiles",
    "absolute",
    "parse_spec",
    "return_freed_memory",
    "root_of",
    "spec_of",
]
