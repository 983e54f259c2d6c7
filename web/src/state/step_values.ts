// Values at a selected step, and changes between two steps, for the tables below charts.

import type { SeriesQuestion } from "./series_plan";
import { askTable, asNumber, type Reading, readValues, type Table } from "./values";

export function readStep(question: SeriesQuestion, at: number, stop: AbortSignal): Promise<readonly Reading[]> {
  return readValues(question, question.tags, question.runs, at, stop);
}

/** One series over a range of steps. Null if the series has no point there. */
export type Stretch = {
  readonly run: string;
  readonly tag: string;
  readonly first: number | null;
  readonly last: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly points: number | null;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
  readonly stepAtMin: number | null;
  readonly stepAtMax: number | null;
};

type Column = readonly (number | string | null)[] | undefined;

export async function readStretch(
  question: SeriesQuestion,
  lo: number,
  hi: number,
  stop: AbortSignal,
): Promise<readonly Stretch[]> {
  const { rewinds } = question;
  const marked = { lo, hi, ...(rewinds === "board" ? {} : { rewinds }) };
  const table = await askTable({ tag: tagsOf(question), run: question.runs, ...marked }, stop);
  return stretchesOf(table.run, table.range);
}

// the server allows this many tags per request
const MOST_TAGS = 200;

function tagsOf(question: SeriesQuestion): readonly string[] {
  return question.tags.slice(0, MOST_TAGS);
}

function stretchesOf(runs: Table["run"], tags: Table["tags"] | Table["range"]): readonly Stretch[] {
  return Object.entries(tags).flatMap(([tag, columns]) => {
    const cells = columns as Readonly<Record<string, Column>>;
    const at = (name: string, row: number): number | null => asNumber(cells[name]?.[row]);
    return runs.flatMap((run, row): readonly Stretch[] => {
      const points = at("points", row);
      if (points === null || points === 0) return [];
      return [
        {
          run,
          tag,
          points,
          first: at("first", row),
          last: at("last", row),
          min: at("min", row),
          max: at("max", row),
          mean: at("mean", row),
          firstStep: at("first_step", row),
          lastStep: at("last_step", row),
          stepAtMin: at("min_step", row),
          stepAtMax: at("max_step", row),
        },
      ];
    });
  });
}

/** Reads every run from its first to its last point. */
export async function readWhole(question: SeriesQuestion, stop: AbortSignal): Promise<readonly Stretch[]> {
  const table = await askTable({ tag: tagsOf(question), run: question.runs }, stop);
  return stretchesOf(table.run, table.tags);
}
