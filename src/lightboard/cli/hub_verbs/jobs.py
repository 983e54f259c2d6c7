"""`lightboard hub jobs ACTION`: jobs that `lightboard run` and others registered.

lightboard hub jobs ls --state Running
lightboard hub jobs logs resnet --follow
lightboard hub jobs stop resnet
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import browsers, formatting, stopping
from lightboard.cli.hub_verbs import connecting, showing

if TYPE_CHECKING:
    from lightboard import client

ACTIONS = ("ls", "show", "logs", "stop", "wait", "open", "rm", "send")
SORTS = ("created", "name", "state", "user", "workspace")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        metavar="ACTION",
        choices=ACTIONS,
        nargs="?",
        default="ls",
        help="`ls` (the default), `show`, `logs`, `stop`, `wait`, `open` (its board), `rm`, `send` (what a hub missed)",
    )
    parser.add_argument("jobs", metavar="JOB", nargs="*", help="id or name of a job; of `ls`: words to search for")
    parser.add_argument("--state", metavar="STATES", default=None, help="of `ls`: only these, as Running,Failed")
    parser.add_argument("--user", metavar="USER", default=None, help="of `ls`: only jobs of this user")
    parser.add_argument(
        "--label", metavar="NAME=VALUE", default=None, help="of `ls` and `open`: only jobs with this label"
    )
    connecting.add_workspace(parser)
    parser.add_argument(
        "--sort",
        metavar="COLUMN",
        choices=[*SORTS, *(f"-{each}" for each in SORTS)],
        default=None,
        help="of `ls`: with - before it: descending (default: the newest first)",
    )
    parser.add_argument("--limit", metavar="N", type=int, default=None, help="of `ls`: at most this many")
    parser.add_argument("--follow", "-f", action="store_true", help="of `logs`: until the job has ended")
    parser.add_argument("--tail", metavar="BYTES", type=int, default=0, help="of `logs`: only the last bytes")
    parser.add_argument(
        "--grace", metavar="SECS", type=connecting.seconds, default=None, help="of `stop`: from SIGTERM to SIGKILL"
    )
    parser.add_argument("--remove_board", action="store_true", help="of `rm`: also the board of the job")
    parser.add_argument("--yes", action="store_true", help="of `rm`: do not ask (scripts are never asked)")
    parser.add_argument("--no_browser", action="store_true", help="of `open`: only print the link")
    connecting.add_timeout(parser)
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    if args.action == "send":
        return _send()
    with connecting.hub(args) as hub:
        if args.action == "ls":
            return _list(args, hub)
        if args.action == "open" and args.label and not args.jobs:
            board = hub.jobs.board_of_label(args.label, workspace=args.workspace)
            return _opened(args, board.id, board.url)
        if not args.jobs:
            raise errors.BadInput("no job is given", hint=f"`lightboard hub jobs {args.action} JOB`")
        if args.action == "rm":
            count = formatting.plural(len(args.jobs), "job")
            if not connecting.confirmed(f"Delete {count} with what they printed?", yes=args.yes):
                print("nothing was deleted", file=sys.stderr)
                return cli.OK
        code = cli.OK
        for word in args.jobs:
            code = _act(args, hub.jobs.find(word, workspace=args.workspace)) or code
        return code


def _act(args: argparse.Namespace, job: client.Job) -> int:
    if args.action == "show":
        print(formatting.document(job.refresh().data))
    elif args.action == "logs":
        for piece in job.log(follow=args.follow, offset=-args.tail if args.tail else 0):
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
    elif args.action == "stop":
        job.stop(args.grace)
        job.wait(args.timeout)
        _told(args, job)
    elif args.action == "wait":
        job.wait(args.timeout)
        _told(args, job)
        return cli.OK if job.state in ("Succeeded", "Registered") else cli.FAILED
    elif args.action == "open":
        board = job.tensorboard(timeout=args.timeout)
        return _opened(args, board.tensorboard_id, board.app_uri)
    elif args.action == "rm":
        job.delete(board="remove" if args.remove_board else "keep")
    return cli.OK


def _opened(args: argparse.Namespace, board: str, url: str) -> int:
    print(formatting.document({"id": board, "url": url}) if args.json else url, flush=True)
    if not args.no_browser:
        browsers.show(url)
    return cli.OK


def _told(args: argparse.Namespace, job: client.Job) -> None:
    print(formatting.document(job.data) if args.json else f"{job.name}  {_state(job)}")


def _list(args: argparse.Namespace, hub: client.Hub) -> int:
    found = hub.jobs.list(
        state=args.state,
        user=args.user,
        label=args.label,
        workspace=args.workspace,
        q=" ".join(args.jobs) or None,
        sort=args.sort,
        limit=args.limit,
    )
    if args.json:
        print(formatting.document({"items": [each.data for each in found]}))
    elif not found:
        print("no jobs", file=sys.stderr)
    else:
        now = showing.now()
        rows = [("ID", "NAME", "STATE", "STARTED", "DURATION", "USER", "COMMAND")]
        for each in found:
            secs = each.data.get("duration_secs")
            rows.append(
                (
                    each.id,
                    each.name,
                    _state(each),
                    showing.ago(each.started, now),
                    "-" if secs is None else showing.duration(secs),
                    each.user,
                    " ".join(each.command)[:60],
                )
            )
        widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
        for row in rows:
            cells = [formatting.printable(cell).ljust(width) for cell, width in zip(row, widths, strict=True)]
            print("  ".join(cells).rstrip())
    return cli.OK


def _state(job: client.Job) -> str:
    if job.reason == "ExitCode":
        return f"{job.state} (exit code {job.exit_code})"
    if job.reason == "Signal":
        return f"{job.state} ({job.signal})"
    return f"{job.state} ({job.reason})" if job.reason else job.state


def _send() -> int:
    from lightboard.jobs import sender

    count = sender.send_left_over()
    print(f"sent {formatting.plural(count, 'job')}")
    return cli.OK
