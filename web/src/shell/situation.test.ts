import { expect, test } from "vitest";
import type { Board } from "../state/board";
import { type Facts, situationOf } from "./situation";

const done = { done: true, files_read: 1, files_total: 1, bytes_read: 9, bytes_total: 9, runs_read: 1, runs_total: 1 };
const fine = { path: "/logs", problem: null, detail: "", files: 1, bytes: 9 } as const;
const board = { places: [fine] } as unknown as Board;

const usual: Facts = {
  board,
  problem: null,
  progress: done,
  runs: 3,
  passing: 3,
  filtered: false,
  tags: { scalars: 2, images: 1 },
  page: "timeseries",
};

function kind(facts: Partial<Facts>): string {
  return situationOf({ ...usual, ...facts }).kind;
}

function places(...problems: readonly (string | null)[]): Board {
  return { places: problems.map((problem) => ({ ...fine, problem })) } as unknown as Board;
}

test("a board with runs and curves is ready", () => {
  expect(kind({})).toBe("ready");
});

test("before the first answer it is starting, or says why there is none", () => {
  expect(kind({ runs: null })).toBe("starting");
  for (const why of ["refused", "unreachable"] as const) {
    expect(kind({ runs: null, problem: { kind: why, message: "", hint: "" } })).toBe(why);
  }
  expect(kind({ runs: null, problem: { kind: "other", message: "", hint: "" } })).toBe("failed");
});

test("a failed refresh does not take away what was seen", () => {
  expect(kind({ problem: { kind: "unreachable", message: "", hint: "" } })).toBe("ready");
});

test("no runs: being read, a wrong place, or truly empty", () => {
  expect(kind({ runs: 0, progress: { ...done, done: false } })).toBe("reading");
  expect(kind({ runs: 0, board: places("missing") })).toBe("place");
  expect(kind({ runs: 0, board: places("permission", "missing") })).toBe("place");
  expect(kind({ runs: 0, board: places("missing", "empty") })).toBe("empty");
  expect(kind({ runs: 0, board: places("empty") })).toBe("empty");
  expect(kind({ runs: 0, board: places("unreadable", "empty") })).toBe("place");
});

test("runs that logged nothing, or no scalars", () => {
  expect(kind({ tags: {} })).toBe("silent");
  expect(kind({ tags: {}, board: places("not_directory") })).toBe("place");
  expect(kind({ board: places("not_directory") })).toBe("ready");
  expect(kind({ tags: {}, board: places("unreadable", null) })).toBe("place");
  expect(kind({ board: places("unreadable", null) })).toBe("ready");
  expect(kind({ tags: { images: 1 } })).toBe("no scalars");
  expect(kind({ tags: { images: 1 }, page: "images" })).toBe("ready");
});

test("a filter that matches nothing is told where runs are drawn", () => {
  expect(kind({ passing: 0, filtered: true })).toBe("no match");
  expect(kind({ passing: 0, filtered: true, page: "runs" })).toBe("ready");
});

test("embeddings without a run are something to show", () => {
  const only = { runs: 0, passing: 0, tags: { projector: 1 } };
  expect(kind({ ...only, page: "projector" })).toBe("ready");
  expect(kind({ ...only, page: "timeseries" })).toBe("no scalars");
});
