"""The log of the hub: lines on stderr, as text or as one JSON object per line."""

from __future__ import annotations

import datetime as dt
import json
import logging
import sys
from typing import TextIO

NAME = "lightboard"
FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")


class _Json(logging.Formatter):
    """Members beside the message come from `extra={"members": {…}}`."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "members", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        members = "".join(f" {name}={value}" for name, value in getattr(record, "members", {}).items())
        line = f"{_time(record)} {record.levelname.lower():<7} {record.getMessage()}{members}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def set_up(kind: str, level: str, stream: TextIO | None = None) -> logging.Handler:
    """Returns the handler, which `tear_down` removes."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_Json() if kind == "json" else _Text())
    logger = logging.getLogger(NAME)
    logger.addHandler(handler)
    logger.setLevel(level.upper())
    return handler


def tear_down(handler: logging.Handler) -> None:
    logging.getLogger(NAME).removeHandler(handler)


def _time(record: logging.LogRecord) -> str:
    told = dt.datetime.fromtimestamp(record.created, dt.timezone.utc)
    return told.isoformat(timespec="milliseconds").replace("+00:00", "Z")
