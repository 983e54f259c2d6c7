import { expect, test } from "vitest";
import { fileName } from "./files";

test("files have names that every system takes", () => {
  expect(fileName("train/loss: 中文?", "csv")).toBe("train_loss_ 中文_.csv");
  expect(fileName("..", "png")).toBe("_.png");
  expect(fileName("", "svg")).toBe("chart.svg");
});
