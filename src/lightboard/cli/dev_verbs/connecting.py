"""Flags that the verbs share, and the hub they talk to."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lightboard import errors

if TYPE_CHECKING:
    from lightboard import client

LONGEST_NAME, LONGEST_DESCRIPTION = 100, 600


def add_hub(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("hub")
    group.add_argument(
        "--hub",
        "--origin",
        metavar="URL",
        default="",
        help="address of the hub; default: LIGHTBOARD_HUB, or the hub of the last `lightboard login`",
    )
    group.add_argument(
        "--insecure", action="store_true", help="send the token without encryption (http://) to another machine"
    )
    group = parser.add_argument_group("flags of `tensorboard dev` that have no effect")
    group.add_argument("--api_endpoint", metavar="X", default=None, help="a hub has one address")
    group.add_argument("--grpc_creds_type", metavar="X", default=None, help="https:// encrypts, http:// does not")
    group.add_argument("--auth_force_console", action="store_true", help="`lightboard login` needs no browser")


def add_metadata(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", metavar="TEXT", default=None, help=f"title, at most {LONGEST_NAME} characters")
    parser.add_argument(
        "--description", metavar="MARKDOWN", default=None, help=f"at most {LONGEST_DESCRIPTION} characters"
    )


def check_metadata(args: argparse.Namespace) -> None:
    """Before anything is sent. Raises errors.BadInput."""
    for flag, limit in (("name", LONGEST_NAME), ("description", LONGEST_DESCRIPTION)):
        text = getattr(args, flag)
        if text is not None and len(text) > limit:
            raise errors.BadInput(f"--{flag} has {len(text)} characters", hint=f"use at most {limit}")


def add_ids(parser: argparse.ArgumentParser, *, required: bool, help: str) -> None:
    parser.add_argument("--experiment_id", metavar="ID[,ID…]", default="", required=required, help=help)


def ids(args: argparse.Namespace) -> list[str]:
    found = [_id(each) for each in args.experiment_id.split(",") if each.strip()]
    if not found and args.experiment_id:
        raise errors.BadInput("--experiment_id is empty", hint="`lightboard dev list` shows ids")
    return found


def _id(word: str) -> str:
    return word.strip().rstrip("/").rpartition("/")[2]


def hub(args: argparse.Namespace) -> client.Hub:
    from lightboard import client

    return client.Hub(args.hub or None, insecure=args.insecure)
