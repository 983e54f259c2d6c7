import { expect, test } from "vitest";
import { decodeLayer } from "./layers";
import { drawPicture } from "./picture";
import { columnsFrame, frameOf, pointsFrame, type SceneOverrides, sceneOf, styleOf } from "./test_data";
import type { Legend, Scene } from "./types";

const none: Legend = { title: "", entries: [] };

async function svgOf(scene: Scene, frame: ArrayBuffer, legend: Legend = none): Promise<string> {
  const layer = decodeLayer(1, frame);
  const noCanvas = (): never => {
    throw new Error("an SVG needs no canvas");
  };
  const blob = await drawPicture({ scene, legend, kind: "svg", scale: 1 }, () => layer, noCanvas);
  expect(blob.type).toBe("image/svg+xml");
  return blob.text();
}

function shown(count: number, rest: SceneOverrides = {}): Scene {
  const styles = ["#425066", "#12b5cb", "#e52592"].slice(0, count).map((color) => styleOf(color));
  return sceneOf({ layers: [{ id: 1, styles, bands: [] }], ...rest });
}

test("points, a gap, lone dots and marks", async () => {
  const odd = [
    [0, 2],
    [1, 4],
    [2, Number.NaN],
    [3, 5],
    [4, Number.NEGATIVE_INFINITY],
    [5, 3],
    [6, 30],
    [7, 3],
  ] as const;
  const picture = await svgOf(shown(2, { lines: { edgeMarks: true, lastPoint: true } }), pointsFrame(odd, [[8, 8]]));
  expect(picture).toMatchSnapshot();
});

test("columns with a smoothed look of their own", async () => {
  const x = { scale: "linear", lo: 0, hi: 60, format: "step" } as const;
  expect(await svgOf(shown(3, { x }), columnsFrame())).toMatchSnapshot();
});

test("an answer of smoothed lines only replaces the smoothed lines, and the raw ones stay", async () => {
  const header = { run: [0], exact: [0], kept: [2] };
  const x = { step: [0, 10], wall_time: [0, 10] };
  const first = decodeLayer(1, frameOf(header, { ...x, value: [1, 1], smoothed: [2, 2] }));
  const newer = decodeLayer(2, frameOf(header, { ...x, value: [1, 1], smoothed: [3, 3] }));
  const layers = [
    { id: 1, styles: [styleOf("#425066")], bands: [], part: "raw" as const },
    { id: 2, styles: [styleOf("#425066")], bands: [], part: "smoothed" as const },
  ];
  const scene = sceneOf({ layers, lines: { smoothed: true, faint: true } });
  const found = (id: number) => (id === 1 ? first : newer);
  const blob = await drawPicture({ scene, legend: none, kind: "svg", scale: 1 }, found, () => {
    throw new Error("an SVG needs no canvas");
  });
  const heights = [...(await blob.text()).matchAll(/d="M40 ([\d.]+)L140 \1"[^>]*stroke="#425066"/g)].map(([, y]) => y);
  expect(heights).toEqual(["98", "78"]);
});

test("a band, its middle, a selected range and a crosshair", async () => {
  const frame = frameOf(
    { groups: [{ length: 3 }] },
    { band_x: [0, 5, 10], band_centre: [5, 6, 4], band_low: [4, 4, 3], band_high: [6, 8, 5] },
  );
  const layers = [{ id: 1, styles: [], bands: [styleOf("#9334e6", { dash: 1 })] }];
  const selection = { kind: "range", lo: 2, hi: 7 } as const;
  expect(await svgOf(sceneOf({ layers, selection, crosshair: 5 }), frame)).toMatchSnapshot();
});

test("title and legend are part of the picture, whatever the names are", async () => {
  const legend = {
    title: `<loss> & "more"`,
    entries: [
      { name: "run/训练 🚀", color: "#425066", dash: 0 },
      { name: "odd \udcff\u0001 name", color: "#12b5cb", dash: 1 },
    ],
  };
  const picture = await svgOf(
    shown(1),
    pointsFrame([
      [0, 1],
      [10, 9],
    ]),
    legend,
  );
  expect(picture).toContain("&lt;loss&gt; &amp; &quot;more&quot;");
  expect(picture).toContain("run/训练 🚀");
  expect(picture).toContain("odd \ufffd\ufffd name");
  expect(picture.match(/<g /g)?.length).toBe(picture.match(/<\/g>/g)?.length);
});

