// Which step and which sample cards show.

import { type Fields, flagField, jsonField } from "../fields";
import { isPlace, isStep, record, stepField } from "./shared";

export type StepsMembers = {
  /** Step of a card by its key (see state/card_keys.ts), as text: steps may have more digits than a double. */
  readonly stepOf: Readonly<Record<string, string>>;
  /** Step of all such cards without their own; "": the selected or the newest one. */
  readonly stepAll: string;
  /** Cards show the step selected on the time series page. */
  readonly linkSteps: boolean;
  /** The index of the shown element of a value with several, by card key. */
  readonly sampleOf: Readonly<Record<string, number>>;
};

export const stepsMembers: Fields<StepsMembers> = {
  stepOf: jsonField<Readonly<Record<string, string>>>({}, record(isStep)),
  stepAll: stepField(),
  linkSteps: flagField(true),
  sampleOf: jsonField<Readonly<Record<string, number>>>({}, record(isPlace)),
};
