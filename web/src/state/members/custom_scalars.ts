// Custom charts.

import { type CustomLayout, parseLayout } from "../custom_layout";
import { type Fields, jsonField, namesField } from "../fields";

export type CustomScalarsMembers = {
  /** What the reader made of the layouts of the runs; null: as they are. */
  readonly customLayout: CustomLayout | null;
  /** Keys of charts whose matching tags are listed. */
  readonly customMatches: readonly string[];
};

export const customScalarsMembers: Fields<CustomScalarsMembers> = {
  customLayout: jsonField<CustomLayout | null>(null, parseLayout),
  customMatches: namesField(),
};
