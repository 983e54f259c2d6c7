import { expect, test } from "vitest";
import { cleanSources, durationWord, proposedName, timeChoices } from "./drafts";

test("a name is proposed from the last part of an address that says something", () => {
  expect(proposedName("s3://bucket/team/resnet50/")).toBe("resnet50");
  expect(proposedName("/data/experiments/bert/logs")).toBe("bert");
  expect(proposedName("s3://bucket")).toBe("bucket");
  expect(proposedName("/data/exp/*/events")).toBe("exp");
  expect(proposedName("https://host/a/b?x=/c")).toBe("b");
  expect(proposedName("  ")).toBe("");
});

const BOUNDS = {
  shortest: { idle_after: 1800, reclaim_after: 60, max_runtime: 60 },
  longest: { idle_after: 86400, reclaim_after: 30 * 86400, max_runtime: 0 },
};

test("times are offered within the bounds, and never is longer than everything", () => {
  expect(timeChoices("idle_after", BOUNDS, null)).toEqual([1800, 3600, 7200, 14400, 28800, 86400]);
  expect(timeChoices("max_runtime", BOUNDS, null)).toContain(0);
  expect(timeChoices("idle_after", null, null)).toContain(0);
});

test("the current time is offered, too, in its place", () => {
  expect(timeChoices("idle_after", BOUNDS, 5000)).toEqual([1800, 3600, 5000, 7200, 14400, 28800, 86400]);
  expect(timeChoices("idle_after", BOUNDS, 0).at(-1)).toBe(0);
});

test("durations and sources are sent as the hub reads them", () => {
  expect([durationWord(0), durationWord(3600)]).toEqual(["never", "3600s"]);
  const sources = [
    { uri: " s3://a ", prefix: " x ", secret: "k" },
    { uri: " ", prefix: "y", secret: "" },
  ];
  expect(cleanSources(sources)).toEqual([{ uri: "s3://a", prefix: "x", secret: "k" }]);
});
