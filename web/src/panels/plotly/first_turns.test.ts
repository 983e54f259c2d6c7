import { expect, test, vi } from "vitest";
import { takeFirstTurn } from "./first_turns";

test("frames take turns, the nearest first, and one that says nothing is passed over in the end", async () => {
  vi.useFakeTimers();
  const begun: string[] = [];
  const turn = (name: string, urgency: number) =>
    takeFirstTurn(
      () => urgency,
      () => begun.push(name),
    );
  const far = turn("far", 900);
  const gone = turn("gone", 500);
  const near = turn("near", 0);
  await vi.advanceTimersByTimeAsync(10);
  expect(begun).toEqual(["near"]);
  gone();
  near();
  await vi.advanceTimersByTimeAsync(10);
  expect(begun).toEqual(["near", "far"]);
  turn("later", 0);
  await vi.advanceTimersByTimeAsync(10);
  expect(begun).toEqual(["near", "far"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toEqual(["near", "far", "later"]);
  far();
  vi.useRealTimers();
});
