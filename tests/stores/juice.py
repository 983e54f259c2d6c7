"""The gateway of JuiceFS: the S3 front of MinIO over a file system in a directory and an SQLite file."""

from __future__ import annotations

import contextlib
import os
import pathlib
import subprocess
from collections.abc import Iterator

from stores import processes, signing

PROGRAM = "juicefs"
KEY, SECRET = "minio-user", "minio-password"


class Juice(processes.Server):
    def __init__(self, directory: pathlib.Path, program: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        meta = f"sqlite3://{directory / 'meta.db'}"
        env = {"MINIO_ROOT_USER": KEY, "MINIO_ROOT_PASSWORD": SECRET, "HOME": str(directory)}
        subprocess.run(
            [program, "format", "--storage=file", f"--bucket={directory / 'blocks'}/", "--trash-days=0", meta, "tests"],
            check=True, capture_output=True, cwd=directory, env={**os.environ, **env},
        )  # fmt: skip
        self.port = processes.free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        command = [
            program, "gateway", "--multi-buckets", "--keep-etag", "--no-usage-report", "--no-bgjob",
            f"--cache-dir={directory / 'cache'}", f"--metrics=127.0.0.1:{processes.free_port()}",
            "--log", str(directory / "gateway.log"), meta, f"127.0.0.1:{self.port}",
        ]  # fmt: skip
        super().__init__(directory, command, f"{self.endpoint}/minio/health/live", env)

    def client(self) -> signing.S3Client:
        return signing.S3Client(self.endpoint, KEY, SECRET)


@contextlib.contextmanager
def running(directory: pathlib.Path) -> Iterator[Juice | None]:
    """A server, or None where the program is not installed."""
    program = processes.program(PROGRAM)
    if program is None:
        yield None
        return
    made = Juice(directory, program)
    with made.running():
        yield made
