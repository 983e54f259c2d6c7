"""The tables, as SQLAlchemy describes them; `migrations/` makes them, and a test holds that both agree.

Times are Unix seconds. Ids are texts that the hub makes (`life.names.new_id`). Texts by which lists are sorted have
PostgreSQL's collation "C", so that both databases page in the same order.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

METADATA = sa.MetaData(
    naming_convention={
        "ix": "%(table_name)s_%(column_0_N_name)s",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
        "pk": "%(table_name)s_pkey",
    }
)

SORTED = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
# SQLite numbers rows by itself only if the column is an INTEGER
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str, *more: sa.ForeignKey, **options: bool) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), *more, **{"nullable": False, **options})  # type: ignore[arg-type]


def _time(name: str, **options: bool) -> sa.Column[float]:
    return sa.Column(name, sa.Double(), **{"nullable": False, **options})  # type: ignore[arg-type]


def _maybe_time(name: str) -> sa.Column[float]:
    return _time(name, nullable=True)


def _number(name: str, **options: bool) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), **{"nullable": False, **options})  # type: ignore[arg-type]


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _bytes(name: str, **options: bool) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), **{"nullable": False, **options})  # type: ignore[arg-type]


def _of(column: str) -> sa.ForeignKey:
    """The row goes when the other one goes."""
    return sa.ForeignKey(column, ondelete="CASCADE")


# -- people

USERS = sa.Table(
    "users",
    METADATA,
    _text("id", primary_key=True),
    sa.Column("name", SORTED, nullable=False, unique=True),
    _text("display_name"),
    _text("password_hash"),
    _flag("admin"),
    _flag("enabled"),
    _time("created"),
    _maybe_time("last_seen"),
)

SESSIONS = sa.Table(
    "sessions",
    METADATA,
    _text("id", primary_key=True),
    _bytes("hash", unique=True),
    _text("user", _of("users.id"), index=True),
    _time("created"),
    _time("expires", index=True),
    _time("last_used"),
    _text("address"),
    _text("agent"),
)

TOKENS = sa.Table(
    "tokens",
    METADATA,
    _text("id", primary_key=True),
    _bytes("hash", unique=True),
    _text("user", _of("users.id"), index=True),
    _text("name"),
    sa.Column("scopes", JSON, nullable=False),
    _time("created"),
    _maybe_time("expires"),
    _maybe_time("last_used"),
)

ACCESS_KEYS = sa.Table(
    "access_keys",
    METADATA,
    _text("id", primary_key=True),
    _text("user", _of("users.id"), index=True),
    _text("name"),
    _bytes("ciphertext"),
    _time("created"),
    _maybe_time("expires"),
    _maybe_time("last_used"),
)

# of requests that were signed with an access key; each counts once
NONCES = sa.Table(
    "nonces",
    METADATA,
    _text("key", _of("access_keys.id"), primary_key=True),
    _text("nonce", primary_key=True),
    _time("expires", index=True),
)

ONE_TIME_LINKS = sa.Table(
    "one_time_links",
    METADATA,
    _bytes("hash", primary_key=True),
    _text("user", _of("users.id"), index=True),
    _text("purpose"),
    _time("created"),
    _time("expires"),
    _maybe_time("used"),
)

# -- workspaces

WORKSPACES = sa.Table(
    "workspaces",
    METADATA,
    sa.Column("id", SORTED, primary_key=True),
    _text("name"),
    _text("description"),
    _text("personal_of", index=True),
    _time("created"),
)

MEMBERS = sa.Table(
    "members",
    METADATA,
    sa.Column("workspace", SORTED, _of("workspaces.id"), primary_key=True),
    _text("user", _of("users.id"), primary_key=True, index=True),
    _text("role"),
    _time("since"),
)

SECRETS = sa.Table(
    "secrets",
    METADATA,
    _text("id", primary_key=True),
    sa.Column("workspace", SORTED, _of("workspaces.id"), nullable=False),
    _text("name"),
    _text("kind"),
    _bytes("ciphertext"),
    sa.Column("shown", JSON, nullable=False),
    _time("created"),
    _text("created_by"),
    _time("updated"),
    _maybe_time("checked"),
    _text("check_message"),
    sa.UniqueConstraint("workspace", "name"),
)

# -- boards

BOARDS = sa.Table(
    "boards",
    METADATA,
    _text("id", primary_key=True),
    _text("name"),
    sa.Column("workspace", SORTED, sa.ForeignKey("workspaces.id"), nullable=False),
    sa.Column("owner", sa.Text(), sa.ForeignKey("users.id"), nullable=False),
    sa.Column("sources", JSON, nullable=False),
    _time("created"),
    _maybe_time("idle_after_secs"),
    _maybe_time("reclaim_after_secs"),
    _maybe_time("max_runtime_secs"),
    _text("visibility"),
    sa.Column("labels", JSON, nullable=False),
    _text("source_type"),
    _text("source_id"),
    _flag("wake_on_open"),
    _text("desired"),
    _text("stop_reason", nullable=True),
    _number("generation"),
    _number("revision"),
    sa.Column("state", SORTED, nullable=False),
    _text("reason"),
    _text("message"),
    _time("state_since"),
    _number("observed_generation"),
    _number("attempt"),
    _maybe_time("attempted_at"),
    _number("failures"),
    _maybe_time("next_try"),
    _maybe_time("stop_sent"),
    _maybe_time("started"),
    _time("last_activity"),
    _time("answering_since"),
    _maybe_time("keep_alive_until"),
    _maybe_time("last_seen"),
    _maybe_time("watched_since"),
    _maybe_time("silent_since"),
    sa.Column("look_again_at", sa.Double(), nullable=True, index=True),
    _number("version"),
    # derived, for lists: the name in lower case, and everything that a search looks through
    sa.Column("name_key", SORTED, nullable=False),
    _text("search"),
    # a list that is sorted by one of these reads the index from one end
    sa.Index(None, "created", "id"),
    sa.Index(None, "last_activity", "id"),
    sa.Index(None, "name_key", "id"),
    sa.Index(None, "workspace", "created", "id"),
    sa.Index(None, "owner", "created", "id"),
    # quotas count these
    sa.Index(None, "owner", "state"),
    sa.Index(None, "workspace", "state"),
    sa.Index(None, "state", "id"),
    # create-or-resume
    sa.Index(None, "source_type", "source_id"),
)

EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("id", NUMBER, primary_key=True, autoincrement=True),
    _text("board", _of("boards.id")),
    _time("time"),
    _text("kind"),
    _text("actor"),
    _text("reason"),
    _text("message"),
    sa.Index(None, "board", "id"),
)

SHARES = sa.Table(
    "shares",
    METADATA,
    _text("id", primary_key=True),
    _text("board", _of("boards.id"), index=True),
    _bytes("hash", unique=True),
    _time("created"),
    _text("created_by"),
    _text("role"),
    _text("view"),
    _maybe_time("expires"),
    _maybe_time("revoked"),
    _number("uses"),
    _maybe_time("last_used"),
)

# -- jobs

JOBS = sa.Table(
    "jobs",
    METADATA,
    _text("id", primary_key=True),
    _text("name"),
    sa.Column("workspace", SORTED, _of("workspaces.id"), nullable=False, index=True),
    _text("user", _of("users.id")),
    _time("created"),
    sa.Column("outputs", JSON, nullable=False),
    sa.Column("state", SORTED, nullable=False),
    _text("reason"),
    _text("message"),
    _number("exit_code", nullable=True),
    _text("signal"),
    sa.Column("command", JSON, nullable=False),
    _text("directory"),
    _text("host"),
    _text("logdir"),
    sa.Column("labels", JSON, nullable=False),
    sa.Column("environment", JSON, nullable=False),
    sa.Column("git", JSON, nullable=False),
    sa.Column("figures", JSON, nullable=False),
    _maybe_time("started"),
    _maybe_time("ended"),
    _time("heartbeat_secs"),
    _maybe_time("last_report"),
    _maybe_time("stop_requested"),
    _text("stop_by"),
    _time("stop_grace_secs"),
    _flag("has_events"),
    _text("board_mode"),
    _text("board_label"),
    _text("board_status"),
    _text("board"),
    _text("board_message"),
    # when the hub tries to make its board; null: not at all, or it is made
    sa.Column("board_again_at", sa.Double(), nullable=True, index=True),
    sa.Column("log_bytes", sa.BigInteger(), nullable=False),
    _number("version"),
    # of its registration: the same key of a user makes one job; `request` is a hash of what was asked for
    _text("key", nullable=True),
    _bytes("request", nullable=True),
    # derived, for lists
    sa.Column("name_key", SORTED, nullable=False),
    _text("search"),
    sa.Index(None, "created", "id"),
    sa.Index(None, "name_key", "id"),
    sa.Index(None, "state", "id"),
    sa.Index(None, "workspace", "created", "id"),
    sa.Index(None, "user", "created"),
    sa.Index(None, "user", "key", unique=True),
)

# labels of jobs once more, for lists and boards by label
JOB_LABELS = sa.Table(
    "job_labels",
    METADATA,
    _text("job", _of("jobs.id"), primary_key=True),
    _text("name", primary_key=True),
    _text("value"),
    sa.Index(None, "name", "value", "job"),
)

# -- uploads

UPLOADS = sa.Table(
    "uploads",
    METADATA,
    _text("id", primary_key=True),
    _text("board", index=True),
    sa.Column("owner", sa.Text(), sa.ForeignKey("users.id"), nullable=False),
    sa.Column("workspace", SORTED, sa.ForeignKey("workspaces.id"), nullable=False),
    _time("created"),
    _time("updated"),
    _text("name"),
    _text("description"),
    _text("form"),
    sa.Column("bytes", sa.BigInteger(), nullable=False),
    _number("files"),
    _number("runs"),
    _text("session"),
    _time("session_seen"),
    _flag("deleting"),
    _flag("away"),
    sa.Index(None, "owner", "created"),
    sa.Index(None, "workspace", "created"),
)

UPLOAD_FILES = sa.Table(
    "upload_files",
    METADATA,
    _text("upload", _of("uploads.id"), primary_key=True),
    sa.Column("path", SORTED, primary_key=True),
    sa.Column("size", sa.BigInteger(), nullable=False),
    sa.Column("checksum", sa.BigInteger(), nullable=False),
    # what the bucket has of it, -1: nothing
    sa.Column("kept", sa.BigInteger(), nullable=False, default=-1),
    sa.Column("kept_checksum", sa.BigInteger(), nullable=False, default=0),
)

# -- the hub

AUDIT = sa.Table(
    "audit",
    METADATA,
    sa.Column("id", NUMBER, primary_key=True, autoincrement=True),
    _time("time"),
    _text("actor"),
    _text("action"),
    _text("thing"),
    _text("workspace"),
    _text("outcome"),
    _text("address"),
    sa.Column("detail", JSON, nullable=False),
    sa.Index(None, "actor", "id"),
    sa.Index(None, "thing", "id"),
    sa.Index(None, "workspace", "id"),
)

SETTINGS = sa.Table(
    "settings",
    METADATA,
    _text("scope", primary_key=True),
    _text("name", primary_key=True),
    sa.Column("value", JSON, nullable=False),
)

IDEMPOTENCY_KEYS = sa.Table(
    "idempotency_keys",
    METADATA,
    _text("user", primary_key=True),
    _text("key", primary_key=True),
    # a hash of the request: the same key with another request is a mistake
    _bytes("request"),
    _text("board"),
    _time("created", index=True),
)

LEASES = sa.Table(
    "leases",
    METADATA,
    _text("name", primary_key=True),
    _text("holder"),
    _time("until"),
)
