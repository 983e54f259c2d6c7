"""Which boards of this user run on this machine: one small file each, written by the board itself.

    register(instance)   by `lightboard serve`, once it listens; the file goes with the process
    known()              what the files say, the files of processes that are gone swept away
    answers(instance)    whether that very board is still there: its process lives *and* its session answers

A file alone proves nothing: processes are killed, numbers of processes and ports are given out again. So a file counts
only while its process (number *and* start time) lives, and a board is used only if it answers with the session that the
file names.

The files lie in the user's runtime directory and are readable by the user alone, for they hold the board's token.
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

# Paths among the values of flags: the same directory written otherwise, or seen from elsewhere, is the same board.
PATH_FLAGS = frozenset({"--logdir", "--index_dir", "--tls_cert", "--tls_key"})
# Flags about where and for whom to serve, not what to show. Code that looks for a board compares them separately.
LEFT_OUT = frozenset({"--frame_ancestors", "--allowed_hosts", "--port"})


class Instance(NamedTuple):
    """One running board, as it told about itself when it started. (A dataclass of this size costs every start 2 ms.)"""

    pid: int
    process_start: str  # what the system says of it, "" where it does not tell; two processes never share both
    machine: str  # process numbers mean something only here
    session: str
    started: float  # seconds since 1970
    version: str
    words: tuple[str, ...]  # of the command line
    directory: str  # it was started in
    logdir: str  # as the user gave it
    scheme: str
    host: str  # to connect to
    port: int
    path_prefix: str
    loopback: bool  # only this machine can connect
    token: str  # "": none is asked for
    any_host: bool  # whether it answers to every name, as behind a proxy
    frame_ancestors: tuple[str, ...]
    notebook: bool  # started by a notebook

    @property
    def url(self) -> str:
        """Where this machine finds it, without the token."""
        return f"{self.scheme}://{self.host}:{self.port}{self.path_prefix}/"

    @property
    def identity(self) -> tuple[str, ...]:
        return identity(self.words, self.directory)


def identity(words: Sequence[str], directory: str) -> tuple[str, ...]:
    """The same for command lines that show the same: `logs`, `--logdir logs` and `serve --logdir=/home/me/logs`."""
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
    """This machine, and the space its process numbers are counted in: a container may share the directory."""
    try:
        return f"{socket.gethostname()} {os.readlink('/proc/self/ns/pid')}"  # noqa: PTH115
    except OSError:
        return socket.gethostname()


def process_start(pid: int) -> str | None:
    """When the process started; None: it is gone (or a zombie), "": it is there, and the system does not tell."""
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
    """Whether its process lives. That it answers is another question."""
    return process_start(instance.pid) == instance.process_start


def answers(instance: Instance, *, timeout_secs: float = 5.0) -> bool:
    """Whether this board, and not another on its port, is there and answers."""
    if not is_alive(instance):
        return False
    try:
        return bool(json.loads(fetch(instance, "api/board", timeout_secs=timeout_secs))["session"] == instance.session)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def fetch(instance: Instance, address: str, *, body: bytes | None = None, timeout_secs: float = 30.0) -> bytes:
    """What the board answers at an address relative to its own; OSError where it does not."""
    import ssl
    import urllib.request

    headers = {"Authorization": f"Bearer {instance.token}"} if instance.token else {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(instance.url + address, data=body, headers=headers)
    # the certificate is for the name others use; the session tells that this is our board
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    handlers = (urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    opener = urllib.request.build_opener(*handlers)
    try:
        with opener.open(request, timeout=timeout_secs) as answer:
            return bytes(answer.read())
    except OSError:
        raise
    except Exception as error:  # http.client's own: something else answers on this port
        raise OSError(f"no answer from {instance.url}: {error}") from error


# ---- files


def directory() -> Path:
    """Where the files lie. OSError if there is no place that belongs to this user alone."""
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
    # a kernel started by a service has no such variable, a terminal has: they must look in the same place
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
    import tempfile  # not needed by most, and a twentieth of a starting board's imports

    return Path(tempfile.gettempdir())


def _must_be_ours(path: Path) -> None:
    """In a directory for all, another user may have made it first."""
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(f"not a directory: {path}")
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
        raise PermissionError(f"others may write there: {path}")


@contextlib.contextmanager
def registered(instance: Instance) -> Iterator[None]:
    """Known to others for the length of the block. If the file cannot be written, the board runs all the same."""
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
    # whole or not at all, and never readable by others
    temporary = _temporary_of(path)
    temporary.unlink(missing_ok=True)  # of a process that had our number and was killed
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)
    return path


def files_of(pid: int) -> list[str]:
    """What `register` writes for this process: the code that ends it removes them."""
    try:
        path = directory() / f"{pid}.json"
    except OSError:
        return []
    return [str(path), str(_temporary_of(path))]


def _temporary_of(path: Path) -> Path:
    """`known` must not take it for a board's file, and sweep it away before it is whole."""
    return path.with_name(f".{path.name}.part")


def known() -> list[Instance]:
    """Boards whose process lives, the newest first."""
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
        elif instance is not None or not _is_process(path.stem):  # of another version of us: it may be alive
            with contextlib.suppress(OSError):
                path.unlink()
    return sorted(alive, key=lambda one: one.started, reverse=True)


def _is_process(name: str) -> bool:
    return name.isdecimal() and process_start(int(name)) is not None


def maybe_read(path: Path) -> Instance | None:
    """What a file says; None if it is none of ours, or of another version of us."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        for name in ("words", "frame_ancestors"):
            fields[name] = tuple(fields[name])
        return Instance(**fields)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def command(instance: Instance) -> str:
    """The command line, to be read by people."""
    import shlex

    return shlex.join(["lightboard", *instance.words])
