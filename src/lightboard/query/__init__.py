"""Pure questions over the store, one module per kind.

Nothing here knows files or HTTP: a question takes a `Store` and plain values and answers with frozen dataclasses or
columns. Modules are imported one by one by whoever asks, so that starting a board loads only what it needs.
"""

from lightboard.store import Builder, Points, Series, Store

__all__ = ["Builder", "Points", "Series", "Store"]
