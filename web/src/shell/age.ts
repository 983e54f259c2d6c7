// Age of the last change of the board. Seconds are rounded to fives and tens: a running counter distracts, and an idle
// page should not redraw.

export type Age = { readonly unit: "now" } | { readonly unit: "seconds" | "minutes" | "hours"; readonly count: number };

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const TEN_SECONDS_MS = 10 * SECOND_MS;
const FIRST_MS = TEN_SECONDS_MS / 2;

function grainMs(elapsedMs: number): number {
  if (elapsedMs < TEN_SECONDS_MS) return FIRST_MS;
  if (elapsedMs < MINUTE_MS) return TEN_SECONDS_MS;
  return elapsedMs < HOUR_MS ? MINUTE_MS : HOUR_MS;
}

/** A negative age, from a clock that was set back, counts as now. */
export function ageOf(elapsedMs: number): Age {
  const grain = grainMs(elapsedMs);
  const toldMs = Math.max(0, Math.floor(elapsedMs / grain) * grain);
  if (toldMs === 0) return { unit: "now" };
  if (toldMs < MINUTE_MS) return { unit: "seconds", count: toldMs / SECOND_MS };
  if (toldMs < HOUR_MS) return { unit: "minutes", count: toldMs / MINUTE_MS };
  return { unit: "hours", count: toldMs / HOUR_MS };
}

/** Returns the time until the text changes. */
export function untilNextAgeMs(elapsedMs: number): number {
  const grain = grainMs(elapsedMs);
  return Math.max(0, Math.floor(elapsedMs / grain) + 1) * grain - elapsedMs;
}
