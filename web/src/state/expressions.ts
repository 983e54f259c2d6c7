// Metric expressions, checked by the server while the user types.

import { fetchExpression } from "../api/client";

export function checkExpression(text: string, cancel: AbortSignal): ReturnType<typeof fetchExpression> {
  return fetchExpression(text, { signal: cancel });
}
