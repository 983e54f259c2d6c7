import { expect, test } from "vitest";
import { compareNatural } from "./natural_order";

test("numbers inside names are compared as numbers", () => {
  expect(["run_10", "run_9", "run_1"].sort(compareNatural)).toEqual(["run_1", "run_9", "run_10"]);
});

test("names that differ only in zeros keep one fixed order", () => {
  expect(compareNatural("run_01", "run_1")).toBe(-compareNatural("run_1", "run_01"));
  expect(compareNatural("run_01", "run_1")).not.toBe(0);
});
