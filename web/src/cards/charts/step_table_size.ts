// Height that the table at the marked step and the legend add to every card.

import { computed, signal } from "@preact/signals";
import { drawnRuns } from "../../state/runs";
import { member } from "../../state/view";

const steps = member("steps");
const stepTable = member("stepTable");
const legend = member("legend");

export const ROW_PX = 22;
const FEW_ROWS = 4;
const MORE_ROWS = 14;
const LEGEND_PX = 48;
const SHORT_LEGEND_PX = 26;
/** A legend of more lines is not shown by default. */
export const FEW_LINES = 8;

/** Tables show more rows without scrolling. */
export const expanded = signal(false);
export const expandable = computed(() => drawnRuns.value.length > FEW_ROWS);

/** Height of the rows visible without scrolling, and of the table header. */
export const tableHeightPx = computed(() => {
  if (!stepTable.value || steps.value === null) return 0;
  const most = expanded.value ? MORE_ROWS : FEW_ROWS;
  return ROW_PX * (1 + Math.min(most, Math.max(1, drawnRuns.value.length))) + 9;
});

/** A legend of few lines may need a second row, which the plot gives. */
export const legendHeightPx = computed(() => {
  if (legend.value === "auto") return drawnRuns.value.length <= FEW_LINES ? SHORT_LEGEND_PX : 0;
  return legend.value === "on" ? LEGEND_PX : 0;
});

export const extraHeightPx = computed(() => tableHeightPx.value + legendHeightPx.value);
