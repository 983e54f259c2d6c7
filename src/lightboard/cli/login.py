"""`lightboard login URL`: stores a token for a hub, in a file that only this user can read.

    lightboard login https://boards.example.org                    asks for a user name and a password, or a token
    printf %s "$TOKEN" | lightboard login https://… --token -      for scripts

With a password, a token is created on the hub that is named after this machine; `lightboard logout` revokes it.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import flags, formatting, prompts, stopping

if TYPE_CHECKING:
    from lightboard.client import credentials


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "url", metavar="URL", nargs="?", default="", help="address of the hub; default: LIGHTBOARD_HUB, or the last one"
    )
    parser.add_argument("--user", metavar="NAME", default="", help="user name; default: asks for it")
    parser.add_argument("--token", metavar="-", default="", help="-: read a token from stdin")
    parser.add_argument("--password", metavar="-", default="", help="-: read the password from stdin")
    parser.add_argument(
        "--name", metavar="NAME", default="", help="name of the token that is created; default: this machine's"
    )
    parser.add_argument(
        "--expires_in", metavar="DURATION", default="", help="how long that token works, such as 90d; default: no end"
    )
    parser.add_argument(
        "--insecure", action="store_true", help="send password and token without encryption to another machine"
    )
    flags.add_json(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    from lightboard.client import addresses, credentials

    _refuse_secrets(args)
    url = addresses.normalized(_url(args))
    addresses.check_secure(url, insecure=args.insecure)
    entry = _entry(url, args, stops)
    file = credentials.save(entry)
    if args.json:
        print(formatting.document({"hub": entry.url, "user": entry.user, "file": str(file)}))
        return cli.OK
    print(f"signed in as {entry.user or '?'} at {entry.url}")
    print(f"notice: the token is stored in {file}", file=sys.stderr)
    return cli.OK


def _refuse_secrets(args: argparse.Namespace) -> None:
    """Everybody on this machine can read a command line."""
    for name in ("token", "password"):
        if getattr(args, name) not in ("", "-"):
            raise errors.BadInput(
                f"--{name} takes only `-`, which reads it from stdin",
                hint="other users of this machine can read command lines",
            )
    if args.token and (args.password or args.user):
        raise errors.BadInput("--token cannot be combined with --user or --password")


def _url(args: argparse.Namespace) -> str:
    import os

    from lightboard.client import credentials

    url = args.url or os.environ.get("LIGHTBOARD_HUB", "") or credentials.current()
    if not url:
        raise errors.BadInput("no hub is given", hint="`lightboard login https://boards.example.org`")
    return str(url)


def _entry(url: str, args: argparse.Namespace, stops: stopping.Stops) -> credentials.Entry:
    from lightboard.client import signing_in

    if args.token:
        return signing_in.with_token(url, prompts.first_line_of_stdin("token"), insecure=args.insecure)
    if not prompts.has_terminal() and not (args.user and args.password):
        raise errors.BadInput(
            "there is no terminal to ask for a password", hint="use `--token -`, or `--user NAME --password -`"
        )
    user = args.user or prompts.ask(f"User name at {url} (empty: paste a token): ")
    if not user:
        return signing_in.with_token(url, prompts.ask_secretly("Token: ", stops), insecure=args.insecure)
    password = (
        prompts.first_line_of_stdin("password")
        if args.password
        else prompts.ask_secretly(f"Password of {user}: ", stops)
    )
    return signing_in.with_password(
        url, user, password, token_name=args.name, expires_in=args.expires_in, insecure=args.insecure
    )
