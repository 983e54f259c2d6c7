// Members of the page of tables.

import { type Fields, jsonField } from "../fields";
import { isText, isTexts, record } from "./shared";

export type TablesMembers = {
  /** Sort column of a table, by card key; "-loss": descending. */
  readonly tablesSort: Readonly<Record<string, string>>;
  /** Filters of cells, by card key, then by column. */
  readonly tablesFilter: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

export const tablesMembers: Fields<TablesMembers> = {
  tablesSort: jsonField<Readonly<Record<string, string>>>({}, record(isText)),
  tablesFilter: jsonField<Readonly<Record<string, Readonly<Record<string, string>>>>>({}, record(isTexts)),
};
