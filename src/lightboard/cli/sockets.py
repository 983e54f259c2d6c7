"""The sockets of a board, created before anything heavy is imported, so that the first request can wait in them.

By default it listens on both loopback addresses, because browsers try either for `localhost`. The port is 6006, or the
next free one of a hundred; if the user gives a port that is not free, that is an error.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

from lightboard import cli, errors

DEFAULT_PORT = 6006
MORE_PORTS = 100  # as TensorBoard
BACKLOG = 2048  # uvicorn's


class CannotListen(errors.LightboardError):
    exit_code = cli.NO_ADDRESS


@dataclasses.dataclass(frozen=True)
class Listening:
    """Listening sockets of one port (or one path), and the names for their URL."""

    sockets: list[socket.socket]
    host: str  # as written in a URL; "" for a Unix socket
    port: int
    loopback: bool  # other machines cannot connect
    path: str = ""  # of a Unix socket

    @property
    def reached_at(self) -> str:
        """Returns an address that this machine can connect to, as written in a URL."""
        name = str(self.sockets[0].getsockname()[0])
        if name in ("0.0.0.0", "::"):
            return "localhost"
        return f"[{name}]" if ":" in name else name

    def close(self) -> None:
        for each in self.sockets:
            each.close()
        if self.path:
            Path(self.path).unlink(missing_ok=True)


def listen(host: str | None, port: int | None, *, bind_all: bool = False, reuse_port: bool = False) -> Listening:
    """Opens sockets for `--host`, `--port`, `--bind_all`; `port` None is 6006 or the next free one."""
    addresses = _everywhere() if bind_all else _addresses(host or "localhost")
    first = DEFAULT_PORT if port is None else port
    for candidate in range(first, first + (MORE_PORTS if port is None else 0) + 1):
        try:
            found = _bind(addresses, candidate, reuse_port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port is None:
                continue
            raise _cannot(error, host, candidate) from error
        # a wildcard is no address that a browser can open
        shown = socket.gethostname() if bind_all or host in ("0.0.0.0", "::") else host or "localhost"
        real_port = int(found[0].getsockname()[1])
        return Listening(found, f"[{shown}]" if ":" in shown else shown, real_port, _loopback(found))
    raise CannotListen(
        f"ports {first} to {first + MORE_PORTS} are all taken", hint="`--port 0` asks the system for a free one"
    )


def listen_unix(path: str, *, remove_at_end: Callable[[str], None]) -> Listening:
    """Opens a Unix socket. Users who may write to it (by the umask) may connect. `remove_at_end` is called before the
    file is made, so that no signal can leave it behind."""
    _remove_stale(path)
    remove_at_end(path)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.bind(path)
    except OSError as error:
        made.close()
        raise CannotListen(f"cannot listen on a Unix socket, {error.strerror or error}: {path}") from error
    made.listen(BACKLOG)
    return Listening([made], "", 0, True, path)


Address = tuple[socket.AddressFamily, str]


def _everywhere() -> list[Address]:
    return [(socket.AF_INET6, "::"), (socket.AF_INET, "0.0.0.0")]


def _addresses(host: str) -> list[Address]:
    if host == "localhost":
        return [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
    host = host.strip("[]")
    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise CannotListen(
            f"cannot listen on `{host}`: no such host", hint="`--host` takes an address of this machine"
        ) from error
    result: list[Address] = []
    for family, _, _, _, address in found:
        if (family, str(address[0])) not in result:
            result.append((family, str(address[0])))
    return result


def _bind(addresses: list[Address], port: int, reuse_port: bool) -> list[socket.socket]:
    """Binds all addresses to one port. An address that this machine lacks (no IPv6) is skipped if another works."""
    made: list[socket.socket] = []
    absent: OSError | None = None
    try:
        for family, address in addresses:
            try:
                made.append(_one(family, address, made[0].getsockname()[1] if made else port, reuse_port))
            except OSError as error:
                if error.errno == errno.EADDRINUSE and _covered(made, address):
                    continue
                if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise
                absent = error
        if not made and absent is not None:
            raise absent
    except OSError:
        for each in made:
            each.close()
        raise
    return made


def _one(family: socket.AddressFamily, address: str, port: int, reuse_port: bool) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if reuse_port and hasattr(socket, "SO_REUSEPORT"):
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            # `::` accepts IPv4, too, if the system allows it; a specific address does not
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if address == "::" else 1)
        made.bind((address, port))
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    return made


def _covered(made: list[socket.socket], address: str) -> bool:
    """Returns whether 0.0.0.0 is already bound by our dual-stack `::`."""
    return address == "0.0.0.0" and any(each.family == socket.AF_INET6 for each in made)


def _loopback(sockets: list[socket.socket]) -> bool:
    names = [str(each.getsockname()[0]) for each in sockets]
    return all(name == "::1" or name.startswith("127.") for name in names)


def _cannot(error: OSError, host: str | None, port: int) -> CannotListen:
    if error.errno == errno.EADDRINUSE:
        return CannotListen(
            f"port {port} is taken", hint="leave out `--port` for the next free one, or `--port 0` for any"
        )
    if error.errno == errno.EACCES:
        return CannotListen(f"you may not use port {port}", hint="ports from 1024 on need no special rights")
    if error.errno == errno.EADDRNOTAVAIL:
        return CannotListen(
            f"`{host}` is not an address of this machine", hint="`--bind_all` listens on every address it has"
        )
    return CannotListen(f"cannot listen on port {port}: {error.strerror or error}")


def _remove_stale(path: str) -> None:
    """Removes a socket file left by a killed process, but not one that accepts connections, and no other file."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return
    if not stat.S_ISSOCK(mode):
        raise CannotListen(f"this is a file, not a socket: {path}")
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as probe:
        try:
            probe.connect(path)
        except OSError:
            Path(path).unlink(missing_ok=True)
            return
    raise CannotListen(f"another process listens on it: {path}")
