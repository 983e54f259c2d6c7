// The best runs by a metric, ranked by the server.

import { fetchTable } from "../api/client";
import { asProblem } from "./board";
import type { Metric } from "./run_columns";
import { allRuns } from "./run_facts";
import { tell } from "./toasts";

/** Returns null if the request failed; a message is shown. Runs without a value are left out. */
export async function topRuns(
  tag: string,
  of: Metric,
  highest: boolean,
  count: number,
  among: readonly string[],
): Promise<readonly string[] | null> {
  const sort = `${highest ? "-" : ""}${of}(${tag})`;
  const some = among.length < allRuns.peek().length ? { run: among } : {};
  try {
    const table = await fetchTable({ tag: [tag], sort, limit: count, ...some });
    const values = table.tags[tag]?.[of] ?? [];
    return table.run.filter((_, row) => values[row] !== null && values[row] !== "NaN");
  } catch (error) {
    const { message, hint } = asProblem(error);
    tell(`${message} ${hint}`.trim(), { kind: "error" });
    return null;
  }
}
