// The newest figures of a job and its machine, as names and texts. The names are those of `lightboard run`.

import { formatBytes, formatShare } from "../../base/sizes";
import { grouped, spoken } from "../preferences";
import * as area from "../texts/job";

type Values = Readonly<Record<string, number>>;

const MEGA = 1e6;

/** "GPU 0 memory" for gpu0_memory_used_mb. A figure without a word keeps its name. */
export function figureName(key: string): string {
  const words = spoken(area);
  const known = words.figureName[key];
  if (known !== undefined) return known;
  const [, number, rest = ""] = /^gpu(\d+)_(\w+)$/.exec(key) ?? [];
  if (number !== undefined) return words.gpuName(number, words.gpuPart[rest] ?? rest.replaceAll("_", " "));
  return key.replaceAll("_", " ");
}

/** By the end of its name: megabytes, percent, degrees, watts. `all` has what belongs to it, as a total. */
export function figureText(key: string, value: number, all: Values = {}): string {
  const words = spoken(area);
  if (!Number.isFinite(value)) return String(value);
  const total = all[key.replace("_used_", "_total_")];
  if (key.endsWith("_used_mb") && total !== undefined) return words.ofTotal(...formatShare(value * MEGA, total * MEGA));
  if (key.endsWith("_mb_per_sec")) return words.perSecond(formatBytes(Math.max(0, value * MEGA)));
  if (key.endsWith("_mb")) return formatBytes(Math.max(0, value * MEGA));
  if (key.endsWith("_bytes")) return formatBytes(Math.max(0, value));
  if (key.endsWith("_percent")) return `${Math.round(value)} %`;
  if (key.endsWith("celsius")) return `${Math.round(value)} °C`;
  if (key.endsWith("watts")) return `${Math.round(value)} W`;
  return Number.isInteger(value) ? grouped(value) : String(Math.round(value * 100) / 100);
}

/** Figures that are shown first: those of the job and of GPUs. */
export function isMain(key: string): boolean {
  return /^job_(cpu|memory)|^gpu\d+_(utilization|memory_used)/.test(key);
}

/** The job, then GPUs, then the machine. Totals are shown with what they belong to. */
export function sortedFigures(figures: Values): readonly (readonly [string, number])[] {
  const rank = (key: string): number => {
    if (key.startsWith("job_cpu")) return 0;
    if (key.startsWith("job_")) return 1;
    return key.startsWith("gpu") ? 2 : 3;
  };
  return Object.entries(figures)
    .filter(([key]) => !key.endsWith("_total_mb"))
    .sort(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other, undefined, { numeric: true }));
}

/** "93 % · 1.2 GB" for the list: CPU and memory of the job. */
export function shortFigures(figures: Values): string {
  return sortedFigures(figures)
    .filter(([key]) => key.startsWith("job_cpu") || key.startsWith("job_memory"))
    .map(([key, value]) => figureText(key, value))
    .join(" · ");
}
