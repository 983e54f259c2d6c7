"""Optional libraries: imported when used; the error for a missing one says how to install it."""

from __future__ import annotations

import importlib
from typing import Any

from lightboard import errors


def load(module: str, install: str, purpose: str) -> Any:
    """Returns the module. Raises `errors.Missing` with the install command. Other import errors are not hidden."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        root = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != root:
            raise
        raise errors.Missing(f"{purpose} needs the package `{root}`: {install}", hint=install) from error
