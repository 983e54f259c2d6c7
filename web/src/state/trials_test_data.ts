// Makes a column for tests.

import type { TrialColumn } from "./trials_columns";

export function column(id: string, numbers: readonly number[], more: Partial<TrialColumn> = {}): TrialColumn {
  return {
    id,
    role: "hparam",
    kind: "number",
    name: id.replace(/^[^:]*:/, ""),
    group: "",
    title: id,
    description: "",
    differs: true,
    goal: null,
    domain: null,
    texts: [],
    steps: null,
    numbers: Float64Array.from(numbers),
    ...more,
  };
}
