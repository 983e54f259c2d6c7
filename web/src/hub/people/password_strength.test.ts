// Tests the advice on passwords; that the length is the server's, tests/browser/hub/test_people.py tests.

import { expect, test } from "vitest";
import { strengthOf } from "./password_strength";

test("a password of less than ten characters is too short", () => {
  expect(strengthOf("x7$Kq9!zP")).toBe("short");
  expect(strengthOf("密码密码密码密码密")).toBe("short");
});

test("a password over the server's limit is too long", () => {
  expect(strengthOf("ab1".repeat(334))).toBe("long");
});

test.each(["aaaaaaaaaaaaaaaa", "1234567890", "password123", "lightboard1", "abcdefghijklmnop", "annexample12"])(
  "%s is weak",
  (password) => {
    expect(strengthOf(password, ["annexample"])).toBe("weak");
  },
);

test("a sentence is strong", () => {
  expect(strengthOf("a sentence is easy to remember")).toBe("strong");
  expect(strengthOf("我家的猫不喜欢下雨天出门")).toBe("strong");
});

test("some random characters are at least fair", () => {
  expect(strengthOf("kx7vq2mnzp")).not.toBe("weak");
});
