"""`lightboard dev delete --experiment_id A,B`: deletes uploads with their files and boards. Says what became of each;
the exit code is not 0 if one failed."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lightboard import cli
from lightboard.cli import stopping
from lightboard.cli.dev_verbs import connecting

if TYPE_CHECKING:
    from lightboard import client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_ids(parser, required=True, help="ids of uploads, with commas between")
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    code = cli.OK
    with connecting.hub(args) as hub:
        for each in connecting.ids(args):
            message, done = _deleted(hub, each)
            print(message, flush=True)
            code = code if done else cli.FAILED
    return code


def _deleted(hub: client.Hub, upload: str) -> tuple[str, bool]:
    from lightboard import client

    try:
        left = hub.uploads.get(upload).delete()
    except client.NotFound:
        return f"No such upload {upload}. It never existed, was deleted, or is private to another user.", False
    except client.Forbidden:
        return f"Cannot delete upload {upload}, because another user owns it.", False
    except (client.Unauthenticated, client.Unreachable):
        raise
    except client.HubError as error:
        return f"Cannot delete upload {upload}: {error}", False
    if left:
        listed = "".join(f"\n\t{each}" for each in left)
        return f"Upload {upload} was not deleted completely; run the command again. Left on the hub:{listed}", False
    return f"Deleted upload {upload}.", True
