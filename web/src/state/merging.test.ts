import { expect, test } from "vitest";
import type { Runs, TagColumns } from "../api/client";
import { mergeRuns, mergeTags, settleKinds } from "./merging";

function runs(version: number, names: readonly string[], change: Partial<Runs> = {}): Runs {
  return {
    version,
    total: names.length,
    id: names.map((_, id) => id),
    name: names,
    start_time: names.map(() => 1),
    last_time: names.map(() => 2),
    duration: names.map(() => 1),
    state: names.map(() => "running"),
    files: names.map(() => 1),
    faults: names.map(() => 0),
    slot: names.map((_, id) => id),
    removed: [],
    ...change,
  };
}

function merged(known: Runs, news: Runs): Runs {
  return mergeRuns(known, news, new Map(known.name.map((name, row) => [name, row])));
}

test("a run that grew changes its row, and the list of names stays the same object", () => {
  const known = runs(1, ["run1", "run2", "run10"]);
  const after = merged(known, runs(2, ["run2"], { last_time: [9], state: ["finished"] }));
  expect(after.last_time).toEqual([2, 9, 2]);
  expect(after.state).toEqual(["running", "finished", "running"]);
  expect(after.name).toBe(known.name);
  expect(after.files).toBe(known.files);
  expect(after.version).toBe(2);
});

test("new runs find their places, removed ones go", () => {
  const known = runs(1, ["a", "run2", "run10", "z"]);
  const news = runs(5, ["b", "run3", "run10"], { removed: ["a", "never"], faults: [7, 8, 9] });
  const after = merged(known, news);
  expect(after.name).toEqual(["b", "run2", "run3", "run10", "z"]);
  expect(after.faults).toEqual([7, 0, 8, 9, 0]);
  expect(after.total).toBe(5);
});

test("nothing new changes nothing but the version", () => {
  const known = runs(1, ["a"]);
  expect(merged(known, runs(3, []))).toEqual({ ...known, version: 3 });
});

function tags(counts: Readonly<Record<string, number>>, change: Partial<TagColumns> = {}): TagColumns {
  const none = { display_name: {}, description: {}, plugin: {} };
  return { tag: Object.keys(counts), runs: Object.values(counts), ...none, ...change };
}

test("new tags and kinds are added in natural order, counts are taken over", () => {
  const known = { scalars: tags({ acc: 1, "loss/2": 1, "loss/10": 1 }) };
  const news = {
    scalars: tags({ "loss/3": 2, "loss/10": 4 }, { description: { "loss/3": "new" } }),
    images: tags({ x: 1 }),
  };
  const after = mergeTags(known, news);
  expect(after.scalars?.tag).toEqual(["acc", "loss/2", "loss/3", "loss/10"]);
  expect(after.scalars?.runs).toEqual([1, 1, 2, 4]);
  expect(after.scalars?.description).toEqual({ "loss/3": "new" });
  expect(after.images?.tag).toEqual(["x"]);
});

test("tags that only grew leave everything as it was", () => {
  const known = { scalars: tags({ acc: 1 }), images: tags({ x: 1 }) };
  expect(mergeTags(known, { scalars: tags({ acc: 1 }) })).toBe(known);
});

test("the whole list told again drops what is gone and keeps what is equal", () => {
  const known = { scalars: tags({ acc: 1 }), images: tags({ x: 1 }) };
  expect(settleKinds(known, structuredClone(known))).toBe(known);
  const after = settleKinds(known, { scalars: tags({ acc: 1 }) });
  expect(after).toEqual({ scalars: tags({ acc: 1 }) });
  expect(after.scalars).toBe(known.scalars);
});
