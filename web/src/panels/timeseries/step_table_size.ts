// How much the table at the marked step adds to the height of every card.

import { computed } from "@preact/signals";
import { drawnRuns } from "../../state/runs";
import { member } from "../../state/view";

const steps = member("steps");
const stepTable = member("stepTable");
const legend = member("legend");

export const ROW_PX = 22;
export const TABLE_ROWS = 4;
export const LEGEND_PX = 40;

/** Rows without scrolling; the table's head is one more. */
export const tableHeightPx = computed(() => {
  if (!stepTable.value || steps.value === null) return 0;
  return ROW_PX * (1 + Math.min(TABLE_ROWS, Math.max(1, drawnRuns.value.length))) + 9;
});

export const legendHeightPx = computed(() => (legend.value ? LEGEND_PX : 0));

export const extraHeightPx = computed(() => tableHeightPx.value + legendHeightPx.value);
