"""Names that people choose, and ids that the hub makes.

An id is random, lower case, a DNS label, and stays; a name is for people and need not be unique. The caller hands in
the random bytes.
"""

from __future__ import annotations

import re
import unicodedata

from lightboard.hub.life import refusals

# letters and digits without 0, 1, l, o: easily read aloud
_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
ID_BYTES = 10
LONGEST_NAME = 100
LONGEST_SLUG = 63
_REORDERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_USER = re.compile(r"[a-z0-9](?:[a-z0-9._@+-]{0,62}[a-z0-9])?")
# first segments of addresses, and words that a message could mistake for a name
RESERVED = frozenset({"admin", "api", "boards", "hub", "login", "logout", "me", "new", "public", "static", "system"})


def new_id(kind: str, random: bytes) -> str:
    """Returns `kind` and 16 characters from 10 random bytes, such as "b-7xk2…"."""
    number = int.from_bytes(random[:ID_BYTES], "big")
    return f"{kind}-" + "".join(_ALPHABET[number >> (5 * place) & 31] for place in range(ID_BYTES * 8 // 5))


def checked_name(name: str) -> str:
    """Returns the display name of a board, token or share without outer spaces, or raises `refusals.BadName`."""
    name = unicodedata.normalize("NFC", name).strip()
    if not name:
        raise refusals.BadName("the name is empty", hint="write 1 to 100 characters")
    if len(name) > LONGEST_NAME:
        raise refusals.BadName(f"the name has {len(name)} characters", hint=f"use at most {LONGEST_NAME}")
    hidden = any(unicodedata.category(each) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") for each in name)
    # letters that show a name in another order, and names of nothing but invisible letters
    if hidden or _REORDERING.search(name) or all(unicodedata.category(each) in ("Cf", "Zs") for each in name):
        raise refusals.BadName("the name has control characters", hint="write it in one line of plain text")
    return name


def checked_slug(name: str) -> str:
    """Returns the name of a workspace or secret: a DNS label, as Kubernetes wants it."""
    if not _SLUG.fullmatch(name) or name in RESERVED:
        raise refusals.BadName(
            f"cannot be used as a name: {name[:80]!r}",
            hint=f"use up to {LONGEST_SLUG} lower-case letters, digits and hyphens; these are reserved: "
            + ", ".join(sorted(RESERVED)),
        )
    return name


def checked_user(name: str) -> str:
    """Returns the name that a user signs in with: in lower case, an e-mail address is allowed."""
    folded = unicodedata.normalize("NFKC", name).strip().lower()
    if not _USER.fullmatch(folded):
        raise refusals.BadName(
            f"cannot be used as a user name: {name[:80]!r}",
            hint="use up to 64 letters, digits and . _ @ + - , starting and ending with a letter or digit",
        )
    return folded


def slug_of(name: str) -> str:
    """Returns the nearest slug of a name, "board" if nothing is left of it."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_SLUG].strip("-")
    return slug if slug and slug not in RESERVED else f"{slug}-1".lstrip("-") if slug else "board"


def name_of_uri(uri: str) -> str:
    """Returns the last segment of a source's path, the default name of its board."""
    segments = [each for each in re.split(r"[/\\]+", uri.partition("?")[0].partition("#")[0]) if each]
    return segments[-1][:LONGEST_NAME] if segments else "board"
