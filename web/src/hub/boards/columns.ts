// Columns of the board list.

import { ListColumns } from "../parts/list_columns";

export type ColumnId =
  | "state"
  | "name"
  | "type"
  | "sources"
  | "workspace"
  | "owner"
  | "created"
  | "last_activity"
  | "pauses"
  | "visibility"
  | "id";

export const COLUMNS = new ListColumns<ColumnId>("lightboard.hub.columns", [
  { id: "state", widthPx: 165, sort: "state", grows: 1 },
  { id: "name", widthPx: 165, sort: "name", grows: 2, fixed: true },
  { id: "type", widthPx: 70, sort: null },
  { id: "sources", widthPx: 180, sort: null, grows: 3 },
  { id: "workspace", widthPx: 105, sort: "workspace" },
  { id: "owner", widthPx: 72, sort: "owner" },
  { id: "created", widthPx: 128, sort: "created", down: true },
  { id: "last_activity", widthPx: 124, sort: "last_activity", down: true },
  { id: "pauses", widthPx: 120, sort: null },
  { id: "visibility", widthPx: 110, sort: null, extra: true },
  { id: "id", widthPx: 120, sort: null, extra: true },
]);

/** Width of the last cell of a row, which is always shown. */
export const TOOLS_PX = 104;
