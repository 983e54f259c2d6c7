// Names one point of a series in requests for single values.

import type { PointName } from "../api/client";
import type { KindCard } from "./card_keys";
import type { SeriesSteps } from "./steps";

export type { PointName };

export function pointName({ run, tag }: Pick<KindCard, "run" | "tag">, series: SeriesSteps, at: number): PointName {
  return { run, tag, step: String(series.steps[at] ?? 0), offset: String(series.offsets[at] ?? 0) };
}
