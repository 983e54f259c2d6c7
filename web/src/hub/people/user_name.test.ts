// Tests which names can be used to sign in.

import { expect, test } from "vitest";
import { isUserName } from "./user_name";

test.each(["ann", "Ann", "a", "ann.lee@example.org", "x1_2"])("%s can be used", (name) => {
  expect(isUserName(name)).toBe(true);
});

test.each(["", " ", "-ann", "ann.", "ann lee", "安", "a".repeat(65)])("%s cannot be used", (name) => {
  expect(isUserName(name)).toBe(false);
});
