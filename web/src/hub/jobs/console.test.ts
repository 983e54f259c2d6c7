import { expect, test, vi } from "vitest";
import type { LogPart } from "../api/jobs";
import { Console } from "./console";

/** A hub whose console is this text, in pieces of ten bytes. */
function hubWith(text: string, ends: () => boolean) {
  const bytes = new TextEncoder().encode(text);
  const asked: number[] = [];
  const load = async (_job: string, { offset }: { offset: number }): Promise<LogPart> => {
    asked.push(offset);
    const from = offset < 0 ? Math.max(0, bytes.length + offset) : offset;
    const part = bytes.slice(from, from + 10);
    const next = from + part.length;
    return { bytes: part, next, size: bytes.length, complete: next >= bytes.length && ends() };
  };
  return { asked, load };
}

test("a console is loaded from its beginning to its end", async () => {
  const { load, asked } = hubWith("first line\nsecond 行\nthird", () => true);
  const console = new Console("job-1", load);
  console.follow();
  await vi.waitFor(() => expect(console.complete.value).toBe(true));
  expect(console.lines.text()).toBe("first line\nsecond 行\nthird");
  expect(asked.slice(0, 3)).toEqual([-1, 0, 10]);
  expect(console.skipped.value).toBe(0);
});

test("an interrupted request is repeated, and nothing is shown twice", async () => {
  vi.useFakeTimers();
  const { load } = hubWith("one\ntwo\nthree\nfour\n", () => true);
  let calls = 0;
  const console = new Console("job-1", async (job, query) => {
    calls += 1;
    if (calls % 2 === 0) throw new Error("down");
    return load(job, query);
  });
  console.follow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(console.complete.value).toBe(true);
  expect(console.broken.value).toBe(false);
  expect(console.lines.text()).toBe("one\ntwo\nthree\nfour");
  vi.useRealTimers();
});

test("the last part of a very long console is loaded", async () => {
  const size = 100 << 20;
  const console = new Console("job-1", async (_job, { offset }) => {
    if (offset < 0) return { bytes: new Uint8Array(1), next: size, size, complete: false };
    return { bytes: new TextEncoder().encode("end"), next: size, size, complete: true };
  });
  console.follow();
  await vi.waitFor(() => expect(console.complete.value).toBe(true));
  expect(console.skipped.value).toBe(68 << 20);
});
