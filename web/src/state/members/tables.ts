// Tables.

import { type Fields, jsonField } from "../fields";
import { isText, isTexts, record } from "./shared";

export type TablesMembers = {
  /** Column that a table is sorted by, by the key of its card; "-loss": the largest first. */
  readonly tablesSort: Readonly<Record<string, string>>;
  /** What cells of a column must be, by the key of the card, then by column. */
  readonly tablesFilter: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

export const tablesMembers: Fields<TablesMembers> = {
  tablesSort: jsonField<Readonly<Record<string, string>>>({}, record(isText)),
  tablesFilter: jsonField<Readonly<Record<string, Readonly<Record<string, string>>>>>({}, record(isTexts)),
};
