import { expect, test } from "vitest";
import { partsOf, shortName, shortNames } from "./short_names";

function shortOf(names: readonly string[], most: number): readonly string[] {
  const short = shortNames(names, most);
  return names.map((name) => short.get(name) ?? "");
}

/** Numbers from 0 to 1 that are the same in every run of the test. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const GRID = [32, 64, 128].flatMap((units) =>
  ["adam", "sgd"].flatMap((optimizer) =>
    [0, 0.2].flatMap((dropout) =>
      [1, 2].map((seed) => `sweep/units=${units},optimizer=${optimizer},dropout=${dropout},seed=${seed}`),
    ),
  ),
);

test("names that fit are not changed", () => {
  expect(shortOf(["digits/lr=0.01/train", "damaged"], 20)).toEqual(["digits/lr=0.01/train", "damaged"]);
});

test("folders are dropped while the rest is unique", () => {
  expect(shortOf(["experiments/2026/baseline", "experiments/2026/augmented", "experiments/2025/baseline"], 20)).toEqual(
    ["…2026/baseline", "…2026/augmented", "…2025/baseline"],
  );
  expect(shortOf(["accelerator_config/split_batches", "accelerator_config/use_seedable_sampler"], 24)).toEqual([
    "…split_batches",
    "…use_seedable_sampler",
  ]);
});

test("namespaces with dots are dropped, numbers and endings are not", () => {
  expect(shortOf(["accelerator_config.non_blocking", "accelerator_config.use_seedable_sampler"], 22)).toEqual([
    "…non_blocking",
    "…use_seedable_sampler",
  ]);
  expect(shortOf(["a_long_name_of_a_model.onnx", "lr=0.1"], 20)).toEqual(["a_long_…a_model.onnx", "lr=0.1"]);
});

test("keys are shortened as much as needed, and in the same way in all names", () => {
  expect(shortOf(GRID, 22).slice(0, 2)).toEqual(["…u=32,o=adam,d=0,s=1", "…u=32,o=adam,d=0,s=2"]);
  expect(shortOf(GRID, 36)[3]).toBe("…unit=32,opti=adam,drop=0.2,seed=2");
  expect(shortOf(GRID, 60)).toEqual(GRID);
});

test("a name that fits stays if others of its form do not fit", () => {
  expect(shortOf(["seed", "duration", "optimizer_state"], 8)).toEqual(["seed", "duration", "op…state"]);
  expect(shortOf(["seed", "duration", "optimization"], 8)).toEqual(["seed", "duration", "op…ation"]);
});

test("keys are dropped if not even one letter fits", () => {
  expect(shortOf(GRID, 14)[3]).toBe("…32,adam,0.2,2");
});

test("keys that begin alike keep the letters that differ", () => {
  const names = [1, 2].flatMap((a) => [3, 4].map((b) => `model_name,depth_of_net=${a},depth_of_head=${b}`));
  expect(new Set(shortOf(names, 20)).size).toBe(4);
});

test("parts that all names share are dropped from the middle", () => {
  const names = ["units=32,batch=64,schedule=cosine,seed=1", "units=64,batch=64,schedule=cosine,seed=2"];
  expect(shortOf(names, 20)).toEqual(["units=32…seed=1", "units=64…seed=2"]);
});

test("numbers with an exponent are one part", () => {
  expect(partsOf("a-b/lr=1e-4,x=-1_y")).toEqual(["a-", "b/", "lr=1e-4,", "x=-1_", "y"]);
});

test("times keep the letters that differ", () => {
  const names = ["training_20261116T101112Z_hostname", "training_20261116T101259Z_hostname"];
  expect(shortOf(names, 24)).toEqual(["…20261116T101112Z…", "…20261116T101259Z…"]);
  expect(shortOf(names, 16)).toEqual(["…112Z…", "…259Z…"]);
});

test("words and numbers without signs are keys and values, too", () => {
  const names = [
    "resnet50_bs32_lr0.1_seed1_imagenet",
    "resnet50_bs64_lr0.1_seed2_imagenet",
    "resnet101_bs64_lr0.1_seed2_imagenet",
  ];
  expect(shortOf(names, 20)).toEqual(["resn50_bs32…seed1…", "resn50_bs64…seed2…", "resn101_bs64…seed2…"]);
});

test("a name alone is cut in the middle and keeps its end", () => {
  expect(shortName("short", 10)).toBe("short");
  expect(shortName("experiment/with/a/long/name/run_17", 16)).toBe("experi…me/run_17");
  expect([...shortName("🚀".repeat(50), 10)]).toHaveLength(10);
});

test("different names get different texts of the given width, whatever the names", () => {
  const random = chance(7);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  const pieces = [
    "a",
    "bb",
    "learning_rate=",
    "0.1",
    "1e-4",
    "/",
    "/",
    ",",
    "_",
    "-",
    " ",
    "seed",
    "units=",
    "3",
    "🚀",
    "…",
    "实验",
    "",
  ];
  for (let round = 0; round < 150; round++) {
    const count = 2 + Math.floor(random() * 60);
    const length = 1 + Math.floor(random() * 24);
    const names = new Set(
      Array.from({ length: count }, () =>
        Array.from({ length: Math.ceil(random() * length) }, () => pick(pieces)).join(""),
      ),
    );
    const most = 10 + Math.floor(random() * 30);
    const short = shortNames([...names], most);
    expect(new Set(short.values()).size).toBe(names.size);
    for (const text of short.values()) expect([...text].length).toBeLessThanOrEqual(most);
  }
});

test("ten thousand names of a grid stay different", () => {
  const names = Array.from(
    { length: 10_000 },
    (_, i) =>
      `project/sweep_7/units=${i % 100},optimizer=${i % 2 ? "adam" : "sgd"},seed=${Math.floor(i / 100)}/run_${i}`,
  );
  const short = shortNames(names, 24);
  expect(new Set(short.values()).size).toBe(names.length);
  expect(short.get(names[0] ?? "")).toBe("…run_0");
});

test("ten thousand names that differ in one letter in the middle stay different", () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `${"x".repeat(40)}${i}${"y".repeat(40)}`);
  expect(new Set(shortNames(names, 16).values()).size).toBe(names.length);
});
