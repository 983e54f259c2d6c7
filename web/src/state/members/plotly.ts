// Plotly figures.

import { type Fields, flagField } from "../fields";

export type PlotlyMembers = {
  /** Figures have the colors they were logged with, instead of those of the page. */
  readonly plotlyAsLogged: boolean;
};

export const plotlyMembers: Fields<PlotlyMembers> = {
  plotlyAsLogged: flagField(false),
};
