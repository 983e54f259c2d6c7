import { expect, test } from "vitest";
import { colorOfName, contrast, hash, oklch, SAFE, sequential, type Theme } from "./color";

const PAGE: Readonly<Record<Theme, string>> = { light: "#ffffff", dark: "#161c24" };

test("a name keeps its colour for ever", () => {
  // a change of these would change the colors of all existing boards
  expect([hash(""), hash("train"), hash("实验 1")]).toMatchInlineSnapshot(`
    [
      447841614,
      1506275104,
      1187392646,
    ]
  `);
  expect([colorOfName("train", "light"), colorOfName("train", "dark")]).toMatchInlineSnapshot(`
    [
      "#408dea",
      "#308cf6",
    ]
  `);
});

test("every colour of a name reads on both themes", () => {
  for (const theme of ["light", "dark"] as const) {
    for (let i = 0; i < 500; i++) expect(contrast(colorOfName(`run${i}`, theme), PAGE[theme])).toBeGreaterThan(3);
    for (const color of SAFE[theme]) expect(contrast(color, PAGE[theme])).toBeGreaterThan(3);
  }
});

test("a scale of numbers reads on both themes and never repeats", () => {
  for (const theme of ["light", "dark"] as const) {
    const colors = Array.from({ length: 21 }, (_, i) => sequential(i / 20, theme));
    for (const color of colors) expect(contrast(color, PAGE[theme])).toBeGreaterThan(3);
    expect(new Set(colors).size).toBe(21);
  }
});

test("like names are spread over the colours", () => {
  expect(new Set(Array.from({ length: 72 }, (_, i) => colorOfName(`seed_${i}`, "light"))).size).toBeGreaterThan(40);
});

test("oklch gives the colours of the reference", () => {
  expect(oklch(1, 0, 0)).toBe("#ffffff");
  expect(oklch(0, 0, 0)).toBe("#000000");
  expect(oklch(0.627955, 0.257683, 29.2339)).toBe("#ff0000");
});
