// Members of the page of precision-recall curves.

import { choiceField, type Fields, flagField, jsonField } from "../fields";
import type { Range } from "../settings";
import { record } from "./shared";

/** Null: the whole axis. */
export type CurvesZoom = { readonly x: Range | null; readonly y: Range | null };

export const PR_CURVE_MODES = ["pr", "roc", "f1"] as const;

export const PR_CURVE_TIMES = ["step", "relative", "wall"] as const;

export type PrCurvesMembers = {
  readonly prCurvesMode: (typeof PR_CURVE_MODES)[number];
  /** How steps are labeled. */
  readonly prCurvesTime: (typeof PR_CURVE_TIMES)[number];
  /** The threshold that is marked on every curve; null: none. */
  readonly prCurvesThreshold: number | null;
  /** The key is "MODE|CARD". */
  readonly prCurvesZoom: Readonly<Record<string, CurvesZoom>>;
  /** Each run has its own slider. */
  readonly prCurvesRuns: boolean;
};

function parseThreshold(value: unknown): number | null | undefined {
  return value === null || (typeof value === "number" && value >= 0 && value <= 1) ? value : undefined;
}

function isRange(value: unknown): boolean {
  if (value === null) return true;
  const [lo, hi, ...more]: unknown[] = Array.isArray(value) ? value : [];
  return more.length === 0 && typeof lo === "number" && typeof hi === "number" && lo < hi;
}

function isCurvesZoom(value: unknown): value is CurvesZoom {
  if (typeof value !== "object" || value === null) return false;
  const { x, y } = value as Record<string, unknown>;
  return isRange(x) && isRange(y);
}

export const prCurvesMembers: Fields<PrCurvesMembers> = {
  prCurvesMode: choiceField(PR_CURVE_MODES, "pr"),
  prCurvesTime: choiceField(PR_CURVE_TIMES, "step"),
  prCurvesThreshold: jsonField<number | null>(null, parseThreshold),
  prCurvesZoom: jsonField<Readonly<Record<string, CurvesZoom>>>({}, record(isCurvesZoom)),
  prCurvesRuns: flagField(false),
};
