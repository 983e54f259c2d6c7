"""`lightboard dev export --outdir DIR`: writes your uploads to a new directory.

DIR/experiment_<id>/metadata.json, scalars.json, tensors.json, tensors/, blob_sequences.json, blobs/
DIR/experiment_<id>/files/…        the files that were sent, byte for byte
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from lightboard import cli, errors
from lightboard.cli import formatting, stopping
from lightboard.cli.dev_verbs import connecting

if TYPE_CHECKING:
    from lightboard import client

FILES = "files"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--outdir", metavar="DIR", required=True, help="where to write; must not exist")
    connecting.add_ids(parser, required=False, help="only these uploads, with commas between; default: all of yours")
    parser.add_argument("--files_only", action="store_true", help="only the files that were sent, without JSON")
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    outdir = Path(args.outdir)
    if os.path.lexists(outdir):
        raise errors.BadInput(f"the directory exists: {outdir}", hint="name one that does not exist")
    with connecting.hub(args) as hub:
        found = _uploads(hub, args)
        outdir.mkdir(parents=True)
        for each in found:
            files = _export(each, outdir / f"experiment_{each.id}", files_only=args.files_only)
            print(f"Downloaded upload {each.id} ({formatting.plural(files, 'file')}).", flush=True)
    print(f"Done. Downloaded {formatting.plural(len(found), 'upload')} to: {outdir}")
    return cli.OK


def _uploads(hub: client.Hub, args: argparse.Namespace) -> list[client.Upload]:
    if args.experiment_id:
        return [hub.uploads.get(each) for each in connecting.ids(args)]
    return hub.uploads.list(owner=str((hub.me().get("user") or {}).get("name") or "") or None)


def _export(upload: client.Upload, folder: Path, *, files_only: bool) -> int:
    from lightboard.cli.dev_verbs import export_json

    folder.mkdir()
    files = upload.export(folder / FILES)
    if not files_only:
        export_json.write(folder / FILES, folder, upload)
    return files
