// Exports all points of some runs as a file, created by the server.

import { fetchExport } from "../api/client";
import { asProblem } from "./board";
import { allRuns } from "./run_facts";
import { tell } from "./toasts";
import { texts } from "./view";

/** Returns null if it failed; a message shows the reason. */
export async function exportPoints(runs: readonly string[], format: "csv" | "parquet"): Promise<Blob | null> {
  const some = runs.length < allRuns.peek().length ? { run: runs } : {};
  try {
    return await fetchExport({ format, ...some });
  } catch (error) {
    const { message, hint } = asProblem(error);
    tell(texts.value.runs.exportFailed(`${message} ${hint}`.trim()), { kind: "error" });
    return null;
  }
}
