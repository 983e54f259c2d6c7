// What to request when a card wants other lines than it holds. Pure; when it is requested decides state/series_reducer.ts.

import type { Edges } from "./cards";
import type { Range, SCALES } from "./settings";

/** All that decides which lines a card shows. */
export type SeriesQuestion = {
  readonly tags: readonly string[];
  /** Runs drawn, in their order. */
  readonly runs: readonly string[];
  /** Those are all runs of the board: no need to name them. */
  readonly allRuns: boolean;
  readonly x: string;
  readonly xScale: (typeof SCALES)[number];
  /** Null: all there is. */
  readonly range: Range | null;
  readonly widthPx: number;
  /** As /api/scalars takes it; "" for none. */
  readonly smoothing: string;
  readonly rewinds: "board" | "latest" | "all";
  readonly exact: boolean;
  readonly group: string;
  readonly band: "std" | "minmax" | "quantiles";
  /** Each tag is drawn within the area of two others. */
  readonly edges?: Edges | undefined;
};

export type Plan =
  | { readonly kind: "nothing" }
  /** Request everything again: at once, or when the reader pauses. */
  | { readonly kind: "whole"; readonly delayMs: number }
  /** Only the smoothed lines, the others do not change: a draft at once, the exact ones when the slider rests. */
  | { readonly kind: "smoothing"; readonly draft: boolean; readonly delayMs: number }
  /** Only these runs, beside what is there; afterwards everything, for exact extents. */
  | { readonly kind: "runs"; readonly missing: readonly string[] };

// longer than the pause between two turns of a wheel
const ZOOM_DELAY_MS = 120;
// long enough that ticking through a list of runs asks once
const EXTENT_DELAY_MS = 900;
// widths differing by less are the same chart, resized a little
const WIDTH_SLACK = 0.06;

/** What follows a draft. */
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

/** `held`: what the card's lines answer now; null when it has none. */
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
  // more new ones than old, or a statistic over all of them
  if (missing.length > held.runs.length || wanted.group !== "") return { kind: "whole", delayMs: 0 };
  return { kind: "runs", missing };
}
