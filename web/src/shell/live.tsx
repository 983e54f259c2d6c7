// The dot that shows whether the connection is live, and the time of the last change. A click reloads all data.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatShare } from "../base/sizes";
import { connection, progress, reconnect, refreshing, type SnapshotInfo, snapshot, updatedAt } from "../state/board";
import { dateText, texts } from "../state/view";
import { Icon } from "../widgets/icons";
import { ageOf, untilNextAgeMs } from "./age";
import "./live.css";

// a timer that fires too early would find the same text, and no new timer would be set
const LATE_MS = 50;

function told(elapsedMs: number): string {
  const words = texts.value.shell.live;
  const age = ageOf(elapsedMs);
  return age.unit === "now" ? words.now : words[age.unit](age.count);
}

export function Live(): JSX.Element {
  return snapshot === null ? <LiveState /> : <SnapshotState {...snapshot} />;
}

/** A snapshot has no connection: it says what it is and when it was taken. */
function SnapshotState({ name, taken, points }: SnapshotInfo): JSX.Element {
  const words = texts.value.shell.snapshot;
  const of = words.of(name, dateText(taken, "second") ?? "");
  return (
    <span class="live live--still" data-testid="snapshot" title={`${of}\n${words.fixed}\n${words.points(points)}`}>
      <Icon name="save" />
      <span class="live__text">{words.taken(dateText(taken, "minute") ?? "")}</span>
      <span class="aside-text">{of}</span>
    </span>
  );
}

function LiveState(): JSX.Element {
  const words = texts.value.shell.live;
  const state = connection.value;
  const now = useSignal(Date.now());
  const since = updatedAt.value;
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(
      () => {
        now.value = Date.now();
      },
      untilNextAgeMs(Date.now() - since) + LATE_MS,
    );
    return () => clearTimeout(timer);
  }, [since, now.value, now]);
  const reading = progress.value !== null && !progress.value.done;
  const text = (): string => {
    if (state === "lost") return words.lost;
    if (reading && progress.value !== null && progress.value.bytes_total > 0) {
      const [read, total] = formatShare(progress.value.bytes_read, progress.value.bytes_total);
      return texts.value.shell.reading.short(read, total);
    }
    if (reading && progress.value !== null && progress.value.files_total > 0) {
      return texts.value.shell.reading.listing(progress.value.files_total);
    }
    if (state === "connecting" || since === null) return words.connecting;
    if (state === "resting") return words.resting;
    return told(now.value - since);
  };
  return (
    <>
      <button
        type="button"
        class="live"
        data-testid="live"
        data-state={state}
        title={`${state === "lost" ? words.isLost : words.isLive}\n${words.refresh}`}
        onClick={reconnect}
      >
        <span class={refreshing.value ? "live__mark live__mark--busy" : "live__mark"}>
          <span class="live__dot" />
          <Icon name="refresh" />
        </span>
        <span class="live__text">{text()}</span>
      </button>
      <span class="aside-text" role="status">
        {state === "lost" ? words.isLost : state === "live" ? words.isLive : ""}
      </span>
    </>
  );
}
