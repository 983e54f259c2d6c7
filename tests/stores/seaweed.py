"""SeaweedFS: a server of S3 with two users and an anonymous reader.

S3, path style         endpoint
S3, virtual-hosted     http://<bucket>.s3.localhost:<port>, with the endpoint as HTTP proxy in place of DNS
GCS, anonymous         endpoint, as base URL of its XML API; write through S3
"""

from __future__ import annotations

import contextlib
import json
import pathlib
from collections.abc import Iterator

from stores import processes, signing

PROGRAM = "weed"
DOMAIN = "s3.localhost"
KEY, SECRET = "TESTSKEY0001", "tests-secret-8d1f"
READER_KEY, READER_SECRET = "READERKEY0001", "reader-secret-42c7"
_USERS = {
    "identities": [
        {"name": "tests", "credentials": [{"accessKey": KEY, "secretKey": SECRET}], "actions": ["Admin"]},
        {
            "name": "reader",
            "credentials": [{"accessKey": READER_KEY, "secretKey": READER_SECRET}],
            "actions": ["Read:logs", "List:logs"],
        },
        {"name": "anonymous", "actions": ["Read:public", "List:public"]},
    ]
}


class Seaweed(processes.Server):
    """Buckets: `make_bucket` of `client`, or the first upload. `logs` is what the reader sees, `public` what
    everybody does."""

    def __init__(self, directory: pathlib.Path, program: str) -> None:
        ports = {name: processes.free_port() for name in ("master", "volume", "filer", "s3", "grpc")}
        (directory / "data").mkdir(parents=True)
        (directory / "users.json").write_text(json.dumps(_USERS))
        self.port = ports["s3"]
        self.endpoint = f"http://127.0.0.1:{self.port}"
        command = [
            program, "server", f"-dir={directory / 'data'}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
            "-master.telemetry=false",  # it would report to its makers
            f"-master.port={ports['master']}", f"-volume.port={ports['volume']}", "-filer",
            f"-filer.port={ports['filer']}", "-s3", f"-s3.port={ports['s3']}", f"-s3.port.grpc={ports['grpc']}",
            "-s3.port.iceberg=0", "-s3.port.lance=0", f"-s3.config={directory / 'users.json'}",
            f"-s3.domainName={DOMAIN}", "-master.volumeSizeLimitMB=64", "-volume.max=1000",
        ]  # fmt: skip
        super().__init__(directory, command, f"{self.endpoint}/healthz", {})

    def client(self) -> signing.S3Client:
        return signing.S3Client(self.endpoint, KEY, SECRET)


@contextlib.contextmanager
def running(directory: pathlib.Path) -> Iterator[Seaweed | None]:
    """A server, or None where the program is not installed."""
    program = processes.program(PROGRAM)
    if program is None:
        yield None
        return
    made = Seaweed(directory, program)
    with made.running():
        yield made
