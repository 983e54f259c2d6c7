import { expect, test } from "vitest";
import { isFirstWord, isUnfinished, isUnfinishedPattern } from "./unfinished";

test("an expression that ends too early is unfinished", () => {
  for (const text of [
    'last("lo',
    'last("loss"',
    'last("loss") <',
    'last("loss") < 2 and',
    "hparams.",
    "lr in [1,",
    "not ",
  ])
    expect([text, isUnfinished(text, null)]).toEqual([text, true]);
});

test("a wrong last word may become a right one", () => {
  expect(isUnfinished('last("loss") < 2 and hp', 21)).toBe(true);
  expect(isUnfinished("hparams.l", 8)).toBe(true);
});

test("a mistake before the last word stays a mistake", () => {
  expect(isUnfinished("hp.lr < 1 and x == 2", 0)).toBe(false);
  expect(isUnfinished('last("loss") < 2) and', 16)).toBe(true);
  expect(isUnfinished('last("loss") < 2) and x', 16)).toBe(false);
});

test("patterns with open brackets or a last backslash are unfinished", () => {
  for (const text of ["sgd(", "a[b", "a{2", "(a|(b)", "a\\"])
    expect([text, isUnfinishedPattern(text)]).toEqual([text, true]);
  for (const text of ["a)", "*a", "a\\(", "[(]", "(a)b"])
    expect([text, isUnfinishedPattern(text)]).toEqual([text, false]);
});

test("beginnings of the words of expressions are known", () => {
  expect(["l", "las", "last", "hpar", "Stat"].map(isFirstWord)).toEqual([true, true, true, true, true]);
  expect(["loss", "lasting", "a b", ""].map(isFirstWord)).toEqual([false, false, false, false]);
});
