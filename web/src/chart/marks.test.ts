import { expect, test } from "vitest";
import { decodeLayer } from "./layers";
import { layoutOf } from "./layout";
import { newPolyline, traceSeries, viewLayer } from "./lines";
import { addOutlierColumns, collectMarks, newMarks } from "./marks";
import { columnsFrame, sceneOf } from "./test_data";
import type { Axis } from "./types";

const x: Axis = { scale: "linear", lo: 0, hi: 60, format: "step" };

/** Returns kind and column of the marks at the edges; columns are 10 wide on x, 16.7 px on screen. */
function outliers(series: number, y: Axis): readonly string[] {
  const layout = layoutOf(sceneOf({ x, y }));
  const { leftPx, rightPx } = layout.plot;
  const marks = newMarks();
  addOutlierColumns(marks, viewLayer(decodeLayer(1, columnsFrame()), "raw", layout), series, "#000000", layout.plot);
  return marks.list.map(({ kind, xPx }) => `${kind} ${Math.floor(((xPx - leftPx) / (rightPx - leftPx)) * 6)}`);
}

test("a column that reaches out of the plot is marked at the edge", () => {
  // the first series ends at a million, the third begins below zero
  expect(outliers(0, { scale: "linear", lo: 0, hi: 10, format: "number" })).toEqual(["above 5"]);
  expect(outliers(2, { scale: "linear", lo: 0, hi: 10, format: "number" })).toEqual(["below 2"]);
  expect(outliers(2, { scale: "linear", lo: -5, hi: 10, format: "number" })).toEqual([]);
});

test("neighbours out of the plot are one mark, where they are furthest out", () => {
  // columns 3, 4 and 5 of the third series are between 2.9 and 5
  expect(outliers(2, { scale: "linear", lo: -5, hi: 1, format: "number" })).toEqual(["above 4"]);
});

test("what has no place on a logarithmic axis is not below it", () => {
  expect(outliers(2, { scale: "log", lo: 1, hi: 10, format: "number" })).toEqual([]);
  expect(outliers(2, { scale: "log", lo: 3.5, hi: 10, format: "number" })).toEqual(["below 3"]);
});

test("a series without points has no marks", () => {
  expect(outliers(1, { scale: "linear", lo: 0, hi: 1, format: "number" })).toEqual([]);
});

test("infinities are marked at the edges, a NaN where the line broke off", () => {
  const scene = sceneOf({ x });
  const layout = layoutOf(scene);
  const seen = viewLayer(decodeLayer(1, columnsFrame()), "raw", layout);
  const found = [0, 2].map((series) => {
    const [marks, line] = [newMarks(), newPolyline()];
    traceSeries(line, seen, series, false);
    collectMarks(marks, scene.lines, seen, series, line, "#000000", layout.plot);
    return marks.list.map(({ kind }) => kind);
  });
  expect(found[0]).toEqual(expect.arrayContaining(["plus", "minus"]));
  expect(found[0]).not.toContain("nan");
  expect(found[1]).toContain("nan");
  expect(found[1]).not.toContain("plus");
});
