"""Azurite: a server of Azure Blob Storage, with everything in memory.

`make test-object-store` installs it from npm into build/azurite, with the versions of tests/stores/azurite.
"""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Iterator

from stores import processes, signing

MAIN = pathlib.Path(__file__).parents[2] / "build/azurite/node_modules/azurite/dist/src/blob/main.js"
ACCOUNT = "devstoreaccount1"
# the key of every Azurite, as its documentation gives it
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


class Azurite(processes.Server):
    """Stopping it forgets everything."""

    def __init__(self, directory: pathlib.Path, node: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.port = processes.free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}/{ACCOUNT}"
        command = [
            node, str(MAIN), "--blobHost", "127.0.0.1", "--blobPort", str(self.port), "--inMemoryPersistence",
            "--disableTelemetry",  # it would report to its makers
            "--silent", "--skipApiVersionCheck",
        ]  # fmt: skip
        super().__init__(directory, command, self.endpoint, {})

    def client(self) -> signing.AzureClient:
        return signing.AzureClient(self.endpoint, ACCOUNT, KEY)


@contextlib.contextmanager
def running(directory: pathlib.Path) -> Iterator[Azurite | None]:
    """A server, or None where the program is not installed."""
    node = processes.program("node")
    if node is None or not MAIN.exists():
        yield None
        return
    made = Azurite(directory, node)
    with made.running():
        yield made
