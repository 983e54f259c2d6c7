"""Which boards of this user run on this machine: one small file each, written by the board itself.

    register(instance)   called by `lightboard serve` when it listens; the file is removed when the process ends
    known()              reads the files, and deletes files of processes that have ended
    answers(instance)    whether this board still runs: its process is alive *and* it responds with its session

A file alone proves nothing: processes are killed, process ids and ports are reused. So a file counts only while its
process (id *and* start time) is alive, and a board is used only if it responds with the session in the file.

The files are in the user's runtime directory and readable by this user only, because they contain the board's token.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

# Flags whose values are paths. They are made absolute before command lines are compared.
PATH_FLAGS = frozenset({"--logdir", "--index_dir", "--tls_cert", "--tls_key"})
# Flags about where and for whom to serve, not what to show. Code that looks for a board compares them separately.
LEFT_OUT = frozenset({"--frame_ancestors", "--allowed_hosts", "--port"})


class Instance(NamedTuple):
    """One running board, as it described itself at its start. (A dataclass would add 2 ms to every start.)"""

    pid: int
    process_start: str  # start time from the system, "" if unknown; two processes never have the same id and start time
    machine: str  # process ids are valid only on this machine
    session: str
    started: float  # seconds since 1970
    version: str
    words: tuple[str, ...]  # words of the command line
    directory: str  # working directory at its start
    logdir: str  # as the user gave it
    scheme: str
    host: str  # host to connect to
    port: int
    path_prefix: str
    loopback: bool  # only this machine can connect
    token: str  # "": no token is required
    any_host: bool  # it accepts every Host header, as behind a proxy
    frame_ancestors: tuple[str, ...]
    notebook: bool  # started by a notebook

    @property
    def url(self) -> str:
        """The URL for clients on this machine, without the token."""
        return f"{self.scheme}://{self.host}:{self.port}{self.path_prefix}/"

    @property
    def identity(self) -> tuple[str, ...]:
        return identity(self.words, self.directory)


def identity(words: Sequence[str], directory: str) -> tuple[str, ...]:
    """Equal for command lines that show the same: `logs`, `--logdir logs` and `serve --logdir=/home/me/logs`."""
    rest = list(words[1:] if words[:1] == ("serve",) or words[:1] == ["serve"] else words)
    pairs: list[tuple[str, str]] = []
    for word in rest:
        if word.startswith("--"):
            name, _, value = word.partition("=")
            pairs.append(("--" + name[2:].replace("-", "_"), value))
        elif pairs and not pairs[-1][1]:
            pairs[-1] = (pairs[-1][0], word)
        else:
            pairs.append(("--logdir", word))
    shown = [f"{name}={_absolute(name, value, directory)}" for name, value in pairs if name not in LEFT_OUT]
    relative = any(name == "--logdir_spec" for name, _ in pairs)
    return tuple(sorted(shown)) + ((directory,) if relative else ())


def _absolute(name: str, value: str, directory: str) -> str:
    if name not in PATH_FLAGS or not value or "://" in value:
        return value
    return os.path.normpath(Path(directory) / Path(value).expanduser())


# ---- this process, other processes


def machine() -> str:
    """Identifies this machine and its PID namespace: a container may share the directory."""
    try:
        return f"{socket.gethostname()} {os.readlink('/proc/self/ns/pid')}"  # noqa: PTH115
    except OSError:
        return socket.gethostname()


def process_start(pid: int) -> str | None:
    """When the process started; None: it has ended (or is a zombie), "": it is alive and its start time is unknown."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return None if fields[0] in ("Z", "X") else fields[19]
    except (OSError, IndexError):
        if Path("/proc/self/stat").exists():
            return None
    try:
        os.kill(pid, 0)
    except PermissionError:
        return ""
    except OSError:
        return None
    return ""


def is_alive(instance: Instance) -> bool:
    """Returns whether its process is alive. It may be alive and not respond."""
    return process_start(instance.pid) == instance.process_start


