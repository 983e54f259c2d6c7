// Labels of jobs: which ones several jobs share, and which one to propose for a board over them.

import type { Job } from "../api/jobs";

type Labeled = Pick<Job, "labels" | "name">;

/** Labels that all of these jobs have with the same value, as "name=value". */
export function commonLabels(jobs: readonly Labeled[]): readonly string[] {
  const [first, ...rest] = jobs;
  if (first === undefined) return [];
  return Object.entries(first.labels)
    .filter(([name, value]) => rest.every(({ labels }) => labels[name] === value))
    .map(([name, value]) => `${name}=${value}`);
}

/** What could be a name or a value of a label: commas and equal signs separate them in addresses. */
export function isLabel(text: string): boolean {
  return /^[^=,]+$/.test(text.trim()) && text.trim().length <= 60;
}

/** The beginning that all names share, or the name of the first. */
export function proposedLabel(jobs: readonly Labeled[]): { readonly name: string; readonly value: string } {
  const names = jobs.map(({ name }) => name);
  const [first = ""] = names;
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1;
  const shared = first.slice(0, length).replace(/[\s\-_.:/#(]+$/, "");
  return {
    name: "group",
    value: (shared.length >= 2 ? shared : first)
      .replace(/[=,\s]+/g, " ")
      .slice(0, 60)
      .trim(),
  };
}
