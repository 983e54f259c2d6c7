// Groups of runs: by the groups that a pattern captures in their names, or by the value of hparams. The rules are the
// same as on the server (query/runs/groups.py), so that list, colors and bands in charts agree.

import { computed } from "@preact/signals";
import { compilePattern } from "../base/pattern";
import { type Cell, hparamValue } from "./run_columns";
import { member } from "./view";

const ABSENT = "–";

/** Returns the label of a run's group; null: it belongs to none. */
export type Grouper = (run: string) => string | null;

/** Parses "regex:PATTERN" and "hparam:NAME,NAME"; returns null for anything else and for invalid patterns. */
export function grouperOf(by: string): Grouper | null {
  if (by.startsWith("regex:")) return byPattern(by.slice("regex:".length));
  if (by.startsWith("hparam:")) return byHparams(by.slice("hparam:".length).split(","));
  return null;
}

function byPattern(text: string): Grouper | null {
  const pattern = compilePattern(text);
  if (text === "" || typeof pattern === "string") return null;
  return (run) => {
    const found = pattern.exec(run);
    if (found === null) return null;
    return pattern.groups === 0
      ? text
      : found
          .slice(1)
          .map((part) => part ?? ABSENT)
          .join(", ");
  };
}

function byHparams(names: readonly string[]): Grouper {
  return (run) => {
    const row = names.map((name) => hparamValue(run, name));
    return row.every((value) => value === null) ? null : row.map(cellText).join(", ");
  };
}

export function cellText(value: Cell): string {
  return value === null ? ABSENT : String(value);
}

const group = member("group");

/** The current grouping; null: none. */
export const grouper = computed<Grouper | null>(() => grouperOf(group.value));

export type Grouped = { readonly label: string; readonly runs: readonly string[] };

/** Returns groups in the order of their first run, then the runs without group. */
export function groupRuns(
  runs: readonly string[],
  by: Grouper,
): { readonly groups: readonly Grouped[]; readonly rest: readonly string[] } {
  const found = new Map<string, string[]>();
  const rest: string[] = [];
  for (const run of runs) {
    const label = by(run);
    if (label === null) {
      rest.push(run);
      continue;
    }
    const members = found.get(label);
    if (members === undefined) found.set(label, [run]);
    else members.push(run);
  }
  return { groups: [...found].map(([label, members]) => ({ label, runs: members })), rest };
}
