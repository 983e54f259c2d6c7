"""`lightboard dev auth`: who is signed in at which hub; `auth revoke` ends it.

`auth --tensorboard` writes the credentials file of TensorBoard 2.15's own uploader (`tensorboard dev upload`), with a
new token of the hub. TensorBoard then asks for no Google account.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from lightboard import cli, errors
from lightboard.cli import stopping
from lightboard.cli.dev_verbs import connecting

NEVER = "2099-01-01T00:00:00Z"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", metavar="[revoke]", nargs="?", choices=("revoke",), default=None, help="revoke: sign out of the hub"
    )
    parser.add_argument(
        "--tensorboard", action="store_true", help="write the credentials of TensorBoard 2.15's own uploader"
    )
    parser.add_argument(
        "--expires_in", metavar="DURATION", default="", help="how long that token works, such as 90d; default: no end"
    )
    connecting.add_hub(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    if args.action == "revoke":
        return _revoke(args)
    with connecting.hub(args) as hub:
        name = str((hub.me().get("user") or {}).get("name") or "")
        if not name:
            raise errors.Denied("nobody is signed in", hint=f"`lightboard login {hub.url}`")
        if not args.tensorboard:
            print(f"signed in as {name} at {hub.url}")
            return cli.OK
        made = hub.tokens.create("tensorboard dev", scopes=["boards:write"], expires_in=args.expires_in or None)
        file = write(made.token)
        print(f"wrote {file}")
        print(f"notice: `tensorboard dev --origin {hub.url} upload --logdir …` now sends to this hub", file=sys.stderr)
    return cli.OK


def _revoke(args: argparse.Namespace) -> int:
    from lightboard.cli import logout

    file = credentials_file()
    if _is_ours(file):
        file.unlink(missing_ok=True)
    try:
        logout.run(argparse.Namespace(url=args.hub, all=False, insecure=args.insecure), stopping.NoStops())
    except errors.NotFound as error:
        print(f"notice: {error.message}", file=sys.stderr)
    print("Logged out of uploader.")
    return cli.OK


def credentials_file() -> Path:
    """Where TensorBoard looks."""
    base = os.environ.get("XDG_CONFIG_HOME")
    home = Path(base) if base else Path.home() / ".config"
    return home / "tensorboard" / "credentials" / "uploader-creds.json"


def content(token: str) -> dict[str, Any]:
    """Credentials that have not expired are used as they are, without asking Google."""
    return {
        "type": "authorized_user",
        "token": token,
        "expiry": NEVER,
        "refresh_token": "-",
        "client_id": "-",
        "client_secret": "-",
        "scopes": ["openid"],
    }


def write(token: str) -> Path:
    """The file is complete or unchanged, and never readable by others."""
    file = credentials_file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    number, partial = tempfile.mkstemp(prefix=".uploader-creds.", dir=file.parent)  # mode 0600
    try:
        with open(number, "w", encoding="utf-8") as stream:
            json.dump(content(token), stream, indent=1)
        os.replace(partial, file)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
    return file


def _is_ours(file: Path) -> bool:
    try:
        return bool(json.loads(file.read_text(encoding="utf-8")).get("refresh_token") == "-")
    except (OSError, ValueError, AttributeError):
        return False
