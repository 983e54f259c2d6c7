"""`lightboard logout [URL]`: forgets the token of a hub, and revokes it if `lightboard login` created it."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import stopping

if TYPE_CHECKING:
    from lightboard.client import credentials


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "url", metavar="URL", nargs="?", default="", help="address of the hub; default: that of the last login"
    )
    parser.add_argument("--all", action="store_true", help="all hubs")
    parser.add_argument("--insecure", action="store_true", help="send the token without encryption to another machine")


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    from lightboard.client import credentials

    found = credentials.entries() if args.all else _one(args.url)
    for each in found:
        _revoke(each, args.insecure)
        credentials.forget(each.url)
        print(f"signed out of {each.url}")
    return cli.OK


def _one(url: str) -> list[credentials.Entry]:
    from lightboard.client import addresses, credentials

    wanted = addresses.normalized(url) if url else credentials.current()
    entry = credentials.entry(wanted) if wanted else None
    if entry is None:
        raise errors.NotFound(f"no token is stored{f' for {wanted}' if wanted else ''}")
    return [entry]


def _revoke(entry: credentials.Entry, insecure: bool) -> None:
    """A hub that does not answer does not keep the token in our file."""
    from lightboard.client import signing_in

    try:
        signing_in.sign_out(entry, insecure=insecure)
    except errors.LightboardError as error:
        print(f"notice: the token was not revoked on the hub: {error.message}", file=sys.stderr)
