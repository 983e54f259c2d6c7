import { expect, test } from "vitest";
import { shownCell, widthsOf } from "./cells";

test("fractions have six digits, whole numbers all of theirs", () => {
  expect(shownCell(0.1 + 0.2, true)).toBe("0.3");
  expect(shownCell(2 / 3, true)).toBe("0.666667");
  expect(shownCell(1234567890, true)).toBe("1234567890");
  expect(shownCell(-3, true)).toBe("−3");
  expect(shownCell("12345678901234567890", true)).toBe("12345678901234567890");
});

test("what is no number is told in words", () => {
  expect([shownCell("NaN", true), shownCell("-Infinity", true), shownCell(null, true)]).toEqual(["NaN", "−∞", "–"]);
  expect([shownCell("Infinity", false), shownCell(true, false)]).toEqual(["Infinity", "true"]);
});

test("columns are as wide as their cells, within limits", () => {
  const columns = ["a", "long", "字"].map((name) => ({ name, type: "text" as const }));
  const [short, long, wide] = widthsOf(columns, [["x", "y".repeat(500), "汉字汉字汉字"]]);
  expect([short, long]).toEqual([64, 280]);
  expect(wide).toBeGreaterThan(100);
});
