import { expect, test, vi } from "vitest";
import { coalesced, newestGate } from "./newest";

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
