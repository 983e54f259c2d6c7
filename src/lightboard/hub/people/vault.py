"""Secrets of stores, encrypted before they reach the database.

AES-256-GCM with the hub's key, which lies in a file of its own (mode 0600) or in LIGHTBOARD_HUB_KEY: a copy of the
database alone shows no secret. The purpose of a ciphertext is authenticated with it, so one cannot be put in another's
place.

    ciphertext = version (1 byte) | nonce (12 bytes) | AES-GCM
"""

from __future__ import annotations

import base64
import json
import os
import pathlib
from collections.abc import Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import aead

from lightboard import errors
from lightboard.hub.life import refusals

VARIABLE = "LIGHTBOARD_HUB_KEY"
KEY_BYTES = 32
NONCE_BYTES = 12
_VERSION = b"\x01"


class Vault:
    def __init__(self, key: bytes) -> None:
        self._cipher = aead.AESGCM(key)

    def lock(self, secret: Mapping[str, str], purpose: str) -> bytes:
        """`purpose` names the place of the secret, as `secret:<workspace>/<id>`."""
        nonce = os.urandom(NONCE_BYTES)
        return _VERSION + nonce + self._cipher.encrypt(nonce, json.dumps(dict(secret)).encode(), purpose.encode())

    def open(self, ciphertext: bytes, purpose: str) -> dict[str, str]:
        nonce, body = ciphertext[1 : 1 + NONCE_BYTES], ciphertext[1 + NONCE_BYTES :]
        try:
            if ciphertext[:1] != _VERSION:
                raise InvalidTag
            opened = json.loads(self._cipher.decrypt(nonce, body, purpose.encode()))
        except (InvalidTag, ValueError) as error:
            raise refusals.LostSecret(
                "a secret cannot be decrypted: it was saved with another key",
                hint="restore the hub's key file, or save the secret again",
            ) from error
        return {str(name): str(value) for name, value in opened.items()}


def load_key(file: pathlib.Path, environment: Mapping[str, str]) -> bytes:
    """Returns the key from the environment, or from the file, which is created at the first start."""
    given = environment.get(VARIABLE, "")
    if given:
        return _decoded(given, VARIABLE)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return _decoded(file.read_text(), str(file))
    key = os.urandom(KEY_BYTES)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(base64.urlsafe_b64encode(key).decode() + "\n")
    return key


def _decoded(text: str, where: str) -> bytes:
    try:
        key = base64.urlsafe_b64decode(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise errors.BadInput(f"the key of the hub is not {KEY_BYTES} bytes in base64: {where}")
    return key