def answers(instance: Instance, *, timeout_secs: float = 5.0) -> bool:
    """Returns whether this board, and not another one on its port, responds."""
    if not is_alive(instance):
        return False
    try:
        return bool(json.loads(fetch(instance, "api/board", timeout_secs=timeout_secs))["session"] == instance.session)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def fetch(instance: Instance, address: str, *, body: bytes | None = None, timeout_secs: float = 30.0) -> bytes:
    """Returns the response to an address relative to the board's URL. Raises OSError if there is none."""
    import ssl
    import urllib.request

    headers = {"Authorization": f"Bearer {instance.token}"} if instance.token else {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(instance.url + address, data=body, headers=headers)
    # the certificate is for another host name; the session shows that this is our board
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    handlers = (urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    opener = urllib.request.build_opener(*handlers)
    try:
        with opener.open(request, timeout=timeout_secs) as answer:
            return bytes(answer.read())
    except OSError:
        raise
    except Exception as error:  # an exception of http.client: another program listens on this port
        raise OSError(f"no answer from {instance.url}: {error}") from error


# ---- files


def directory() -> Path:
    """Returns the directory of the files. Raises OSError if no directory belongs to this user alone."""
    path = _runtime_dir() / "lightboard"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    _must_be_ours(path)
    return path


def _runtime_dir() -> Path:
    configured = os.environ.get("XDG_RUNTIME_DIR", "")
    if configured:
        return Path(configured)
    if not hasattr(os, "getuid"):
        return _temporary_dir()
    # a kernel started by a service lacks this variable, a terminal has it; both must use the same directory
    usual = Path(f"/run/user/{os.getuid()}")
    try:
        _must_be_ours(usual)
        return usual
    except OSError:
        pass
    path = _temporary_dir() / f"lightboard-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    _must_be_ours(path)
    return path


def _temporary_dir() -> Path:
    import tempfile  # rarely needed, and takes a twentieth of a board's import time

    return Path(tempfile.gettempdir())


def _must_be_ours(path: Path) -> None:
    """Raises OSError if the directory is not ours: in a shared directory another user may have created it first."""
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(f"not a directory: {path}")
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
        raise PermissionError(f"others may write there: {path}")


@contextlib.contextmanager
def registered(instance: Instance) -> Iterator[None]:
    """Registers the board for the duration of the block. If the file cannot be written, the board still runs."""
    path: Path | None = None
    try:
        path = register(instance)
    except OSError:
        pass
    try:
        yield
    finally:
        if path is not None:
            with contextlib.suppress(OSError):
                path.unlink()


def register(instance: Instance) -> Path:
    path = directory() / f"{instance.pid}.json"
    text = json.dumps(instance._asdict())
    # written atomically, and never readable by others
    temporary = _temporary_of(path)
    temporary.unlink(missing_ok=True)  # left by a killed process with our process id
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)
    return path


def files_of(pid: int) -> list[str]:
    """Returns the files that `register` writes for this process. Code that kills it removes them."""
    try:
        path = directory() / f"{pid}.json"
    except OSError:
        return []
    return [str(path), str(_temporary_of(path))]


def _temporary_of(path: Path) -> Path:
    """Returns a name that `known` ignores, so that it does not delete the file before it is complete."""
    return path.with_name(f".{path.name}.part")


def known() -> list[Instance]:
    """Returns boards whose process is alive, the newest first."""
    here = machine()
    alive: list[Instance] = []
    try:
        paths = list(directory().glob("*.json"))
    except OSError:
        return []
    for path in paths:
        instance = maybe_read(path)
        if instance is not None and instance.machine != here:
            continue
        if instance is not None and is_alive(instance):
            alive.append(instance)
        elif instance is not None or not _is_process(path.stem):  # of another version: it may be alive
            with contextlib.suppress(OSError):
                path.unlink()
    return sorted(alive, key=lambda one: one.started, reverse=True)


def _is_process(name: str) -> bool:
    return name.isdecimal() and process_start(int(name)) is not None


def maybe_read(path: Path) -> Instance | None:
    """Returns the instance in a file; None if the file is not ours, or was written by another version."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        for name in ("words", "frame_ancestors"):
            fields[name] = tuple(fields[name])
        return Instance(**fields)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def command(instance: Instance) -> str:
    """Returns the command line for people to read."""
    import shlex

    return shlex.join(["lightboard", *instance.words])
