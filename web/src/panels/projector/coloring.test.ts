import { expect, test } from "vitest";
import type { Column } from "../../state/projector";
import { areCategories, codesOf, coloredBy, withEdits } from "./coloring";
import { paintOf } from "./painting";
import { categoryColors, MOST_CATEGORIES } from "./palette";
import { pixelOf } from "./raster";

const text = (values: readonly string[], codes: readonly number[]): Column => ({
  header: { column: "", kind: "text", values, distinct: values.length, min: null, max: null },
  codes: Int32Array.from(codes),
  numbers: null,
});

/** Encodes numbers as the server does: each distinct number once, as a string, in order of first occurrence. */
function numbers(list: readonly number[], distinct?: number): Column {
  const values = [...new Set(list.map(String))];
  return {
    header: {
      column: "",
      kind: "number",
      values,
      distinct: distinct ?? values.length,
      min: Math.min(...list),
      max: Math.max(...list),
    },
    codes: Int32Array.from(list, (number) => values.indexOf(String(number))),
    numbers: Float64Array.from(list),
  };
}

test("categories have colours of their own, and the legend counts them", () => {
  const { coloring, legend } = coloredBy("kind", text(["a", "b"], [0, 1, 1, -1]), false, "light");
  expect(legend.kind === "codes" && legend.entries.map(({ value, count }) => [value, count])).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
  const colors = paintOf(coloring, 4, "#888888");
  expect(colors?.[1]).toBe(colors?.[2]);
  expect(colors?.[0]).not.toBe(colors?.[1]);
  expect(colors?.[3]).toBe(pixelOf("#888888"));
});

test("the legend tells of what is shown", () => {
  const { legend } = coloredBy("kind", text(["a", "b", "c"], [0, 1, 1, 2]), false, "light", Uint32Array.of(1, 3));
  expect(legend.kind === "codes" && legend.entries.map(({ value, count }) => [value, count])).toEqual([
    ["b", 1],
    ["c", 1],
  ]);
});

test("fifty categories are fifty colours, in both themes", () => {
  for (const theme of ["light", "dark"] as const) {
    expect(new Set(categoryColors(MOST_CATEGORIES, theme)).size).toBe(MOST_CATEGORIES);
  }
});

test("too many categories have no colours", () => {
  const values = Array.from({ length: 51 }, (_, at) => String(at));
  expect(coloredBy("id", text(values, [0, 1]), false, "light").coloring.kind).toBe("none");
});

test("numbers are a scale, or categories where one says so", () => {
  const column = numbers([3, 1, 2, 1], 3);
  expect(coloredBy("n", column, false, "dark").coloring.kind).toBe("numbers");
  const { legend } = coloredBy("n", column, true, "dark");
  expect(legend.kind === "codes" && legend.entries.map(({ value }) => value)).toEqual(["1", "2", "3"]);
});

test("numbers that are none have the plain colour", () => {
  const palette = ["#000000", "#ffffff"];
  const list = Float64Array.of(0, 1, Number.NaN, Number.POSITIVE_INFINITY);
  const colors = paintOf({ kind: "numbers", numbers: list, lo: 0, hi: 1, palette }, 5, "#888888");
  expect([...(colors ?? [])]).toEqual(["#000000", "#ffffff", "#888888", "#ffffff", "#888888"].map(pixelOf));
});

test("numbers as categories are in order and leave gaps out", () => {
  expect(codesOf(numbers([2, Number.NaN, 1, 10]))).toEqual({
    codes: Int32Array.of(1, -1, 0, 2),
    values: ["1", "2", "10"],
  });
});

test("an edited cell has the colour of its new value", () => {
  const edited = withEdits(text(["a"], [0, 0]), new Map([[1, "new"]]), 2);
  expect(edited.header.values).toEqual(["a", "new"]);
  expect([...(edited.codes ?? [])]).toEqual([0, 1]);
});

test("few whole numbers are categories, unless one says otherwise", () => {
  expect(areCategories(numbers([0, 1, Number.NaN], 2), "auto")).toBe(true);
  expect(areCategories(numbers([0.5, 1], 2), "auto")).toBe(false);
  expect(areCategories(numbers([0.5, 1], 2), "on")).toBe(true);
  expect(areCategories(numbers([0, 1], 2), "off")).toBe(false);
  expect(areCategories(numbers([0, 1], 51), "on")).toBeNull();
  expect(areCategories(text(["a"], [0]), "on")).toBeNull();
});
