"""Tells the hub about a job: registers it, reports, sends what it prints, waits for orders.

Everything is read from the spool, so nothing is lost while the hub is away, and it does not matter which process sends:
the guard, the command in its place, or a later `lightboard run`. Refusals end it, with a sentence; everything else is
tried again.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from lightboard import client, errors
from lightboard.jobs import facts, spool

HEARTBEAT_SECS = 10.0
TURN_SECS = 0.25
CONSOLE_BYTES = 512 << 10
HOLD_SECS = 25.0
MOST_PAUSE_SECS = 15.0
# One request to a hub that does not answer takes no longer than this.
SILENT_SECS = 15.0


class Sender:
    """State: what the hub was told last, and how long to wait after a failure."""

    def __init__(
        self,
        kept: spool.Spool,
        *,
        stop: Callable[[float], None] | None = None,
        ended: threading.Event | None = None,
        linger_secs: float = 0.0,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._spool, self._stop, self._say = kept, stop, say
        self._ended = ended or threading.Event()
        self._linger_secs = linger_secs
        self._hub: client.Hub | None = None
        self._job: client.Job | None = None
        self._report_at = 0.0
        self._told_events = False
        self._orders: threading.Thread | None = None

    def run(self) -> None:
        """Until the hub knows the end, or has refused, or was away for `linger_secs` after the end."""
        self._send()
        if self._spool.state.told and not self._spool.state.refusal:
            send_left_over()

    def _send(self) -> None:
        pause, failing_since = TURN_SECS, 0.0
        while not self._spool.state.told:
            try:
                self._turn()
                pause, failing_since = TURN_SECS, 0.0
            except (client.NotFound, client.Forbidden, client.InvalidRequest, client.Conflict) as error:
                self._refused(error)
                return
            except client.Unauthenticated as error:
                if self._spool.state.hub_id == "" and not self._spool.state.refusal:
                    self._spool.change(refusal=f"{error.message}")
                    self._say(f"{error.message}; the job runs on, and is kept on this machine")
                pause, failing_since = self._failed(pause, failing_since)
            except errors.BadInput as error:  # no token may be sent there
                self._refused(error)
                return
            except (errors.LightboardError, OSError):
                pause, failing_since = self._failed(pause, failing_since)
            if failing_since and self._is_over(failing_since):
                return
            self._wait(pause)

    def _failed(self, pause: float, failing_since: float) -> tuple[float, float]:
        if self._hub is not None:
            self._hub.close()
        return min(max(pause, 0.25) * 2, MOST_PAUSE_SECS), failing_since or time.monotonic()

    def _is_over(self, failing_since: float) -> bool:
        ended = self._spool.state.ended
        return ended is not None and time.time() - ended > self._linger_secs and time.monotonic() > failing_since

    def _wait(self, secs: float) -> None:
        """Shorter if the job ends meanwhile."""
        if self._ended.is_set():
            time.sleep(min(secs, 1.0) if secs > TURN_SECS else secs)
        else:
            self._ended.wait(secs)

    def _refused(self, error: errors.LightboardError) -> None:
        self._spool.change(refusal=error.message, told=True)
        self._say(f"the hub refused the job: {error.message}; it runs on, and is kept on this machine")

    def _turn(self) -> None:
        if self._job is None:
            self._register()
        assert self._job is not None
        state = self._spool.state  # before the console is read: what was printed before the end is sent before it
        figures = self._due_report(state)
        self._send_console()
        if state.ended is not None:
            if not self._is_reported_end(state):
                return
            if state.closed or time.time() - state.ended > self._linger_secs:
                self._send_console()
                self._spool.change(told=True)
        elif figures is not None:
            self._report(state, figures)

    def _register(self) -> None:
        record_git(self._spool)
        written = self._spool.job()
        if self._hub is None:
            self._hub = client.Hub(written["hub"] or None, insecure=bool(written.get("insecure")))
        if self._spool.state.hub_id:
            self._job = self._hub.jobs.get(self._spool.state.hub_id)
        else:
            body = {**written["job"], "started": self._spool.state.started or time.time()}
            self._job = self._hub.jobs.register_raw(body, key=written["key"])
            self._spool.change(hub_id=self._job.id, refusal="")
            self._say(f"job {self._job.url}")
        if self._stop is not None and self._orders is None and self._spool.state.ended is None:
            self._orders = threading.Thread(target=self._wait_for_orders, name="orders", daemon=True)
            self._orders.start()

    def _due_report(self, state: spool.State) -> dict[str, Any] | None:
        """Figures to report; None: it is not time yet."""
        new_events = state.has_events and not self._told_events
        if time.monotonic() < self._report_at and not new_events:
            return None
        return read_figures(self._spool)

    def _report(self, state: spool.State, figures: dict[str, Any]) -> None:
        assert self._job is not None
        remote = "://" in str(self._spool.job()["job"].get("logdir", ""))
        self._job.report(
            figures=figures or None,
            has_events=True if state.has_events else None if remote else False,
            log_bytes=self._spool.console_size(),
        )
        self._told_events = state.has_events
        self._report_at = time.monotonic() + HEARTBEAT_SECS

    def _is_reported_end(self, state: spool.State) -> bool:
        assert self._job is not None
        self._job.report(
            ended=state.ended,
            exit_code=state.exit_code,
            signal=state.signal or None,
            out_of_memory=state.out_of_memory or None,
            message=state.message or None,
            figures=read_figures(self._spool) or None,
            has_events=state.has_events,
            log_bytes=self._spool.console_size(),
        )
        return True

    def _send_console(self) -> None:
        assert self._job is not None
        sent = self._spool.state.sent_bytes
        while data := self._spool.read_console(sent, CONSOLE_BYTES):
            sent = self._job.append_log(sent, data)
            self._spool.change(sent_bytes=sent)
            if len(data) < CONSOLE_BYTES:
                return

    # -- orders

    def _wait_for_orders(self) -> None:
        assert self._job is not None and self._stop is not None
        with contextlib.suppress(errors.LightboardError):
            hub = client.Hub(self._spool.job()["hub"] or None, insecure=bool(self._spool.job().get("insecure")))
            job = hub.jobs.of(self._job.data)
            while not self._ended.is_set():
                try:
                    orders = job.orders(HOLD_SECS)
                except (client.NotFound, client.Forbidden):
                    return
                except errors.LightboardError:
                    self._ended.wait(2.0)
                    continue
                if orders.get("stop"):
                    self._stop(float(orders.get("grace_secs", 15.0)))
                    return


def record_git(kept: spool.Spool) -> None:
    """Adds the git commit of the job's directory to what is known of it. May take seconds, so not at the start."""
    job = kept.job()["job"]
    if "git" not in job:
        kept.add(git=facts.git(job["directory"]))


