import { expect, test, vi } from "vitest";
import { kinds, runs } from "./board";
import { allPresent, followPresentTags } from "./present_tags";
import { tickOnly } from "./runs";

test("nothing is asked when every tag must be in a run that is drawn", () => {
  expect(allPresent([3, 3], 0)).toBe(true);
  expect(allPresent([3, 3], 2)).toBe(true);
  expect(allPresent([3, 2], 2)).toBe(false);
  expect(allPresent([], 5)).toBe(true);
});

test("a page that leaves after the next has come does not stop its question", async () => {
  vi.useFakeTimers();
  const fetched = vi.fn(() => Promise.resolve(new Response('{"version":1,"kinds":{}}')));
  vi.stubGlobal("fetch", fetched);
  runs.value = { version: 1, name: ["a", "b"], removed: [] } as unknown as typeof runs.value;
  kinds.value = { images: { tag: ["x"], runs: [1], display_name: {}, description: {}, plugin: {} } };
  // the first request is sent without delay
  followPresentTags("images")();
  const leave = followPresentTags("scalars");
  tickOnly(["a"]);
  const stop = followPresentTags("images");
  leave();
  fetched.mockClear();
  await vi.advanceTimersByTimeAsync(2000);
  expect(fetched).toHaveBeenCalledTimes(1);
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
