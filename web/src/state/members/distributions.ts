// Members of the distributions page.

import { choiceField, type Fields, jsonField } from "../fields";
import { isSpreadZoom, record, type SpreadZoom, TIME_AXES } from "./shared";

export type DistributionsMembers = {
  readonly distributionsX: (typeof TIME_AXES)[number];
  readonly distributionsZoom: Readonly<Record<string, SpreadZoom>>;
};

export const distributionsMembers: Fields<DistributionsMembers> = {
  distributionsX: choiceField(TIME_AXES, "step"),
  distributionsZoom: jsonField<Readonly<Record<string, SpreadZoom>>>({}, record(isSpreadZoom)),
};
