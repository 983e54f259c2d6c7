// Members of the page of Plotly figures.

import { type Fields, flagField } from "../fields";

export type PlotlyMembers = {
  /** Figures keep the logged colors instead of the theme's. */
  readonly plotlyAsLogged: boolean;
};

export const plotlyMembers: Fields<PlotlyMembers> = {
  plotlyAsLogged: flagField(false),
};
