"""`lightboard hub demo`: a hub with sample people, workspaces and boards, until Ctrl-C or SIGTERM.

The hub is the real program in a process of its own, in a temporary directory; it is filled through its API. At the end
its boards are stopped, and the temporary directory is removed.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import stopping

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from lightboard import client

# From a signal to the end of the process, if boards do not end.
STOP_SECS = 30.0
GRACE_SECS = 2.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "directory",
        nargs="?",
        metavar="DIR",
        help="where to write logs and hub (default: a temporary directory, removed at the end)",
    )
    parser.add_argument("--host", metavar="ADDR", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", metavar="PORT", default="8080", help="default: 8080; 0: any free one")


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    import tempfile
    from pathlib import Path

    from lightboard.cli import demo
    from lightboard.demo import hub as team
    from lightboard.demo import hub_jobs, logs

    signals = stops.hand_over(STOP_SECS)
    with contextlib.ExitStack() as stack:
        if args.directory is None:
            folder = stack.enter_context(demo.temporary(Path(tempfile.gettempdir()), stops))
        else:
            folder = demo.empty(Path(args.directory)).absolute()
        print("writing sample logs", file=sys.stderr, flush=True)
        for _ in logs.writing(folder / "logs"):
            if stops.came:
                return cli.OK
        stack.enter_context(demo.growing(folder / "logs"))
        web = stack.enter_context(team.serving(folder / "logs"))
        url, hub, process = stack.enter_context(_hub(folder, args))
        link = _fill(team.filling(hub, folder / "logs", web), stops)
        if link:
            stack.enter_context(hub_jobs.training(hub, folder / "logs"))
            _tell(url, link)
            _wait(process, signals)
    return cli.OK


def _fill(steps: Iterator[str], stops: stopping.Stops) -> str:
    """Returns the link to a board; "" after a signal."""
    step = ""
    for step in steps:
        if stops.came:
            return ""
        if step and "://" not in step:
            print(step, file=sys.stderr, flush=True)
    return step


def _tell(url: str, link: str) -> None:
    import lightboard
    from lightboard.demo import hub as team

    print(f"Lightboard hub {lightboard.__version__} at {url}/ (Press CTRL+C to quit)", flush=True)
    names = ", ".join(["admin", *(name for name, *_ in team.PEOPLE)])
    print(f"sign in as one of: {names}; password: {team.PASSWORD}", flush=True)
    print(f"a board for everybody with this link: {link}", flush=True)


@contextlib.contextmanager
def _hub(folder: Path, args: argparse.Namespace) -> Iterator[tuple[str, client.Hub, subprocess.Popen[bytes]]]:
    """A running hub, as its admin; at the end its boards are stopped."""
    import os
    import secrets
    import subprocess

    from lightboard import client
    from lightboard.demo import hub as team

    token = secrets.token_hex(32)
    own = {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_HUB")}
    words = ["--dir", str(folder / "hub"), "--host", args.host, "--port", args.port]
    words += ["--allow_root", str(folder / "logs"), "--claim", f"{team.CLAIM}={folder / 'logs'}"]
    process = subprocess.Popen(
        [sys.executable, "-m", "lightboard", "hub", *words, "--log_level", "warning"],
        stdout=subprocess.PIPE,
        env={**own, "LIGHTBOARD_HUB_ADMIN_TOKEN": token},
        start_new_session=True,  # Ctrl-C is for this process, which ends the hub
    )
    try:
        url = _address(process)
        with client.Hub(_loopback(url), token) as hub:
            yield url, hub, process
    finally:
        process.terminate()
        process.wait()
        _end_boards(folder / "hub")


def _address(process: subprocess.Popen[bytes]) -> str:
    import re

    assert process.stdout is not None
    found = re.search(r" at (http\S+)/ ", process.stdout.readline().decode())
    if found is None:  # it said why
        raise errors.LightboardError("the hub did not start")
    return found[1]


def _loopback(url: str) -> str:
    return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


def _end_boards(folder: Path) -> None:
    """A hub leaves its boards running."""
    import asyncio

    from lightboard.hub.runtimes import process

    async def end() -> None:
        runtime = process.Processes(folder)
        boards = await runtime.running()
        await asyncio.gather(*(runtime.stop(each, grace_secs=GRACE_SECS) for each in boards), return_exceptions=True)
        runtime.close()

    asyncio.run(end())


def _wait(process: subprocess.Popen[bytes], signals: int | None) -> None:
    """Until a signal, or the end of the hub."""
    import select

    if signals is None:
        process.wait()
        return
    while process.poll() is None:
        if select.select([signals], [], [], 1.0)[0]:
            return
    raise errors.LightboardError("the hub has ended")
