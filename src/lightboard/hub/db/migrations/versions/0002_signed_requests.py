"""Nonces of signed requests, and training jobs that have boards."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"

SORTED = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "nonces",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["key"], ["access_keys.id"], name="nonces_key_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("key", "nonce", name="nonces_pkey"),
    )
    op.create_index("nonces_expires", "nonces", ["expires"])
    op.create_table(
        "jobs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("workspace", SORTED, nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("outputs", JSON, nullable=False),
        sa.ForeignKeyConstraint(["user"], ["users.id"], name="jobs_user_fkey", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name="jobs_workspace_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="jobs_pkey"),
    )
    op.create_index("jobs_user_created", "jobs", ["user", "created"])
    op.create_index("jobs_workspace", "jobs", ["workspace"])
