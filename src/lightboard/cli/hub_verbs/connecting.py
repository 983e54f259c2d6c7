"""Flags that the verbs share, the hub they talk to, and the boards they name."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import flags

if TYPE_CHECKING:
    from pathlib import Path

    from lightboard import client


def add_hub(parser: argparse.ArgumentParser, *, json: bool = True) -> None:
    group = parser.add_argument_group("hub")
    group.add_argument(
        "--hub",
        metavar="URL",
        default="",
        help="address of the hub; default: LIGHTBOARD_HUB, or the hub of the last `lightboard login`",
    )
    group.add_argument(
        "--insecure", action="store_true", help="send the token without encryption (http://) to another machine"
    )
    if json:
        flags.add_json(parser)


def add_boards(parser: argparse.ArgumentParser, *, many: bool = True) -> None:
    parser.add_argument(
        "boards" if many else "board",
        metavar="BOARD",
        nargs="+" if many else None,
        help="id, name or link of a board" + (" (several are possible)" if many else ""),
    )
    add_workspace(parser)


def add_workspace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workspace", metavar="ID", default=None, help="id of the workspace")


def add_wait(parser: argparse.ArgumentParser, *, default: bool) -> None:
    wait, no_wait = ("wait until it is done", "return at once")
    parser.add_argument(
        "--wait", action="store_true", default=default, help=wait + (" (the default)" if default else "")
    )
    parser.add_argument(
        "--no_wait", dest="wait", action="store_false", help=no_wait + ("" if default else " (the default)")
    )
    add_timeout(parser)


def add_timeout(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", metavar="SECS", type=seconds, default=300.0, help="wait no longer (default: 300)")


def seconds(text: str) -> float:
    """Parses 90, 90s, 5m or 1h."""
    units = {"s": 1.0, "m": 60.0, "h": 3600.0}
    number, unit = (text[:-1], text[-1]) if text[-1:] in units else (text, "s")
    try:
        value = float(number) * units[unit]
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"`{text}` is not a time such as 90 or 5m")
    return value


def hub(args: argparse.Namespace) -> client.Hub:
    from lightboard import client

    return client.Hub(args.hub or None, insecure=args.insecure)


def on_each(args: argparse.Namespace, act: Callable[[client.Board], None], *, may_be_gone: bool = False) -> int:
    """Calls `act` for each named board. One that fails does not keep the others from being tried; the first exit code
    counts. `may_be_gone`: a board that is not found is what the user wants."""
    from lightboard import client

    code = cli.OK
    with hub(args) as connected:
        for word in args.boards:
            try:
                act(connected.boards.find(word, workspace=args.workspace))
            except client.HubError as error:
                if may_be_gone and isinstance(error, client.NotFound):
                    continue
                if len(args.boards) == 1 or isinstance(error, client.Unauthenticated | client.Unreachable):
                    raise
                complain(error)
                code = code or error.exit_code
    return code


def complain(error: errors.LightboardError) -> None:
    import sys

    print(f"error: {error.message}", file=sys.stderr)
    if error.hint:
        print(f"hint: {error.hint}", file=sys.stderr)


def confirmed(question: str, *, yes: bool) -> bool:
    """Asks on a terminal; scripts are not asked."""
    import sys

    if yes or not sys.stdin.isatty():
        return True
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def texts(files: list[str]) -> list[tuple[str, str]]:
    """Returns (name, content) of each file; a directory stands for the manifests in it, `-` for stdin."""
    import sys
    from pathlib import Path

    found = []
    for name in files:
        if name == "-":
            found.append(("stdin", sys.stdin.read()))
            continue
        found += [(str(each), _read(each)) for each in _manifests(Path(name))]
    return found


def _manifests(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(each for each in path.iterdir() if each.suffix in (".yaml", ".yml", ".json"))
    if not found:
        raise errors.NotFound(f"the directory has no .yaml, .yml or .json file: {path}")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise errors.Unreadable(f"the file is not UTF-8: {path}") from error
