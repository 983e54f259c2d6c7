// Decides what to request if a card wants other lines than it has. Pure; state/series_reducer.ts decides when.

import type { Edges } from "./cards";
import type { Range, SCALES } from "./settings";

/** Everything that determines the lines of a card. */
export type SeriesQuestion = {
  readonly tags: readonly string[];
  /** Drawn runs, in their order. */
  readonly runs: readonly string[];
  /** True if these are all runs of the board: they need not be listed in the request. */
  readonly allRuns: boolean;
  readonly x: string;
  readonly xScale: (typeof SCALES)[number];
  /** Null: the whole range. */
  readonly range: Range | null;
  readonly widthPx: number;
  /** In the syntax of /api/scalars; "" for none. */
  readonly smoothing: string;
  readonly rewinds: "board" | "latest" | "all";
  readonly exact: boolean;
  readonly group: string;
  readonly band: "std" | "minmax" | "quantiles";
  /** If set, each tag is drawn with the area between two other tags. */
  readonly edges?: Edges | undefined;
};

export type Plan =
  | { readonly kind: "nothing" }
  /** Request everything again: immediately, or when the user pauses. */
  | { readonly kind: "whole"; readonly delayMs: number }
  /** Request only the smoothed lines: a draft immediately, the exact ones when the slider stops. */
  | { readonly kind: "smoothing"; readonly draft: boolean; readonly delayMs: number }
  /** Request only these runs and add them; later everything, for exact extents. */
  | { readonly kind: "runs"; readonly missing: readonly string[] };

// longer than the interval between two wheel events
const ZOOM_DELAY_MS = 120;
// long enough that toggling several runs sends one request
const EXTENT_DELAY_MS = 900;
// a smaller relative change of the width needs no new request
const WIDTH_SLACK = 0.06;

/** The plan that follows a draft. */
export const EXACT_SMOOTHING: Plan = { kind: "smoothing", draft: false, delayMs: 250 };

export function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, i) => name === b[i]));
}

function sameRange(a: Range | null, b: Range | null): boolean {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1]);
}

function sameKind(a: SeriesQuestion, b: SeriesQuestion): boolean {
  return (
    sameNames(a.tags, b.tags) &&
    a.x === b.x &&
    a.xScale === b.xScale &&
    a.rewinds === b.rewinds &&
    a.exact === b.exact &&
    a.group === b.group &&
    a.band === b.band &&
    sameEdges(a.edges, b.edges)
  );
}

export function sameEdges(a: Edges | undefined, b: Edges | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && sameNames(a.lower, b.lower) && sameNames(a.upper, b.upper);
}

function sameStretch(a: SeriesQuestion, b: SeriesQuestion): boolean {
  return sameRange(a.range, b.range) && Math.abs(a.widthPx - b.widthPx) <= WIDTH_SLACK * a.widthPx;
}

export function sameQuestion(a: SeriesQuestion, b: SeriesQuestion): boolean {
  return sameKind(a, b) && sameStretch(a, b) && a.smoothing === b.smoothing && sameNames(a.runs, b.runs);
}

/** `held`: the question for which the card's current lines were loaded; null if it has none. */
export function planFor(held: SeriesQuestion | null, wanted: SeriesQuestion): Plan {
  if (held === null || !sameKind(held, wanted)) return { kind: "whole", delayMs: 0 };
  const stretch = sameStretch(held, wanted);
  const runs = sameNames(held.runs, wanted.runs);
  if (held.smoothing !== wanted.smoothing) {
    // without smoothing the raw lines are the main lines, and the server sends those in more detail
    const raw = wanted.smoothing === "" || wanted.group !== "";
    return raw || !stretch || !runs ? { kind: "whole", delayMs: 0 } : { kind: "smoothing", draft: true, delayMs: 0 };
  }
  if (!stretch) return { kind: "whole", delayMs: ZOOM_DELAY_MS };
  if (runs) return { kind: "nothing" };
  const known = new Set(held.runs);
  const missing = wanted.runs.filter((run) => !known.has(run));
  if (missing.length === 0) return { kind: "whole", delayMs: EXTENT_DELAY_MS };
  // more new runs than old ones, or a statistic over all runs
  if (missing.length > held.runs.length || wanted.group !== "") return { kind: "whole", delayMs: 0 };
  return { kind: "runs", missing };
}
