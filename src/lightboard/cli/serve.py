"""`lightboard --logdir runs`: a board in this process until Ctrl-C or SIGTERM.

The order makes the page answer early: begin to read the logdir (native threads, without the interpreter lock),
listen (the first request waits in the socket), print the address, import what reads, and only then the server.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import math
import os
import sys
import time
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import arguments, flags, stopping

if TYPE_CHECKING:
    from lightboard import board, head_start
    from lightboard.cli import sockets


# Pages that may embed a board on a loopback address: notebooks on this machine. CSP does not allow IPv6 addresses.
LOCAL_PAGES = ("http://localhost:*", "http://127.0.0.1:*", "https://localhost:*", "https://127.0.0.1:*")
# How long a thread may hold the GIL while others wait. A light request changes threads several times, and waits each
# time for threads that render Markdown or parse configurations; with Python's default of 5 ms it takes 4 times as long.
SWITCH_SECS = 0.001


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", "--version_tb", action="store_true", help="print the version and exit")
    parser.add_argument("--helpfull", action="help", help="the same as --help")
    flags.add_logdir(parser)
    add_serving(parser)
    flags.add_index(parser)
    group = parser.add_argument_group("print a summary instead of starting a board")
    group.add_argument("--inspect", action="store_true", help="the same as `lightboard inspect`")
    group.add_argument("--tag", metavar="TAG", default="", help="with --inspect: only this tag")
    group.add_argument("--event_file", metavar="FILE", default="", help="with --inspect: only this file")
    group.add_argument("--json", action="store_true", help="with --inspect: JSON")
    flags.add_inert(parser)


def add_serving(parser: argparse.ArgumentParser) -> None:
    """Arguments of the server, shared with `demo`."""
    group = parser.add_argument_group("where to listen")
    group.add_argument("--host", metavar="ADDR", default=None, help="address to listen on (default: localhost)")
    group.add_argument("--bind_all", action="store_true", help="listen on every address of this machine")
    group.add_argument(
        "--port", metavar="PORT", type=_port, default=None, help="default: 6006 or the next free one; 0: any free one"
    )
    group.add_argument("--reuse_port", action="store_true", help="let several processes listen on one port")
    group.add_argument("--unix_socket", metavar="PATH", default="", help="listen on a Unix socket instead of a port")
    group.add_argument(
        "--path_prefix", metavar="PATH", type=_prefix, default="", help="serve below this path, such as /runs"
    )
    group = parser.add_argument_group("access")
    group.add_argument(
        "--token", metavar="TOKEN", default=None, help="require this token (also: LIGHTBOARD_TOKEN in the environment)"
    )
    group.add_argument("--no_auth", action="store_true", help="require no token, even if other machines can connect")
    group.add_argument(
        "--allowed_hosts",
        metavar="NAMES",
        default="",
        help="more names for this board in the Host header, comma-separated",
    )
    group.add_argument(
        "--frame_ancestors",
        metavar="PAGES",
        type=_sources,
        default=(),
        help="more pages that may show the board in a frame, such as https://hub.example.org, comma-separated",
    )
    group.add_argument("--tls_cert", metavar="FILE", default="", help="serve https with this certificate (PEM)")
    group.add_argument("--tls_key", metavar="FILE", default="", help="its key (PEM), unless it is in the same file")
    group = parser.add_argument_group("display")
    group.add_argument("--window_title", metavar="TEXT", default="", help="title of the browser window")
    group.add_argument(
        "--samples_per_plugin",
        metavar="K=N,…",
        type=flags.samples,
        default={},
        help="at most so many points per tag from TensorBoard's own routes (/data), such as scalars=500; default: all",
    )
    group.add_argument(
        "--sidecar",
        metavar="DIR",
        default="",
        help="where to store notes about runs and saved views; none: nowhere; beside: .lightboard in the "
        "logdir, also in a bucket; default: the same for local logs, else the user's data directory",
    )
    group.add_argument(
        "--reload_interval",
        metavar="SECONDS",
        type=_seconds,
        default=5.0,
        help="how often to check for changes if the file system does not report them; 0: read once",
    )


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    if args.version:
        print(_version())
        return cli.OK
    if arguments.wants_digest(args):
        from lightboard.cli import inspect

        return inspect.run(args, stops)
    if args.tag:
        raise errors.BadInput("`--tag` needs `--inspect`", hint="`lightboard inspect --logdir PATH --tag TAG`")
    return serve(args, flags.notices(args), stops)


def serve(args: argparse.Namespace, notices: list[errors.Explanation], stops: stopping.Stops) -> int:
    """Listen, print the URL, read, serve until a signal."""
    _check(args)
    # OpenBLAS would start a thread per core while NumPy is imported, which uses a core for a tenth of a second; no
    # matrix is ever multiplied here
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if ":" in flags.one_logdir(args) + args.logdir_spec or bool(getattr(args, "storage", "")):
        from lightboard.cli import logdirs

        logdirs.spec(args)  # rejects a wrong address before the one of the board is printed
    gc.disable()  # the start creates no garbage
    sys.setswitchinterval(SWITCH_SECS)
    ahead = _read_ahead(args)
    listening = _listen(args, stops)
    try:
        token, generated = _token(args, listening)
        flags.tell([*(notice.message for notice in notices), *_missing(flags.one_logdir(args))])
        print(f"Lightboard {_version()} at {_url(args, listening, generated)} (Press CTRL+C to quit)", flush=True)
        one = _start(args, ahead)
        try:
            settings = _settings(args, listening, token, notices)
            app = one.app(**settings)
            gc.freeze()
            gc.enable()
            with _known(args, listening, token, app.context.session, stops):
                one.serve(app, listening.sockets, stops=stops.hand_over, tls_cert=args.tls_cert, tls_key=args.tls_key)
        finally:
            one.stop()
    finally:
        listening.close()
    return cli.OK


def _known(
    args: argparse.Namespace, listening: sockets.Listening, token: str | None, session: str, stops: stopping.Stops
) -> contextlib.AbstractContextManager[None]:
    """Lets notebooks of this user find the board while it serves (except on a Unix socket)."""
    if listening.path:
        return contextlib.nullcontext()
    from lightboard import instances

    for path in instances.files_of(os.getpid()):
        stops.remove(path)
    return instances.registered(
        instances.Instance(
            pid=os.getpid(),
            process_start=instances.process_start(os.getpid()) or "",
            machine=instances.machine(),
            session=session,
            started=time.time(),
            version=_version(),
            words=tuple(sys.argv[1:]),
            directory=os.getcwd(),  # noqa: PTH109
            logdir=args.logdir_spec or flags.one_logdir(args),
            scheme="https" if args.tls_cert else "http",
            host=listening.reached_at,
            port=listening.port,
            path_prefix=args.path_prefix,
            loopback=listening.loopback,
            token=token or "",
            any_host="*" in args.allowed_hosts.split(","),
            frame_ancestors=args.frame_ancestors,
            notebook=os.environ.get("LIGHTBOARD_NOTEBOOK", "") == "1",
        )
    )


def _start(args: argparse.Namespace, ahead: head_start.HeadStart | None) -> board.Board:
    """Start reading. Keep the imports here small: reading starts after them."""
    from lightboard.cli import logdirs

    one = logdirs.board_of(args, ahead=ahead)
    if any("://" in root for root in one.roots):
        from lightboard.cli import telling

        telling.Teller(one.store)
    one.start()
    return one


def _read_ahead(args: argparse.Namespace) -> head_start.HeadStart | None:
    """Walk a plain logdir, and scan its first files, while sockets, NumPy and the server are imported. `args.ahead` may
    have begun already."""
    from lightboard import _native

    one = flags.one_logdir(args)
    _native.return_memory_early(64 << 10)
    if args.exclude:
        return None
    from lightboard import head_start

    return head_start.begin(
        one,
        index_dir=args.index_dir,
        with_index=not args.no_index and not args.include,
        links=args.follow_links,
        guessed=getattr(args, "ahead", None),
    )


def _settings(
    args: argparse.Namespace, listening: sockets.Listening, token: str | None, notices: list[errors.Explanation]
) -> dict[str, object]:
    """Returns the fields of `server.settings.Settings` that come from the command line."""
    hosts = [name.strip() for name in args.allowed_hosts.split(",") if name.strip()]
    return {
        "path_prefix": args.path_prefix,
        "token": token,
        "allowed_hosts": tuple(hosts),
        "bound_host": _bound_host(args, listening),
        "frame_ancestors": ("'self'", *(LOCAL_PAGES if listening.loopback else ()), *args.frame_ancestors),
        "window_title": args.window_title,
        "logdir": args.logdir_spec or flags.one_logdir(args),
        "samples_per_plugin": args.samples_per_plugin,
        "flags": {name: value for name, value in vars(args).items() if name not in ("token", "path", "ahead")},
        "notices": tuple(notices),
    }


def _bound_host(args: argparse.Namespace, listening: sockets.Listening) -> str:
    if listening.path:
        # a Unix socket is behind a proxy: its host name is unknown, and DNS rebinding cannot reach it
        return f"unix:{listening.path}"
    return "0.0.0.0" if args.bind_all else args.host or "localhost"


def _listen(args: argparse.Namespace, stops: stopping.Stops) -> sockets.Listening:
    from lightboard.cli import sockets

    if args.unix_socket:
        return sockets.listen_unix(args.unix_socket, remove_at_end=stops.remove)
    return sockets.listen(args.host, args.port, bind_all=args.bind_all, reuse_port=args.reuse_port)


def _token(args: argparse.Namespace, listening: sockets.Listening) -> tuple[str | None, str]:
    """The required token, and the part to print: a generated token is printed once, in the URL."""
    token = args.token or os.environ.get("LIGHTBOARD_TOKEN", "")
    if args.no_auth:
        return None, ""
    if token:
        return token, ""
    if listening.loopback:
        return None, ""
    made = os.urandom(16).hex()
    return made, made


def _url(args: argparse.Namespace, listening: sockets.Listening, token: str) -> str:
    if listening.path:
        return f"unix:{listening.path}"
    scheme = "https" if args.tls_cert else "http"
    query = f"?token={token}" if token else ""
    return f"{scheme}://{listening.host}:{listening.port}{args.path_prefix}/{query}"


def _missing(logdir: str) -> list[str]:
    """A notice, not an error, if the logdir does not exist: the board may start before the training."""
    plain = logdir and "://" not in logdir and not any(mark in logdir for mark in "*?[")
    there = not plain or os.path.exists(logdir)  # noqa: PTH110 (before pathlib is imported)
    return [] if there else [f"no such directory yet, waiting for it: {logdir}"]


def _check(args: argparse.Namespace) -> None:
    if args.host and args.bind_all:
        raise errors.BadInput("--host and --bind_all cannot be combined")
    if args.unix_socket and (args.host or args.bind_all or args.port is not None):
        raise errors.BadInput("--unix_socket cannot be combined with --host, --port or --bind_all")
    if args.token and args.no_auth:
        raise errors.BadInput("--token and --no_auth cannot be combined")
    if args.tls_key and not args.tls_cert:
        raise errors.BadInput("--tls_key needs --tls_cert")
    if args.sidecar and args.sidecar not in ("none", "beside"):
        folder = os.path.expanduser(args.sidecar)  # noqa: PTH111
        if os.path.lexists(folder) and not os.path.isdir(folder):  # noqa: PTH112
            raise errors.BadInput(f"--sidecar needs a directory, but this is not one: {folder}")
    for path in filter(None, (args.tls_cert, args.tls_key)):
        if not os.access(path, os.R_OK):
            raise errors.Unreadable(f"cannot read the TLS file: {path}")


def _version() -> str:
    import lightboard

    return lightboard.__version__


def _port(text: str) -> int | None:
    if text == "default":  # TensorBoard's default, which some launchers pass
        return None
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"`{text}` is not a port; a port is a number up to 65535")
    return int(text)


def _prefix(text: str) -> str:
    if text and not text.startswith("/"):
        raise argparse.ArgumentTypeError(f"`{text}` does not begin with /")
    return text.rstrip("/")


def _sources(text: str) -> tuple[str, ...]:
    """Sources of a Content-Security-Policy; rejects what would end the directive."""
    sources = tuple(text.replace(",", " ").split())
    for source in sources:
        if ";" in source or not source.isascii() or not source.isprintable():
            raise argparse.ArgumentTypeError(
                f"`{source}` is not the address of a page, such as https://hub.example.org"
            )
    return sources


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds")
    return max(0.0, value)
