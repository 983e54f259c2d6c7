import { expect, test } from "vitest";
import { shorten } from "./shorten";

test("names are cut in the middle and keep their end", () => {
  expect(shorten("short", 10)).toBe("short");
  expect(shorten("experiment/with/a/long/name/run_17", 16)).toBe("experi…me/run_17");
  expect([...shorten("🚀".repeat(50), 10)]).toHaveLength(10);
});
