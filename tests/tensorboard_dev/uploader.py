"""TensorBoard 2.15.0's own `tensorboard dev`, as a person runs it, with a token of a hub."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
from collections.abc import Mapping

from hub import hubs

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / ".venv-tensorboard-dev" / "bin" / "tensorboard"
PATIENCE_SECS = 120.0


class Uploader:
    """Runs the program with a home of its own. `token` is what its credentials file has."""

    def __init__(self, origin: str, home: pathlib.Path, token: str, *, creds: str = "local", **variables: str) -> None:
        self._origin, self._creds = origin, creds
        self.credentials = home / "tensorboard" / "credentials" / "uploader-creds.json"
        self.credentials.parent.mkdir(parents=True)
        self.credentials.write_text(json.dumps(credentials_of(token)))
        self._environment: Mapping[str, str] = {**os.environ, "XDG_CONFIG_HOME": str(home), **variables}

    def start(self, *words: str) -> subprocess.Popen[str]:
        command = [str(PROGRAM), "dev", "--origin", self._origin, "--grpc_creds_type", self._creds, *words]
        return subprocess.Popen(
            command, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
            text=True,
        )  # fmt: skip

    def run(self, *words: str, code: int = 0) -> tuple[str, str]:
        """What it prints on stdout and stderr."""
        with self.start(*words) as process:
            try:
                out, err = process.communicate(timeout=PATIENCE_SECS)
            finally:
                process.kill()
        assert process.returncode == code, f"{words}: {process.returncode}\n{out}\n{err}"
        return out, err

    def upload(self, logdir: str | os.PathLike[str], *words: str) -> str:
        """Uploads what is there; returns the id of the experiment."""
        out, err = self.run("upload", "--logdir", str(logdir), "--one_shot", *words)
        assert "skipped" not in out + err and "error" not in err.lower().replace("failed to find id token", ""), err
        return id_in(out)


class Person:
    """Somebody with an account at a hub, and with the program."""

    def __init__(self, hub: hubs.Hub, name: str, home: pathlib.Path) -> None:
        self.name, self.token = name, hub.new_user(name)
        self.tensorboard = Uploader(hub.url, home / name, self.token)


def id_in(text: str) -> str:
    found = re.search(r"/experiment/([\w-]+)/", text)
    assert found is not None, text
    return found[1]


def credentials_of(token: str) -> dict[str, object]:
    """What `lightboard dev auth --tensorboard` writes."""
    return {
        "type": "authorized_user", "token": token, "expiry": "2099-01-01T00:00:00Z", "refresh_token": "-",
        "client_id": "-", "client_secret": "-", "scopes": ["openid"],
    }  # fmt: skip
