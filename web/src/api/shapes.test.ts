import { expect, test } from "vitest";
import { parseBoard, parseReason, parseRuns, parseTags } from "./shapes";

test("runs keep their order and unknown start times", () => {
  const answer = {
    version: 3,
    runs: [
      { name: "b", start_time: 1.5, state: "live" },
      { name: "a", start_time: null },
    ],
  };
  expect(parseRuns(answer)).toEqual({
    version: 3,
    runs: [
      { name: "b", startTime: 1.5, state: "live" },
      { name: "a", startTime: null, state: "" },
    ],
  });
});

test("an answer that is no list of runs is refused", () => {
  expect(() => parseRuns({ runs: "none" })).toThrow("unexpected answer: runs");
  expect(() => parseRuns([])).toThrow("unexpected answer: runs");
});

test("tags are counted per kind", () => {
  const tags = parseTags({ version: 1, kinds: { scalars: { loss: 2 }, images: {} } });
  expect(tags.kinds.get("scalars")?.get("loss")).toBe(2);
  expect(tags.kinds.get("images")?.size).toBe(0);
});

test("a tag called like an object's built-in is an ordinary tag", () => {
  const tags = parseTags(JSON.parse('{"version": 1, "kinds": {"scalars": {"__proto__": 1, "constructor": 2}}}'));
  expect([...(tags.kinds.get("scalars") ?? [])]).toEqual([
    ["__proto__", 1],
    ["constructor", 2],
  ]);
});

test("a board may name one place or several", () => {
  expect(parseBoard({ logdir: "runs" }).logdirs).toEqual(["runs"]);
  expect(parseBoard({ logdirs: ["a", "b"], title: "T" })).toEqual({ title: "T", logdirs: ["a", "b"] });
  expect(parseBoard({}).logdirs).toEqual([]);
});

test("the reason is found in a plain and in a nested error", () => {
  expect(parseReason({ error: "no such run" })).toBe("no such run");
  expect(parseReason({ error: { message: "no such tag" } })).toBe("no such tag");
  expect(parseReason({})).toBeNull();
});
