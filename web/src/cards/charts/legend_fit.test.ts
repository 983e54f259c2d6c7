import { expect, test } from "vitest";
import { fitLegend } from "./legend_fit";

const cut = (names: readonly string[], most: number): readonly string[] => names.map((name) => name.slice(0, most));

function entries(count: number, name: string) {
  return [...Array(count).keys()].map((i) => ({ name: `${i}${name}`, value: "0.1234" }));
}

test("names stay as they are while they fit into one row", () => {
  expect(fitLegend(entries(2, " run"), 400, cut)).toEqual({ names: ["0 run", "1 run"], columns: 2 });
});

test("long names are shortened until all entries fit into two rows", () => {
  const { names, columns } = fitLegend(entries(4, "x".repeat(60)), 400, cut);
  expect(columns).toBe(2);
  expect(names).toHaveLength(4);
  expect(new Set(names.map((name) => name.length)).size).toBe(1);
  expect(names[0]?.length).toBeLessThan(24);
});

test("in a narrow card only some entries are shown, in two rows with the number of others", () => {
  const { names, columns } = fitLegend(entries(8, "x".repeat(60)), 290, cut);
  expect(names.length).toBeGreaterThanOrEqual(2);
  expect(names.length).toBeLessThan(8);
  expect(names.length + 1).toBeLessThanOrEqual(2 * columns);
  expect(fitLegend(entries(5, "x"), 20, cut)).toMatchObject({ columns: 1 });
});

test("names are complete where there is room for them", () => {
  const name = " a name of more than twenty-four letters";
  expect(fitLegend(entries(2, name), 800, cut)).toEqual({ names: [`0${name}`, `1${name}`], columns: 2 });
});

test("fewer entries with names that can be read are better than more with six letters", () => {
  const { names } = fitLegend(entries(5, "digits/lr=0.001"), 290, cut);
  expect(names.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...names.map((one) => one.length))).toBeGreaterThanOrEqual(10);
});
