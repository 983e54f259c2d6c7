"""Prints which sources a board cannot read: once each, not at every retry, and again when they can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lightboard.cli import flags

if TYPE_CHECKING:
    from lightboard import store
    from lightboard.logdir import problems


class Teller:
    """State: `_told`, the problem of each source that was printed last. Called in the thread that writes the store."""

    def __init__(self, target: store.Store) -> None:
        self._store = target
        self._seen: object = ()
        self._told: dict[str, str] = {}
        target.subscribe(self._changed)

    def _changed(self, version: int) -> None:
        from lightboard.logdir import problems

        notices = self._store.notices
        if notices is self._seen:
            return
        self._seen = notices
        found = {each.source: each for each in problems.problems(notices) if "://" in each.source}
        new = [each for each in found.values() if self._told.get(each.source) != each.code]
        again = [source for source in self._told if source not in found]
        self._told = {source: each.code for source, each in found.items()}
        flags.tell([line(each) for each in new] + [f"the logs can be read again: {source}" for source in again])


def line(problem: problems.Problem) -> str:
    """Cause, remedy and source in one line."""
    because = problem.because
    return f"{because.message}{f'; {because.hint}' if because.hint else ''}: {problem.source}"
