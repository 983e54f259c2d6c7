import { expect, test } from "vitest";
import { parseBoard, parseReason, parseRuns, parseTags } from "./shapes";

test("runs keep their order and unknown start times", () => {
  const answer = { version: 3, name: ["b", "a"], start_time: [1.5, null], state: ["running", "empty"] };
  expect(parseRuns(answer)).toEqual([
    { name: "b", startTime: 1.5, state: "running" },
    { name: "a", startTime: null, state: "empty" },
  ]);
});

test("an answer that is no list of runs is refused", () => {
  expect(() => parseRuns({ name: "none" })).toThrow("unexpected answer: runs");
  expect(() => parseRuns([])).toThrow("unexpected answer: runs");
});

test("tags are counted per kind and empty kinds are left out", () => {
  const kinds = { scalars: { tag: ["loss", "acc"], runs: [2, 1] }, images: { tag: [], runs: [] } };
  expect(parseTags({ version: 1, kinds })).toEqual([
    {
      name: "scalars",
      tags: [
        { name: "loss", runs: 2 },
        { name: "acc", runs: 1 },
      ],
    },
  ]);
});

test("a board that is still reading says how far it is", () => {
  const board = parseBoard({ name: "N", logdir: "runs", progress: { done: false, files_read: 3, files_total: 9 } });
  expect(board.progress).toEqual({ done: false, filesRead: 3, filesTotal: 9 });
  expect(parseBoard({}).progress.done).toBe(true);
});

test("the reason is the message with its hint", () => {
  expect(parseReason({ error: { message: "no such run", hint: "try train" } })).toBe("no such run · try train");
  expect(parseReason({ error: { message: "no such tag", hint: "" } })).toBe("no such tag");
  expect(parseReason("text")).toBeNull();
});
