import { expect, test } from "vitest";
import { drawSpreadPicture } from "./spread_picture";
import type { SpreadData, SpreadLook, SpreadScene } from "./spread_types";

const SCENE: SpreadScene = {
  widthPx: 400,
  heightPx: 300,
  ratio: 1,
  font: "11px sans-serif",
  locale: "en",
  colors: {
    background: "#ffffff",
    text: "#000000",
    quiet: "#555555",
    grid: "#dddddd",
    axis: "#888888",
    accent: "#0000ff",
  },
  color: "#336699",
  look: "offset",
  time: { axis: "step", origin: 0 },
  values: null,
  times: null,
  bins: "logged",
  logCounts: false,
  pointed: null,
  chosen: 1,
  within: null,
};

const HISTOGRAMS: SpreadData = {
  kind: "histograms",
  steps: Float64Array.of(0, 1, 2),
  walls: Float64Array.of(0, 1, 2),
  first: Uint32Array.of(0, 2, 4, 6),
  lefts: Float64Array.of(0, 1, 0, 1, 0, 1),
  rights: Float64Array.of(1, 2, 1, 2, 1, 2),
  counts: Float64Array.of(1, 4, 2, 3, 3, 2),
};

const PERCENTILES: SpreadData = {
  kind: "percentiles",
  steps: Float64Array.of(0, 1, 2),
  walls: Float64Array.of(0, 1, 2),
  lines: 3,
  // nothing is drawn across the step with NaN
  values: Float64Array.of(0, 1, 2, Number.NaN, Number.NaN, Number.NaN, 2, 3, 4),
};

async function svgOf(look: SpreadLook, data: SpreadData, change: Partial<SpreadScene> = {}): Promise<string> {
  const refuse = (): never => {
    throw new Error("an SVG needs no canvas");
  };
  const order = { scene: { ...SCENE, look, ...change }, title: "w & b", kind: "svg" as const, scale: 2 };
  return (await drawSpreadPicture(order, data, refuse)).text();
}

const countOf = (text: string, part: string | RegExp): number => text.split(part).length - 1;

test("ridges: one filled outline a step, the marked one once more in the accent colour", async () => {
  const picture = await svgOf("offset", HISTOGRAMS);
  expect(picture).toContain("w &amp; b");
  expect(countOf(picture, 'stroke="#ffffff"')).toBe(3);
  expect(countOf(picture, 'stroke="#0000ff"')).toBe(1);
});

test("lines over each other are not filled, older ones paler", async () => {
  const picture = await svgOf("overlay", HISTOGRAMS, { chosen: null });
  expect(countOf(picture, 'stroke="#336699"')).toBe(1);
  expect(countOf(picture, /<path [^>]*fill="none"/)).toBe(3);
});

test("a heat map has a cell for each bucket, the highest count the strongest", async () => {
  const picture = await svgOf("heat", HISTOGRAMS, { chosen: null });
  // all rectangles except background, grid and axis
  const cells = [...picture.matchAll(/<rect [^>]*height="(\d+)" fill="(#[0-9a-f]{6})"/g)].map(([, , color]) => color);
  const coloured = cells.filter((color) => !["#ffffff", "#dddddd", "#888888"].includes(color ?? ""));
  expect(coloured.length).toBe(6);
  expect(new Set(coloured).size).toBe(4);
});

test("percentiles: areas between lines, lone steps too, nothing where there are no numbers", async () => {
  const picture = await svgOf("percentiles", PERCENTILES, { chosen: null });
  expect(picture).not.toContain("NaN");
  expect(countOf(picture, /<path [^>]*fill="#336699"/)).toBe(4);
  expect(countOf(picture, 'stroke="#336699"')).toBe(6);
});

test("nothing to draw is a picture without curves", async () => {
  const none = { ...HISTOGRAMS, steps: new Float64Array(0), walls: new Float64Array(0), first: new Uint32Array(1) };
  for (const look of ["offset", "overlay", "heat"] as const) {
    expect(await svgOf(look, none, { chosen: null })).not.toContain("NaN");
  }
});
