import { expect, test } from "vitest";
import { sharedFirst } from "./run_metrics";

test("metrics that several runs have come first, those of the machine last", () => {
  const runsWith = new Map([
    ["a", 1],
    ["b", 0],
    ["loss", 2],
    ["system/cpu", 2],
    ["z", 3],
  ]);
  expect(sharedFirst([...runsWith.keys()], (tag) => runsWith.get(tag) ?? 0)).toEqual(["loss", "z", "system/cpu", "a"]);
});
