"""`%load_ext tensorboard` and `tensorboard.notebook`: the same calls, implemented by `lightboard.notebook`."""

from __future__ import annotations

from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """`%tensorboard` shows Lightboard; `%lightboard` works as well."""
    from lightboard import notebook

    notebook.load_ipython_extension(shell)
    notebook.answer_to_tensorboard(shell)


def start(args_string: str) -> None:
    from lightboard import notebook

    notebook.start(args_string)


def display(port: int | None = None, print_message: bool = False, height: int | None = None) -> None:
    from lightboard import notebook

    notebook.display(port, height=height)


def list() -> None:
    from lightboard import notebook

    notebook.list()
