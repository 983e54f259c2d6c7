// Loads the histograms or percentiles of one card: when it is rendered, when its run has new points and when another
// range of steps is visible. The old data stays on display until the new response arrives.

import { useEffect, useMemo, useState } from "preact/hooks";
import { asProblem, type Problem } from "../state/board";
import type { KindCard } from "../state/card_keys";
import { askSpread, type Spread, type SpreadKind } from "../state/spreads";
import type { SeriesSteps } from "../state/steps";
import { placeOf, type Stretch, stepsWithin, type TimeAxisName, withStep } from "./spread_range";

export type Wanted = {
  readonly axis: TimeAxisName;
  /** Visible range on that axis; null: all. */
  readonly times: Stretch | null;
  readonly limit: number;
  /** Index in the series of a step that must be included; null: none. */
  readonly chosen: number | null;
};

export type Held = {
  readonly spread: Spread | null;
  /** Index of the chosen step in the spread; null while it is not loaded. */
  readonly chosen: number | null;
  readonly busy: boolean;
  readonly problem: Problem | null;
  readonly retry: () => void;
};

type Got = {
  readonly spread: Spread;
  readonly series: SeriesSteps;
  /** First and last step as strings; null: no limit. */
  readonly lo: string | null;
  readonly hi: string | null;
  /** Contains every point of the range: none was thinned. */
  readonly whole: boolean;
  readonly limit: number;
};

export function useSpread(kind: SpreadKind, card: KindCard, series: SeriesSteps, wanted: Wanted): Held {
  const { chosen } = wanted;
  const { got, ...state } = useAnswer(kind, card, series, wanted);
  const step = chosen === null ? undefined : series.steps[chosen];
  const missing = got !== null && step !== undefined && placeOf(got.spread.exact, step) < 0;
  const extra = useSingleStep(kind, card, missing ? step : undefined);
  const spread = useMemo(() => {
    if (got === null) return null;
    return missing && extra !== null && placeOf(extra.exact, step) >= 0 ? withStep(got.spread, extra) : got.spread;
  }, [got, missing, extra, step]);
  const place = spread === null ? -1 : placeOf(spread.exact, step);
  return { ...state, spread, chosen: place < 0 ? null : place };
}

type Answer = Pick<Held, "busy" | "problem" | "retry"> & { readonly got: Got | null };

/** Returns the response to the current request, or to an earlier one until it arrives. */
function useAnswer(kind: SpreadKind, card: KindCard, series: SeriesSteps, { axis, times, limit }: Wanted): Answer {
  const [got, setGot] = useState<Got | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [tries, setTries] = useState(0);
  const range = useMemo(
    () => (times === null ? null : stepsWithin(axis, series, times)),
    [axis, series, times?.lo, times?.hi],
  );
  const none = times !== null && range === null;
  const lo = range?.lo ?? null;
  const hi = range?.hi ?? null;
  const points = range?.points ?? series.steps.length;
  const enough = none || (got !== null && suffices(got, series, lo, hi, limit, points));
  useEffect(() => {
    if (enough) return;
    let canceled = false;
    askSpread({ kind, tag: card.tag, run: card.run, limit, lo, hi }).then(
      (spread) => {
        if (canceled) return;
        setProblem(null);
        setGot({ spread, series, lo, hi, whole: points <= limit, limit });
      },
      (error) => {
        if (!canceled) setProblem(asProblem(error));
      },
    );
    return () => {
      canceled = true;
    };
  }, [enough, kind, card.key, series, limit, lo, hi, tries]);
  const retry = (): void => {
    setProblem(null);
    setTries(tries + 1);
  };
  return { got, problem, busy: !enough && problem === null, retry };
}

/** Loads the spread at one step that thinning removed; null while there is none. */
function useSingleStep(kind: SpreadKind, card: KindCard, step: number | bigint | undefined): Spread | null {
  const [extra, setExtra] = useState<Spread | null>(null);
  useEffect(() => {
    if (step === undefined) return;
    let canceled = false;
    const at = String(step);
    askSpread({ kind, tag: card.tag, run: card.run, limit: 1, lo: at, hi: at }).then(
      (spread) => {
        if (!canceled) setExtra(spread);
      },
      () => {}, // on failure the other steps stay on display, without a marked step
    );
    return () => {
      canceled = true;
    };
  }, [kind, card.key, step]);
  return extra;
}

function suffices(
  got: Got,
  series: SeriesSteps,
  lo: string | null,
  hi: string | null,
  limit: number,
  points: number,
): boolean {
  if (got.series !== series) return false;
  if (got.lo === lo && got.hi === hi && got.limit === limit) return true;
  const covered =
    got.lo === null || (lo !== null && hi !== null && got.hi !== null && isInside(got.lo, got.hi, lo, hi));
  // every point is loaded; but if the whole series is shown and exceeds the limit, a thinned response is requested
  return covered && got.whole && (lo !== null || points <= limit);
}

function isInside(outerLo: string, outerHi: string, lo: string, hi: string): boolean {
  return BigInt(lo) >= BigInt(outerLo) && BigInt(hi) <= BigInt(outerHi);
}
