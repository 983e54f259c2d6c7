// Members of the histograms page.

import { choiceField, type Fields, flagField, jsonField } from "../fields";
import { isSpreadZoom, record, type SpreadZoom, TIME_AXES } from "./shared";

export const HISTOGRAM_MODES = ["offset", "overlay", "heat"] as const;

export const HISTOGRAM_BINS = ["even", "logged"] as const;

export type HistogramsMembers = {
  readonly histogramsMode: (typeof HISTOGRAM_MODES)[number];
  /** For offset histograms and the heat map: the unit of the time axis. */
  readonly histogramsX: (typeof TIME_AXES)[number];
  /** Thirty even bins, as in TensorBoard, or the buckets as they were logged. */
  readonly histogramsBins: (typeof HISTOGRAM_BINS)[number];
  readonly histogramsLog: boolean;
  /** By card key. */
  readonly histogramsZoom: Readonly<Record<string, SpreadZoom>>;
};

export const histogramsMembers: Fields<HistogramsMembers> = {
  histogramsMode: choiceField(HISTOGRAM_MODES, "offset"),
  histogramsX: choiceField(TIME_AXES, "step"),
  histogramsBins: choiceField(HISTOGRAM_BINS, "even"),
  histogramsLog: flagField(false),
  histogramsZoom: jsonField<Readonly<Record<string, SpreadZoom>>>({}, record(isSpreadZoom)),
};
