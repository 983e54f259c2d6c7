import { expect, test } from "vitest";
import { parseHex } from "./colors";
import { decodeLayer } from "./layers";
import { layoutOf } from "./layout";
import { newPolyline, traceSeries, viewLayer } from "./lines";
import { newRaster, type Raster, rowsOf, type Stroke, strokeLine } from "./raster";
import { strokeColumns } from "./raster_columns";
import { columnsFrame, sceneOf } from "./test_data";

const BLACK = parseHex("#000000") ?? 0;

/** Returns the coverage of each pixel, row by row: . is none, digits are tenths, # is full. */
function drawn(
  points: readonly (readonly [number, number])[],
  stroke: Partial<Stroke> = {},
  size = 8,
): readonly string[] {
  const raster = newRaster(size, size);
  draw(raster, points, stroke);
  const rows = rowsOf(raster);
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => symbol(rows[4 * (y * size + x) + 3] ?? 0)).join(""),
  );
}

function draw(raster: Raster, points: readonly (readonly [number, number])[], stroke: Partial<Stroke>): void {
  const line = newPolyline();
  points.forEach(([x, y], i) => {
    line.xs[i] = x;
    line.ys[i] = y;
  });
  line.length = points.length;
  strokeLine(
    raster,
    line,
    { color: BLACK, alpha: 1, widthX: 1, widthY: 1, dashes: [], ...stroke },
    { scaleX: 1, scaleY: 1, shiftX: 0, shiftY: 0 },
  );
}

function symbol(alpha: number): string {
  return alpha === 0 ? "." : alpha > 250 ? "#" : String(Math.round(alpha / 25.5));
}

test("a level line on a row of pixels covers that row", () => {
  expect(
    drawn([
      [0, 2.5],
      [8, 2.5],
    ]),
  ).toEqual(["........", "........", "########", "........", "........", "........", "........", "........"]);
});

test("between two rows it covers half of each", () => {
  expect(
    drawn([
      [0, 3],
      [8, 3],
    ]).slice(2, 4),
  ).toEqual(["55555555", "55555555"]);
});

test("an upright line is as wide as a level one", () => {
  expect(
    drawn(
      [
        [3.5, 0],
        [3.5, 8],
      ],
      { widthX: 1.5, widthY: 1.5 },
    )[4],
  ).toBe("..3#3...");
  expect(
    drawn(
      [
        [3.5, 0],
        [3.5, 8],
      ],
      { widthX: 3, widthY: 3 },
    )[4],
  ).toBe("..###...");
});

test("a slanted line has no gaps and no more weight than its width", () => {
  const raster = newRaster(20, 20);
  draw(
    raster,
    [
      [0, 0],
      [20, 20],
    ],
    {},
  );
  const cover = rowsOf(raster).reduce((sum, value, i) => (i % 4 === 3 ? sum + value / 255 : sum), 0);
  expect(cover).toBeGreaterThan(26);
  expect(cover).toBeLessThan(30); // its length is 28.3
});

test("a gap stays a gap", () => {
  const found = drawn([
    [0, 2.5],
    [3, 2.5],
    [4, Number.NaN],
    [6, 2.5],
    [8, 2.5],
  ]);
  expect(found[2]).toBe("####..##");
});

test("a line that turns back is drawn in both directions", () => {
  const found = drawn([
    [0, 1.5],
    [8, 1.5],
    [8, 5.5],
    [0, 5.5],
  ]);
  expect(found[1]).toBe("########");
  expect(found[5]).toBe("########");
  expect(found[3]?.slice(0, 7)).toBe(".......");
});

test("faint lines add up where they cross", () => {
  const raster = newRaster(4, 4);
  draw(
    raster,
    [
      [0, 1.5],
      [4, 1.5],
    ],
    { alpha: 0.25 },
  );
  draw(
    raster,
    [
      [0, 1.5],
      [4, 1.5],
    ],
    { alpha: 0.25 },
  );
  const alpha = rowsOf(raster)[4 * 4 + 3] ?? 0;
  expect(alpha / 255).toBeCloseTo(0.4375, 1);
});

