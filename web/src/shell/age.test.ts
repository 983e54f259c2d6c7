import { expect, test } from "vitest";
import { ageOf, untilNextAgeMs } from "./age";

test("seconds are told in fives and tens, then minutes, then hours", () => {
  const told = [0, 4_999, 5_000, 9_999, 10_000, 19_999, 59_999, 60_000, 3_599_999, 3_600_000, 90_000_000].map(ageOf);
  expect(told).toEqual([
    { unit: "now" },
    { unit: "now" },
    { unit: "seconds", count: 5 },
    { unit: "seconds", count: 5 },
    { unit: "seconds", count: 10 },
    { unit: "seconds", count: 10 },
    { unit: "seconds", count: 50 },
    { unit: "minutes", count: 1 },
    { unit: "minutes", count: 59 },
    { unit: "hours", count: 1 },
    { unit: "hours", count: 25 },
  ]);
});

test("a clock that was set back tells nothing of the future", () => {
  expect(ageOf(-3_000_000)).toEqual({ unit: "now" });
});

test("a page wakes exactly when the words change, eight times in the first two minutes", () => {
  const woken = [];
  for (let elapsed = 0; elapsed < 120_000; ) {
    const next = elapsed + untilNextAgeMs(elapsed);
    expect(ageOf(next)).not.toEqual(ageOf(elapsed));
    expect(ageOf(next - 1)).toEqual(ageOf(elapsed));
    woken.push(next);
    elapsed = next;
  }
  expect(woken).toEqual([5_000, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 120_000]);
});

test("after a clock was set back the page waits for the time it knew, not for ever", () => {
  for (const elapsed of [-1, -5_000, -7_400]) {
    const wait = untilNextAgeMs(elapsed);
    expect(wait).toBeGreaterThan(0);
    expect(ageOf(elapsed + wait).unit).toBe("now");
  }
});
