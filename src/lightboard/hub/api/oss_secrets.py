"""Addresses at OSS that name no secret, as programs for PAI write them: what the hub reads them with.

In this order: a claim with the name of the bucket, a secret of the workspace with the name of the bucket, or of this
endpoint, or its only one for OSS; otherwise the address as it is.
"""

from __future__ import annotations

import dataclasses
import urllib.parse
from collections.abc import Iterable

from lightboard import errors, storage
from lightboard.hub import life
from lightboard.hub.api.routes import Services
from lightboard.hub.life import accounts
from lightboard.storage import uris


def found(services: Services, workspace: str, source: life.Source) -> life.Source:
    """PAI's SDK writes the endpoint into the address, sometimes without its first letters."""
    try:
        location = storage.parse(source.uri)
    except errors.LightboardError:
        return source  # refused later, with a hint
    if location.service is not uris.Service.OSS or location.secret or source.secret:
        return source
    if location.bucket in services.claims:
        return dataclasses.replace(source, uri=f"pvc://{location.bucket}/{location.key}")
    secret = _secret(services.database.workspaces.secrets(workspace), location)
    if secret is None:
        return source
    own = f"oss://{location.bucket}/{location.key}" if secret.shown.get("endpoint") else source.uri
    return dataclasses.replace(source, uri=own, secret=secret.name)


def _secret(secrets: Iterable[accounts.Secret], location: uris.Location) -> accounts.Secret | None:
    fit = [each for each in secrets if each.kind == "oss"]
    server = urllib.parse.urlsplit(location.endpoint).netloc
    named = [each for each in fit if each.name == location.bucket]
    same = [each for each in fit if server and server in _written(str(each.shown.get("endpoint", "")))]
    # a secret without an endpoint is used where the address says: only at Alibaba's own servers
    known = not server or server.endswith(".aliyuncs.com")
    alone = fit if len(fit) == 1 and (known or fit[0].shown.get("endpoint")) else []
    return next(iter([*named, *same, *alone]), None)


def _written(endpoint: str) -> set[str]:
    """The server of an endpoint, also as the SDK mangles it: `lstrip("http://")` takes letters of the name, too."""
    server = urllib.parse.urlsplit(endpoint).netloc
    return {server, endpoint.lstrip("htp:/"), endpoint.lstrip("htps:/")} if server else set()
