"""Asks a board when it was used and what it cannot read.

The image of a board may be anybody's: an answer has few seconds and few bytes, and only numbers and short texts of it
are kept.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx2

from lightboard.operator import PORT, observing
from lightboard.operator import plan as plans
from lightboard.operator.kinds import Definition

_LOG = logging.getLogger(__name__)
# For the whole answer, however slowly it comes.
ANSWER_SECS = 5.0
MOST_ANSWER_BYTES = 2 << 20
# A running board is asked this often what it cannot read.
SOURCES_SECS = 300.0
_LONGEST_TEXT = 2000
_DEEPEST = 8


class Asker:
    """State: the connections to boards."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._http = httpx2.AsyncClient(timeout=ANSWER_SECS, trust_env=False)

    async def close(self) -> None:
        await self._http.aclose()

    async def ask(
        self, definition: Definition, pods: tuple[observing.Pod, ...], memory: plans.Memory | None
    ) -> tuple[observing.Answer | None, bool]:
        """The answer, and whether a pod that is ready did not give one."""
        pod = observing.current(pods, "")
        if pod is None or not pod.ready or not pod.ip:
            return None, False
        now = self._clock()
        base = f"http://{f'[{pod.ip}]' if ':' in pod.ip else pod.ip}:{PORT}{definition.path}"
        try:
            told = await self._get(f"{base}/api/activity")
            used, by = float(told["last_use"]), str(told["by"])[:_LONGEST_TEXT]
            if not math.isfinite(used):
                raise ValueError("the last use is no time")
            places = None
            if memory is None or memory.sources is None or now - memory.sources_at > SOURCES_SECS:
                places = _places(await self._get(f"{base}/api/board?activity=0"), len(definition.sources))
        except (
            httpx2.HTTPError, asyncio.TimeoutError, OSError, KeyError, TypeError, ValueError, RecursionError
        ) as error:  # fmt: skip
            _LOG.info("no answer of %s/%s: %r", definition.namespace, definition.name, error)
            return None, True
        return observing.Answer(at=now, pod=pod.uid, used=min(used, now), by=by, sources=places), False

    async def _get(self, url: str) -> Any:
        return json.loads(await asyncio.wait_for(self._content(url), ANSWER_SECS))

    async def _content(self, url: str) -> bytes:
        content = bytearray()
        async with self._http.stream("GET", url) as answer:
            answer.raise_for_status()
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > MOST_ANSWER_BYTES:
                    raise ValueError("the answer is too large")
        return bytes(content)


def _places(answer: Any, most: int) -> tuple[observing.Source, ...] | None:
    """What the board says of its sources; None while it is still listing them."""
    if not answer["progress"]["done"]:
        return None
    return tuple(
        observing.Source(
            str(each["path"])[:_LONGEST_TEXT],
            str(each["problem"] or "")[:_LONGEST_TEXT],
            str(each["detail"])[:_LONGEST_TEXT],
            _code(each),
        )
        for each in answer["places"][:most]
    )


def _code(place: Any) -> str:
    """The code of what the store said, which is inside of "the logs cannot be read"."""
    found = list(_codes(place, 0))
    return next((each for each in found if each.startswith("storage.")), found[-1] if found else "")


def _codes(value: Any, depth: int) -> Iterator[str]:
    """Outer ones first."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        if value.get("code"):
            yield str(value["code"])[:100]
        value = list(value.values())
    if isinstance(value, list):
        for each in value[:100]:
            yield from _codes(each, depth + 1)
