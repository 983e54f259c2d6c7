"""Points Alibaba's PAI SDK (`alipai`) at a hub. One line before a program, which stays as it is:

    import lightboard.hub
    lightboard.hub.pai.use("https://hub.example.org")

The SDK has no option for its endpoint. It makes all clients of services in one place, and that is what changes here.
Credentials are an access key of the hub, given to the SDK as those of Alibaba: `setup_default_session(…)`, or
ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET.
"""

from __future__ import annotations

import importlib
import os
import urllib.parse
from typing import Any

from lightboard import errors

# Otherwise the SDK asks the cloud's own addresses who and where it is, and waits for them.
_ENVIRONMENT = {"ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true", "PAI_NETWORK_TYPE": "PUBLIC"}
_ORIGINAL = "lightboard_original"


def use(url: str) -> None:
    """All sessions of the SDK that are made from now on talk to the hub at `url`. Variables that it sets are only those
    that are not set."""
    scheme, server = _parts(url)
    try:
        factory = importlib.import_module("pai.api.client_factory").ClientFactory
    except ImportError as error:
        raise errors.Missing("PAI's SDK is not installed", hint="`pip install alipai`") from error
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    before = factory.create_client.__func__
    original = getattr(before, _ORIGINAL, before)

    def create_client(cls: type, *arguments: Any, **more: Any) -> Any:
        client = original(cls, *arguments, **more)
        client._endpoint, client._protocol = server, scheme
        return client

    setattr(create_client, _ORIGINAL, original)
    factory.create_client = classmethod(create_client)


def _parts(url: str) -> tuple[str, str]:
    try:
        parts = urllib.parse.urlsplit(url)
        complete = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
        _ = parts.port
    except ValueError:
        complete = None
    if not complete or parts.path.strip("/") or parts.query or parts.fragment:
        raise errors.BadInput(
            f"not the address of a hub that PAI's SDK can use: {url[:200]}",
            hint="write https://host or https://host:port, without a path",
        )
    return parts.scheme, parts.netloc