test("colours keep their shade under partial cover", () => {
  const raster = newRaster(4, 4);
  draw(
    raster,
    [
      [0, 2],
      [4, 2],
    ],
    { color: parseHex("#e52592") ?? 0 },
  );
  const [red = 0, green = 0, blue = 0, alpha = 0] = rowsOf(raster).subarray(4 * 4, 4 * 4 + 4);
  expect(alpha).toBe(128);
  expect([Math.abs(red - 0xe5), Math.abs(green - 0x25), Math.abs(blue - 0x92)].every((off) => off <= 2)).toBe(true);
});

test("dashes follow x", () => {
  expect(
    drawn(
      [
        [0, 2.5],
        [8, 2.5],
      ],
      { dashes: [2, 2] },
    )[2],
  ).toBe("##..##..");
});

test("lines far outside are cut off, not wrapped around", () => {
  const found = drawn([
    [-1e6, 2.5],
    [1e6, 2.5],
  ]);
  expect(found[2]).toBe("########");
  expect(
    drawn([
      [-50, -1e6],
      [-20, 1e6],
    ]).join(""),
  ).toMatch(/^\.+$/);
  expect(
    drawn([
      [2.5, -1e6],
      [2.5, 1e6],
    ]).every((row) => row === "..#....."),
  ).toBe(true);
});

test("only what is written #rrggbb is read without asking the browser", () => {
  expect(parseHex("#0102ff")).toBe(0xffff0201);
  expect(parseHex("red")).toBeNull();
  expect(parseHex("oklch(0.7 0.1 200)")).toBeNull();
});

test("columns go into the raster as their line would", () => {
  const scene = sceneOf({ x: { scale: "linear", lo: 0, hi: 60, format: "step" } });
  const layout = layoutOf(scene);
  const seen = viewLayer(decodeLayer(1, columnsFrame()), "raw", layout);
  const stroke = { color: BLACK, alpha: 1, widthX: 1.5, widthY: 1.5, dashes: [] };
  const placement = { scaleX: 1, scaleY: 1, shiftX: -40, shiftY: -8 };
  for (const series of [0, 1, 2]) {
    const [direct, traced] = [newRaster(100, 100), newRaster(100, 100)];
    expect(strokeColumns(direct, seen, series, stroke, placement)).toBe(true);
    const line = newPolyline();
    traceSeries(line, seen, series, false);
    strokeLine(traced, line, stroke, placement);
    // as text: comparing 40,000 numbers individually takes seconds
    expect(rowsOf(direct).join()).toBe(rowsOf(traced).join());
    expect(rowsOf(direct).some((value) => value > 0)).toBe(series !== 1);
  }
});

test("with half the pixels on x a line is as high and covers as much of the page", () => {
  const cover = (scaleX: number): { readonly cover: number; readonly rows: number } => {
    const raster = newRaster(40 * scaleX, 40);
    const line = newPolyline();
    line.xs.set([0, 20, 40]);
    line.ys.set([30, 10, 25]);
    line.length = 3;
    const stroke = { color: BLACK, alpha: 1, widthX: 2 * scaleX, widthY: 2, dashes: [] };
    strokeLine(raster, line, stroke, { scaleX, scaleY: 1, shiftX: 0, shiftY: 0 });
    const alphas = rowsOf(raster).filter((_, i) => i % 4 === 3);
    const rows = new Set(
      [...alphas.keys()].filter((i) => (alphas[i] ?? 0) > 0).map((i) => Math.floor(i / raster.width)),
    );
    return { cover: alphas.reduce((sum, value) => sum + value / 255, 0) / scaleX, rows: rows.size };
  };
  const [whole, half] = [cover(1), cover(0.5)];
  expect(half.cover / whole.cover).toBeGreaterThan(0.9);
  expect(half.cover / whole.cover).toBeLessThan(1.15);
  expect(Math.abs(half.rows - whole.rows)).toBeLessThanOrEqual(1);
});
