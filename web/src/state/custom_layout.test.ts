import { expect, test } from "vitest";
import {
  type CustomLayout,
  chartKeys,
  moveChart,
  parseLayout,
  patternsOf,
  putChart,
  withCategory,
  withoutCategory,
  withoutChart,
} from "./custom_layout";

const chart = (title: string, ...patterns: string[]) => ({ title, patterns, bands: [] });
const LAYOUT: CustomLayout = [
  { title: "a|b", closed: false, charts: [chart("x", "loss"), chart("x", "acc"), chart("100%")] },
  { title: "b", closed: true, charts: [] },
];

test("keys are titles, escaped, and counted where they are the same", () => {
  expect(chartKeys(LAYOUT)).toEqual([["custom:a%7Cb|x", "custom:a%7Cb|x|2", "custom:a%7Cb|100%25"], []]);
});

test("a layout is read from what an address has, as far as it makes sense", () => {
  expect(parseLayout(JSON.parse(JSON.stringify(LAYOUT)))).toEqual(LAYOUT);
  expect(parseLayout(null)).toBe(null);
  expect(parseLayout({ title: "no list" })).toBe(undefined);
  expect(parseLayout([7, { title: 3, charts: [null, { patterns: ["a", 1], bands: [{ value: "v" }, 2] }] }])).toEqual([
    {
      title: "",
      closed: false,
      charts: [{ title: "", patterns: ["a"], bands: [{ value: "v", lower: "", upper: "" }] }],
    },
  ]);
});

test("charts and categories come, go and change places", () => {
  const more = putChart(withCategory(LAYOUT, "new"), { category: 2, chart: 5 }, chart("y"));
  expect(more[2]).toEqual({ title: "new", closed: false, charts: [chart("y")] });
  expect(withoutCategory(more, 2)).toEqual(LAYOUT);
  const moved = moveChart(LAYOUT, { category: 0, chart: 2 }, -1);
  expect(moved[0]?.charts.map(({ title }) => title)).toEqual(["x", "100%", "x"]);
  expect(moveChart(LAYOUT, { category: 0, chart: 2 }, 1)[0]?.charts).toEqual(LAYOUT[0]?.charts);
  expect(withoutChart(LAYOUT, { category: 0, chart: 0 })[0]?.charts[0]?.patterns).toEqual(["acc"]);
});

test("patterns are told once", () => {
  expect(patternsOf([...LAYOUT, ...LAYOUT])).toEqual(["loss", "acc"]);
});
