// Formats times of nodes for display.

import { formatNumber } from "../../base/numbers";

export function formatMicros(micros: number): string {
  if (micros < 1000) return `${formatNumber(micros)} µs`;
  if (micros < 1_000_000) return `${formatNumber(micros / 1000)} ms`;
  return `${formatNumber(micros / 1_000_000)} s`;
}
