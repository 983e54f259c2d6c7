import { expect, test } from "vitest";
import { planFor, type SeriesQuestion } from "./series_plan";

const held: SeriesQuestion = {
  tags: ["loss"],
  runs: ["a", "b"],
  allRuns: true,
  x: "step",
  xScale: "linear",
  range: null,
  widthPx: 400,
  smoothing: "ema:0.6",
  rewinds: "board",
  exact: false,
  group: "",
  band: "std",
};

test("a card without lines asks for all of them at once", () => {
  expect(planFor(null, held)).toEqual({ kind: "whole", delayMs: 0 });
});

test("nothing is asked twice", () => {
  expect(planFor(held, { ...held, runs: ["a", "b"], tags: ["loss"] })).toEqual({ kind: "nothing" });
  expect(planFor(held, { ...held, widthPx: 410 })).toEqual({ kind: "nothing" });
});

test("another smoothing asks for smoothed lines only", () => {
  expect(planFor(held, { ...held, smoothing: "ema:0.7" })).toEqual({ kind: "smoothing", draft: true, delayMs: 0 });
  expect(planFor({ ...held, smoothing: "" }, held)).toEqual({ kind: "smoothing", draft: true, delayMs: 0 });
});

test("without smoothing the raw lines come in full detail", () => {
  expect(planFor(held, { ...held, smoothing: "" })).toEqual({ kind: "whole", delayMs: 0 });
});

test("another zoom or size waits for the reader to pause", () => {
  const zoom = planFor(held, { ...held, range: [0, 5] });
  expect(zoom.kind === "whole" && zoom.delayMs > 0).toBe(true);
  expect(planFor(held, { ...held, widthPx: 800 }).kind).toBe("whole");
});

test("a run shown in addition is asked for alone", () => {
  expect(planFor(held, { ...held, runs: ["a", "b", "c"] })).toEqual({ kind: "runs", missing: ["c"] });
});

test("hiding a run asks for nothing at once: it is not drawn, the extents follow", () => {
  const plan = planFor(held, { ...held, runs: ["a"] });
  expect(plan.kind === "whole" && plan.delayMs > 100).toBe(true);
});

test("bands are statistics over all runs", () => {
  const grouped = { ...held, group: "regex:(.)" };
  expect(planFor(grouped, { ...grouped, runs: ["a", "b", "c"] })).toEqual({ kind: "whole", delayMs: 0 });
  expect(planFor(grouped, { ...grouped, smoothing: "ema:0.9" })).toEqual({ kind: "whole", delayMs: 0 });
});

test("other edges around the lines are another question", () => {
  const edges = { lower: ["lo"], upper: ["up"] };
  const banded = { ...held, edges };
  expect(planFor(held, banded)).toEqual({ kind: "whole", delayMs: 0 });
  expect(planFor(banded, { ...held, edges: { lower: ["lo"], upper: ["up"] } })).toEqual({ kind: "nothing" });
  expect(planFor(banded, { ...held, edges: { ...edges, upper: ["other"] } })).toEqual({ kind: "whole", delayMs: 0 });
});
