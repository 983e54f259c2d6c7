// Columns of a list: which are shown, and how wide. Both are remembered by the browser.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { recall, remember } from "../preferences";

export type Column<Id extends string = string> = {
  readonly id: Id;
  readonly widthPx: number;
  /** The word of `sort` in the hub's API; null: the hub cannot sort by it. */
  readonly sort: string | null;
  /** Its share of the width that is left. */
  readonly grows?: number;
  /** Descending at the first click: newest first. */
  readonly down?: boolean;
  /** Hidden until the user shows it. */
  readonly extra?: boolean;
  /** Cannot be hidden. */
  readonly fixed?: boolean;
};

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

export class ListColumns<Id extends string = string> {
  readonly shown: ReadonlySignal<readonly Column<Id>[]>;
  #kept: Signal<Kept>;

  /** `memory` is the key under which the browser remembers the choices. */
  constructor(
    readonly memory: string,
    readonly all: readonly Column<Id>[],
  ) {
    this.#kept = signal(parseKept(recall(memory)));
    this.shown = computed(() => all.filter((column) => this.isShown(column)));
  }

  isShown({ id, extra = false, fixed = false }: Column<Id>): boolean {
    const { shown, hidden } = this.#kept.value;
    return fixed || (extra ? shown.includes(id) : !hidden.includes(id));
  }

  show({ id, extra = false }: Column<Id>, show: boolean): void {
    const { hidden, shown } = this.#kept.value;
    if (extra) this.#keep({ shown: show ? [...shown, id] : shown.filter((one) => one !== id) });
    else this.#keep({ hidden: show ? hidden.filter((one) => one !== id) : [...hidden, id] });
  }

  resize(id: Id, widthPx: number): void {
    const px = Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, widthPx)));
    this.#keep({ widths: { ...this.#kept.value.widths, [id]: px } });
  }

  reset(): void {
    this.#keep(NOTHING);
  }

  /** Widths of the shown columns in a frame. Columns whose width the user chose do not grow. */
  widths(freePx: number): ReadonlyMap<Id, number> {
    const chosen = this.#kept.value.widths;
    const columns = this.shown.value;
    const widths = new Map(columns.map(({ id, widthPx }) => [id, chosen[id] ?? widthPx]));
    const sparePx = freePx - [...widths.values()].reduce((sum, px) => sum + px, 0);
    const growing = columns.filter(({ id, grows = 0 }) => grows > 0 && chosen[id] === undefined);
    const shares = growing.reduce((sum, { grows = 0 }) => sum + grows, 0);
    if (sparePx <= 0 || shares === 0) return widths;
    for (const { id, widthPx, grows = 0 } of growing) widths.set(id, widthPx + Math.floor((sparePx * grows) / shares));
    return widths;
  }

  #keep(change: Partial<Kept>): void {
    this.#kept.value = { ...this.#kept.value, ...change };
    remember(this.memory, JSON.stringify(this.#kept.value));
  }
}
