"""`lightboard dev`: says which verbs there are. `cli/dev_verbs` has them."""

from __future__ import annotations

import argparse

from lightboard import errors
from lightboard.cli import dev_verbs, stopping


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """None: every verb has its own."""


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    raise errors.BadInput(
        "`lightboard dev` needs a verb",
        hint=f"verbs: {', '.join(dev_verbs.VERBS)}; begin with `lightboard dev upload --logdir runs`",
    )
