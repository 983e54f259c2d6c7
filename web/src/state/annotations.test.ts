import { expect, test } from "vitest";
import { changed, labelsInText, parseAnnotations } from "./annotations";

test("a change shows as the server will have it", () => {
  const before = { a: { name: "A", note: "x", note_html: "<p>x</p>", tags: ["t"] }, b: { archived: true } };
  const after = changed(
    before,
    new Map<string, object>([
      ["a", { name: null, note: "y", tags: [] }],
      ["c", { color: "#112233" }],
    ]),
  );
  expect(after).toEqual({ a: { note: "y" }, b: { archived: true }, c: { color: "#112233" } });
  expect(before.a.name).toBe("A");
});

test("only documents with remarks are read", () => {
  expect(parseAnnotations('{"runs": {"a": {"name": "x"}}}')?.get("a")).toEqual({ name: "x" });
  for (const text of ["", "[]", '{"runs": []}', '{"views": {}}', "null"]) expect(parseAnnotations(text)).toBeNull();
});

test("typed labels are separated by commas of either script", () => {
  expect(labelsInText("a, b，c d,, a ,")).toEqual(["a", "b", "c d"]);
  expect(labelsInText("  ")).toEqual([]);
});
