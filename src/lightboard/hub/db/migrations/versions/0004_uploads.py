"""Uploads, and the files that clients sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"

SORTED = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "uploads",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("workspace", SORTED, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("updated", sa.Double(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("files", sa.Integer(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("session_seen", sa.Double(), nullable=False),
        sa.Column("deleting", sa.Boolean(), nullable=False),
        sa.Column("away", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name="uploads_owner_fkey"),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name="uploads_workspace_fkey"),
        sa.PrimaryKeyConstraint("id", name="uploads_pkey"),
    )
    op.create_index("uploads_board", "uploads", ["board"])
    op.create_index("uploads_owner_created", "uploads", ["owner", "created"])
    op.create_index("uploads_workspace_created", "uploads", ["workspace", "created"])
    op.create_table(
        "upload_files",
        sa.Column("upload", sa.Text(), nullable=False),
        sa.Column("path", SORTED, nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.BigInteger(), nullable=False),
        sa.Column("kept", sa.BigInteger(), nullable=False),
        sa.Column("kept_checksum", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["upload"], ["uploads.id"], name="upload_files_upload_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("upload", "path", name="upload_files_pkey"),
    )
