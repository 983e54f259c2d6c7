// Tests the ids that are proposed for names, and which ids are refused before they are sent.

import { expect, test } from "vitest";
import { slugFault, slugOf } from "./slug";

test.each([
  ["Vision Team", "vision-team"],
  ["  Größe & Maß ", "groe-ma"],
  ["__A__", "a"],
  ["Admin", "admin-1"],
  ["视觉组", ""],
  ["视觉 vision 2", "vision-2"],
  [`${"x".repeat(62)} y`, "x".repeat(62)],
])("%s becomes %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test("a proposed id is never refused", () => {
  for (const name of ["a", "A b", "new", "x--y", "1.5", "-"]) {
    const slug = slugOf(name);
    expect(slug === "" || slugFault(slug) === null, name).toBe(true);
  }
});

test.each([
  ["", "empty"],
  ["-a", "form"],
  ["a_b", "form"],
  ["A", "form"],
  ["x".repeat(64), "form"],
  ["api", "reserved"],
])("%s is refused: %s", (slug, fault) => {
  expect(slugFault(slug)).toBe(fault);
});
