// Colors points by a column of the metadata, as categories or as a scale, and describes the legend.

import { effect, signal } from "@preact/signals";
import { formatNumber } from "../../base/numbers";
import { type Column, type Embedding, embedding, loadColumn } from "../../state/projector";
import { editsOf, editsVersion } from "../../state/projector_edits";
import { only } from "../../state/projector_only";
import { theme } from "../../state/theme";
import { member } from "../../state/view";
import type { Coloring } from "./messages";
import { categoryColors, MOST_CATEGORIES, scaleColors } from "./palette";

export type Legend =
  | { readonly kind: "none" }
  /** Too many distinct values for colors. */
  | { readonly kind: "many"; readonly column: string; readonly distinct: number }
  | {
      readonly kind: "codes";
      readonly column: string;
      readonly entries: readonly { readonly value: string; readonly color: string; readonly count: number }[];
    }
  | {
      readonly kind: "numbers";
      readonly column: string;
      readonly lo: string;
      readonly hi: string;
      readonly colors: readonly string[];
    };

export const legend = signal<Legend>({ kind: "none" });
/** True: the few numbers of the column are categories; false: a scale; null: the column offers no choice. */
export const asCategories = signal<boolean | null>(null);

/** By default up to this many distinct integers are categories, because class labels are often integers. */
const FEW = 20;

export function areCategories({ header, numbers }: Column, wish: "auto" | "on" | "off"): boolean | null {
  if (numbers === null || header.distinct > MOST_CATEGORIES) return null;
  if (wish !== "auto") return wish === "on";
  const listed = header.values.map(numberIn);
  return header.distinct <= FEW && listed.every((number) => Number.isNaN(number) || Number.isInteger(number));
}

const colorBy = member("projectorColorBy");
const categorical = member("projectorCategorical");

type Colored = { readonly coloring: Coloring; readonly legend: Legend };

const NOTHING: Colored = { coloring: { kind: "none" }, legend: { kind: "none" } };

/** `only`: the rows that are shown; the legend describes only these. */
export function coloredBy(
  name: string,
  column: Column,
  categories: boolean,
  shade: "light" | "dark",
  only: Uint32Array | null = null,
): Colored {
  const { header, codes, numbers } = column;
  const many = header.distinct > MOST_CATEGORIES;
  if (numbers !== null && (!categories || many)) {
    const palette = scaleColors(shade);
    const [lo, hi] = [header.min ?? 0, header.max ?? 0];
    return {
      coloring: { kind: "numbers", numbers, lo, hi, palette },
      legend: { kind: "numbers", column: name, lo: formatNumber(lo), hi: formatNumber(hi), colors: palette },
    };
  }
  if (many) {
    const tooMany: Legend = { kind: "many", column: name, distinct: header.distinct };
    return { coloring: { kind: "none" }, legend: tooMany };
  }
  const coded = numbers !== null ? codesOf(column) : { codes, values: header.values };
  const palette = categoryColors(coded.values.length, shade);
  const counts = new Uint32Array(coded.values.length);
  const count = (code: number): void => {
    if (code >= 0) counts[code] = (counts[code] ?? 0) + 1;
  };
  const shown = only?.length ?? coded.codes.length;
  for (let i = 0; i < shown; i++) count(coded.codes[only === null ? i : (only[i] ?? 0)] ?? -1);
  const entries = coded.values.map((value, at) => ({ value, color: palette[at] ?? "", count: counts[at] ?? 0 }));
  return {
    coloring: { kind: "codes", codes: coded.codes, palette },
    legend: {
      kind: "codes",
      column: name,
      entries: only === null ? entries : entries.filter((entry) => entry.count > 0),
    },
  };
}

/** Returns numbers as categories, in ascending order; other values have no category. */
export function codesOf({ header, codes }: Column): { codes: Int32Array; values: readonly string[] } {
  const numbers = header.values.map(numberIn);
  const order = numbers.flatMap((number, at) => (Number.isNaN(number) ? [] : [at]));
  order.sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
  const place = new Int32Array(header.values.length).fill(-1);
  order.forEach((at, rank) => {
    place[at] = rank;
  });
  return { codes: codes.map((code) => place[code] ?? -1), values: order.map((at) => header.values[at] ?? "") };
}

const numberIn = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text));

/** Returns the column with edited cells, which get the color of their new value. */
export function withEdits(column: Column, edits: ReadonlyMap<number, string>, rows: number): Column {
  if (edits.size === 0) return column;
  const known = column.numbers === null ? null : codesOf(column);
  const values = [...(known?.values ?? column.header.values)];
  const codes = new Int32Array(rows).fill(-1);
  codes.set((known?.codes ?? column.codes).subarray(0, rows));
  const place = new Map(values.map((value, at) => [value, at]));
  for (const [row, value] of edits) {
    let at = place.get(value);
    if (at === undefined) {
      at = values.length;
      values.push(value);
      place.set(value, at);
    }
    codes[row] = at;
  }
  const header = { ...column.header, kind: "text" as const, values, distinct: values.length };
  return { header, codes, numbers: null };
}

const BLANK: Column = {
  header: { column: "", kind: "text", values: [], distinct: 0, min: null, max: null },
  codes: new Int32Array(),
  numbers: null,
};

function loaded(of: Embedding, column: string): Promise<Column> {
  const logged = of.metadata?.columns.includes(column) ?? false;
  return logged ? loadColumn(of, column) : Promise.resolve(BLANK);
}

/** Updates the colors while the page is open; returns a function that stops this. */
export function followColoring(show: (coloring: Coloring) => void): () => void {
  const put = (colored: Colored): void => {
    legend.value = colored.legend;
    show(colored.coloring);
  };
  return effect(() => {
    const of = embedding.value;
    const column = colorBy.value;
    const [wish, shade] = [categorical.value, theme.value];
    const shown = only.value;
    void editsVersion.value;
    let stopped = false;
    if (of === null || column === "") {
      asCategories.value = null;
      put(NOTHING);
    } else {
      loaded(of, column).then(
        (answer) => {
          if (stopped) return;
          asCategories.value = areCategories(answer, wish);
          const edited = withEdits(answer, editsOf(column), of.rows);
          put(coloredBy(column, edited, asCategories.peek() === true, shade, shown));
        },
        () => {
          if (!stopped) put(NOTHING);
        },
      );
    }
    return () => {
      stopped = true;
    };
  });
}
