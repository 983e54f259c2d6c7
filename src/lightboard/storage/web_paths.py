"""Keys of files of a web server and paths of its addresses: what is percent-encoded, and what is not."""

from __future__ import annotations

import re
import urllib.parse

_ENCODED = re.compile(r"(%[0-9A-Fa-f]{2})")
_SAFE = "/!$&'()*+,;=:@~"


def key_of(directory: str, path: str) -> str:
    return f"{directory}/{path}" if directory else path


def is_below(key: str, top: str) -> bool:
    return not top or key.startswith(f"{top}/")


def quoted(name: str) -> str:
    return urllib.parse.quote(name, safe=_SAFE, errors="surrogateescape")


def quoted_as_written(path: str) -> str:
    """What a user wrote: it may be encoded already."""
    return "".join(part if number % 2 else quoted(part) for number, part in enumerate(_ENCODED.split(path)))


def decoded(path: str) -> str:
    return urllib.parse.unquote(path.partition("?")[0], errors="surrogateescape")
