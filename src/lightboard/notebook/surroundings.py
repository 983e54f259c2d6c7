"""Where this kernel's notebook is shown, as far as a kernel can know, and what a board must allow to be shown there.

The page finally decides how it reaches the board (`frame.js`); here are the facts that only the kernel knows:
environment variables, and the file that the Jupyter server wrote about itself.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import urllib.parse
from collections.abc import Mapping
from pathlib import Path

LOOPBACK = ("localhost", "127.0.0.1", "::1", "")

# Pages around the iframe. Browsers check all of them, from the iframe up to the window.
COLAB_PAGES = ("https://*.googleusercontent.com", "https://colab.research.google.com")
CODE_PAGES = ("vscode-webview:", "vscode-file:", "https://*.vscode-cdn.net")


@dataclasses.dataclass(frozen=True)
class Surroundings:
    proxy_url: str = ""  # template; %PORT% is replaced by the board's port
    base_url: str = ""  # of the Jupyter server, "" if unknown
    frame_ancestors: tuple[str, ...] = ()  # pages that frame the board and are neither its own nor local
    # A proxy forwards its own host name, which the kernel cannot know, so the board accepts any Host header ...
    any_host: bool = False
    # ... and a token replaces that check; it also keeps out other users of the Jupyter host.
    token: bool = False


def look(environ: Mapping[str, str] = os.environ) -> Surroundings:
    proxy_url = environ.get("LIGHTBOARD_PROXY_URL") or environ.get("TENSORBOARD_PROXY_URL") or ""
    if "google.colab" in sys.modules:
        # a private machine that only Colab's proxy can reach; its iframes get no cookies for a token
        return Surroundings(proxy_url, "", COLAB_PAGES, any_host=True)
    # a Jupyter server may also have been started in the editor's terminal, so the other checks still run
    editor = any(name in environ for name in ("VSCODE_PID", "VSCODE_CWD", "VSCODE_IPC_HOOK_CLI"))
    server = _jupyter_server(environ)
    base_url = environ.get("JUPYTERHUB_SERVICE_PREFIX") or server.get("base_url", "")
    away = (
        "JUPYTERHUB_SERVICE_PREFIX" in environ
        or bool(proxy_url and urllib.parse.urlsplit(proxy_url).hostname not in (*LOOPBACK, None))
        or server.get("hostname", "") not in LOOPBACK
    )
    return Surroundings(proxy_url, base_url, CODE_PAGES if editor else (), any_host=away, token=away)


def _jupyter_server(environ: Mapping[str, str]) -> dict[str, str]:
    """Returns the description of the server that started this kernel; {} if it is not found."""
    parent = environ.get("JPY_PARENT_PID", "")
    try:
        import ipykernel

        folder = Path(ipykernel.get_connection_file()).parent
        info = json.loads((folder / f"jpserver-{int(parent)}.json").read_text(encoding="utf-8"))
        return {name: str(info[name]) for name in ("base_url", "hostname")}
    except Exception:  # no kernel, no server, or another file layout
        return {}
