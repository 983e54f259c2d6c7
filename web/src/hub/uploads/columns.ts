// Columns of the upload list.

import { ListColumns } from "../parts/list_columns";

export type ColumnId =
  | "state"
  | "name"
  | "visibility"
  | "size"
  | "files"
  | "runs"
  | "owner"
  | "workspace"
  | "updated"
  | "created"
  | "id";

export const COLUMNS = new ListColumns<ColumnId>("lightboard.hub.uploads.columns", [
  { id: "state", widthPx: 120, sort: "state" },
  { id: "name", widthPx: 195, sort: "name", grows: 3, fixed: true },
  { id: "visibility", widthPx: 142, sort: "visibility" },
  { id: "size", widthPx: 90, sort: "size", down: true },
  { id: "files", widthPx: 72, sort: "files", down: true },
  { id: "runs", widthPx: 72, sort: "runs", down: true },
  { id: "owner", widthPx: 90, sort: "owner", grows: 1 },
  { id: "workspace", widthPx: 105, sort: "workspace", grows: 1 },
  { id: "updated", widthPx: 124, sort: "updated", down: true },
  { id: "created", widthPx: 130, sort: "created", down: true },
  { id: "id", widthPx: 150, sort: null, extra: true },
]);

/** Width of the last cell of a row, which is always shown. */
export const TOOLS_PX = 80;
