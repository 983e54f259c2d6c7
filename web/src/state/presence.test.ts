import { expect, test } from "vitest";
import { presence } from "./presence";

function page() {
  const state = { now: 0, visible: true, reports: [] as number[] };
  const here = presence({
    now: () => state.now,
    visible: () => state.visible,
    report: (untouchedSecs) => state.reports.push(untouchedSecs),
  });
  return { state, here };
}

test("a visible page reports at once, then every half minute", () => {
  const { state, here } = page();
  here.check();
  state.now = 10_000;
  here.check();
  state.now = 30_000;
  here.check();
  expect(state.reports).toEqual([0, 30]);
});

test("a touch starts the time again", () => {
  const { state, here } = page();
  here.check();
  state.now = 29_000;
  here.touched();
  state.now = 30_000;
  here.check();
  expect(state.reports).toEqual([0, 1]);
});

test("a hidden page says nothing, and reports at once when it is shown again", () => {
  const { state, here } = page();
  here.check();
  state.visible = false;
  for (state.now = 1000; state.now < 200_000; state.now += 30_000) here.check();
  expect(state.reports).toEqual([0]);
  state.visible = true;
  here.check();
  expect(state.reports).toHaveLength(2);
});
