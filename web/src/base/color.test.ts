import { expect, test } from "vitest";
import { colorOfName, colorOfSlot, contrast, hash, oklch, RUN_COLORS, SAFE, sequential, type Theme } from "./color";

const PAGE: Readonly<Record<Theme, string>> = { light: "#ffffff", dark: "#161c24" };

test("a name keeps its color for ever", () => {
  expect([hash(""), hash("train"), hash("实验 1")]).toEqual([447841614, 1506275104, 1187392646]);
  expect(colorOfName("cat", "dark")).toBe(colorOfSlot(hash("cat"), "dark"));
});

test("every color of a run or a palette reads on both themes", () => {
  for (const theme of ["light", "dark"] as const) {
    for (const color of [...RUN_COLORS[theme], ...SAFE[theme]]) expect(contrast(color, PAGE[theme])).toBeGreaterThan(3);
    expect(new Set(RUN_COLORS[theme]).size).toBe(48);
  }
});

test("slots beyond the table start again", () => {
  expect(colorOfSlot(48, "light")).toBe(colorOfSlot(0, "light"));
});

test("a scale of numbers reads on both themes and never repeats", () => {
  for (const theme of ["light", "dark"] as const) {
    const colors = Array.from({ length: 21 }, (_, i) => sequential(i / 20, theme));
    for (const color of colors) expect(contrast(color, PAGE[theme])).toBeGreaterThan(3);
    expect(new Set(colors).size).toBe(21);
  }
});

test("oklch gives the colours of the reference", () => {
  expect(oklch(1, 0, 0)).toBe("#ffffff");
  expect(oklch(0, 0, 0)).toBe("#000000");
  expect(oklch(0.627955, 0.257683, 29.2339)).toBe("#ff0000");
});
