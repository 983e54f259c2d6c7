import { expect, test } from "vitest";
import { isFirstWord, isUnfinished, isUnfinishedMetric, isUnfinishedPattern, metricEndsTooEarly } from "./unfinished";

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
  expect(isUnfinished("hparams.l", 0)).toBe(true);
});

test("a value without a comparison can go on", () => {
  expect(isUnfinished('x == 1 and last("loss")', 11, "filter.no_condition")).toBe(true);
  expect(isUnfinished('last("loss") and x == 1', 0, "filter.no_condition")).toBe(false);
  expect(isUnfinished("start > ag", 0, "filter.compare")).toBe(true);
  expect(isUnfinished("start > lr", 0, "filter.compare")).toBe(false);
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

test("a metric expression that cannot be complete is recognized without the server", () => {
  for (const text of ["=", "= train/loss - ", "train/", "ema(", "ema(train/loss, ", '"train/lo', "a − "])
    expect([text, metricEndsTooEarly(text)]).toEqual([text, true]);
  for (const text of ["train/loss", '= "a-" - b', "ema(a)", "-a"])
    expect([text, metricEndsTooEarly(text)]).toEqual([text, false]);
});

test("the start of a metric or a function is not a mistake", () => {
  const tags = ["train/loss", "val/loss"];
  expect(isUnfinishedMetric("train/loss - val/lo", 13, tags)).toBe(true);
  expect(isUnfinishedMetric("em", 0, tags)).toBe(true);
  expect(isUnfinishedMetric("train/loss - nothing", 13, tags)).toBe(false);
  expect(isUnfinishedMetric("valley - train/loss", 0, tags)).toBe(false);
});
