"""`lightboard hub share BOARD`: prints a new link that works without an account until it expires or is revoked."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import formatting, stopping
from lightboard.cli.hub_verbs import connecting, showing

if TYPE_CHECKING:
    import datetime as dt

    from lightboard import client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_boards(parser, many=False)
    parser.add_argument(
        "--expires_in", metavar="DURATION", default="7d", help="how long the link works, or never (default: 7d)"
    )
    parser.add_argument("--view", metavar="TEXT", default="", help="the part after # in the address of a view")
    parser.add_argument("--list", action="store_true", help="list the links of the board instead")
    parser.add_argument("--revoke", metavar="ID", default="", help="revoke this link instead")
    parser.add_argument(
        "--visibility",
        choices=("private", "workspace", "public"),
        default=None,
        help="change who sees the board instead; public: everybody who has its address",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask before a board becomes public")
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    if sum((args.list, bool(args.revoke), args.visibility is not None)) > 1:
        raise errors.BadInput("--list, --revoke and --visibility cannot be combined")
    with connecting.hub(args) as hub:
        board = hub.boards.find(args.board, workspace=args.workspace)
        if args.list:
            return _list(board, as_json=args.json)
        if args.revoke:
            board.revoke(args.revoke)
            return cli.OK
        if args.visibility is not None:
            return _change(board, args)
        share = board.share(expires_in=args.expires_in, view=args.view.lstrip("#"))
    print(formatting.document(_shown(share)) if args.json else share.url)
    return cli.OK


def _list(board: client.Board, *, as_json: bool) -> int:
    shares = board.shares()
    if as_json:
        print(formatting.document({"items": [_shown(each) for each in shares]}))
        return cli.OK
    now = showing.now()
    lines = [
        [each.id, each.created_by, showing.ago(each.created, now), _end(each, now), str(each.uses)] for each in shares
    ]
    for line in showing.rows(("ID", "BY", "CREATED", "EXPIRES", "USES"), lines):
        print(line)
    return cli.OK


def _change(board: client.Board, args: argparse.Namespace) -> int:
    members = {"visibility": args.visibility}
    if args.visibility == "public":
        if not args.yes and not sys.stdin.isatty():
            raise errors.BadInput("the board would become public", hint="add --yes if that is what you want")
        if not connecting.confirmed(f"Everybody who has the address will see {board.name}. Go on?", yes=args.yes):
            print("nothing was changed", file=sys.stderr)
            return cli.OK
        board.change(**members, confirm_public=True)
    else:
        board.change(**members)
    print(formatting.document(board.data) if args.json else board.url)
    return cli.OK


def _end(share: client.Share, now: dt.datetime) -> str:
    if share.revoked:
        return "revoked"
    if share.expires is None:
        return "never"
    secs = (share.expires - now).total_seconds()
    return f"in {showing.duration(secs)}" if secs > 0 else "expired"


def _shown(share: client.Share) -> dict[str, object]:
    return {
        name: value.isoformat() if hasattr(value, "isoformat") else value
        for name, value in dataclasses.asdict(share).items()
    }
