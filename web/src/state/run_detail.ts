// Details of single runs, for the page of a run and the comparison: loaded when a page shows them, and again when the
// run has changed.

import { type Signal, signal } from "@preact/signals";
import { fetchRun, fetchRunTable, type Run } from "../api/client";
import { newestGate } from "../base/newest";
import { asProblem, onChange, type Problem } from "./board";

export type RunDetail = { readonly run: Run } | { readonly problem: Problem };

/** Details of the runs, updated until `stop`; empty until the first response. */
export function followRuns(names: readonly string[]): {
  readonly details: Signal<ReadonlyMap<string, RunDetail>>;
  readonly stop: () => void;
} {
  const details = signal<ReadonlyMap<string, RunDetail>>(new Map());
  const gate = newestGate();
  const load = async (): Promise<void> => {
    const asked = names.map(async (name): Promise<[string, RunDetail]> => {
      try {
        return [name, { run: await fetchRun(name) }];
      } catch (error) {
        return [name, { problem: asProblem(error) }];
      }
    });
    const { newest, answer } = await gate(Promise.all(asked));
    if (newest) details.value = new Map(answer);
  };
  void load();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const stopListening = onChange((change) => {
    const touched = change.runs === "all" || change.runs.some((run) => names.includes(run)) || change.annotations;
    if (!touched || waiting !== undefined) return;
    waiting = setTimeout(() => {
      waiting = undefined;
      void load();
    }, FRESH_MS);
  });
  const stop = (): void => {
    clearTimeout(waiting);
    stopListening();
  };
  return { details, stop };
}

const FRESH_MS = 2000;

export type MetricRow = {
  readonly tag: string;
  readonly last: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: string;
  readonly points: number;
};

// the server allows this many tags per request
const TAGS_AT_ONCE = 200;

function numberOf(value: number | string | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  return typeof value === "number" ? value : Number(value.replace("Infinity", "1e999"));
}

/** Returns last, lowest and highest values of all tags that any of the runs has, by run. */
export async function metricsOf(
  runs: readonly string[],
  tags: readonly string[],
): Promise<ReadonlyMap<string, readonly MetricRow[]>> {
  const found = new Map<string, MetricRow[]>(runs.map((run) => [run, []]));
  for (let at = 0; at < tags.length; at += TAGS_AT_ONCE) {
    const some = tags.slice(at, at + TAGS_AT_ONCE);
    const table = await fetchRunTable(runs, some);
    table.run.forEach((run, row) => {
      for (const tag of some) {
        const cells = table.tags[tag];
        const points = cells?.points[row] ?? null;
        if (cells === undefined || points === null) continue;
        found.get(run)?.push({
          tag,
          last: numberOf(cells.last[row]),
          min: numberOf(cells.min[row]),
          max: numberOf(cells.max[row]),
          step: String(cells.last_step[row] ?? ""),
          points,
        });
      }
    });
  }
  return found;
}

// ---- config as rows

export type Leaf = { readonly path: string; readonly value: unknown };

/** Flattens nested objects and lists to paths: {"model": {"layers": 2}} → model.layers. */
export function leavesOf(value: unknown, path = ""): readonly Leaf[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  const members = Object.entries(value);
  if (members.length === 0) return path === "" ? [] : [{ path, value }];
  // a list of plain values is shown as one value
  if (Array.isArray(value) && value.every((one) => typeof one !== "object" || one === null)) return [{ path, value }];
  return members.flatMap(([name, inner]) => leavesOf(inner, path === "" ? name : `${path}.${name}`));
}

export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}

export type DiffRow = { readonly path: string; readonly values: readonly string[]; readonly differs: boolean };

/** Returns one row per path that any of the configs has; "" if a config lacks it. */
export function diffOf(configs: readonly unknown[]): readonly DiffRow[] {
  const maps = configs.map((config) => new Map(leavesOf(config).map((leaf) => [leaf.path, valueText(leaf.value)])));
  const paths = [...new Set(maps.flatMap((map) => [...map.keys()]))].sort((a, b) => (a < b ? -1 : 1));
  return paths.map((path) => {
    const values = maps.map((map) => map.get(path) ?? "");
    const present = maps.map((map) => map.has(path));
    const differs = values.some((value, at) => value !== values[0] || present[at] !== present[0]);
    return { path, values, differs };
  });
}
