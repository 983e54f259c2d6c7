// What the user enters for a board, before the hub has seen it: names proposed from addresses, times within bounds.

import type { Bounds, Source, Times } from "../api/types";

export type TimeMember = keyof Times;

export const TIME_MEMBERS: readonly TimeMember[] = ["idle_after", "reclaim_after", "max_runtime"];

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const CHOICES: Readonly<Record<TimeMember, readonly number[]>> = {
  idle_after: [15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, DAY, 0],
  reclaim_after: [15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY, 0],
  max_runtime: [HOUR, 4 * HOUR, 12 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY, 0],
};

/** 0 is never, which is longer than everything. */
function orNever(seconds: number): number {
  return seconds > 0 ? seconds : Number.POSITIVE_INFINITY;
}

/** Durations to choose from: those within the bounds, for an admin (no bounds) all, and always the current one. */
export function timeChoices(member: TimeMember, bounds: Bounds | null, current: number | null): readonly number[] {
  const least = bounds?.shortest[member] ?? null;
  const most = bounds?.longest[member] ?? null;
  const allowed = CHOICES[member].filter(
    (seconds) => (least === null || orNever(seconds) >= least) && (most === null || orNever(seconds) <= orNever(most)),
  );
  if (current === null || allowed.includes(current)) return allowed;
  return [...allowed, current].sort((one, other) => orNever(one) - orNever(other));
}

/** A duration as the hub reads it. */
export function durationWord(seconds: number): string {
  return seconds === 0 ? "never" : `${seconds}s`;
}

const LONGEST_NAME = 60;

/** A name for a board at an address: the last part of its path, "" if there is none. */
export function proposedName(uri: string): string {
  const path = uri
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/[?#].*$/, "");
  const parts = path.split("/").filter((part) => part !== "" && !/[*?[\]]/.test(part));
  // "logs" and "tensorboard" say nothing: the part before them does
  const telling = parts.filter((part) => !/^(logs?|runs?|events?|tensorboard|tb|output|lightning_logs)$/i.test(part));
  return (telling.at(-1) ?? parts.at(-1) ?? "").slice(0, LONGEST_NAME);
}

export const NO_SOURCE: Source = { uri: "", prefix: "", secret: "" };

/** Sources as they are sent: without spaces around, and without empty ones. */
export function cleanSources(sources: readonly Source[]): readonly Source[] {
  return sources
    .map(({ uri, prefix, secret }) => ({ uri: uri.trim(), prefix: prefix.trim(), secret }))
    .filter(({ uri }) => uri !== "");
}

/** A random key; pages without TLS have no `crypto.randomUUID`. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
