// The dot that says whether changes arrive, and when the last one did. Pressed, it asks for everything again.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatShare } from "../base/sizes";
import { connection, progress, reconnect, refreshing, updatedAt } from "../state/board";
import { texts } from "../state/view";
import { Icon } from "../widgets/icons";
import "./live.css";

const SECOND_MS = 1000;

/** "Updated 3 s ago"; whole units only, it is read at a glance. */
export function age(elapsedMs: number): string {
  const words = texts.value.shell.live;
  const seconds = Math.floor(elapsedMs / SECOND_MS);
  if (seconds < 2) return words.now;
  if (seconds < 60) return words.seconds(seconds);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? words.minutes(minutes) : words.hours(Math.floor(minutes / 60));
}

export function Live(): JSX.Element {
  const words = texts.value.shell.live;
  const state = connection.value;
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) now.value = Date.now();
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [now]);
  const reading = progress.value !== null && !progress.value.done;
  const since = updatedAt.value;
  const text = (): string => {
    if (state === "lost") return words.lost;
    if (reading && progress.value !== null && progress.value.bytes_total > 0) {
      const [read, total] = formatShare(progress.value.bytes_read, progress.value.bytes_total);
      return texts.value.shell.reading.short(read, total);
    }
    if (state === "connecting" || since === null) return words.connecting;
    if (state === "resting") return words.resting;
    return age(Math.max(0, now.value - since));
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
