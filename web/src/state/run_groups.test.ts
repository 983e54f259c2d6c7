import { expect, test } from "vitest";
import { grouperOf, groupRuns } from "./run_groups";

test("captures make the group; without any, all that match are one", () => {
  const runs = ["adam_1", "SGD_1", "adam_2", "other"];
  const by = grouperOf("regex:(adam|sgd)_(\\d)?");
  const one = grouperOf("regex:_\\d");
  if (by === null || one === null) throw new Error("no groups");
  expect(groupRuns(runs, by)).toEqual({
    groups: [
      { label: "adam, 1", runs: ["adam_1"] },
      { label: "SGD, 1", runs: ["SGD_1"] },
      { label: "adam, 2", runs: ["adam_2"] },
    ],
    rest: ["other"],
  });
  expect(groupRuns(runs, one).groups).toEqual([{ label: "_\\d", runs: ["adam_1", "SGD_1", "adam_2"] }]);
});

test("a pattern that cannot be used groups nothing", () => {
  for (const by of ["", "run", "regex:", "regex:(", "regex:a(?=b)"]) expect(grouperOf(by)).toBeNull();
});
