import { expect, test } from "vitest";
import { formatRules, type ProjectorRule, projectorMembers } from "./members/projector";

const { parse, format } = projectorMembers.projectorOnly;

test.each<[string, readonly ProjectorRule[]]>([
  ["", []],
  ["1-3,7", [{ kind: "rows", rows: "1-3,7" }]],
  ["1-3,7~z9", [{ kind: "rows", rows: "1-3,7~z9" }]],
  ["z2.ABg", [{ kind: "rows", rows: "z2.ABg" }]],
  ["find:group:/^a|b$/", [{ kind: "find", by: "group", text: "/^a|b$/" }]],
  [
    "find:组:🙂;near:12:100:cosine",
    [
      { kind: "find", by: "组", text: "🙂" },
      { kind: "near", row: 12, count: 100, distance: "cosine" },
    ],
  ],
])("%s is written and read", (text, rules) => {
  expect(format(rules)).toBe(text);
  expect(parse(text)).toEqual(rules);
});

test("names and texts may contain what separates them", () => {
  const rules: readonly ProjectorRule[] = [{ kind: "find", by: "a:b;~0", text: "~1;c:d~~" }];
  expect(parse(formatRules(rules))).toEqual(rules);
});

test.each(["near:1:0:cosine", "near::5:cosine", "near:1:5:manhattan", "find:a:", "something", "1-3;"])(
  "%s is no rule",
  (text) => {
    expect(parse(text)).toBeUndefined();
  },
);
