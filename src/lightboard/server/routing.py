"""Finds the application that answers an address: ours below `/api`, TensorBoard's below `/data`.

A module of routes has `API` (ours, as data), `routes(context)` (TensorBoard's: address → application), or both. The
first request that needs a module imports it, beginning with the module named in the address: a board must answer its
first page as soon as the process runs. The caller refuses addresses that no module has.

Two threads may load the same module at the same time: they write equal entries, one after the other.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from lightboard.server import context as context_
from lightboard.server import endpoints


class Match(NamedTuple):
    app: endpoints.App
    parameters: dict[str, str]  # of the address


class Router:
    """Routes are only added, never removed."""

    def __init__(
        self, context: context_.Context, modules: Sequence[str], apps: dict[str, endpoints.App] | None = None
    ) -> None:
        """`apps`: applications that belong to no module."""
        self._context = context
        self._exact = dict(apps or {})
        self._patterns: dict[str, tuple[re.Pattern[str], endpoints.App]] = {}  # template → addresses with parameters
        self._unloaded = dict.fromkeys(modules)  # an ordered set

    @property
    def complete(self) -> bool:
        """Whether every module is loaded."""
        return not self._unloaded

    def known(self, path: str) -> Match | None:
        """Finds a route in the modules that are loaded."""
        app = self._exact.get(path)
        if app is not None:
            return Match(app, {})
        for pattern, app in tuple(self._patterns.values()):
            if match := pattern.fullmatch(path):
                return Match(app, match.groupdict())
        return None

    def find(self, path: str) -> Match | None:
        """Loads modules until one has the address."""
        words = path.split("/")[2:4]  # /api/<word>, /data/plugin/<word>
        for name in sorted(self._unloaded, key=lambda name: name not in words):
            match = self.known(path)
            if match is not None:
                return match
            self._load(name)
        return self.known(path)

    def _load(self, name: str) -> None:
        found = module(name)
        for api in getattr(found, "API", ()):
            endpoint = endpoints.Endpoint(self._context, api)
            if "{" in api.path:
                self._patterns[api.path] = (_pattern(api.path), endpoint)
            else:
                self._exact[api.path] = endpoint
        if hasattr(found, "routes"):
            self._exact.update(found.routes(self._context))
        self._unloaded.pop(name, None)


def module(name: str) -> Any:
    return importlib.import_module(f"lightboard.server.{name}")


def _pattern(template: str) -> re.Pattern[str]:
    """`{name}` matches one part of the address, `{name:path}` the rest of it."""
    parts = re.split(r"\{(\w+)(:path)?\}", template)
    regex = re.escape(parts[0])
    for name, rest, fixed in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        regex += f"(?P<{name}>{'.*' if rest else '[^/]+'})" + re.escape(fixed)
    return re.compile(regex, re.DOTALL)
