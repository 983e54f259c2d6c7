"""Alembic's entry: `migrating.py` hands over the connection, so a migration runs inside the caller's transaction."""

from __future__ import annotations

from alembic import context

from lightboard.hub.db import tables

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=tables.METADATA,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
