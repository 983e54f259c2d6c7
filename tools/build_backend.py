"""The build backend that pip calls: scikit-build-core with two additions.

Node is required from PyPI only if the machine has none, and an sdist contains the built web bundle, so that a wheel
built from it needs neither Node nor the npm registry.
"""

from __future__ import annotations

import os
import pathlib
from typing import Any

import build_web
from scikit_build_core import build as core
from scikit_build_core.build import (
    build_editable,
    build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = dict[str, Any] | None

ROOT = pathlib.Path(__file__).resolve().parent.parent


def web_build_needed() -> bool:
    """Return False if the caller disables the web build, or in an unpacked sdist, which contains web/dist."""
    if os.environ.get("LIGHTBOARD_WEB") == "OFF":
        return False
    return (ROOT / ".git").exists() or not (ROOT / "web/dist/index.html").is_file()


def with_node(requirements: list[str]) -> list[str]:
    if not web_build_needed() or build_web.system_node() is not None:
        return requirements
    return [*requirements, build_web.NODE_REQUIREMENT]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return with_node(core.get_requires_for_build_wheel(config_settings))


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    return with_node(core.get_requires_for_build_editable(config_settings))


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    return with_node(core.get_requires_for_build_sdist(config_settings))


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    if web_build_needed():
        build_web.build(ROOT / "web", ROOT / "web/dist", ROOT / "build/web_work")
    return core.build_sdist(sdist_directory, config_settings)
