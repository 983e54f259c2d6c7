import { expect, test } from "vitest";
import { column } from "./trials_test_data";
import { contentPx } from "./trials_widths";

test("a column is wide enough for its title", () => {
  const wide = contentPx(column("hparam:optimizer", [0, 1], { title: "optimizer" }), false);
  const narrow = contentPx(column("hparam:lr", [0, 1], { title: "lr" }), false);
  expect(wide).toBeGreaterThan(narrow);
  expect(wide).toBeGreaterThan(9 * 7.5);
});

test("a column is wide enough for its longest value, up to a limit", () => {
  const of = (text: string): number =>
    contentPx(column("hparam:a", [0], { kind: "text", texts: ["x", text], title: "a" }), false);
  expect(of("sgd")).toBeLessThan(of("a longer value"));
  expect(of("a".repeat(500))).toBe(240);
});

test("metrics of repeated trials have space for the deviation", () => {
  const metric = column("metric:loss", [0.1], { role: "metric", title: "loss" });
  expect(contentPx(metric, true)).toBeGreaterThan(contentPx(metric, false));
});
