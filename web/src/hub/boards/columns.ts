// Columns of the board list: which are shown, and how wide. Both are remembered by the browser.

import { computed, signal } from "@preact/signals";
import { recall, remember } from "../preferences";

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

export type Column = {
  readonly id: ColumnId;
  readonly widthPx: number;
  /** The word of `sort` in the hub's API; null: the hub cannot sort by it. */
  readonly sort: string | null;
  /** Descending at the first click: newest first. */
  readonly down?: boolean;
  /** Hidden until the user shows it. */
  readonly extra?: boolean;
  /** Cannot be hidden. */
  readonly fixed?: boolean;
};

export const COLUMNS: readonly Column[] = [
  { id: "state", widthPx: 165, sort: "state" },
  { id: "name", widthPx: 165, sort: "name", fixed: true },
  { id: "type", widthPx: 70, sort: null },
  { id: "sources", widthPx: 180, sort: null },
  { id: "workspace", widthPx: 105, sort: "workspace" },
  { id: "owner", widthPx: 72, sort: "owner" },
  { id: "created", widthPx: 128, sort: "created", down: true },
  { id: "last_activity", widthPx: 124, sort: "last_activity", down: true },
  { id: "pauses", widthPx: 120, sort: null },
  { id: "visibility", widthPx: 110, sort: null, extra: true },
  { id: "id", widthPx: 120, sort: null, extra: true },
];

// the first and the last cell of a row, which are always shown
export const SELECT_PX = 40;
export const TOOLS_PX = 104;

const MEMORY = "lightboard.hub.columns";
const LEAST_PX = 60;
const MOST_PX = 900;

type Kept = {
  readonly hidden: readonly string[];
  readonly shown: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
};

const NOTHING: Kept = { hidden: [], shown: [], widths: {} };

export function parseKept(text: string | null): Kept {
  try {
    const kept: unknown = JSON.parse(text ?? "null");
    if (typeof kept !== "object" || kept === null) return NOTHING;
    const { hidden, shown, widths } = kept as Partial<Kept>;
    return {
      hidden: Array.isArray(hidden) ? hidden.map(String) : [],
      shown: Array.isArray(shown) ? shown.map(String) : [],
      widths: Object.fromEntries(
        Object.entries(typeof widths === "object" && widths !== null ? widths : {}).filter(
          ([, px]) => typeof px === "number" && Number.isFinite(px),
        ),
      ),
    };
  } catch {
    return NOTHING;
  }
}

const kept = signal<Kept>(parseKept(recall(MEMORY)));

function keep(change: Partial<Kept>): void {
  kept.value = { ...kept.value, ...change };
  remember(MEMORY, JSON.stringify(kept.value));
}

export function isShown({ id, extra = false, fixed = false }: Column): boolean {
  return fixed || (extra ? kept.value.shown.includes(id) : !kept.value.hidden.includes(id));
}

export const shownColumns = computed(() => COLUMNS.filter(isShown));

export function showColumn({ id, extra = false }: Column, show: boolean): void {
  const { hidden, shown } = kept.value;
  if (extra) keep({ shown: show ? [...shown, id] : shown.filter((one) => one !== id) });
  else keep({ hidden: show ? hidden.filter((one) => one !== id) : [...hidden, id] });
}

/** Without a choice of the user, `null`. */
export function chosenWidth(id: ColumnId): number | null {
  return kept.value.widths[id] ?? null;
}

export function resizeColumn(id: ColumnId, widthPx: number): void {
  const px = Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, widthPx)));
  keep({ widths: { ...kept.value.widths, [id]: px } });
}

export function resetColumns(): void {
  kept.value = NOTHING;
  remember(MEMORY, JSON.stringify(NOTHING));
}

/** How columns share the width that is left. */
const GROWTH: Readonly<Partial<Record<ColumnId, number>>> = { sources: 3, name: 2, state: 1 };

/** Widths of columns in a frame. Columns whose width the user chose do not grow. */
export function layoutWidths(columns: readonly Column[], freePx: number): ReadonlyMap<ColumnId, number> {
  const widths = new Map(columns.map(({ id, widthPx }) => [id, chosenWidth(id) ?? widthPx]));
  const sparePx = freePx - [...widths.values()].reduce((sum, px) => sum + px, 0);
  const growing = columns.filter(({ id }) => GROWTH[id] !== undefined && chosenWidth(id) === null);
  const shares = growing.reduce((sum, { id }) => sum + (GROWTH[id] ?? 0), 0);
  if (sparePx <= 0 || shares === 0) return widths;
  for (const { id, widthPx } of growing) widths.set(id, widthPx + Math.floor((sparePx * (GROWTH[id] ?? 0)) / shares));
  return widths;
}
