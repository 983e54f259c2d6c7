"""The data that has been read: runs, tags, columns, references to heavy values, health. No files, no HTTP.

    logdir ──commit(Batch)──▶ Store ◀──series(run, tag).points()── query

`row_types` has the row layouts, `points` joins chunks into one sequence, `store` holds all tables, `builder` fills a
store by hand, `cache` keeps results of queries.
"""

from lightboard.store.builder import Builder
from lightboard.store.cache import Cache, Share
from lightboard.store.points import Points
from lightboard.store.sources import Found
from lightboard.store.store import Batch, FilesBeside, Series, Stats, Store, stats_of

__all__ = [
    "Batch",
    "Builder",
    "Cache",
    "FilesBeside",
    "Found",
    "Points",
    "Series",
    "Share",
    "Stats",
    "Store",
    "stats_of",
]
