// Columns of the job list.

import { ListColumns } from "../parts/list_columns";

export type ColumnId =
  | "state"
  | "name"
  | "labels"
  | "command"
  | "board"
  | "user"
  | "duration"
  | "created"
  | "figures"
  | "workspace"
  | "host"
  | "id";

export const COLUMNS = new ListColumns<ColumnId>("lightboard.hub.jobs.columns", [
  { id: "state", widthPx: 165, sort: "state", grows: 1 },
  { id: "name", widthPx: 155, sort: "name", grows: 2, fixed: true },
  { id: "labels", widthPx: 105, sort: null, grows: 1 },
  { id: "command", widthPx: 176, sort: null, grows: 3 },
  { id: "board", widthPx: 95, sort: null },
  { id: "user", widthPx: 70, sort: "user" },
  { id: "duration", widthPx: 118, sort: null },
  { id: "created", widthPx: 130, sort: "created", down: true },
  { id: "figures", widthPx: 112, sort: null },
  { id: "workspace", widthPx: 105, sort: "workspace", extra: true },
  { id: "host", widthPx: 120, sort: null, extra: true },
  { id: "id", widthPx: 120, sort: null, extra: true },
]);

/** Width of the last cell of a row, which is always shown. */
export const TOOLS_PX = 104;
