import { expect, test } from "vitest";
import { formatPlayTime } from "./play_time";

test("positions are as fine as the length is short", () => {
  expect(formatPlayTime(1.234, 5)).toBe("0:01.23");
  expect(formatPlayTime(59.96, 100)).toBe("1:00.0");
  expect(formatPlayTime(61, 600)).toBe("1:01");
  expect(formatPlayTime(3725.4, 4000)).toBe("1:02:05");
  expect(formatPlayTime(-1, 5)).toBe("0:00.00");
  expect(formatPlayTime(Number.NaN, 5)).toBe("–");
});
