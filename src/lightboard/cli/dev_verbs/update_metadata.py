"""`lightboard dev update-metadata --experiment_id ID --name …`: changes name or description of an upload."""

from __future__ import annotations

import argparse

from lightboard import cli, errors
from lightboard.cli import stopping
from lightboard.cli.dev_verbs import connecting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    connecting.add_ids(parser, required=True, help="id of the upload")
    connecting.add_metadata(parser)
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    if args.name is None and args.description is None:
        raise errors.BadInput("nothing is changed", hint="use --name, --description, or both")
    connecting.check_metadata(args)
    (upload, *more) = connecting.ids(args)
    if more:
        raise errors.BadInput("one upload is changed at a time", hint="name one id")
    with connecting.hub(args) as hub:
        changed = hub.uploads.get(upload).update(name=args.name, description=args.description)
    print(f"Modified upload {changed.id}.")
    return cli.OK
