"""What has to be done for a board: `plan(definition, observed, memory, …)`, a pure function.

The state of a board is computed by `hub/life`: this module turns pods into what `life.step` takes, and its decision
into replicas, a Service, a route and a status. Nothing is remembered that could not be found again (`adopt`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lightboard.hub import life
from lightboard.hub.life import commands, nouns, policy
from lightboard.operator import Label, Note, objects, observing, sources, status
from lightboard.operator.kinds import Definition, seconds
from lightboard.operator.observing import Answer, Pod
from lightboard.operator.options import Options

# From the change of the Service until nobody can reach the board any more.
DRAIN_SECS = 1.0
# A board that does not answer the last question is not stopped: after this long its Service leads to it again.
LAST_QUESTION_SECS = 15.0
# A failed board is tried again.
RETRY_SECS = 300.0
# Claims are watched; secrets and slots of quotas are looked up.
BLOCKED_SECS = 30.0
# Pods are watched: a starting board is looked at when its pod changes, and now and then.
STARTING_SECS = 5.0
UNANSWERED_SECS = 0.3
_SERVING = (nouns.State.STARTING, nouns.State.RUNNING, nouns.State.IDLE)
_ANSWERING = (nouns.State.RUNNING, nouns.State.IDLE)


@dataclasses.dataclass(frozen=True)
class Memory:
    """What is known of a board between two looks. `suspended` is what the resource said, or was written."""

    board: nouns.Board
    suspended: bool
    generation: int
    sources: tuple[observing.Source, ...] | None = None
    sources_at: float = 0.0


@dataclasses.dataclass(frozen=True, kw_only=True)
class Observed:
    deployment: Mapping[str, Any] | None = None
    service: Mapping[str, Any] | None = None
    route: Mapping[str, Any] | None = None
    pods: tuple[Pod, ...] = ()
    claims: Mapping[str, Any | None] = dataclasses.field(default_factory=dict)
    secrets: Mapping[str, Any | None] = dataclasses.field(default_factory=dict)
    answer: Answer | None = None
    # a pod was ready and did not answer
    unanswered: bool = False


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plan:
    """In this order: `suspend` the resource, `apply` documents, `scale` the Deployment, write the `status`."""

    memory: Memory
    status: Mapping[str, Any]
    apply: tuple[Mapping[str, Any], ...] = ()
    scale: int | None = None
    suspend: nouns.StopReason | None = None
    forget_reason: bool = False  # the annotation that says why it was suspended is old
    events: tuple[nouns.Event, ...] = ()
    look_again_at: float | None = None


# scope, limit, used and names of boards that could be stopped; None: there is a slot
Full = tuple[str, int, int, tuple[str, ...]]


def adopt(definition: Definition, observed: Observed, now: float) -> Memory:
    """A board that this operator has not seen yet, as it is in the cluster."""
    shown = definition.status
    board = nouns.Board(
        id=f"{definition.namespace}/{definition.name}",
        name=definition.name,
        workspace=definition.namespace,
        owner=definition.account,
        sources=tuple(nouns.Source(each.uri, each.prefix) for each in definition.sources),
        created=definition.created,
        policy=definition.policy,
        last_activity=seconds((shown.get("activity") or {}).get("lastActivity")) or definition.created,
        state_since=now,
        attempt=1,
        look_again_at=now,
    )
    pod = observing.current(observed.pods, _deployed(observed))
    replicas = _replicas(observed)
    changes: dict[str, Any] = {}
    if definition.suspended:
        state = nouns.State.STOPPING if observed.pods else nouns.State.STOPPED
        reason = definition.suspended_by
        changes = {"state": state, "desired": nouns.Desired.STOP, "stop_reason": reason, "reason": reason.value}
        changes["stop_sent"] = now if observed.pods else None
    elif not replicas:
        if shown.get("phase") == nouns.State.FAILED.value and observed.deployment is not None:
            changes = {"state": nouns.State.FAILED, "reason": shown.get("reason", "")}
            changes["message"] = shown.get("message", "")
    elif pod is not None and pod.ready:
        state = nouns.State.IDLE if shown.get("phase") == nouns.State.IDLE.value else nouns.State.RUNNING
        started = seconds(shown.get("startedAt")) or pod.ready_since
        changes = {"state": state, "answering_since": pod.ready_since, "started": started, "state_since": 0.0}
    else:
        changes = {"state": nouns.State.STARTING, "attempted_at": pod.created if pod is not None else now}
    generation = int(shown.get("observedGeneration") or definition.generation)
    return Memory(dataclasses.replace(board, **changes), definition.suspended, generation)


def plan(
    definition: Definition,
    observed: Observed,
    memory: Memory | None,
    full: Callable[[], Full | None],
    options: Options,
    now: float,
) -> Plan:
    """`full` is asked only if the board wants to start."""
    memory = memory or adopt(definition, observed, now)
    timing = policy.effective(definition.policy, options.policy)
    if definition.fault:
        return _refused(definition, observed, memory, options, timing, now)
    resolved = sources.resolve(definition, observed.claims, observed.secrets)
    pod_template = objects.template(definition, resolved, options) if resolved.complete else None
    turn = _Turn(definition, observed, memory, resolved, pod_template, timing, now)
    turn.obey()
    blocked = turn.blocked(full)
    if blocked is None:
        turn.step()
    else:
        board = dataclasses.replace(turn.board, reason=blocked[0], message=blocked[1], look_again_at=now + BLOCKED_SECS)
        turn.board = board
    return turn.made(options, blocked)


class _Turn:
    """One call of `plan`. State: `board` and `events`, changed step by step."""

    def __init__(
        self,
        definition: Definition,
        observed: Observed,
        memory: Memory,
        resolved: sources.Resolved,
        pod_template: dict[str, Any] | None,
        timing: policy.Timing,
        now: float,
    ) -> None:
        self.definition = definition
        self.observed = observed
        self.memory = memory
        self.resolved = resolved
        self.template = pod_template
        self.timing = timing
        self.now = now
        self.deployed = _deployed(observed)
        self.wanted = pod_template["metadata"]["labels"][Label.TEMPLATE] if pod_template else self.deployed
        self.board = dataclasses.replace(memory.board, policy=definition.policy, owner=definition.account)
        self.events: list[nouns.Event] = []
        self.resumed = False

    # -- commands

    def obey(self) -> None:
        """What the resource says that somebody wants."""
        board, now = self.board, self.now
        if self.definition.suspended and board.desired is nouns.Desired.RUN:
            self._stop()
        elif not self.definition.suspended and self.memory.suspended and board.desired is nouns.Desired.STOP:
            self._take(commands.start(board, now, "resource"))
            self.resumed = True
        elif board.state is nouns.State.FAILED and not self.definition.suspended and self._may_retry():
            self._take(commands.start(board, now, nouns.HUB))

    def _stop(self) -> None:
        reason, board, now = self.definition.suspended_by, self.board, self.now
        if board.state is nouns.State.FAILED:
            self.board = dataclasses.replace(
                board, state=nouns.State.STOPPED, state_since=now, desired=nouns.Desired.STOP, stop_reason=reason,
                reason=reason.value, message="",
            )  # fmt: skip
            return
        self._take(commands.stop(board, now, "resource", reason))
        # the resource says it: no question is left
        self.board = dataclasses.replace(self.board, stop_sent=now)

    def _may_retry(self) -> bool:
        changed = self.memory.generation != self.definition.generation or self.wanted != self.deployed
        return changed or self.now >= self.board.state_since + RETRY_SECS

    def _take(self, change: commands.Change) -> None:
        self.board = change.board
        self.events += change.events

    # -- state

    def blocked(self, full: Callable[[], Full | None]) -> tuple[str, str] | None:
        """Why a board that wants to start cannot."""
        if self.board.state is not nouns.State.PENDING:
            return None
        missing = next((each for each in self.resolved.findings if each.reason), None)
        if missing is not None:
            return missing.reason, missing.message
        found = full()
        if found is None:
            return None
        scope, limit, used, boards = found
        which = f": {', '.join(boards)}" if boards else ""
        return "TensorboardLimitExceeded", f"{used} of {limit} boards of {scope} are active; stop or delete one{which}"

    def step(self) -> None:
        self._follow_template()
        self._notice_lost_pod()
        if self._waits_for_drain():
            return
        seen = observing.seen(self.board, self.observed.pods, self.wanted, self.observed.answer, self.now)
        decision = life.step(self.board, seen, self.now, self.timing)
        self.board = decision.board
        self.events += decision.events

    def _follow_template(self) -> None:
        rolls = self.template is not None and self.deployed not in ("", self.wanted)
        if rolls and self.board.state in _SERVING:
            if self.board.state in _ANSWERING:
                self._event("Changed", "Changed", "a new pod replaces the old one")
            self._start_again("Changed", "a new pod replaces the old one")

    def _notice_lost_pod(self) -> None:
        pod = observing.current(self.observed.pods, self.wanted)
        if self.board.state in _ANSWERING and (pod is None or not pod.ready):
            reason = (pod.reason if pod is not None else "") or "PodLost"
            message = (
                pod.message if pod is not None else ""
            ) or "the pod does not answer or is gone; another one starts"
            self._event("Restarting", reason, message)
            self._start_again(reason, message)
        elif self.board.state is nouns.State.STARTING and pod is not None and not pod.scheduled:
            self.board = dataclasses.replace(self.board, attempted_at=self.now)  # waiting for a node is no failure

    def _start_again(self, reason: str, message: str) -> None:
        self.board = dataclasses.replace(
            self.board,
            state=nouns.State.STARTING,
            state_since=self.now,
            attempted_at=self.now,
            reason=reason,
            message=message,
        )

    def _waits_for_drain(self) -> bool:
        board = self.board
        if board.state is not nouns.State.STOPPING or board.stop_sent is not None or board.desired is nouns.Desired.RUN:
            return False
        if self.now >= board.state_since + LAST_QUESTION_SECS:
            self.board = dataclasses.replace(
                board, state=nouns.State.IDLE, state_since=self.now, desired=nouns.Desired.RUN, stop_reason=None,
                reason="NotAnswering", message="the board did not answer the last question, so it is not stopped",
            )  # fmt: skip
            return False
        drained = board.state_since + DRAIN_SECS
        self.board = dataclasses.replace(board, look_again_at=drained)
        return self.now < drained or self.observed.answer is None or self.observed.answer.at < drained

    def _event(self, kind: str, reason: str, message: str) -> None:
        self.events.append(nouns.Event(self.board.id, self.now, kind, nouns.HUB, reason, message))

    # -- result

    def made(self, options: Options, blocked: tuple[str, str] | None) -> Plan:
        board, definition, observed = self.board, self.definition, self.observed
        suspend = None
        if board.desired is nouns.Desired.STOP and board.stop_sent is not None and not definition.suspended:
            suspend = board.stop_reason
        replicas = 1 if board.state in _SERVING or _asks(board) else 0
        apply, scale = self._objects(options, replicas)
        answer = observed.answer
        known, known_at = self.memory.sources, self.memory.sources_at
        if answer is not None and answer.sources is not None:
            known, known_at = answer.sources, answer.at
        if board.state not in _ANSWERING:
            known = None
        memory = Memory(board, definition.suspended or suspend is not None, definition.generation, known, known_at)
        shown = status.Shown(
            board=board,
            timing=self.timing,
            findings=self.resolved.findings,
            failing=known,
            blocked=blocked,
            pod=observing.current(observed.pods, self.wanted),
            unanswered=observed.unanswered,
            suspended=memory.suspended,
        )
        return Plan(
            memory=memory,
            status=status.of(definition, shown, options, self.now),
            apply=apply,
            scale=scale,
            suspend=suspend,
            forget_reason=self.resumed and Note.SUSPENDED_BY in definition.annotations,
            events=tuple(self.events),
            look_again_at=self._again(),
        )

    def _objects(self, options: Options, replicas: int) -> tuple[tuple[Mapping[str, Any], ...], int | None]:
        deployment, definition = self.observed.deployment, self.definition
        if deployment is None and not replicas:
            return (), None
        apply: list[Mapping[str, Any]] = []
        scale = None
        differs = _replicas(self.observed) != replicas
        if self.template is not None and replicas:
            wanted = objects.deployment(definition, self.template, replicas=replicas, alone=self.resolved.alone)
            if differs or _hash(deployment) != _hash(wanted):
                apply.append(wanted)
        elif differs:
            scale = replicas
        others = [objects.service(definition, drained=_asks(self.board)), objects.route(definition, options)]
        for found, other in zip((self.observed.service, self.observed.route), others, strict=True):
            if other is not None and _hash(found) != _hash(other):
                apply.append(other)
        return tuple(apply), scale

    def _again(self) -> float | None:
        board, now = self.board, self.now
        again = board.look_again_at
        if board.state is nouns.State.STARTING:
            pod = observing.current(self.observed.pods, self.wanted)
            again = now + STARTING_SECS
            if pod is not None and pod.ready:  # it answers soon, or is asked less and less often
                again = now + min(STARTING_SECS, max(UNANSWERED_SECS, (now - pod.ready_since) / 4))
        elif board.state is nouns.State.FAILED:
            again = board.state_since + RETRY_SECS
        elif board.state is nouns.State.STOPPING and board.stop_sent is not None:
            again = now + STARTING_SECS  # pods are watched
        elif board.state in _ANSWERING and self.memory.sources is None and again is not None:
            again = min(again, now + STARTING_SECS)  # what it cannot read is soon known
        return again


def _refused(
    definition: Definition, observed: Observed, memory: Memory, options: Options, timing: policy.Timing, now: float
) -> Plan:
    """A manifest that cannot be understood: nothing is changed, and it is said."""
    state = memory.board.state if memory.board.state in _SERVING else nouns.State.FAILED
    board = dataclasses.replace(memory.board, state=state, reason="InvalidManifest", message=definition.fault)
    shown = status.Shown(
        board=board,
        timing=timing,
        findings=(sources.Finding("", "InvalidManifest", definition.fault),),
        blocked=("InvalidManifest", definition.fault),
        pod=observing.current(observed.pods, ""),
        suspended=definition.suspended,
    )
    memory = dataclasses.replace(memory, board=board, generation=definition.generation)
    return Plan(memory=memory, status=status.of(definition, shown, options, now))


def _asks(board: nouns.Board) -> bool:
    """Whether the board is asked for the last time before it is stopped."""
    return (
        board.state is nouns.State.STOPPING and board.stop_sent is None and board.desired is nouns.Desired.STOP
    )  # fmt: skip


def _hash(document: Mapping[str, Any] | None) -> str:
    return "" if document is None else ((document["metadata"].get("annotations") or {}).get(Note.HASH, ""))


def _deployed(observed: Observed) -> str:
    """The hash of the deployed template."""
    if observed.deployment is None:
        return ""
    meta = ((observed.deployment.get("spec") or {}).get("template") or {}).get("metadata") or {}
    return str((meta.get("labels") or {}).get(Label.TEMPLATE, ""))


def _replicas(observed: Observed) -> int:
    if observed.deployment is None:
        return 0
    return int((observed.deployment.get("spec") or {}).get("replicas", 1))


def waiting(plans: Sequence[Memory]) -> list[Memory]:
    """Boards that wait for a slot, the oldest first."""
    blocked = [each for each in plans if each.board.reason == "TensorboardLimitExceeded"]
    return sorted(blocked, key=lambda each: each.board.created)
