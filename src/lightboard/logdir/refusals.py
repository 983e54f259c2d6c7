"""Objects that a store listed but did not give: one notice per root, beside the faults of the files.

A user who may list a bucket but not read from it would otherwise see runs without values, and a reason only in the
list of damaged files.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence

from lightboard import errors, types
from lightboard.storage import faults

# The object changed while it was read: it is read again, at once if nothing of it was read before.
_REPLACED = ("storage.changed", "storage.shorter")
_PASSING = (*_REPLACED, "storage.no_object")
MOST_TRIES = 3


class Refusals:
    """State: `_reasons`, why the last read of an address failed; `_replaced`, how often in a row because it was
    replaced meanwhile. Only the follower's thread uses it."""

    def __init__(self) -> None:
        self._reasons: dict[str, errors.Explanation] = {}
        self._replaced: dict[str, int] = {}

    def note(self, address: str, result: object) -> None:
        """Remember a failure, forget it when the address can be read again."""
        if isinstance(result, faults.StorageError) and result.explanation.code in _REPLACED:
            self._replaced[address] = self._replaced.get(address, 0) + 1
        elif self._replaced and not isinstance(result, OSError):
            self._replaced.pop(address, None)
        if isinstance(result, faults.StorageError) and result.explanation.code not in _PASSING:
            self._reasons[address] = result.explanation
        elif self._reasons:
            self._reasons.pop(address, None)

    def was_replaced(self, address: str) -> bool:
        """Whether another try at once may help."""
        return 0 < self._replaced.get(address, 0) <= MOST_TRIES

    def notices(self, roots: Sequence[str], unreadable: Iterable[str]) -> list[types.Fault]:
        """One for each root and reason; `unreadable` are the addresses that still cannot be read."""
        self._reasons = {each: self._reasons[each] for each in unreadable if each in self._reasons}
        counts: collections.Counter[tuple[str, str]] = collections.Counter()
        because: dict[tuple[str, str], errors.Explanation] = {}
        for address, reason in self._reasons.items():
            root = max((each for each in roots if address.startswith(each)), key=len, default=address)
            counts[root, reason.code] += 1
            because.setdefault((root, reason.code), reason)
        return [_notice(root, count, because[root, code]) for (root, code), count in counts.items()]


def _notice(root: str, count: int, because: errors.Explanation) -> types.Fault:
    what = "1 object was" if count == 1 else f"{count:,} objects were"
    detail = f"{what} listed but cannot be read: {because.message}" + (f"; {because.hint}" if because.hint else "")
    return types.Fault(root, 0, "storage", detail, "logdir.objects", {"count": count, "because": because})
