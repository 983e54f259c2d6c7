"""The first tables.

A migration is never changed after a release; it repeats what `tables.py` was then.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None

SORTED = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("time", sa.Double(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("thing", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("detail", JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name="audit_pkey"),
    )
    op.create_index("audit_actor_id", "audit", ["actor", "id"])
    op.create_index("audit_thing_id", "audit", ["thing", "id"])
    op.create_index("audit_workspace_id", "audit", ["workspace", "id"])
    op.create_table(
        "idempotency_keys",
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("user", "key", name="idempotency_keys_pkey"),
    )
    op.create_index("idempotency_keys_created", "idempotency_keys", ["created"])
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="leases_pkey"),
    )
    op.create_table(
        "settings",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", JSON, nullable=False),
        sa.PrimaryKeyConstraint("scope", "name", name="settings_pkey"),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", SORTED, nullable=False),
        sa.Column("display_name", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("admin", sa.Boolean(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("last_seen", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="users_pkey"),
        sa.UniqueConstraint("name", name="users_name_key"),
    )
    op.create_table(
        "workspaces",
        sa.Column("id", SORTED, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("personal_of", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="workspaces_pkey"),
    )
    op.create_index("workspaces_personal_of", "workspaces", ["personal_of"])
    op.create_table(
        "access_keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=True),
        sa.Column("last_used", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["user"], ["users.id"], name="access_keys_user_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="access_keys_pkey"),
    )
    op.create_index("access_keys_user", "access_keys", ["user"])
    op.create_table(
        "boards",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("workspace", SORTED, nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("sources", JSON, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("idle_after_secs", sa.Double(), nullable=True),
        sa.Column("reclaim_after_secs", sa.Double(), nullable=True),
        sa.Column("max_runtime_secs", sa.Double(), nullable=True),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("labels", JSON, nullable=False),
        sa.Column("source_type", sa.Text(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("wake_on_open", sa.Boolean(), nullable=False),
        sa.Column("desired", sa.Text(), nullable=False),
        sa.Column("stop_reason", sa.Text(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("state", SORTED, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("state_since", sa.Double(), nullable=False),
        sa.Column("observed_generation", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("attempted_at", sa.Double(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("next_try", sa.Double(), nullable=True),
        sa.Column("stop_sent", sa.Double(), nullable=True),
        sa.Column("started", sa.Double(), nullable=True),
        sa.Column("last_activity", sa.Double(), nullable=False),
        sa.Column("answering_since", sa.Double(), nullable=False),
        sa.Column("keep_alive_until", sa.Double(), nullable=True),
        sa.Column("last_seen", sa.Double(), nullable=True),
        sa.Column("watched_since", sa.Double(), nullable=True),
        sa.Column("silent_since", sa.Double(), nullable=True),
        sa.Column("look_again_at", sa.Double(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name_key", SORTED, nullable=False),
        sa.Column("search", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["users.id"], name="boards_owner_fkey"),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name="boards_workspace_fkey"),
        sa.PrimaryKeyConstraint("id", name="boards_pkey"),
    )
    op.create_index("boards_created_id", "boards", ["created", "id"])
    op.create_index("boards_last_activity_id", "boards", ["last_activity", "id"])
    op.create_index("boards_look_again_at", "boards", ["look_again_at"])
    op.create_index("boards_name_key_id", "boards", ["name_key", "id"])
    op.create_index("boards_owner_created_id", "boards", ["owner", "created", "id"])
    op.create_index("boards_owner_state", "boards", ["owner", "state"])
    op.create_index("boards_source_type_source_id", "boards", ["source_type", "source_id"])
    op.create_index("boards_state_id", "boards", ["state", "id"])
    op.create_index("boards_workspace_created_id", "boards", ["workspace", "created", "id"])
    op.create_index("boards_workspace_state", "boards", ["workspace", "state"])
    op.create_table(
        "members",
        sa.Column("workspace", SORTED, nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user"], ["users.id"], name="members_user_fkey", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name="members_workspace_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("workspace", "user", name="members_pkey"),
    )
    op.create_index("members_user", "members", ["user"])
    op.create_table(
        "one_time_links",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.Column("used", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["user"], ["users.id"], name="one_time_links_user_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash", name="one_time_links_pkey"),
    )
    op.create_index("one_time_links_user", "one_time_links", ["user"])
    op.create_table(
        "secrets",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("workspace", SORTED, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("shown", JSON, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("updated", sa.Double(), nullable=False),
        sa.Column("checked", sa.Double(), nullable=True),
        sa.Column("check_message", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["workspace"], ["workspaces.id"], name="secrets_workspace_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="secrets_pkey"),
        sa.UniqueConstraint("workspace", "name", name="secrets_workspace_name_key"),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.Column("last_used", sa.Double(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user"], ["users.id"], name="sessions_user_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="sessions_pkey"),
        sa.UniqueConstraint("hash", name="sessions_hash_key"),
    )
    op.create_index("sessions_expires", "sessions", ["expires"])
    op.create_index("sessions_user", "sessions", ["user"])
    op.create_table(
        "tokens",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scopes", JSON, nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=True),
        sa.Column("last_used", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["user"], ["users.id"], name="tokens_user_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="tokens_pkey"),
        sa.UniqueConstraint("hash", name="tokens_hash_key"),
    )
    op.create_index("tokens_user", "tokens", ["user"])
    op.create_table(
        "events",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("time", sa.Double(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name="events_board_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="events_pkey"),
    )
    op.create_index("events_board_id", "events", ["board", "id"])
    op.create_table(
        "shares",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("view", sa.Text(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=True),
        sa.Column("revoked", sa.Double(), nullable=True),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("last_used", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["board"], ["boards.id"], name="shares_board_fkey", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="shares_pkey"),
        sa.UniqueConstraint("hash", name="shares_hash_key"),
    )
    op.create_index("shares_board", "shares", ["board"])
