"""Fixtures of the logdir tests; what they hand out is in `logdir_reader`."""

from __future__ import annotations

from logdir_reader import index_dir, logs, read

__all__ = ["index_dir", "logs", "read"]
