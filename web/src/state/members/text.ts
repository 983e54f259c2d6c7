// Members of the text page.

import { type Fields, flagField, jsonField, textField } from "../fields";
import { record } from "./shared";

export type TextMembers = {
  readonly textMarkdown: boolean;
  /** The text to search in all texts; "" for none. */
  readonly textSearch: string;
  /** Two steps that a card compares, by its key: "100..200". */
  readonly textDiff: Readonly<Record<string, string>>;
  readonly textInline: boolean;
};

function isStepPair(value: unknown): value is string {
  return typeof value === "string" && /^-?\d{1,19}\.\.-?\d{1,19}$/.test(value);
}

export const textMembers: Fields<TextMembers> = {
  textMarkdown: flagField(true),
  textSearch: textField(),
  textDiff: jsonField<Readonly<Record<string, string>>>({}, record(isStepPair)),
  textInline: flagField(false),
};
