"""`lightboard dev list`: your uploads, the newest first. The number of uploads is written to stderr."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from lightboard import cli
from lightboard.cli import formatting, stopping
from lightboard.cli.dev_verbs import connecting

if TYPE_CHECKING:
    from lightboard import client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object per upload, for programs")
    parser.add_argument("--all", action="store_true", help="uploads of everyone that you may see")
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    with connecting.hub(args) as hub:
        owner = None if args.all else str((hub.me().get("user") or {}).get("name") or "") or None
        found = hub.uploads.list(owner=owner)
    for each in found:
        print(formatting.document(_members(each)) if args.json else _text(each))
    if not found:
        print("No uploads. Use `lightboard dev upload` to get started.", file=sys.stderr)
    else:
        print(f"Total: {formatting.plural(len(found), 'upload')}", file=sys.stderr)
    return cli.OK


def _members(upload: client.Upload) -> dict[str, Any]:
    return {
        "url": upload.url,
        "name": upload.name,
        "description": upload.description,
        "id": upload.id,
        "created": upload.data["created"],
        "updated": upload.data["updated"],
        "runs": upload.runs,
        "files": upload.files,
        "bytes": upload.bytes,
        "visibility": upload.visibility,
        "owner": upload.owner,
        "workspace": upload.data.get("workspace", ""),
    }


def _text(upload: client.Upload) -> str:
    rows = (
        ("Name", formatting.printable(upload.name) or "[No name]"),
        ("Description", formatting.printable(upload.description) or "[No description]"),
        ("Id", upload.id),
        ("Created", _local(upload.created)),
        ("Updated", _local(upload.updated)),
        ("Runs", f"{upload.runs:,}"),
        ("Files", f"{upload.files:,}"),
        ("Bytes", f"{upload.bytes:,}"),
        ("Visible to", upload.visibility),
    )
    return "\n".join([upload.url or "[The board was deleted]", *(f"\t{name:<20} {value}" for name, value in rows)])


def _local(moment: Any) -> str:
    return formatting.moment(moment.timestamp()) if moment is not None else "-"
