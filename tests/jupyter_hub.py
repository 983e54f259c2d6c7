"""A real JupyterHub with one user, for tests/jupyter: its proxy in front, the user's JupyterLab below a prefix."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import jupyter_lab
import pytest

ROOT = Path(__file__).resolve().parent.parent
PROXY = ROOT / "build" / "jupyterhub" / "node_modules" / ".bin" / "configurable-http-proxy"
USER, PASSWORD = "me", "open sesame"


class Hub:
    """`jupyterhub`, whose user is signed in by a form and runs as the user of the tests."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.folder = folder / "notebooks"
        jupyter_lab.write_logs(self.folder / "logs")
        self.port, *others = _free_ports(3)
        self._token = secrets.token_hex(16)
        lab = ["--allow-root", "--LabApp.extension_manager=readonly", "--LabApp.news_url=None"]
        lab += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
        settings = {
            "JupyterHub.bind_url": f"http://127.0.0.1:{self.port}/",
            "JupyterHub.hub_bind_url": f"http://127.0.0.1:{others[0]}/hub/",
            "JupyterHub.authenticator_class": "shared-password",
            "JupyterHub.spawner_class": "simple",
            "JupyterHub.services": [{"name": "tests", "api_token": self._token}],
            "JupyterHub.load_roles": [{"name": "admin", "services": ["tests"]}],
            "JupyterHub.db_url": f"sqlite:///{folder}/jupyterhub.sqlite",
            "JupyterHub.cookie_secret_file": f"{folder}/cookie_secret",
            "SharedPasswordAuthenticator.user_password": PASSWORD,
            "Authenticator.allowed_users": {USER},
            "ConfigurableHTTPProxy.command": [str(PROXY)],
            "ConfigurableHTTPProxy.api_url": f"http://127.0.0.1:{others[1]}",
            "ConfigurableHTTPProxy.pid_file": f"{folder}/proxy.pid",
            "SimpleLocalProcessSpawner.home_dir_template": str(self.folder),
            "Spawner.cmd": [sys.executable, "-m", "jupyterhub.singleuser"],
            "Spawner.notebook_dir": str(self.folder),
            "Spawner.args": lab,
            "Spawner.environment": variables,
            "Spawner.http_timeout": jupyter_lab.PATIENCE_SECS,
            "Spawner.start_timeout": jupyter_lab.PATIENCE_SECS,
        }
        config = folder / "jupyterhub_config.py"
        config.write_text("".join(f"c.{name} = {value!r}\n" for name, value in settings.items()), encoding="utf-8")
        self._log = folder / "jupyterhub.log"
        with self._log.open("wb") as log:
            command = [sys.executable, "-m", "jupyterhub", "-f", str(config)]
            # the proxy and the user's server end with it
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env=dict(os.environ))

    def __enter__(self) -> Hub:
        end = time.monotonic() + jupyter_lab.PATIENCE_SECS
        try:
            while self._status("GET", "/hub/api/") != 200:
                self._check(end)
            if self._status("POST", f"/hub/api/users/{USER}/server") not in (201, 202):
                self._check(0)
            while self._status("GET", f"/user/{USER}/api") != 200:
                self._check(end)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.terminate()
        self._process.wait(jupyter_lab.PATIENCE_SECS)

    def _status(self, method: str, path: str) -> int:
        headers = {"Authorization": f"token {self._token}", "Content-Type": "application/json"}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            method=method,
            headers=headers,
            data=json.dumps({}).encode() if method == "POST" else None,
        )
        try:
            with urllib.request.urlopen(request, timeout=jupyter_lab.PATIENCE_SECS) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def _check(self, end: float) -> None:
        if self._process.poll() is not None or time.monotonic() > end:
            pytest.fail(self._log.read_text(errors="replace")[-6000:])
        time.sleep(0.2)


def _free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
    finally:
        for probe in probes:
            probe.close()
