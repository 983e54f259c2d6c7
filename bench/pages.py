"""Bytes of the first page: the page and every script and style it refers to, requested as by a browser."""

from __future__ import annotations

import gzip
import re
from urllib.parse import urljoin

from bench import client

NAMED = re.compile(rb"""<(?:script|link)\b[^>]*?\b(?:src|href)=["']?([^"' >]+)""")
HEADERS = {"Accept-Encoding": client.BROWSER_ENCODINGS}


def first_page_bytes(http: client.Client) -> int:
    """Return the sum of the transferred bodies."""
    page = http.send(client.Request("/", headers=HEADERS))
    plain = http.send(client.Request("/"))
    body = gzip.decompress(plain.body) if plain.headers.get("content-encoding") == "gzip" else plain.body
    named = {urljoin("/", name.decode()) for name in NAMED.findall(body) if not name.startswith((b"data:", b"http"))}
    return len(page.body) + sum(len(http.send(client.Request(path, headers=HEADERS)).body) for path in sorted(named))
