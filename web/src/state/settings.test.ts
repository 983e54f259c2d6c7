import { expect, test } from "vitest";
import { DEFAULT_SETTINGS, smoothingQuestion } from "./settings";

test("smoothing is asked in the server's words", () => {
  const asked = (change: Partial<typeof DEFAULT_SETTINGS>) => smoothingQuestion({ ...DEFAULT_SETTINGS, ...change });
  expect(asked({})).toBe("ema:0.6");
  expect(asked({ smoothing: 0 })).toBe("");
  expect(asked({ smoother: "median", smoothing: 0.5 })).toBe("median:32");
  expect(asked({ smoother: "mean", smoothing: 0.01 })).toBe("");
});

test("distances on x are those of the axis in sight", () => {
  const asked = (x: string) => smoothingQuestion({ ...DEFAULT_SETTINGS, smoother: "time_ema", x });
  expect(["step", "wall", "relative", "metric:loss"].map(asked)).toEqual([
    "time_ema:0.6:step",
    "time_ema:0.6:wall",
    "time_ema:0.6:wall",
    "time_ema:0.6:step",
  ]);
});
