"""Programs that tests start: free ports, waiting until they answer, ending them."""

from __future__ import annotations

import contextlib
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence

PATIENCE_SECS = 90.0
QUIET = {
    # no store of these tests asks a cloud who it is
    "AWS_EC2_METADATA_DISABLED": "true",
    "ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true",
}

_CLOUDS = ("AWS_", "OSS_", "ALIBABA_CLOUD_", "ALICLOUD_", "MINIO_", "AZURE_", "GOOGLE_", "STORAGE_EMULATOR_")


def foreign_variables() -> list[str]:
    """Variables of this process that name keys, servers or proxies."""
    proxies = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
    return [name for name in os.environ if name.startswith(_CLOUDS) or name.lower() in proxies]


def until(condition: Callable[[], object], timeout_secs: float = PATIENCE_SECS, what: str = "it") -> None:
    deadline = time.monotonic() + timeout_secs
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not come true"
        time.sleep(0.01)


def free_port() -> int:
    """Return a port whose number plus 10,000 is free as well: SeaweedFS uses that for gRPC. Both are below those that
    the system gives to connections, so that a server finds its port free when it starts again."""
    while True:
        port = random.randrange(11_000, 22_000)
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", port))
            other.bind(("127.0.0.1", port + 10_000))
            return port


def program(name: str) -> str | None:
    """Return the path of a program that a package of this environment brought, or of this machine."""
    return shutil.which(name, path=str(pathlib.Path(sys.executable).parent)) or shutil.which(name)


def answers(url: str) -> bool:
    """Whether a server answers there, with any status."""
    try:
        with urllib.request.urlopen(url, timeout=2):
            return True
    except urllib.error.HTTPError as error:
        error.close()
        return True
    except OSError:
        return False


class Server:
    """A server in its own process and directory. It can be stopped and started again on the same ports and data."""

    def __init__(self, directory: pathlib.Path, command: Sequence[str], url: str, env: Mapping[str, str]) -> None:
        self.directory = directory
        self.url = url  # answered as soon as the server is ready
        self._command = list(command)
        self._env = {**os.environ, **QUIET, **env}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.directory, env=self._env
            )
        until(self._ready, what=f"{self._command[0]} at {self.url}")

    def _ready(self) -> bool:
        assert self._process is not None and self._process.poll() is None, self.log()
        return answers(self.url)

    def stop(self) -> None:
        """Kill it: SeaweedFS takes 17 seconds when asked to stop."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def log(self) -> str:
        return (self.directory / "log").read_text(errors="replace")[-2000:]

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        try:
            self.start()
            yield
        finally:
            self.stop()
