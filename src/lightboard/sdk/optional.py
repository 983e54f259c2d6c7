"""Libraries that only some people have: imported when used, missed with a word on how to get them."""

from __future__ import annotations

import importlib
from typing import Any

from lightboard import errors


def load(module: str, install: str, purpose: str) -> Any:
    """The module; `errors.Missing` says which command installs it. Its own broken imports are not hidden."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        root = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != root:
            raise
        raise errors.Missing(f"{purpose} needs the package `{root}`: {install}", hint=install) from error
