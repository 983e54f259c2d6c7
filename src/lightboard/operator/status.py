"""What a resource's status shows, for each of the three kinds. Pure.

A status is written only if it differs from the one before, so no time in it grows by itself: a condition has the time
of its last change, `lastProbe` since when probes have that result, and `lastActivity` moves in steps.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from lightboard.hub.life import nouns, policy
from lightboard.operator import kinds, observing, sources
from lightboard.operator.kinds import Definition, seconds, timestamp
from lightboard.operator.options import Options

LONGEST_MESSAGE = 1000
# `lastActivity` moves at most this often; a short policy has a shorter step.
ACTIVITY_SECS = 60.0
_ANSWERING = (nouns.State.RUNNING, nouns.State.IDLE)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Shown:
    board: nouns.Board
    timing: policy.Timing
    findings: Sequence[sources.Finding] = ()
    failing: Sequence[observing.Source] | None = None
    blocked: tuple[str, str] | None = None
    pod: observing.Pod | None = None
    unanswered: bool = False
    suspended: bool = False


def url(definition: Definition, options: Options) -> str:
    if options.exposure != "none" or options.url:
        return f"{options.url.rstrip('/')}{definition.path}/"
    return f"http://{definition.object_name}.{definition.namespace}.svc{definition.path}/"


def of(definition: Definition, shown: Shown, options: Options, now: float) -> dict[str, Any]:
    """A merge patch: what is no longer true is None. It has no empty text, which some API servers refuse as null."""
    made = _filled(_BY_KIND[definition.kind.word](definition, shown, options, now))
    return {**{name: None for name in definition.status if name not in made}, **made}


def refused(definition: Definition, made: Mapping[str, Any], message: str, now: float) -> dict[str, Any]:
    """The status of a board whose objects the API server did not take: no address is free, a policy forbids it."""
    if definition.kind is kinds.KUBEFLOW:
        return dict(made)
    text = f"the cluster refused an object of the board: {message}"[:LONGEST_MESSAGE]
    told = {**made, "phase": nouns.State.PENDING.value, "conditions": [dict(each) for each in made["conditions"]]}
    if definition.kind is kinds.BOARD:
        told.update(reason="ObjectRefused", message=text)
    ready = next(each for each in told["conditions"] if each["type"] == "Ready")
    if ready["status"] == "True":
        ready["lastTransitionTime"] = timestamp(now)
    ready.update(status="False", reason="ObjectRefused", message=text)
    return told


def _filled(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _filled(each) for name, each in value.items() if each != ""}
    return [_filled(each) for each in value] if isinstance(value, list) else value


def is_same(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    return dict(before) == dict(after)


# -- ours


def _ours(definition: Definition, shown: Shown, options: Options, now: float) -> dict[str, Any]:
    board = shown.board
    told = _sources(definition, shown, now)
    ready = sum(each["status"] == "True" for each in told)
    made: dict[str, Any] = {
        "phase": _phase(shown),
        "reason": _reason(shown),
        "message": _message(shown),
        "observedGeneration": definition.generation,
        "url": url(definition, options),
        "path": f"{definition.path}/",
        "sourcesReady": f"{ready}/{len(told)}",
        "sources": told,
        "conditions": _conditions(definition, shown, now),
        "activity": _activity(definition, shown, now),
        "resources": definition.resources or options.resources,
    }
    if board.started is not None:
        made["startedAt"] = timestamp(board.started)
    if shown.pod is not None and shown.pod.node:
        made["podRef"] = {"name": shown.pod.name, "uid": shown.pod.uid, "node": shown.pod.node}
    return made


def _phase(shown: Shown) -> str:
    """A board whose pod waits for a node is Pending, as it is where boards are processes."""
    waits = shown.board.state is nouns.State.STARTING and shown.pod is not None and not shown.pod.scheduled
    return nouns.State.PENDING.value if waits else shown.board.state.value


def _reason(shown: Shown) -> str:
    board = shown.board
    if not board.reason and board.state is nouns.State.STARTING and shown.pod is not None:
        return shown.pod.reason
    return board.reason


def _message(shown: Shown) -> str:
    text = shown.board.message
    if not text and shown.board.state is nouns.State.STARTING and shown.pod is not None:
        text = shown.pod.message
    return text if len(text) <= LONGEST_MESSAGE else f"…{text[-LONGEST_MESSAGE:]}"


def _sources(definition: Definition, shown: Shown, now: float) -> list[dict[str, Any]]:
    before = {each.get("uri"): each for each in definition.status.get("sources") or []}
    failing = list(shown.failing or ())
    told = []
    for number, finding in enumerate(shown.findings):
        reason, message = finding.reason, finding.message
        if not reason and number < len(failing) and failing[number].problem:
            reason, message = _failure(definition, number, failing[number])
        later = not finding.reason and number < len(failing) and failing[number].problem in _LATER
        bad = bool(reason) and not later
        one = {"uri": finding.uri, "status": "False" if bad else "True", "reason": reason or "Resolved"}
        one["message"] = message[:LONGEST_MESSAGE]
        old = before.get(finding.uri, {})
        same = old.get("status") == one["status"] and old.get("reason") == one["reason"]
        one["lastTransitionTime"] = (
            old["lastTransitionTime"] if same and "lastTransitionTime" in old else timestamp(now)
        )
        told.append(one)
    return told


_PROBLEMS = {"missing": "PathNotFound", "empty": "NoEventFiles", "permission": "AccessDenied"}
_CODES = {
    "storage.denied": "AccessDenied", "storage.wrong_key": "AccessDenied", "storage.wrong_secret": "AccessDenied",
    "storage.expired": "AccessDenied", "storage.no_credentials": "AccessDenied", "storage.no_bucket": "BucketNotFound",
    "storage.unknown_host": "Unreachable", "storage.refused": "Unreachable", "storage.timeout": "Unreachable",
}  # fmt: skip
# logs may come later: the source itself is there
_LATER = frozenset({"missing", "empty"})


def _failure(definition: Definition, number: int, source: observing.Source) -> tuple[str, str]:
    """What the board says of a source that it cannot read, with the name of the secret."""
    secret = sources.secret_of(definition.sources[number]) if number < len(definition.sources) else ""
    used = f" (with the secret `{secret}`)" if secret and f"`{secret}`" not in source.detail else ""
    word = _CODES.get(source.code) or _PROBLEMS.get(source.problem, "Unreadable")
    return word, f"{source.detail or source.problem}{used}"


_SLOT = ("Admitted", "there is a slot")


def _conditions(definition: Definition, shown: Shown, now: float) -> list[dict[str, Any]]:
    board = shown.board
    ready = board.state in _ANSWERING
    idle = board.state is nouns.State.IDLE
    refused = _not_resolved(definition, shown)
    quota = shown.blocked is not None and shown.blocked[0] == "TensorboardLimitExceeded"
    why = _reason(shown) or board.state.value
    told = [
        _condition("Ready", ready, "Answering" if ready else why, "the board answers" if ready else _message(shown)),
        _condition("Idle", idle, "Unused" if idle else "InUse" if ready else "NotRunning", _idle_text(shown)),
        _condition("SourcesResolved", refused is None, *(refused or ("Resolved", "all claims and secrets are there"))),
        _condition("QuotaAdmitted", not quota, *(shown.blocked if quota and shown.blocked else _SLOT)),
        _condition("Suspended", shown.suspended, *_suspended_text(shown)),
    ]  # fmt: skip
    before = {each.get("type"): each for each in definition.status.get("conditions") or []}
    for each in told:
        old = before.get(each["type"], {})
        same = old.get("status") == each["status"]
        each["lastTransitionTime"] = old.get("lastTransitionTime", timestamp(now)) if same else timestamp(now)
        each["observedGeneration"] = definition.generation
    return told


_STATE_TEXTS = {
    "Pending": "the board waits for its start",
    "Starting": "the board starts",
    "Stopping": "the board stops",
    "Stopped": "the board does not run",
    "User": "the board is suspended",
    "IdleReclaimed": "the board is suspended, because nobody used it",
    "MaxRuntime": "the board is suspended, because it ran for its longest time",
}


def _condition(kind: str, value: bool, reason: str, message: str) -> dict[str, Any]:
    word = "".join(sign for sign in reason if sign.isalnum() or sign == "_") or "Unknown"
    text = message[:LONGEST_MESSAGE] or _STATE_TEXTS.get(word, word)
    return {"type": kind, "status": "True" if value else "False", "reason": word, "message": text}


def _not_resolved(definition: Definition, shown: Shown) -> tuple[str, str] | None:
    told = [each for each in _sources(definition, shown, 0.0) if each["status"] == "False"]
    if not told:
        return None
    return told[0]["reason"], "; ".join(f"{each['uri']}: {each['message']}" for each in told)


def _idle_text(shown: Shown) -> str:
    deadlines = policy.deadlines(shown.board, shown.timing)
    if shown.board.state is nouns.State.IDLE:
        if deadlines.reclaim_at is None:
            return "nobody uses the board; it is not suspended by itself"
        return f"nobody uses the board; it is suspended at {timestamp(deadlines.reclaim_at)}"
    return "somebody uses the board" if shown.board.state is nouns.State.RUNNING else "the board does not run"


_WHY = {
    nouns.StopReason.USER: "`suspend` was set",
    nouns.StopReason.IDLE_RECLAIMED: "nobody used the board; set `suspend` to false to bring it back",
    nouns.StopReason.MAX_RUNTIME: "the board ran for `maxRuntime`; set `suspend` to false to bring it back",
    nouns.StopReason.ADMIN: "an admin suspended the board",
}


def _suspended_text(shown: Shown) -> tuple[str, str]:
    if not shown.suspended:
        return "NotSuspended", "`suspend` is false"
    reason = shown.board.stop_reason or nouns.StopReason.USER
    return reason.value, _WHY[reason]


def _activity(definition: Definition, shown: Shown, now: float) -> dict[str, Any]:
    board, old = shown.board, definition.status.get("activity") or {}
    written = seconds(old.get("lastActivity")) or 0.0
    step = min(ACTIVITY_SECS, shown.timing.idle_after_secs / 4)
    if 0 <= board.last_activity - written < step:
        board = dataclasses.replace(board, last_activity=written)
    made: dict[str, Any] = {"lastActivity": timestamp(board.last_activity)}
    if board.state in _ANSWERING:
        result = "Failure" if shown.unanswered else "Success"
        probe = old.get("lastProbe") or {}
        since = probe.get("time") if probe.get("result") == result else None
        made["lastProbe"] = {"time": since or timestamp(now), "result": result}
    deadlines = policy.deadlines(board, shown.timing)
    for name, at in (
        ("idleAt", deadlines.idle_at), ("reclaimAt", deadlines.reclaim_at), ("runtimeEndsAt", deadlines.runtime_ends_at)
    ):  # fmt: skip
        if at is not None:
            made[name] = timestamp(at)
    return {**{name: None for name in old if name not in made}, **made}


# -- TensorStack's


_T9K_PHASES = {
    nouns.State.PENDING: "Pending", nouns.State.STARTING: "Pending", nouns.State.RUNNING: "Running",
    nouns.State.IDLE: "Running", nouns.State.STOPPING: "Terminating", nouns.State.STOPPED: "Suspended",
    nouns.State.FAILED: "Failed", nouns.State.DELETING: "Terminating",
}  # fmt: skip


def _tensorstack(definition: Definition, shown: Shown, options: Options, now: float) -> dict[str, Any]:
    path = f"{definition.path}/"
    made: dict[str, Any] = {
        "phase": _T9K_PHASES[shown.board.state],
        "url": f"{options.url.rstrip('/')}{path}" if options.url else path,
        "conditions": _t9k_conditions(definition, shown, now),
    }
    if shown.pod is not None:
        made["pod"] = {"reference": {"name": shown.pod.name, "uid": shown.pod.uid}, "phase": shown.pod.phase}
    return made


def _t9k_conditions(definition: Definition, shown: Shown, now: float) -> list[dict[str, Any]]:
    """Its two, and ours that say why it is not ready."""
    before = {each.get("type"): each for each in definition.status.get("conditions") or []}
    told = []
    for each in _conditions(definition, shown, now):
        if each["type"] not in ("Ready", "Idle") and each["status"] == (
            "False" if each["type"] == "Suspended" else "True"
        ):
            continue
        old = before.get(each["type"], {})
        same = all(old.get(name) == each[name] for name in ("status", "message"))
        told.append(
            {
                "type": each["type"],
                "status": each["status"],
                "reason": each["reason"],
                "message": each["message"],
                "lastTransitionTime": each["lastTransitionTime"],
                "lastProbeTime": old.get("lastProbeTime", timestamp(now)) if same else timestamp(now),
            }
        )
    return told


# -- Kubeflow's


def _kubeflow(definition: Definition, shown: Shown, options: Options, now: float) -> dict[str, Any]:
    """One condition with the state of the Deployment; its page shows `readyReplicas`."""
    ready = shown.board.state in _ANSWERING
    failed = shown.board.state is nouns.State.FAILED or (shown.blocked is not None)
    state = "Available" if ready else "ReplicaFailure" if failed else "Progressing"
    old = (definition.status.get("conditions") or [{}])[-1]
    since = old.get("lastProbeTime") if old.get("deploymentState") == state else None
    condition = {"deploymentState": state, "lastProbeTime": since or timestamp(now)}
    return {"conditions": [condition], "readyReplicas": 1 if ready else 0}


_BY_KIND = {kinds.BOARD.word: _ours, kinds.TENSORSTACK.word: _tensorstack, kinds.KUBEFLOW.word: _kubeflow}
