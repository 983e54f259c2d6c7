"""Pure functions that query the store, one module per kind.

Nothing here uses files or HTTP: a query takes a `Store` and plain values and returns frozen dataclasses or columns.
Each caller imports only the modules it uses, so that starting a board loads only what it needs.
"""

from lightboard.store import Builder, Points, Series, Store

__all__ = ["Builder", "Points", "Series", "Store"]
