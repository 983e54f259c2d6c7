"""Sources that could not be read, or that have no logs, from the notices of a store: for scripts and the command line.

The page shows the same notices.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from lightboard import errors, types

_SOURCES = ("logdir.storage", "logdir.objects", "logdir.unreadable", "logdir.empty")
_ABSENT = ("storage.no_bucket", "storage.no_object", "root.nothing", "root.no_match", "root.an_object")


@dataclasses.dataclass(frozen=True)
class Problem:
    """One source. `failed`: it could not be read; otherwise it was read and holds no event file."""

    source: str  # an address or path
    because: errors.Explanation
    failed: bool
    partly: bool = False  # some of its objects could be read

    @property
    def message(self) -> str:
        return f"{self.because.message}: {self.source}"

    @property
    def hint(self) -> str:
        return self.because.hint

    @property
    def code(self) -> str:
        return self.because.code

    def as_error(self) -> errors.LightboardError:
        kind = errors.NotFound if self.code in _ABSENT else errors.Unreadable
        return kind(self.message, hint=self.hint, code=self.code, **self.because.parameters)

    def as_record(self) -> dict[str, str]:
        """For JSON: who asked for what, and what the store answered, are "" where no store was asked."""
        asked = {name: self.because.parameters.get(name, "") for name in ("action", "who", "where", "answer")}
        texts = {
            name: each.message if isinstance(each, errors.Explanation) else str(each) for name, each in asked.items()
        }
        return {"source": self.source, "message": self.because.message, "hint": self.hint, "code": self.code, **texts}


def problems(notices: Iterable[types.Fault]) -> list[Problem]:
    return [_problem(each) for each in notices if each.code in _SOURCES]


def _problem(notice: types.Fault) -> Problem:
    because = notice.parameters.get("because")
    if not isinstance(because, errors.Explanation):
        because = errors.Explanation(notice.detail, code=notice.code, parameters=notice.parameters)
    if notice.code == "logdir.objects":
        count = notice.parameters["count"]
        message = f"{count:,} {'object' if count == 1 else 'objects'} cannot be read: {because.message}"
        because = dataclasses.replace(because, message=message)
    failed = because.code not in ("root.no_events", "root.listing")
    return Problem(notice.path, because, failed, partly=notice.code == "logdir.objects")
