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
# letters that show nothing, besides those of the categories below: fillers of Hangul, a Braille pattern without dots,
# joiners of combining marks, vowels that Khmer and Mongolian do not write
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
# emoji, Persian and Indian scripts are written with joiners between letters
_JOINERS = frozenset("\u200c\u200d")
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
    if any(map(_is_hidden, " " + name, name, name[1:] + " ")):
        raise refusals.BadName(
            "the name has control characters or invisible letters", hint="write it in one line of plain text"
        )
    return name


def _is_hidden(before: str, letter: str, after: str) -> bool:
    """Returns whether a letter of a name shows nothing, or changes the order of others. Two names that look the same
    must be the same."""
    if letter in _JOINERS:
        return not (_may_be_joined(before) and _may_be_joined(after))
    return letter in _BLANK or unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _may_be_joined(letter: str) -> bool:
    return not letter.isascii() and unicodedata.category(letter)[0] in "LMS"


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
    last = segments[-1] if segments else ""
    shown = "".join(letter for letter in last if not _is_hidden(" ", letter, " ")).strip()
    return shown[:LONGEST_NAME].strip() or "board"
