import { expect, test } from "vitest";
import { changedLines, codeOf } from "./run_code";

test("the code of a run is what git said; without a commit there is none", () => {
  expect(codeOf({ git: { commit: "abc", branch: "main", dirty: true, diff: "+x", diff_cut: true } })).toEqual({
    commit: "abc",
    branch: "main",
    remote: "",
    dirty: true,
    diff: "+x",
    cut: true,
  });
  for (const metadata of [{}, { git: {} }, { git: "x" }, { git: { commit: 3 } }]) expect(codeOf(metadata)).toBe(null);
});

test("changed lines are counted without the names of files", () => {
  expect(changedLines("--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\n+new\n+more\n same")).toEqual({ added: 2, removed: 1 });
});