test("the legend stands in columns at the right, with complete names, and the picture keeps its height", async () => {
  const name = (i: number): string => `sweep/units=32,optimizer=adam,dropout=0.2,seed=${i}`;
  const entries = [...Array(12).keys()].map((i) => ({ name: name(i), color: "#425066", dash: 0 }));
  const picture = await svgOf(shown(0), pointsFrame(), { title: "", entries });
  for (const { name } of entries) expect(picture).toContain(`>${name}<`);
  const { widthPx, heightPx } = shown(0);
  const [, width, height] = /<svg [^>]*width="(\d+)" height="(\d+)"/.exec(picture) ?? [];
  expect(Number(height)).toBe(heightPx);
  expect(Number(width)).toBeGreaterThan(widthPx);
  const places = [...picture.matchAll(/<text x="([\d.]+)"[^>]*>sweep/g)].map(([, x]) => x);
  expect(new Set(places).size).toBeGreaterThan(1);
});

test("the crosshair has a dot on each line that it meets", async () => {
  const frame = pointsFrame(
    [
      [0, 1],
      [10, 9],
    ],
    [
      [0, 5],
      [3, 5],
    ],
  );
  const layers = [{ id: 1, styles: [styleOf("#111111"), styleOf("#222222")], bands: [] }];
  const dots = async (crosshair: number | null): Promise<readonly string[]> => {
    const picture = await svgOf(sceneOf({ layers, crosshair, lines: { markers: "none" } }), frame);
    return [...picture.matchAll(/<path d="[^"]*A3.5[^"]*" fill="(#\w+)"/g)].map(([, color]) => color ?? "");
  };
  expect(await dots(2)).toEqual(["#111111", "#222222"]);
  expect(await dots(6)).toEqual(["#111111"]);
  expect(await dots(null)).toEqual([]);
});

test("hidden lines are not in the picture", async () => {
  const layers = [{ id: 1, styles: [styleOf("#425066", { visible: false })], bands: [] }];
  expect(
    await svgOf(
      sceneOf({ layers }),
      pointsFrame([
        [0, 1],
        [10, 9],
      ]),
    ),
  ).not.toContain("#425066");
});

test("restarts are cut and marked", async () => {
  const restarted = pointsFrame([
    [0, 1],
    [6, 4],
    [4, 2],
    [9, 5],
  ]);
  const whole = await svgOf(shown(1), restarted);
  const parts = await svgOf(shown(1, { lines: { partition: true } }), restarted);
  expect(whole.match(/d="M40 98[^"]*"/)?.[0].match(/M/g)?.length).toBe(1);
  expect(parts.match(/d="M40 98[^"]*"/)?.[0].match(/M/g)?.length).toBe(2);
  expect(parts).toContain('fill="#425066"');
});

test("an area alone has no middle, and a layer of dots has its dots", async () => {
  const frame = frameOf(
    { run: [0], exact: [0], kept: [1], groups: [{ length: 2 }] },
    { step: [5], value: [5], band_x: [0, 10], band_centre: [5, 6], band_low: [4, 4], band_high: [6, 8] },
  );
  const bands = [styleOf("#9334e6", { widthPx: 0 })];
  const drawn = (dots: boolean) =>
    svgOf(
      sceneOf({ lines: { markers: "none" }, layers: [{ id: 1, styles: [styleOf("#123456")], bands, dots }] }),
      frame,
    );
  expect(await drawn(true)).toContain('fill="#9334e6"');
  expect(await drawn(true)).not.toContain('stroke="#9334e6"');
  expect(await drawn(true)).toContain('fill="#123456"');
  expect(await drawn(false)).not.toContain('fill="#123456"');
});
