"""`lightboard dev upload --logdir DIR`: sends event files and their companions to a hub, as they are.

The link is printed at once. Then new bytes are sent as they are written, until Ctrl-C or SIGTERM; `--one_shot` ends
when everything that is there was sent. An upload that was interrupted continues with `--upload ID`.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import formatting, prompts, stopping
from lightboard.cli.dev_verbs import connecting, progress

if TYPE_CHECKING:
    from lightboard import client
    from lightboard.client import uploads_sending

# From a signal to the end of the process: the request under way is broken off, the rest is flushed.
STOP_SECS = 8.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--logdir", metavar="DIR", required=True, help="directory with event files")
    connecting.add_metadata(parser)
    parser.add_argument(
        "--verbose", metavar="0|1", type=int, choices=(0, 1), default=1, help="0: print only the link (default: 1)"
    )
    parser.add_argument("--dry_run", action="store_true", help="print what would be sent; nothing is created")
    parser.add_argument("--one_shot", action="store_true", help="end when everything that is there was sent")
    parser.add_argument(
        "--plugins",
        metavar="NAME,…",
        action="append",
        default=[],
        help="send only files of these plugins: profile, projector, debugger, evaluation and examples have files of "
        "their own, every other name means event files, which are sent whole (default: all files)",
    )
    group = parser.add_argument_group("more than tensorboard.dev")
    group.add_argument("--upload", metavar="ID", default="", help="continue an upload, also after an interruption")
    group.add_argument("--take_over", action="store_true", help="with --upload: end the session of another program")
    group.add_argument("--workspace", metavar="ID", default=None, help="workspace of the upload; default: your own")
    group.add_argument("--public", action="store_true", help="let everyone see it who can open the hub; asks first")
    group.add_argument("--yes", action="store_true", help="answer the question of --public with yes")
    group.add_argument(
        "--bandwidth", metavar="RATE", type=_rate, default=0.0, help="most bytes per second, such as 5M (default: all)"
    )
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    connecting.check_metadata(args)
    args.plugins = sorted({word.strip() for each in args.plugins for word in each.split(",") if word.strip()})
    if (args.one_shot or args.dry_run) and not os.path.isdir(args.logdir):  # noqa: PTH112
        raise errors.NotFound(
            f"no such directory, and nothing was created: {args.logdir}",
            hint="" if args.dry_run else "without --one_shot the upload waits for it",
        )
    if args.dry_run:
        return _dry_run(args)
    with connecting.hub(args) as hub:
        if args.public and not _consents(hub, args):
            print("Not uploaded.", file=sys.stderr)
            return cli.FAILED
        upload = _created(hub, args)
        return _send(upload, args, stops)


def _dry_run(args: argparse.Namespace) -> int:
    from lightboard.client import uploads_files

    found = uploads_files.scan(args.logdir, args.plugins)
    for each in found.files.values():
        print(f"{each.size:>14,}  {formatting.printable(each.path)}")
    for path in found.unsendable:
        print(f"notice: not sent, because no hub accepts such a name: {formatting.printable(path)}", file=sys.stderr)
    total = sum(each.size for each in found.files.values())
    print(f"Dry run: {formatting.plural(len(found.files), 'file')} ({formatting.size(total)}) would be sent.")
    return cli.OK


def _consents(hub: client.Hub, args: argparse.Namespace) -> bool:
    print(
        f"This upload will be public: everyone who can open {hub.url} will see it, without an account.\n"
        "That includes names of runs and tags, hyperparameters, images, texts, graphs and all else in the event\n"
        f"files below {args.logdir}. Without --public only you and the admins of the workspace see it.\n",
        file=sys.stderr,
    )
    if args.yes:
        return True
    if not prompts.has_terminal():
        raise errors.BadInput("there is no terminal to ask whether the upload may be public", hint="add --yes")
    return prompts.ask("Continue? (yes/NO) ").lower() == "yes"


def _created(hub: client.Hub, args: argparse.Namespace) -> client.Upload:
    if not args.upload:
        made = hub.uploads.create(
            name=args.name or None,
            description=args.description or None,
            workspace=args.workspace,
            visibility="public" if args.public else None,
            confirm_public=args.public or None,
        )
        print(f"\nNew upload created. View your board at: {made.url}\n", flush=True)
        return made
    if args.public or args.workspace:
        hint = "`lightboard hub share` changes who sees a board"
        raise errors.BadInput("--public and --workspace are for new uploads", hint=hint)
    found = hub.uploads.get(args.upload)
    if args.name is not None or args.description is not None:
        found.update(name=args.name, description=args.description)
    print(f"\nContinuing upload {found.id}. View your board at: {found.url}\n", flush=True)
    return found


def _send(upload: client.Upload, args: argparse.Namespace, stops: stopping.Stops) -> int:
    from lightboard.client import uploads_sending

    shown = progress.Progress(quiet=not args.verbose)
    sender = upload.sender(
        args.logdir,
        plugins=args.plugins,
        bytes_per_sec=args.bandwidth,
        patience_secs=600.0 if args.one_shot else 1e9,
        progress=shown.show,
        notice=shown.notice,
    )
    wait = _waiting(stops, sender)
    interrupted = False
    try:
        shown.line("Started scanning logdir.")
        interrupted = _sent(sender, args, wait, shown)
        data = sender.flush(end=True)
    except uploads_sending.Deleted:
        shown.clear()
        print("The upload was deleted on the hub; sending has ended.")
        return stops.leave(cli.OK)
    except KeyboardInterrupt:
        interrupted, data = True, sender.flush(end=True)
    finally:
        shown.clear()
        sender.close()
    return stops.leave(_end(sender.totals, data, args, interrupted=interrupted))


def _sent(
    sender: uploads_sending.Sender,
    args: argparse.Namespace,
    wait: Callable[[float], bool],
    shown: progress.Progress,
) -> bool:
    """Whether it was interrupted."""
    while not os.path.isdir(args.logdir):  # noqa: PTH112
        if wait(0.5):
            return True
    sender.begin(take_over=args.take_over)
    if args.one_shot:
        sender.turn()
        return sender.stopped

    def between(secs: float) -> bool:
        shown.total(sender.totals)
        return wait(secs)

    sender.follow(between)
    return True


def _end(
    totals: uploads_sending.Totals, data: dict[str, object], args: argparse.Namespace, *, interrupted: bool
) -> int:
    has_data = bool(data.get("files"))
    if args.one_shot and not has_data and not interrupted:
        print(
            f"\n--one_shot found no files to send below {args.logdir}\n"
            f"An empty upload was created. This deletes it:\n\n    lightboard dev delete --experiment_id={data['id']}\n"
        )
    word = "Interrupted." if interrupted else "Done."
    if args.verbose:
        wire = f", {formatting.size(totals.wire_bytes)} on the wire" if totals.wire_bytes < 0.95 * totals.bytes else ""
        print(f"\nTotal uploaded: {formatting.plural(totals.files, 'file')} ({formatting.size(totals.bytes)}{wire})")
    print(f"\n{word} View your board at {data['url']}" if has_data else f"\n{word}")
    if data.get("pending_files"):
        waiting = formatting.plural(int(str(data["pending_files"])), "file")
        print(f"notice: the hub has everything; its bucket does not have {waiting} yet", file=sys.stderr)
        if data.get("store_problem"):
            print(f"notice: {formatting.printable(str(data['store_problem']))}", file=sys.stderr)
    if interrupted and has_data and args.verbose:
        print(f"hint: `lightboard dev upload --logdir … --upload {data['id']}` continues it", file=sys.stderr)
    return cli.OK


def _waiting(stops: stopping.Stops, sender: uploads_sending.Sender) -> Callable[[float], bool]:
    """Returns a function that waits for so many seconds, and says whether to stop. A signal also breaks off a request
    that is under way."""
    descriptor = stops.hand_over(STOP_SECS)
    if descriptor is None:  # signals belong to the program that called us

        def sleep(secs: float) -> bool:
            time.sleep(secs)
            return False

        return sleep

    def watch() -> None:
        import select

        select.select([descriptor], [], [])
        sender.stop()

    threading.Thread(target=watch, name="signal", daemon=True).start()
    return sender.wait


def _rate(text: str) -> float:
    units = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    word = text.strip().upper().removesuffix("/S").removesuffix("B").removesuffix("I")
    unit = word[-1:] if word[-1:] in ("K", "M", "G") else ""
    try:
        rate = float(word.removesuffix(unit)) * units[unit]
    except ValueError:
        rate = -1.0
    if not 0 <= rate < 1e15:
        raise argparse.ArgumentTypeError(f"`{text}` is not a rate such as 5M or 500K")
    return rate
