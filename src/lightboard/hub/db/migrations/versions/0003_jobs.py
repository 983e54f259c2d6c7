"""Jobs that a runner follows: states, reports, boards. Jobs that are there already become Registered."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"

SORTED = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
TEXTS = (
    "reason",
    "message",
    "signal",
    "directory",
    "host",
    "logdir",
    "stop_by",
    "board_label",
    "board",
    "board_message",
)


def upgrade() -> None:
    _add("state", SORTED, "Registered")
    for name in TEXTS:
        _add(name, sa.Text(), "")
    _add("board_mode", sa.Text(), "own")
    _add("board_status", sa.Text(), "None")
    _add("search", sa.Text(), "")
    _add("name_key", SORTED, "")
    _add("command", JSON, "[]")
    for name in ("labels", "environment", "git", "figures"):
        _add(name, JSON, "{}")
    for name in ("heartbeat_secs", "stop_grace_secs"):
        _add(name, sa.Double(), "0")
    _add("has_events", sa.Boolean(), sa.false())
    _add("log_bytes", sa.BigInteger(), "0")
    _add("version", sa.Integer(), "0")
    for name in ("started", "ended", "last_report", "stop_requested", "board_again_at"):
        op.add_column("jobs", sa.Column(name, sa.Double(), nullable=True))
    op.add_column("jobs", sa.Column("exit_code", sa.Integer(), nullable=True))
    op.add_column("jobs", sa.Column("key", sa.Text(), nullable=True))
    op.add_column("jobs", sa.Column("request", sa.LargeBinary(), nullable=True))
    op.execute("UPDATE jobs SET name_key = lower(name), search = lower(name) || ' ' || id")
    op.create_index("jobs_board_again_at", "jobs", ["board_again_at"])
    op.create_index("jobs_created_id", "jobs", ["created", "id"])
    op.create_index("jobs_name_key_id", "jobs", ["name_key", "id"])
    op.create_index("jobs_state_id", "jobs", ["state", "id"])
    op.create_index("jobs_workspace_created_id", "jobs", ["workspace", "created", "id"])
    op.create_index("jobs_user_key", "jobs", ["user", "key"], unique=True)
    op.create_table(
        "job_labels",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name="job_labels_job_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("job", "name", name="job_labels_pkey"),
    )
    op.create_index("job_labels_name_value_job", "job_labels", ["name", "value", "job"])


def _add(name: str, kind: Any, default: Any) -> None:
    op.add_column("jobs", sa.Column(name, kind, nullable=False, server_default=default))
