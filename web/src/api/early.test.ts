import { afterEach, expect, test } from "vitest";
import { takeEarly } from "./early";

afterEach(() => {
  globalThis.lightboardEarly = undefined;
});

test("what was asked early is taken once", () => {
  const answer = Promise.resolve(new Response("[]"));
  globalThis.lightboardEarly = { graphs: answer };
  expect(takeEarly("trials", 100)).toBeNull();
  expect(takeEarly("graphs", 100)).toBe(answer);
  expect(takeEarly("graphs", 100)).toBeNull();
});

test("an answer that grew old is not taken, then or later", () => {
  globalThis.lightboardEarly = { graphs: Promise.resolve(new Response("[]")) };
  expect(takeEarly("graphs", 60_000)).toBeNull();
  expect(takeEarly("graphs", 100)).toBeNull();
});

test("without early.js nothing is there", () => {
  expect(takeEarly("graphs", 100)).toBeNull();
});
