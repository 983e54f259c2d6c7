// The printed output that a run recorded.

import { type ConsoleText, fetchConsole } from "../api/client";

export type { ConsoleText };

/** Returns the last lines of the output. */
export function consoleOf(run: string, lines: number): Promise<ConsoleText> {
  return fetchConsole({ run, lines });
}
