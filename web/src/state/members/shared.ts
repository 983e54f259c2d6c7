// Types that members of several pages use, and their validation: URLs may contain anything.

import { type Field, textField } from "../fields";

/**
 * A run passes if its cell is one of `values`, or between `lo` and `hi`; a run without a value passes if `absent` is
 * set.
 */
export type ColumnFilter = {
  readonly values?: readonly (string | number | boolean)[];
  readonly lo?: number;
  readonly hi?: number;
  readonly absent?: boolean;
};

/** The visible ranges of values and of time of a card; a missing one means the whole range. */
export type SpreadZoom = { readonly values?: readonly [number, number]; readonly times?: readonly [number, number] };

export const TIME_AXES = ["step", "relative", "wall"] as const;

/** What an image or clip is compared with: the same tag of a run (null: its own), at a step ("": the shown one). */
export type ComparedWith = { readonly run: string | null; readonly step: string };

/** Looks at a point in space from two angles (in radians: around the vertical axis, and from it) and a distance. */
export type MeshCamera = {
  readonly theta: number;
  readonly phi: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly distance: number;
  /** The step and sample for which the camera was set. */
  readonly of?: string;
};

export function record<T>(accept: (value: unknown) => value is T) {
  return (value: unknown): Readonly<Record<string, T>> | undefined => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const kept = Object.entries(value).filter((entry): entry is [string, T] => accept(entry[1]));
    return Object.fromEntries(kept);
  };
}

export function isWidth(value: unknown): value is number {
  return typeof value === "number" && value >= 40 && value <= 2000;
}

export function isColumnFilter(value: unknown): value is ColumnFilter {
  if (typeof value !== "object" || value === null) return false;
  const { values, lo, hi, absent } = value as Record<string, unknown>;
  const numbers = [lo, hi].every((edge) => edge === undefined || typeof edge === "number");
  const flags = absent === undefined || typeof absent === "boolean";
  const plain = (one: unknown): boolean => ["string", "number", "boolean"].includes(typeof one);
  return numbers && flags && (values === undefined || (Array.isArray(values) && values.every(plain)));
}

export function isStep(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,19}$/.test(value);
}

export function stepField(): Field<string> {
  return { ...textField(), parse: (text) => (isStep(text) ? text : undefined) };
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null && Object.values(value).every(isText);
}

export function isPlace(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

export function isStretch(value: unknown): value is readonly [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1];
}

export function isSpreadZoom(value: unknown): value is SpreadZoom {
  if (typeof value !== "object" || value === null) return false;
  const { values, times } = value as Record<string, unknown>;
  return [values, times].every((one) => one === undefined || isStretch(one));
}

export function isOther(value: unknown): value is ComparedWith {
  if (typeof value !== "object" || value === null) return false;
  const { run, step } = value as Record<string, unknown>;
  return (run === null || typeof run === "string") && (step === "" || isStep(step));
}

export function isCamera(value: unknown): value is MeshCamera {
  if (typeof value !== "object" || value === null) return false;
  const { theta, phi, x, y, z, distance, of } = value as Record<string, unknown>;
  const numbers = [theta, phi, x, y, z, distance].every((one) => typeof one === "number" && Number.isFinite(one));
  return numbers && (distance as number) > 0 && (of === undefined || typeof of === "string");
}
