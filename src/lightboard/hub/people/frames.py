"""Tickets that show one board in a frame of another site, such as a notebook.

A browser sends no session to a frame of another site. A program with an API token therefore asks for a link (`LINK`,
a few minutes, so that a saved notebook gives nothing away), and opening it gives the browser a cookie (`COOKIE`, half a
day) that counts only below the address of the board. Both are a ciphertext of the hub with the hash of that token:
nothing is stored, and with the token its frames end. They allow what the token allows.
"""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Mapping
from typing import Protocol

from lightboard import errors

LINK, COOKIE = "frame-link", "frame-cookie"
LASTS_SECS = {LINK: 300.0, COOKIE: 12 * 3600.0}
ADDRESS = "/.hub/frame"  # below that of the board


class Box(Protocol):
    """`vault.Vault`."""

    def lock(self, secret: Mapping[str, str], purpose: str) -> bytes: ...

    def open(self, ciphertext: bytes, purpose: str) -> dict[str, str]: ...


@dataclasses.dataclass(frozen=True)
class Frames:
    box: Box

    def make(self, kind: str, board: str, token_hash: bytes, now: float) -> str:
        members = {"token": token_hash.hex(), "until": str(int(now + LASTS_SECS[kind]))}
        return base64.urlsafe_b64encode(self.box.lock(members, f"{kind}:{board}")).decode().rstrip("=")

    def maybe_token(self, kind: str, board: str, ticket: str, now: float) -> bytes | None:
        """The hash of the token that a ticket for this board stands for; None if it is wrong or too old."""
        try:
            ciphertext = base64.urlsafe_b64decode(ticket + "=" * (-len(ticket) % 4))
            members = self.box.open(ciphertext, f"{kind}:{board}")
            return bytes.fromhex(members["token"]) if now < float(members["until"]) else None
        except (ValueError, KeyError, errors.LightboardError):
            return None
