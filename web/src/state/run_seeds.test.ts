import { expect, test } from "vitest";
import { grouperOf, groupRuns } from "./run_groups";
import { groupByAllBut, seedHparams, seedsInNames } from "./run_seeds";

function groupsOf(runs: readonly string[]): readonly string[] | null {
  const found = seedsInNames(runs);
  const by = found === null ? null : grouperOf(found.by);
  return by === null ? null : groupRuns(runs, by).groups.map(({ label }) => label);
}

test("seeds are found at the end, at the start and in the middle of names", () => {
  expect(
    groupsOf(["sweep/units=32,seed=1", "sweep/units=32,seed=2", "sweep/units=64,seed=1", "sweep/units=64,seed=2"]),
  ).toEqual(["sweep/units=32", "sweep/units=64"]);
  expect(groupsOf(["exp_s1", "exp_s2", "exp_s3"])).toEqual(["exp"]);
  expect(groupsOf(["seed-3/run", "seed-4/run"])).toEqual(["run"]);
  expect(groupsOf(["a/seed_1/train", "a/seed_2/train", "a/seed_1/eval", "a/seed_2/eval"])).toEqual([
    "a, train",
    "a, eval",
  ]);
});

test("the last seed of a name counts", () => {
  expect(groupsOf(["data_seed=1_seed=1", "data_seed=1_seed=2", "data_seed=2_seed=1", "data_seed=2_seed=2"])).toEqual([
    "data_seed=1",
    "data_seed=2",
  ]);
});

test("words that end in s and a number are not seeds", () => {
  expect(groupsOf(["units=32", "units=64"])).toBeNull();
  expect(groupsOf(["loss2", "loss3"])).toBeNull();
  expect(groupsOf(["resnet18", "resnet50", "vits16", "vits32"])).toBeNull();
});

test("runs with a seed but without siblings are not offered as groups", () => {
  expect(groupsOf(["adam_seed=1", "sgd_seed=2", "rmsprop_seed=3"])).toBeNull();
});

test("the offer says how many configurations and seeds there are", () => {
  const runs = ["adam", "sgd"].flatMap((name) => [1, 2, 3].map((seed) => `${name},seed=${seed}`));
  expect(seedsInNames(runs)).toMatchObject({ groups: 2, seeds: 3, even: true });
  expect(seedsInNames(runs.slice(1))).toMatchObject({ groups: 2, seeds: 3, even: false });
  expect(seedsInNames(["other", ...runs])).toMatchObject({ groups: 2, seeds: 3, even: true });
});

test("hparams that are seeds are left out of the key", () => {
  expect(seedHparams(["seed", "random_seed", "train.seed", "seeds", "use_seedable_sampler", "seeded"])).toEqual([
    "seed",
    "random_seed",
    "train.seed",
  ]);
  expect(groupByAllBut(["lr", "seed", "units"], new Set(["seed"]))).toBe("hparam:lr,units");
  expect(groupByAllBut(["seed"], new Set(["seed"]))).toBeNull();
});
