"""`lightboard run -- python train.py`: runs a program as a job.

    lightboard run --name resnet --label experiment=depth --board experiment -- python train.py --layers 50

What the program prints is passed on unchanged, and its exit code is returned (128 + n for signal n). A hub, if one is
configured, gets command, git commit, console, figures of the machine and the end of the job, in the background; the
board appears with the first event file. Without a hub, or if it is away, the job runs all the same.
"""

from __future__ import annotations

import argparse
import os
import sys

from lightboard import errors
from lightboard.cli import stopping


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "lightboard run [flags] -- COMMAND …"
    parser.add_argument("command", metavar="COMMAND", nargs=argparse.REMAINDER, help="the program and its arguments")
    group = parser.add_argument_group("job")
    group.add_argument("--name", metavar="NAME", default="", help="of the job and its board; default: the program's")
    group.add_argument(
        "--label", metavar="NAME=VALUE", action="append", default=[], help="a label of the job (repeatable)"
    )
    group.add_argument(
        "--logdir",
        metavar="PATH",
        default="",
        help="where the program writes event files; a directory or an address such as s3://bucket/path "
        "(default: runs/NAME-TIME); passed on as LIGHTBOARD_LOGDIR, TENSORBOARD_LOGDIR and PAI_OUTPUT_TENSORBOARD",
    )
    group.add_argument(
        "--board",
        metavar="own|none|LABEL",
        default="own",
        help="own: a board of this job (the default); the name of a label: one board for all jobs with the same value",
    )
    group.add_argument("--no_figures", action="store_true", help="do not record CPU, memory and GPUs")
    group.add_argument(
        "--no_hook",
        action="store_true",
        help="do not change where SummaryWriter() of torch and tensorboardX writes if the program names no directory",
    )
    group.add_argument("--quiet", action="store_true", help="print nothing but what the program prints")
    group = parser.add_argument_group("hub")
    group.add_argument(
        "--hub",
        metavar="URL",
        default="",
        help="default: LIGHTBOARD_HUB, or the hub of the last `lightboard login`; `none`: keep the job on this machine",
    )
    group.add_argument("--workspace", metavar="ID", default="", help="id of the workspace; default: your own")
    group.add_argument(
        "--insecure", action="store_true", help="send the token without encryption (http://) to another machine"
    )


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    if os.name != "posix":
        raise errors.Missing("`lightboard run` needs Linux or macOS", hint="`lightboard.hub.Job.register` works here")
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not command:
        raise errors.BadInput("no command is given", hint="`lightboard run -- python train.py`")
    from lightboard.jobs import running

    labels = dict(_label(each) for each in args.label)
    mode = args.board if args.board in ("own", "none") else "label"
    if mode == "label" and args.board not in labels:
        raise errors.BadInput(
            f"the job has no label `{args.board}`", hint=f"add `--label {args.board}=VALUE`, or use `--board own`"
        )
    name = args.name.strip() or _name(command)
    return running.run(
        running.Wanted(
            command=command,
            name=name[:100],
            logdir=_logdir(args.logdir, name),
            hub=_hub(args.hub),
            insecure=args.insecure,
            workspace=args.workspace,
            labels=labels,
            board=mode,
            board_label=args.board if mode == "label" else "",
            figures=not args.no_figures,
            hook=not args.no_hook,
            quiet=args.quiet,
        )
    )


def _label(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name.strip():
        raise errors.BadInput(f"`{text}` is not a label", hint="write `--label name=value`")
    return name.strip(), value.strip()


def _name(command: list[str]) -> str:
    """`train` of `python -u train.py --lr 1`, `pkg.train` of `python -m pkg.train`."""
    program = os.path.basename(command[0])  # noqa: PTH119 (before pathlib is imported)
    if program.startswith("python"):
        words = iter(command[1:])
        for word in words:
            if word == "-m":
                return next(words, program)
            if word == "-c":
                break
            if not word.startswith("-"):
                return os.path.basename(word).removesuffix(".py") or program  # noqa: PTH119
    return program.removesuffix(".py").removesuffix(".sh") or "job"


def _logdir(given: str, name: str) -> str:
    if "://" in given:
        return given
    if given:
        return os.path.abspath(os.path.expanduser(given))  # noqa: PTH100, PTH111
    import re
    import time

    slug = re.sub(r"[^\w.=-]+", "-", name).strip("-.") or "job"
    made = os.path.abspath(f"runs/{slug}-{time.strftime('%m%d-%H%M%S')}")  # noqa: PTH100
    number, found = 1, made
    while os.path.exists(found):  # noqa: PTH110
        number += 1
        found = f"{made}-{number}"
    return found


def _hub(given: str) -> str:
    """The address; "": none. A wrong address is said at once, everything else later."""
    if given == "none":
        return ""
    found = given or os.environ.get("LIGHTBOARD_HUB", "")
    if not found:
        from lightboard.client import credentials

        try:
            found = credentials.current()
        except errors.LightboardError as error:
            print(f"lightboard: {error.message}", file=sys.stderr)
    if not found:
        return ""
    from lightboard.client import addresses

    return addresses.normalized(found)
