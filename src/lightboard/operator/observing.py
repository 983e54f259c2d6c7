"""Pods of a board and its own answer, as `life.Seen`. Pure.

no pod                                    absent
a pod that is not ready                   starting, with the reason of the scheduler, the image or the last crash
… 5 restarts, or 120 s with a reason      exited: the board has failed
a ready pod whose board answered          answering, with its last use
a ready pod whose board did not answer    nothing: no decision is made without an answer
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from lightboard.hub.life import nouns, steps
from lightboard.operator import Label
from lightboard.operator.kinds import seconds

MOST_RESTARTS = 5
_IMAGE = ("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "ImageInspectError")
_CONFIG = ("CreateContainerConfigError", "CreateContainerError", "RunContainerError")


@dataclasses.dataclass(frozen=True)
class Source:
    """A source as the board finds it."""

    path: str
    problem: str = ""
    detail: str = ""
    code: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Answer:
    """What a board said at `at`. `pod` is the uid of the one that was asked."""

    at: float
    pod: str
    used: float | None = None
    by: str = ""
    sources: tuple[Source, ...] | None = None  # None: it was not asked for them, or is still listing them


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pod:
    """What is needed of a pod."""

    name: str
    uid: str
    template: str
    phase: str
    ip: str = ""
    node: str = ""
    created: float = 0.0
    ready: bool = False
    ready_since: float = 0.0
    deleting: bool = False
    scheduled: bool = True
    restarts: int = 0
    reason: str = ""
    message: str = ""


def pod_of(document: Mapping[str, Any]) -> Pod:
    meta, status = document["metadata"], document.get("status") or {}
    conditions = {each["type"]: each for each in status.get("conditions") or []}
    ready = conditions.get("Ready", {})
    scheduled = conditions.get("PodScheduled", {})
    unscheduled = scheduled.get("status") == "False" and scheduled.get("reason") == "Unschedulable"
    reason, message = _trouble(status)
    if unscheduled:
        reason, message = "Unschedulable", f"no node has room: {scheduled.get('message', '')}"
    containers = status.get("containerStatuses") or []
    return Pod(
        name=meta["name"],
        uid=meta["uid"],
        template=(meta.get("labels") or {}).get(Label.TEMPLATE, ""),
        phase=status.get("phase", ""),
        ip=status.get("podIP", ""),
        node=(document.get("spec") or {}).get("nodeName", ""),
        created=seconds(meta.get("creationTimestamp")) or 0.0,
        ready=ready.get("status") == "True",
        ready_since=seconds(ready.get("lastTransitionTime")) or 0.0,
        deleting="deletionTimestamp" in meta,
        scheduled=not unscheduled,
        restarts=sum(each.get("restartCount", 0) for each in containers),
        reason=reason,
        message=message,
    )


def _trouble(status: Mapping[str, Any]) -> tuple[str, str]:
    """Why a pod does not run, as a code and a sentence."""
    if status.get("phase") == "Failed":
        return status.get("reason") or "Crashed", status.get("message") or "the pod failed"
    for each in status.get("containerStatuses") or []:
        waiting = (each.get("state") or {}).get("waiting") or {}
        ended = (each.get("state") or {}).get("terminated") or (each.get("lastState") or {}).get("terminated") or {}
        word = waiting.get("reason", "")
        if word in _IMAGE:
            return (
                "ImagePullFailed",
                f"the image `{each.get('image', '')}` cannot be had: {waiting.get('message', word)}",
            )
        if word in _CONFIG:
            return "PodCannotStart", waiting.get("message", word)
        if ended and not each.get("ready"):
            return _ended(ended)
    return "", ""


def _ended(ended: Mapping[str, Any]) -> tuple[str, str]:
    if ended.get("reason") == "OOMKilled":
        return "OutOfMemory", "the board needed more memory than its limit; raise `resources.limits.memory`"
    code = ended.get("exitCode")
    said = str(ended.get("message") or "").strip()
    return "Crashed", f"the board ended with exit code {code}" + (f":\n{said[-2000:]}" if said else "")


def current(pods: Sequence[Pod], template: str) -> Pod | None:
    """The pod that serves, or will: of this template, not being deleted; a ready one first, then the newest."""
    fit = [each for each in pods if not each.deleting and (not template or each.template == template)]
    live = [each for each in fit if each.phase not in ("Failed", "Succeeded")] or fit
    return max(live, key=lambda each: (each.ready, each.created, each.uid), default=None)


def seen(
    board: nouns.Board, pods: Sequence[Pod], template: str, answer: Answer | None, now: float
) -> nouns.Seen | None:
    ours: dict[str, Any] = {"attempt": board.attempt, "revision": board.revision}
    if board.state is nouns.State.STOPPING and board.desired is not nouns.Desired.RUN and board.stop_sent is not None:
        phase = nouns.Phase.STARTING if pods else nouns.Phase.ABSENT  # until the last one is gone
        return nouns.Seen(at=now, phase=phase, **ours)
    if board.state in (nouns.State.STOPPED, nouns.State.FAILED):
        left = any(not each.deleting for each in pods)
        return nouns.Seen(at=now, phase=nouns.Phase.STARTING if left else nouns.Phase.ABSENT, **ours)
    pod = current(pods, template)
    if pod is None:
        return nouns.Seen(at=now, phase=nouns.Phase.ABSENT, **ours)
    if not pod.ready:
        return _starting(board, pod, now, ours)
    if answer is None or answer.pod != pod.uid:
        return None
    return nouns.Seen(
        at=answer.at, phase=nouns.Phase.ANSWERING, used=answer.used, used_by=answer.by, **ours
    )  # fmt: skip


def _starting(board: nouns.Board, pod: Pod, now: float, ours: Mapping[str, Any]) -> nouns.Seen:
    since = board.attempted_at if board.attempted_at is not None else board.state_since
    late = now - since > steps.START_SECS
    if pod.reason and pod.scheduled and (late or pod.restarts >= MOST_RESTARTS):
        phase, permanent = nouns.Phase.EXITED, True
    else:
        phase, permanent = nouns.Phase.STARTING, False
    return nouns.Seen(at=now, phase=phase, message=pod.message, reason=pod.reason, permanent=permanent, **ours)
