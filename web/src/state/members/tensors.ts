// Members of the page of tensors of unknown kinds.

import { choiceField, type Fields, flagField, jsonField } from "../fields";
import { record } from "./shared";

/** The shown slice of a tensor: its axes for rows and columns, and the index on each axis. */
export type TensorCut = {
  readonly rows?: number;
  readonly columns?: number;
  readonly index?: readonly number[];
};

export const TENSOR_VIEWS = ["summary", "map", "values"] as const;

export type TensorsMembers = {
  readonly tensorsView: (typeof TENSOR_VIEWS)[number];
  /** The key is the card's. */
  readonly tensorsCut: Readonly<Record<string, TensorCut>>;
  /** The color range is that of the shown slice, instead of the whole tensor. */
  readonly tensorsOwnRange: boolean;
};

function isCut(value: unknown): value is TensorCut {
  if (typeof value !== "object" || value === null) return false;
  const { rows, columns, index } = value as Record<string, unknown>;
  const whole = (one: unknown): boolean => Number.isInteger(one) && (one as number) >= -1;
  return (
    (rows === undefined || whole(rows)) &&
    (columns === undefined || whole(columns)) &&
    (index === undefined || (Array.isArray(index) && index.length <= 64 && index.every(whole)))
  );
}

export const tensorsMembers: Fields<TensorsMembers> = {
  tensorsView: choiceField(TENSOR_VIEWS, "summary"),
  tensorsCut: jsonField<Readonly<Record<string, TensorCut>>>({}, record(isCut)),
  tensorsOwnRange: flagField(false),
};
