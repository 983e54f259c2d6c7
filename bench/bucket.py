"""A bucket on this machine: SeaweedFS (from PyPI, `requirements/object-store.txt`), filled with corpora.

The server counts its requests; `counted` says how many of each kind a measurement sent. It sends nothing to its makers
and is killed at the end: when asked to stop, it takes 17 seconds.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import json
import random
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import client

PROGRAM = "weed"
BUCKET = "bench"
KEY, SECRET = "BENCHKEY0001", "bench-secret-51c7"
REGION = "us-east-1"
START_SECS = 60.0
UPLOADS = 16  # at a time
_REQUESTS = re.compile(r'^SeaweedFS_s3_request_total\{.*?type="([A-Z0-9]+)"\} ([0-9.e+]+)', re.MULTILINE)
_USERS = {
    "identities": [{"name": "bench", "credentials": [{"accessKey": KEY, "secretKey": SECRET}], "actions": ["Admin"]}]
}


class Bucket:
    """State: `_filled`, the corpora that have been uploaded."""

    def __init__(self, endpoint: str, metrics: str) -> None:
        self.endpoint, self._metrics = endpoint, metrics
        self._filled: set[str] = set()
        self._store: Any = _client(endpoint)

    @property
    def environment(self) -> dict[str, str]:
        """Variables with which both boards find the bucket, and ask no cloud who they are."""
        return {
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ENDPOINT_URL": self.endpoint,
            "S3_ENDPOINT": self.endpoint,  # TensorBoard's own name
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def fill(self, logdir: Path, name: str) -> str:
        """Upload a log directory once; returns its address."""
        if name not in self._filled:
            files = [path for path in sorted(logdir.rglob("*")) if path.is_file()]
            with concurrent.futures.ThreadPoolExecutor(UPLOADS) as pool:
                for _ in pool.map(
                    lambda path: self.put(f"{name}/{path.relative_to(logdir)}", path.read_bytes()), files
                ):
                    pass
            self._filled.add(name)
        return f"s3://{BUCKET}/{name}"

    def put(self, key: str, content: bytes) -> None:
        import obstore

        obstore.put(self._store, key, content)

    def list_secs(self, name: str) -> float:
        """Return the time of listing a corpus, the lowest of three."""
        import obstore

        found = []
        for _ in range(3):
            before = time.perf_counter()
            for _ in obstore.list(self._store, name, chunk_size=1000):
                pass
            found.append(time.perf_counter() - before)
        return min(found)

    def requests(self) -> Counter[str]:
        """Return how many requests of each kind the server has answered."""
        with urllib.request.urlopen(self._metrics, timeout=10) as answer:
            text = answer.read().decode()
        found: Counter[str] = Counter()
        for kind, count in _REQUESTS.findall(text):
            found[kind] += round(float(count))
        return found


@contextlib.contextmanager
def running(home: Path) -> Iterator[Bucket]:
    """Start a server with an empty bucket in `home`, which is deleted afterwards."""
    program = shutil.which(PROGRAM, path=str(Path(sys.executable).parent)) or shutil.which(PROGRAM)
    if program is None:
        raise RuntimeError("no SeaweedFS here: `make bench` installs it")
    shutil.rmtree(home, ignore_errors=True)
    (home / "data").mkdir(parents=True)
    (home / "users.json").write_text(json.dumps(_USERS))
    ports = {name: _free_port() for name in ("master", "volume", "filer", "s3", "grpc", "metrics")}
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(_command(program, home, ports), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        made = Bucket(f"http://127.0.0.1:{ports['s3']}", f"http://127.0.0.1:{ports['metrics']}/metrics")
        if not client.wait_until(lambda: _answers(made.endpoint), every_secs=0.1, limit_secs=START_SECS):
            raise RuntimeError(f"SeaweedFS does not answer; see {home / 'log'}")
        _create_bucket(made)
        yield made
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(home, ignore_errors=True)


def _command(program: str, home: Path, ports: dict[str, int]) -> list[str]:
    return [
        program, "server", f"-dir={home / 'data'}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-master.telemetry=false",
        f"-master.port={ports['master']}", f"-volume.port={ports['volume']}", "-filer",
        f"-filer.port={ports['filer']}", "-s3", f"-s3.port={ports['s3']}", f"-s3.port.grpc={ports['grpc']}",
        "-s3.port.iceberg=0", "-s3.port.lance=0", f"-s3.config={home / 'users.json'}",
        f"-metricsPort={ports['metrics']}", "-metricsIp=127.0.0.1", "-master.volumeSizeLimitMB=1000", "-volume.max=50",
    ]  # fmt: skip


def _client(endpoint: str) -> Any:
    from obstore.store import S3Store

    return S3Store(
        BUCKET,
        endpoint=endpoint,
        region=REGION,
        access_key_id=KEY,
        secret_access_key=SECRET,
        virtual_hosted_style_request=False,
        client_options={"allow_http": True},
    )


def _create_bucket(made: Bucket) -> None:
    """The first upload creates it; the server may need a moment before it can store."""

    def stored() -> bool:
        try:
            made.put("ready", b"")
        except Exception:  # obstore's errors have no common class in all versions
            return False
        return True

    if not client.wait_until(stored, every_secs=0.2, limit_secs=START_SECS):
        raise RuntimeError("SeaweedFS stores nothing")


def _answers(endpoint: str) -> bool:
    with urllib.request.urlopen(f"{endpoint}/healthz", timeout=2):
        return True


def _free_port() -> int:
    """Return a port whose number plus 10,000 is free as well: SeaweedFS uses that for gRPC."""
    while True:
        port = random.randrange(11_000, 22_000)
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", port))
            other.bind(("127.0.0.1", port + 10_000))
            return port
