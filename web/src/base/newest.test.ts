import { expect, test, vi } from "vitest";
import { coalesced, newestGate, paced } from "./newest";

test("an old answer that arrives late is not the newest", async () => {
  const gate = newestGate();
  let answerOld: (text: string) => void = () => {};
  const old = gate(
    new Promise<string>((resolve) => {
      answerOld = resolve;
    }),
  );
  const young = gate(Promise.resolve("young"));
  expect(await young).toEqual({ newest: true, answer: "young" });
  answerOld("old");
  expect(await old).toEqual({ newest: false, answer: "old" });
});

test("many calls in a burst do the work once", () => {
  vi.useFakeTimers();
  const work = vi.fn();
  const soon = coalesced(work, 100);
  soon();
  soon();
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledTimes(1);
  soon();
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test("paced work runs at once, then never more often than its gap, and no call is lost", async () => {
  vi.useFakeTimers();
  const work = vi.fn(async () => {});
  const start = paced(work, 100);
  start();
  expect(work).toHaveBeenCalledTimes(1);
  start();
  start();
  await vi.advanceTimersByTimeAsync(99);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(500);
  expect(work).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test("slow work is asked for less often", async () => {
  vi.useFakeTimers();
  const work = vi.fn(() => new Promise<void>((done) => setTimeout(done, 1000)));
  const start = paced(work, 100, 2);
  start();
  start();
  await vi.advanceTimersByTimeAsync(2900);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(work).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
