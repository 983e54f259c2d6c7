import { expect, test } from "vitest";
import { layoutOf } from "./layout";
import { type AnyCanvas, canStandIn, isCrisp, type Plate, showsSameLines } from "./plate";
import { type LineLook, lookOf, PLAIN_LINES, sameLook } from "./scene";
import { type SceneOverrides, sceneOf, styleOf } from "./test_data";

const layers = [{ id: 1, styles: [styleOf("#111111")], bands: [] }];

function plateOf(pass: Plate["pass"], overrides: SceneOverrides = {}): Plate {
  const scene = sceneOf({ layers, ...overrides });
  return { pass, scene, layout: layoutOf(scene), ratioX: 1, canvas: {} as AnyCanvas };
}

function crisp(plate: Plate, overrides: SceneOverrides = {}): boolean {
  const scene = sceneOf({ layers, ...overrides });
  return isCrisp(plate, scene, layoutOf(scene));
}

const NAMES = Object.keys(PLAIN_LINES) as readonly (keyof LineLook)[];

/** A look that differs in every member. */
const OTHER = Object.fromEntries(
  NAMES.map((name) => {
    const value: string | number | boolean = PLAIN_LINES[name];
    return [name, typeof value === "boolean" ? !value : `other than ${value}`];
  }),
) as unknown as LineLook;

test("a plate is drawn again when any member of the look changes", () => {
  for (const pass of ["faint", "strong"] as const) {
    const plate = plateOf(pass);
    expect(crisp(plate)).toBe(true);
    for (const name of NAMES) {
      expect(crisp(plate, { lines: { [name]: OTHER[name] } }), name).toBe(false);
    }
  }
});

test("a look is compared by its members and copied without others", () => {
  const copy = lookOf({ ...OTHER, ...({ x: "step" } as object) });
  expect(copy).toEqual(OTHER);
  expect(sameLook(copy, OTHER)).toBe(true);
  expect(sameLook(copy, PLAIN_LINES)).toBe(false);
});

test("a plate is drawn again for other axes, sizes, pixels and lines", () => {
  const plate = plateOf("strong");
  expect(crisp(plate, { x: { scale: "linear", lo: 0, hi: 5, format: "step" } })).toBe(false);
  expect(crisp(plate, { y: { scale: "log", lo: 0, hi: 10, format: "number" } })).toBe(false);
  expect(crisp(plate, { widthPx: 300 })).toBe(false);
  expect(crisp(plate, { ratio: 2 })).toBe(false);
  expect(crisp(plate, { layers: [{ id: 2, styles: layers[0]?.styles ?? [], bands: [] }] })).toBe(false);
});

test("crosshair, selection and emphasis need no new plate", () => {
  const plate = plateOf("strong");
  expect(crisp(plate, { crosshair: 3, selection: { kind: "step", at: 2 }, emphasised: { layer: 1, series: 0 } })).toBe(
    true,
  );
});

test("the background matters to marks only, which the strong pass draws", () => {
  const { colors } = sceneOf();
  const dark = { colors: { ...colors, background: "#000000" } };
  expect(crisp(plateOf("strong"), dark)).toBe(false);
  expect(crisp(plateOf("faint"), dark)).toBe(true);
});

test("a plate can be moved to another range, but not to another scale", () => {
  const plate = plateOf("strong");
  expect(canStandIn(plate, sceneOf({ x: { scale: "linear", lo: 3, hi: 5, format: "step" } }))).toBe(true);
  expect(canStandIn(plate, sceneOf({ x: { scale: "log", lo: 3, hi: 5, format: "step" } }))).toBe(false);
  expect(showsSameLines(plate, sceneOf({ layers }))).toBe(true);
  expect(showsSameLines(plate, sceneOf())).toBe(false);
});
