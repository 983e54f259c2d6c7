// All members of the view, by page; a new page adds its file and a line here.

import type { Fields } from "../fields";
import { type AudioMembers, audioMembers } from "./audio";
import { type BoardMembers, boardMembers } from "./board";
import { type CustomScalarsMembers, customScalarsMembers } from "./custom_scalars";
import { type DistributionsMembers, distributionsMembers } from "./distributions";
import { type GraphsMembers, graphsMembers } from "./graphs";
import { type HistogramsMembers, histogramsMembers } from "./histograms";
import { type HparamsMembers, hparamsMembers } from "./hparams";
import { type ImagesMembers, imagesMembers } from "./images";
import { type MeshMembers, meshMembers } from "./mesh";
import { type PlotlyMembers, plotlyMembers } from "./plotly";
import { type PrCurvesMembers, prCurvesMembers } from "./pr_curves";
import { type ProjectorMembers, projectorMembers } from "./projector";
import { type RunsMembers, runsMembers } from "./runs";
import { type StepsMembers, stepsMembers } from "./steps";
import { type TablesMembers, tablesMembers } from "./tables";
import { type TensorsMembers, tensorsMembers } from "./tensors";
import { type TextMembers, textMembers } from "./text";
import { type TimeseriesMembers, timeseriesMembers } from "./timeseries";
import { type VideoMembers, videoMembers } from "./video";

export type Look = AudioMembers &
  BoardMembers &
  CustomScalarsMembers &
  DistributionsMembers &
  GraphsMembers &
  HistogramsMembers &
  HparamsMembers &
  ImagesMembers &
  MeshMembers &
  PlotlyMembers &
  PrCurvesMembers &
  ProjectorMembers &
  RunsMembers &
  StepsMembers &
  TablesMembers &
  TensorsMembers &
  TextMembers &
  TimeseriesMembers &
  VideoMembers;

// the order of members in the URL
export const LOOK_FIELDS: Fields<Look> = {
  ...runsMembers,
  ...timeseriesMembers,
  ...stepsMembers,
  ...imagesMembers,
  ...textMembers,
  ...tablesMembers,
  ...plotlyMembers,
  ...histogramsMembers,
  ...distributionsMembers,
  ...audioMembers,
  ...videoMembers,
  ...meshMembers,
  ...tensorsMembers,
  ...prCurvesMembers,
  ...hparamsMembers,
  ...customScalarsMembers,
  ...projectorMembers,
  ...graphsMembers,
  ...boardMembers,
};
