"""A hub that looks at its boards whenever a line is written to its standard input, and ends at the end of that.

    python hub_program.py DIR NAME=DIR…       where it keeps everything, volumes

Its first line says where it is and who becomes its admin, as JSON. `sitecustomize.py` moves its clock and those of its
boards.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import threading

from lightboard.cli import sockets
from lightboard.hub.server import config, run


def main() -> None:
    listening = sockets.listen("127.0.0.1", 0)
    claims = dict(config.claim_of(each) for each in sys.argv[2:])
    settings = config.load("", {"dir": sys.argv[1], "claims": claims})
    settings = dataclasses.replace(settings, environment=("STORY_CLOCK",))
    ends, end = os.pipe()

    def ready(hub: run.Hub) -> None:
        url = f"http://{listening.host}:{listening.port}"
        say(json.dumps({"url": url, "link": run.link_address(hub, url)}))
        threading.Thread(target=listen, args=(hub, end), daemon=True).start()

    run.serve(settings, listening.sockets, loopback=True, ready=ready, stops=lambda: ends)


def listen(hub: run.Hub, end: int) -> None:
    """The keeper sleeps by the machine's clock; the news that any board may have changed wakes it."""
    for _ in sys.stdin:
        with hub.services.database.changes.write() as (_connection, told):
            told.append("")
        say("told")
    os.close(end)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
