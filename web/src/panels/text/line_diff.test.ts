import { expect, test } from "vitest";
import { type DiffRow, diffLines, sameEnds, sideBySide } from "./line_diff";

/** Rows in patch format. */
function signed(before: string, after: string): readonly string[] {
  const diff = diffLines(before, after);
  return diff.rows.map((row) => {
    if (row.kind === "same") return ` ${diff.before[row.before]}`;
    return row.kind === "added" ? `+${diff.after[row.after]}` : `-${diff.before[row.before]}`;
  });
}

/** Rebuilds both texts from the rows. */
function rebuilt(rows: readonly DiffRow[], before: readonly string[], after: readonly string[]): readonly string[] {
  const left = rows.flatMap((row) => (row.kind === "added" ? [] : [before[row.before] ?? "?"]));
  const right = rows.flatMap((row) => (row.kind === "removed" ? [] : [after[row.after] ?? "?"]));
  return [left.join("\n"), right.join("\n")];
}

test("equal texts have no change", () => {
  expect(signed("a\nb", "a\nb")).toEqual([" a", " b"]);
  expect(signed("", "")).toEqual([" "]);
});

test("a changed line stands between those that stay", () => {
  expect(signed("a\nb\nc", "a\nx\nc")).toEqual([" a", "-b", "+x", " c"]);
  expect(signed("a\nc", "a\nb\nc")).toEqual([" a", "+b", " c"]);
  expect(signed("a\nb\nc", "c")).toEqual(["-a", "-b", " c"]);
});

test("the example of the paper takes five edits", () => {
  const rows = signed([..."ABCABBA"].join("\n"), [..."CBABAC"].join("\n"));
  expect(rows.filter((row) => !row.startsWith(" "))).toHaveLength(5);
});

test("any two texts can be put together again from the rows, with as few edits as possible", () => {
  let seed = 1;
  const chance = (): number => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (let round = 0; round < 200; round++) {
    const make = (): string =>
      Array.from({ length: Math.floor(chance() * 12) }, () => "abc"[Math.floor(chance() * 3)]).join("\n");
    const [one, other] = [make(), make()];
    const diff = diffLines(one, other);
    expect(rebuilt(diff.rows, diff.before, diff.after)).toEqual([one, other]);
    const same = diff.rows.filter(({ kind }) => kind === "same").length;
    expect(same).toBe(longestCommon(diff.before, diff.after));
    const both = sideBySide(diff.rows);
    expect(both.flatMap(({ before }) => (before === null ? [] : [before]))).toEqual(diff.before.map((_, i) => i));
    expect(both.flatMap(({ after }) => (after === null ? [] : [after]))).toEqual(diff.after.map((_, i) => i));
  }
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const cell = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const row = table[i];
      if (row !== undefined)
        row[j] = a[i - 1] === b[j - 1] ? cell(i - 1, j - 1) + 1 : Math.max(cell(i - 1, j), cell(i, j - 1));
    }
  }
  return cell(a.length, b.length);
}

test("texts that have nothing in common are replaced, without a search that never ends", () => {
  const make = (letter: string): string => Array.from({ length: 50_000 }, (_, i) => `${letter}${i}`).join("\n");
  const diff = diffLines(`same\n${make("a")}\nend`, `same\n${make("b")}\nend`);
  expect(diff.rough).toBe(true);
  expect(diff.rows).toHaveLength(100_002);
  expect([diff.rows[0]?.kind, diff.rows.at(-1)?.kind]).toEqual(["same", "same"]);
});

test("lines begin and end alike", () => {
  expect(sameEnds("loss 0.5 at 3", "loss 0.25 at 3")).toEqual([7, 6]);
  expect(sameEnds("aaa", "aa")).toEqual([2, 0]);
});