def read_figures(kept: spool.Spool) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((kept.folder / "figures.json").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return found


def send_left_over() -> int:
    """Sends what earlier jobs could not; returns how many. Stops at the first hub that is away."""
    sent = 0
    for known in spool.all_spools():
        if known.state.told or not known.job().get("hub"):
            continue
        with known.sending() as mine:
            each = spool.Spool(known.folder)  # as it is now
            state = each.state
            if not mine or state.told or (state.ended is None and _is_alive(state.pid)):
                continue
            if state.ended is None:  # the machine went down, or everything was killed: how it ended is not known
                each.change(ended=_last_change(each), closed=True)
            elif not state.closed:
                each.change(closed=True)
            sending = Sender(each)
            try:
                while not each.state.told:
                    sending._turn()
                sent += 1
            except (
                client.NotFound,
                client.Forbidden,
                client.InvalidRequest,
                client.Conflict,
                errors.BadInput,
            ) as error:
                sending._refused(error)
            except (errors.LightboardError, OSError):
                break
    spool.forget_old()
    return sent


def _is_alive(pid: int) -> bool:
    import os

    if not pid:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _last_change(kept: spool.Spool) -> float:
    times = [kept.state.started or time.time()]
    for name in ("console", "state.json", "figures.json"):
        with contextlib.suppress(OSError):
            times.append((kept.folder / name).stat().st_mtime)
    return max(times)
