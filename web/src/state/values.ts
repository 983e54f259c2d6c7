// Exact values for tooltips, tables and downloads.

import {
  type ExportQuestion,
  fetchExport,
  fetchTable,
  fetchValues,
  type Nearest,
  type Table,
  type TableQuestion,
  type ValuesQuestion,
} from "../api/client";
import type { SeriesQuestion } from "./series_plan";

export type { Nearest, Table };

/** One series at one position on x. Null: the series has no such point. */
export type Reading = {
  readonly run: string;
  readonly tag: string;
  readonly step: number | null;
  readonly wallTime: number | null;
  readonly relative: number | null;
  readonly value: number | null;
  readonly smoothed: number | null;
};

export function asNumber(value: number | string | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** Reads the points nearest to `at`, by tag and run. */
export async function readValues(
  question: Pick<SeriesQuestion, "x" | "smoothing" | "rewinds">,
  tags: readonly string[],
  runs: readonly string[],
  at: number,
  stop?: AbortSignal,
): Promise<readonly Reading[]> {
  const { x, smoothing, rewinds } = question;
  const answer = await fetchValues(
    {
      tag: tags,
      run: runs,
      at: [at],
      x: x as NonNullable<ValuesQuestion["x"]>,
      ...(smoothing === "" ? {} : { smoothing }),
      ...(rewinds === "board" ? {} : { rewinds }),
    },
    { signal: stop },
  );
  return readingsOf(answer);
}

export function readingsOf(answer: Nearest): readonly Reading[] {
  return answer.run.map((run, i) => ({
    run,
    tag: answer.tag[i] ?? "",
    step: asNumber(answer.step[i]),
    wallTime: asNumber(answer.wall_time[i]),
    relative: asNumber(answer.relative[i]),
    value: asNumber(answer.value[i]),
    smoothed: asNumber(answer.smoothed[i]),
  }));
}

export function askTable(question: TableQuestion, stop?: AbortSignal): Promise<Table> {
  return fetchTable(question, { signal: stop });
}

/** Exports every point of some tags and runs as a file. */
export function askExport(question: ExportQuestion): Promise<Blob> {
  return fetchExport(question);
}
