import { expect, test } from "vitest";
import { columnExpression, filtersExpression, isExpression, putCompletion, wordBefore } from "./run_filter";

test("expressions are told from regular expressions as the server tells them", () => {
  for (const text of [
    "adam",
    "^train/",
    "lr=0\\.1",
    "seed_[0-3]|baseline",
    "a->b",
    "(?<=x)y",
    "(?P<a>b)",
    "min_loss",
  ]) {
    expect([text, isExpression(text)]).toEqual([text, false]);
  }
  for (const text of [
    'last("loss") < 0.5',
    "hparams.lr",
    "not archived",
    "archived",
    'start > ago("2d") and status == "running"',
    '"paper" in labels',
    'has("x")',
  ]) {
    expect([text, isExpression(text)]).toEqual([text, true]);
  }
});

test("signs inside quotes are no signs", () => {
  expect(isExpression('"a < b"')).toBe(false);
});

test("column filters are written as the server reads them", () => {
  expect(columnExpression("hparam:lr", { lo: 0.01, hi: 0.1 })).toBe("hparams.lr >= 0.01 and hparams.lr <= 0.1");
  expect(columnExpression("hparam:batch size", { values: ['a "b"'], absent: true })).toBe(
    '(hparams["batch size"] in ["a \\"b\\""] or hparams["batch size"] == None)',
  );
  expect(columnExpression("last:eval/acc", { lo: 0.5, absent: true })).toBe(
    '(last("eval/acc") >= 0.5 or not has("eval/acc"))',
  );
  expect(columnExpression("hparam:amp", { values: [true] })).toBe("hparams.amp in [True]");
  expect(columnExpression("state", { values: ["running"] })).toBe('status in ["running"]');
  expect(columnExpression("labels", { values: ["a"], absent: true })).toBe(
    '("a" in labels or not matches(labels, ""))',
  );
  expect(columnExpression("hparam:lr", { absent: true })).toBeNull();
  expect(columnExpression("hparam:lr", { absent: false })).toBe("not hparams.lr == None");
  expect(filtersExpression({ "hparam:lr": { lo: 1 }, state: { values: ["idle"] } })).toBe(
    'hparams.lr >= 1 and status in ["idle"]',
  );
});

test("a completion takes the place of the word before the cursor", () => {
  expect(wordBefore('last("eval/lo')).toBe("eval/lo");
  expect(wordBefore("hparams.l")).toBe("l");
  expect(putCompletion("eval/loss", 'last("eval/lo") < 1', 13)).toEqual({ value: 'last("eval/loss") < 1', cursor: 15 });
});
