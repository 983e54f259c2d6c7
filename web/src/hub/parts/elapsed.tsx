// A duration that grows every second while something runs.

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { durationText, secondsOf, spanText } from "../preferences";

/** The clock of durations: changes every second while one of them is shown. */
const second = signal(Date.now() / 1000);
let shown = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function followClock(): () => void {
  shown += 1;
  timer ??= setInterval(() => {
    if (document.visibilityState === "visible") second.value = Date.now() / 1000;
  }, 1000);
  return () => {
    shown -= 1;
    if (shown > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

type Properties = {
  readonly since: string;
  /** Null: it still runs. */
  readonly until: string | null;
  /** Without seconds from an hour on, for lists. */
  readonly short?: boolean;
};

const HOUR = 3600;

export function Elapsed({ since, until, short = false }: Properties): JSX.Element {
  const runs = until === null;
  useEffect(() => (runs ? followClock() : undefined), [runs]);
  const end = runs ? second.value : (secondsOf(until) ?? 0);
  const secs = Math.max(0, Math.floor(end - (secondsOf(since) ?? end)));
  const text = short && secs >= HOUR ? spanText(60 * Math.floor(secs / 60)) : durationText(secs);
  return (
    <span class="elapsed" title={short ? durationText(secs) : undefined}>
      {text}
    </span>
  );
}
