"""A real JupyterLab, and a page of it in Chromium, for `make test-notebook`.

Two servers: one as on one's own machine, and one of a JupyterHub, which is reached by another name and below a prefix,
so that boards are reached through jupyter-server-proxy or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import jupyter_hub
import jupyter_lab
import pytest

from lightboard import instances
from lightboard.notebook import starting

AWAY = "hub.example"  # the browser is told that this is 127.0.0.1


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Homes of our own for Jupyter, IPython and Lightboard; boards that tests leave behind are ended."""
    home = tmp_path_factory.mktemp("home")
    names: tuple[str, ...] = (
        "HOME",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
        "XDG_DATA_HOME",
        "XDG_RUNTIME_DIR",
    )
    names += ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    variables = {name: str(home / name.lower()) for name in names}
    for path in variables.values():
        Path(path).mkdir(mode=0o700)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        for name in [
            name for name in os.environ if name.startswith(("LIGHTBOARD_", "TENSORBOARD_", "JUPYTERHUB_", "VSCODE_"))
        ]:
            patch.delenv(name)
        yield variables
        for one in instances.known():
            starting.stop(one)


@pytest.fixture(autouse=True)
def private_home(environment: dict[str, str]) -> None:
    """In the place of the fixture that gives each test a home of its own: servers live longer than a test."""


@pytest.fixture(scope="session")
def local_lab(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[jupyter_lab.Lab]:
    with jupyter_lab.Server(tmp_path_factory.mktemp("local"), "/", {}) as server:
        yield jupyter_lab.Lab(server.folder, f"http://localhost:{server.port}/")


@pytest.fixture(scope="session")
def hub_lab(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[jupyter_lab.Lab]:
    names = (*environment, "LIGHTBOARD_INDEX_DIR", "LIGHTBOARD_DATA_DIR")
    variables = {
        name: os.environ[name] for name in names if name in os.environ
    }  # as a server of ours would inherit them
    with jupyter_hub.Hub(tmp_path_factory.mktemp("hub"), variables) as hub:
        user = (jupyter_hub.USER, jupyter_hub.PASSWORD)
        yield jupyter_lab.Lab(hub.folder, f"http://{AWAY}:{hub.port}/user/{jupyter_hub.USER}/", user)
