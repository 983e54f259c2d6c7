import { beforeAll, expect, test } from "vitest";
import type { TagMatch } from "../../state/custom_scalars";
import { loadSentences } from "../../state/sentences";
import type { HeldLayer } from "../../state/series";
import { words as languages } from "../../state/texts/custom_scalars";
import { bandNotes, patternNotes } from "./chart_notes";

beforeAll(loadSentences);

const words = languages.en;

const MATCHES: Readonly<Record<string, TagMatch>> = {
  good: { pattern: "good", tags: ["good"], count: 1, problem: null },
  none: { pattern: "none", tags: [], count: 0, problem: null },
  "[": {
    pattern: "[",
    tags: [],
    count: 0,
    problem: { message: "not a regular expression", hint: "", code: "", parameters: {} },
  },
  many: { pattern: "many", tags: ["a"], count: 300, problem: null },
};

const notes = (...patterns: string[]) =>
  patternNotes({ chart: { title: "", patterns, bands: [] }, pending: false }, (pattern) => MATCHES[pattern], words);

test("expressions say what is wrong with them", () => {
  expect(notes("good")).toEqual([]);
  expect(notes("good", "none", "[", "many")).toEqual([
    "No tag begins with none",
    "[: not a regular expression",
    "1 of 300 tags are drawn",
  ]);
  expect(notes()).toEqual(["This chart has no expression and no band yet"]);
});

test("bands say what is missing, of drawn runs and once", () => {
  const triple = { value: "v", lower: "lo", upper: "up" };
  const lines = {
    unbanded: [
      { run: "a", ...triple, missing: ["lo", "up"], shared: 0 },
      { run: "b", ...triple, missing: [], shared: 12 },
      { run: "hidden", ...triple, missing: ["lo"], shared: 0 },
    ],
  } as unknown as HeldLayer["lines"];
  const notes = bandNotes(
    [{ lines }, { lines }],
    (run) => run !== "hidden",
    (run) => run.toUpperCase(),
    words,
  );
  expect(notes).toEqual(["A has no lo, up", "B: v, lo and up have different steps. The band has the 12 common steps."]);
});
