import { expect, test } from "vitest";
import type { Change } from "../api/client";
import { affects } from "./series";
import type { SeriesQuestion } from "./series_plan";

const question: SeriesQuestion = {
  tags: ["loss"],
  runs: ["a"],
  allRuns: false,
  x: "metric:epoch",
  xScale: "linear",
  range: null,
  widthPx: 400,
  smoothing: "",
  rewinds: "board",
  exact: false,
  group: "",
  band: "std",
};

function change(runs: readonly string[] | "all", scalars: readonly string[] | "all" | undefined): Change {
  return { runs, tags: scalars === undefined ? {} : { scalars } } as unknown as Change;
}

test("a card looks again only when its own lines may have grown", () => {
  expect(affects(change(["a"], ["loss"]), question)).toBe(true);
  expect(affects(change(["b"], ["loss"]), question)).toBe(false);
  expect(affects(change(["a"], ["accuracy"]), question)).toBe(false);
  expect(affects(change("all", "all"), question)).toBe(true);
  expect(affects(change(["a"], undefined), question)).toBe(false);
  expect(affects(change(["a"], ["epoch"]), question)).toBe(true);
});
