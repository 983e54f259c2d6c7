"""`lightboard hub`: boards for a team, until Ctrl-C or SIGTERM. `cli/hub_verbs` has its other verbs.

    lightboard hub --dir /var/lib/lightboard --allow_root /data/logs

One line on stdout says where it is. At the first start a line on stderr has a link, which works once and makes the
admin; with LIGHTBOARD_HUB_ADMIN_TOKEN in the environment the user `admin` has this token instead. Boards run on when
the hub ends, and the next start finds them.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from lightboard import cli, errors
from lightboard.cli import stopping

if TYPE_CHECKING:
    from lightboard.cli import sockets

# From a signal to the end of the process, if an action on a board is under way.
STOP_SECS = 1.8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where")
    group.add_argument(
        "--dir", metavar="DIR", default=None, help="everything the hub keeps; default: the user's data directory"
    )
    group.add_argument("--config", metavar="FILE", default="", help="settings as TOML; flags win over it")
    group.add_argument(
        "--database",
        metavar="DSN",
        default=None,
        help="postgresql://user@host/name, or the path of a SQLite file; default: hub.sqlite3 in --dir",
    )
    group = parser.add_argument_group("where to listen")
    group.add_argument(
        "--host", metavar="ADDR", default=None, help="address to listen on (default: 127.0.0.1); 0.0.0.0: every one"
    )
    group.add_argument("--port", metavar="PORT", type=_port, default=None, help="default: 8080; 0: any free one")
    group.add_argument(
        "--url", metavar="URL", default=None, help="the address that people open, if a proxy is in front of the hub"
    )
    group = parser.add_argument_group("what boards may read on this machine")
    group.add_argument(
        "--allow_root",
        metavar="PATH",
        action="append",
        default=[],
        help="local logs are allowed below this directory (repeatable)",
    )
    group.add_argument(
        "--claim",
        metavar="NAME=DIR",
        action="append",
        default=[],
        help="directory that pvc://NAME/… and t9k://pvc/NAME/… stand for (repeatable)",
    )
    group = parser.add_argument_group("log")
    group.add_argument(
        "--log_format", choices=("text", "json"), default=None, help="of the log on stderr; json: one object per line"
    )
    group.add_argument(
        "--log_level",
        choices=("debug", "info", "warning", "error"),
        default=None,
        help="what the log has; debug: every request (default: info)",
    )


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    _check_platform()
    try:
        from lightboard.hub.server import config, logs
        from lightboard.hub.server import run as hub
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "lightboard":
            raise
        raise errors.Missing(f"the hub needs `{error.name}`", hint="`pip install 'lightboard[hub]'`") from error

    settings = config.load(args.config, _flags(args))
    handler = logs.set_up(settings.log_format, settings.log_level)
    listening = _listen(settings.host, settings.port)
    scheme = "https" if settings.tls_cert else "http"
    address = f"{scheme}://{listening.host}:{listening.port}"

    def ready(made: hub.Hub) -> None:
        import lightboard

        print(f"Lightboard hub {lightboard.__version__} at {address}/ (Press CTRL+C to quit)", flush=True)
        if made.link:
            print(
                f"notice: this hub has no admin yet; who opens this link first becomes it: "
                f"{hub.link_address(made, settings.url or address)}",
                file=sys.stderr,
                flush=True,
            )

    try:
        hub.serve(
            settings,
            listening.sockets,
            loopback=listening.loopback,
            ready=ready,
            stops=lambda: stops.hand_over(STOP_SECS),
        )
    finally:
        listening.close()
        logs.tear_down(handler)
    return cli.OK


def _listen(host: str, port: int) -> sockets.Listening:
    from lightboard.cli import sockets

    try:
        return sockets.listen(host, port)
    except sockets.CannotListen as error:
        if "is taken" in error.message:
            error.hint = "choose another one with `--port`, or `--port 0` for any free one"
        raise


def _flags(args: argparse.Namespace) -> dict[str, Any]:
    from lightboard.hub.server import config

    names = ("dir", "database", "host", "port", "url", "log_format", "log_level")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    if args.allow_root:
        given["roots"] = args.allow_root
    if args.claim:
        given["claims"] = dict(config.claim_of(each) for each in args.claim)
    return given


def _check_platform() -> None:
    if os.name != "posix" or sys.platform == "darwin":
        raise errors.Missing("the hub runs on Linux only", hint="run it in a container or a virtual machine")


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"`{text}` is not a port; a port is a number up to 65535")
    return int(text)
