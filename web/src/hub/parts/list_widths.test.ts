// Columns of every list fit into a window of 1280 pixels.

import { expect, test } from "vitest";
import * as boards from "../boards/columns";
import * as jobs from "../jobs/columns";
import * as uploads from "../uploads/columns";
import { SELECT_PX } from "./list_row";

test.each(Object.entries({ boards, jobs, uploads }))("columns fit: %s", (_, { COLUMNS, TOOLS_PX }) => {
  const all: readonly { readonly widthPx: number; readonly extra?: boolean }[] = COLUMNS.all;
  const px = all.filter(({ extra = false }) => !extra).reduce((sum, { widthPx }) => sum + widthPx, 0);
  expect(px + SELECT_PX + TOOLS_PX).toBeLessThanOrEqual(1280);
});
