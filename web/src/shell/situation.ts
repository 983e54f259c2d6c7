// Which of the many reasons for an empty page is the true one. Pure, so that each can be tested.

import type { Board, Problem, Progress } from "../state/board";

export type Situation =
  | { readonly kind: "ready" }
  /** Nothing has been answered yet. */
  | { readonly kind: "starting" }
  | { readonly kind: "refused" | "unreachable" | "failed"; readonly problem: Problem }
  /** No run so far, but logs are being read. */
  | { readonly kind: "reading"; readonly progress: Progress }
  /** Nothing found because the place is wrong or shut. */
  | { readonly kind: "place"; readonly places: Board["places"] }
  /** The place is fine and has no runs. */
  | { readonly kind: "empty"; readonly places: Board["places"] }
  /** Runs without a single value. */
  | { readonly kind: "silent" }
  /** No scalars, but other kinds. */
  | { readonly kind: "no scalars" }
  /** Ticks that hide every run are the panel's to tell: its tools stay in sight. */
  | { readonly kind: "no match" };

export type Facts = {
  readonly board: Board | null;
  readonly problem: Problem | null;
  readonly progress: Progress | null;
  /** Null before the first answer. */
  readonly runs: number | null;
  /** Runs that pass the filter. */
  readonly passing: number;
  readonly filtered: boolean;
  /** Tags by kind; null before the first answer. */
  readonly tags: Readonly<Record<string, number>> | null;
  readonly page: string;
  /** Cards of other kinds are wanted on the time series page. */
  readonly others?: boolean;
};

/** Pages that draw the ticked runs. */
function drawsRuns(page: string): boolean {
  return page !== "runs" && page !== "run" && page !== "compare";
}

export function situationOf(facts: Facts): Situation {
  const { board, problem, progress, runs, tags } = facts;
  if (runs === null || board === null) {
    if (problem === null) return { kind: "starting" };
    return { kind: problem.kind === "other" ? "failed" : problem.kind, problem };
  }
  const reading = progress !== null && !progress.done;
  const wrong = board.places.filter((place) => place.problem !== null && place.problem !== "empty");
  const allWrong = wrong.length > 0 && wrong.length === board.places.length;
  // embeddings may lie in directories without a single event file
  if (runs === 0 && (tags?.projector ?? 0) === 0) {
    if (allWrong) return { kind: "place", places: wrong };
    return reading ? { kind: "reading", progress } : { kind: "empty", places: board.places };
  }
  if (!drawsRuns(facts.page)) return { kind: "ready" };
  if (tags === null) return { kind: "starting" };
  const count = Object.values(tags).reduce((sum, n) => sum + n, 0);
  if (count === 0) {
    if (reading) return { kind: "reading", progress };
    // a file given in place of a directory counts as a run
    return allWrong ? { kind: "place", places: wrong } : { kind: "silent" };
  }
  if (facts.passing === 0 && facts.filtered) return { kind: "no match" };
  if (facts.page === "timeseries" && (tags.scalars ?? 0) === 0 && facts.others !== true) return { kind: "no scalars" };
  return { kind: "ready" };
}
