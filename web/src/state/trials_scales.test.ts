import { expect, test } from "vitest";
import { axisOf, thinned, usualScale } from "./trials_scales";
import { column } from "./trials_test_data";

const spread = column("hparam:lr", [1e-4, 1e-3, 1e-2, Number.NaN]);

test("what spans decades is logarithmic at first, and only settings are", () => {
  expect(usualScale(spread)).toBe("log");
  expect(usualScale(column("hparam:dropout", [0.1, 0.5]))).toBe("linear");
  expect(usualScale(column("metric:loss", [1e-4, 1], { role: "metric" }))).toBe("linear");
  expect(usualScale(column("hparam:zero", [0, 100]))).toBe("linear");
});

test("places and numbers belong together on every scale", () => {
  for (const scale of ["linear", "log", "quantile"] as const) {
    const axis = axisOf(spread, scale);
    expect([axis.places[0], axis.places[2]]).toEqual([0, 1]);
    expect(axis.places[3]).toBeNaN();
    expect(axis.numberAt(axis.placeOf(1e-3))).toBeCloseTo(1e-3, 12);
  }
  expect(axisOf(spread, "log").places[1]).toBeCloseTo(0.5, 6);
  expect(axisOf(spread, "quantile").places[1]).toBeCloseTo(0.5, 6);
});

test("a logarithm has no place for zero, and infinities lie at the ends", () => {
  const odd = column("metric:loss", [0, 1, 10, Number.POSITIVE_INFINITY]);
  expect([...axisOf(odd, "log").places]).toEqual([Number.NaN, 0, 1, 1]);
  expect([...axisOf(odd, "linear").places].map((one) => Math.round(one * 10) / 10)).toEqual([0, 0.1, 1, 1]);
});

test("equal values share a place by rank", () => {
  const axis = axisOf(column("metric:f1", [1, 1, 2]), "quantile");
  expect(axis.places[0]).toBe(axis.places[1]);
  expect(axis.places[2]).toBe(1);
});

test("one value lies in the middle, none at all breaks nothing", () => {
  expect(axisOf(column("hparam:a", [5]), "linear").places[0]).toBe(0.5);
  for (const scale of ["linear", "log", "quantile"] as const) {
    expect(axisOf(column("hparam:a", [Number.NaN]), scale).places[0]).toBeNaN();
  }
});

test("texts have a place each, with their names as ticks", () => {
  const axis = axisOf(column("hparam:opt", [0, 1, Number.NaN], { kind: "text", texts: ["adam", "sgd"] }), "log");
  expect(axis.scale).toBe("places");
  expect([...axis.places]).toEqual([0.25, 0.75, Number.NaN]);
  expect(axis.ticks.map(({ label }) => label)).toEqual(["adam", "sgd"]);
  expect(axis.numberAt(0.9)).toBe(1);
});

test("few values are their own ticks, and ticks too near to others are left out", () => {
  const ticks = axisOf(column("hparam:units", [128, 256, 512]), "linear").ticks;
  expect(ticks.map(({ number }) => number)).toEqual([128, 256, 512]);
  expect(thinned(ticks, 0.5).map(({ number }) => number)).toEqual([128, 512]);
});
