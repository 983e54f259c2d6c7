"""The entry "Lightboard" of JupyterLab's launcher: `<jupyter>/lightboard/`, through jupyter-server-proxy.

That package finds `server` by the entry point `jupyter_serverproxy_servers`, in the process of the Jupyter server. The
board is a process of its own on a Unix socket in a folder that only this user can open, so it needs no token: whoever
reaches it has signed in to Jupyter. It starts with the first request and ends with the Jupyter server.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import lightboard
from lightboard.notebook import own_logs

# Until the board answers; it takes a quarter of a second on a machine that has time.
START_SECS = 60
# What an open page sends although nobody looks: it must not keep an unused Jupyter server from being stopped.
NOT_USE = r".*/lightboard/api/(events|activity)$"
# JupyterLab draws icons of entries only in this group.
CATEGORY = "Notebook"


def server() -> dict[str, Any]:
    """Returns what jupyter-server-proxy wants to know of a server."""
    members: dict[str, Any] = {
        "command": _command,
        "unix_socket": True,
        "timeout": START_SECS,
        "absolute_url": False,
        "new_browser_tab": False,
        "launcher_entry": {"title": "Lightboard", "icon_path": _icon(), "category": CATEGORY},
    }
    from jupyter_server_proxy import config

    if hasattr(config.ServerProcess, "exclude_last_activity_patterns"):  # from 4.6 on
        members["exclude_last_activity_patterns"] = [NOT_USE]
    return members


def _command() -> list[str]:
    """Called at the first request. Braces other than those of `{unix_socket}` are doubled, as `str.format` wants it."""
    logdir = own_logs.find(_folder()).replace("{", "{{").replace("}", "}}")
    python = sys.executable.replace("{", "{{").replace("}", "}}")
    return [python, "-m", "lightboard", "--logdir", logdir, "--unix_socket", "{unix_socket}", "--no_auth"]


def _folder() -> str:
    """The folder that the Jupyter server shows, which need not be the one it was started in."""
    try:
        from jupyter_server import serverapp

        return str(serverapp.ServerApp.instance().root_dir) if serverapp.ServerApp.initialized() else os.getcwd()  # noqa: PTH109
    except ImportError:
        return os.getcwd()  # noqa: PTH109


def _icon() -> str:
    paths = (os.path.join(base, "static", "icon.svg") for base in lightboard.__path__)  # noqa: PTH118
    return next(filter(os.path.isfile, paths), "")
