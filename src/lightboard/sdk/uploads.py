"""Where a spool is uploaded to: the connector of `lightboard.storage`, for the addresses that can be written.

    checked        an address, or why nothing can be written there
    destination    puts files: `Direct` with a connection of this process, `Helper` in a process that was forked

obstore runs threads that do not survive a fork: a request of a forked child would never return. Such a child hands its
files to a helper process, this module as a program: one JSON document comes in, one goes out.
"""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import pathlib
import subprocess
import sys
from typing import Any, Protocol

from lightboard import errors, storage
from lightboard.storage import connections, faults, settings

# Few retries: the next upload tries again, and closing must not take minutes.
RETRIES = 2
HELPER_SECS = 300.0


class Destination(Protocol):
    def put(self, name: str, path: pathlib.Path) -> None:
        """Uploads a file below the address. Raises OSError or errors.LightboardError."""


def checked(address: str) -> storage.Location:
    """Raises errors.LightboardError if nothing can be written at this address."""
    location = storage.parse(address)
    if location.service is storage.Service.HTTP:
        raise errors.BadInput(
            f"logs cannot be written to a web server: {location.address}",
            hint="write to a directory or a bucket; web servers are for reading",
        )
    if location.service is storage.Service.CLAIM:
        settings.load().directory(location.bucket)
    return location


def destination(address: str) -> Destination:
    if os.getpid() != connections.IMPORTED_IN:
        return Helper(address)
    location, found = checked(address), settings.load()
    limits = dataclasses.replace(found.limits, retries=min(found.limits.retries, RETRIES))
    made = storage.Connections(dataclasses.replace(found, limits=limits))
    return Direct(made.of(location), location.key)


@dataclasses.dataclass(frozen=True)
class Direct:
    connection: connections.Connection
    prefix: str

    def put(self, name: str, path: pathlib.Path) -> None:
        # A copy: the file grows, and the upload must have a fixed length.
        self.connection.put(f"{self.prefix}/{name}" if self.prefix else name, path.read_bytes())


@dataclasses.dataclass(frozen=True)
class Helper:
    address: str

    def put(self, name: str, path: pathlib.Path) -> None:
        question = json.dumps({"address": self.address, "name": name, "path": str(path.absolute())})
        done = subprocess.run(
            [sys.executable, "-m", "lightboard.sdk.uploads"],
            input=question.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            timeout=HELPER_SECS,
            check=False,
        )
        if done.returncode:
            raise OSError(errno.EIO, f"the process that uploads ended with status {done.returncode}")
        answer = json.loads(done.stdout)
        if answer:
            explanation = errors.Explanation(answer["message"], answer["hint"], answer["code"])
            raise faults.StorageError(errno.EIO, explanation, passing=True)


def reason(error: Exception | None) -> str:
    """What went wrong, in one line without secrets."""
    if isinstance(error, faults.StorageError | errors.LightboardError):
        explanation = _explanation(error)
        return explanation.message + (f" ({explanation.hint})" if explanation.hint else "")
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or ["no reason given"]
    return f"{type(error).__name__}: {lines[0]}"


def kind(error: Exception) -> str:
    """The same for the same fault: a reason contains request numbers and times."""
    known = isinstance(error, faults.StorageError | errors.LightboardError)
    return (_explanation(error).code if known else "") or type(error).__name__


def _explanation(error: Any) -> errors.Explanation:
    found: errors.Explanation = error.explanation if isinstance(error, faults.StorageError) else error.explanation()
    return found


def main() -> None:
    """The helper process."""
    question, answer = json.load(sys.stdin), dict[str, str]()
    try:
        destination(question["address"]).put(question["name"], pathlib.Path(question["path"]))
    except Exception as error:  # whatever it is, the other process tells it
        known = isinstance(error, faults.StorageError | errors.LightboardError)
        explanation = _explanation(error) if known else errors.Explanation(reason(error))
        answer = {"message": explanation.message, "hint": explanation.hint, "code": explanation.code}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
