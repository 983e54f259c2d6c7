"""What headers of an answer say of a file."""

from __future__ import annotations

import email.message
import re

from lightboard.storage import web_listings


def date(headers: email.message.Message) -> int:
    return web_listings.seconds_of(headers.get("Date", ""))


def validators(headers: email.message.Message) -> dict[str, str]:
    """An ETag; a time only if nothing can have been written within its second."""
    if "ETag" in headers:
        return {"If-None-Match": headers["ETag"]}
    modified = web_listings.seconds_of(headers.get("Last-Modified", ""))
    return {"If-Modified-Since": headers["Last-Modified"]} if 0 <= modified < date(headers) - 2 else {}


def size(status: int, headers: email.message.Message) -> int:
    """Of the whole file; -1 if the server does not say."""
    if status in (206, 416):
        total = headers.get("Content-Range", "").rpartition("/")[2]
    else:
        total = headers.get("Content-Length", "")
    return int(total) if total.isascii() and total.isdecimal() and len(total) < 19 else -1


def first_byte(headers: email.message.Message) -> int:
    match = re.match(r"bytes (\d{1,18})-", headers.get("Content-Range", ""))
    return int(match[1]) if match else -1
