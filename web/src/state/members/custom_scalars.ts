// Members of the custom scalars page.

import { type CustomLayout, parseLayout } from "../custom_layout";
import { type Fields, jsonField, namesField } from "../fields";

export type CustomScalarsMembers = {
  /** The layout that the user edited; null: the logged one. */
  readonly customLayout: CustomLayout | null;
  /** Keys of charts whose matching tags are listed. */
  readonly customMatches: readonly string[];
};

export const customScalarsMembers: Fields<CustomScalarsMembers> = {
  customLayout: jsonField<CustomLayout | null>(null, parseLayout),
  customMatches: namesField(),
};
