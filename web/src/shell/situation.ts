// Finds the reason why a page is empty. A pure function, so that each reason can be tested.

import type { Board, Problem, Progress } from "../state/board";

export type Situation =
  | { readonly kind: "ready" }
  /** No response has arrived yet. */
  | { readonly kind: "starting" }
  | { readonly kind: "refused" | "unreachable" | "failed"; readonly problem: Problem }
  /** No runs yet, but logs are being read. */
  | { readonly kind: "reading"; readonly progress: Progress }
  /** No runs because the log directory is wrong or not readable. */
  | { readonly kind: "place"; readonly places: Board["places"] }
  /** The log directory is readable and has no runs. */
  | { readonly kind: "empty"; readonly places: Board["places"] }
  /** Runs without any values. */
  | { readonly kind: "silent" }
  /** No scalars, but other kinds. */
  | { readonly kind: "no scalars" }
  /** The filter matches no run. If all runs are unticked, the panel says so, because its tools must stay visible. */
  | { readonly kind: "no match" };

export type Facts = {
  readonly board: Board | null;
  readonly problem: Problem | null;
  readonly progress: Progress | null;
  /** Null before the first response. */
  readonly runs: number | null;
  /** Runs that match the filter. */
  readonly passing: number;
  readonly filtered: boolean;
  /** Number of tags by kind; null before the first response. */
  readonly tags: Readonly<Record<string, number>> | null;
  readonly page: string;
  /** The time series page also shows cards of other kinds. */
  readonly others?: boolean;
};

/** Returns whether a page draws the ticked runs. */
function drawsRuns(page: string): boolean {
  return page !== "runs" && page !== "run" && page !== "compare";
}

export function situationOf(facts: Facts): Situation {
  const { board, problem, progress, runs, tags } = facts;
  if (runs === null || board === null) {
    if (problem === null) return { kind: "starting" };
    const { kind } = problem;
    return { kind: kind === "other" || kind === "absent" ? "failed" : kind, problem };
  }
  const reading = progress !== null && !progress.done;
  const wrong = board.places.filter((place) => place.problem !== null && place.problem !== "empty");
  const allWrong = wrong.length > 0 && wrong.length === board.places.length;
  // a store that refuses needs somebody to do something; a missing directory may still be created
  const refused = wrong.filter((place) => place.problem === "unreadable");
  // embeddings may be in directories without event files
  if (runs === 0 && (tags?.projector ?? 0) === 0) {
    if (allWrong) return { kind: "place", places: wrong };
    if (refused.length > 0 && !reading) return { kind: "place", places: refused };
    return reading ? { kind: "reading", progress } : { kind: "empty", places: board.places };
  }
  if (!drawsRuns(facts.page)) return { kind: "ready" };
  if (tags === null) return { kind: "starting" };
  const count = Object.values(tags).reduce((sum, n) => sum + n, 0);
  if (count === 0) {
    if (reading) return { kind: "reading", progress };
    // a file given instead of a directory counts as a run
    if (allWrong) return { kind: "place", places: wrong };
    return refused.length > 0 ? { kind: "place", places: refused } : { kind: "silent" };
  }
  if (facts.passing === 0 && facts.filtered) return { kind: "no match" };
  if (facts.page === "timeseries" && (tags.scalars ?? 0) === 0 && facts.others !== true) return { kind: "no scalars" };
  return { kind: "ready" };
}
