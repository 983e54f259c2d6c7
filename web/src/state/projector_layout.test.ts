import { expect, test } from "vitest";
import type { Embedding } from "./projector";
import { questionOf } from "./projector_layout";
import { searchTerms } from "./projector_only";
import { DEFAULT_VIEW } from "./view";

const OF: Embedding = {
  run: "r",
  name: "t",
  rows: 10,
  dims: 4,
  source: "tsv",
  path: "",
  metadata: null,
  sprite: null,
  bookmarks: false,
  problem: null,
  notes: [],
};

test("a question has what its method depends on, and nothing else", () => {
  expect(questionOf(OF, DEFAULT_VIEW)).toEqual({
    run: "r",
    name: "t",
    method: "pca",
    dims: 3,
    sphereize: true,
  });
  const umap = questionOf(OF, { ...DEFAULT_VIEW, projectorMethod: "umap", projectorDims: 2 });
  expect(umap).toMatchObject({ method: "umap", dims: 2, neighbors: 15, min_distance: 0.1 });
  expect(umap).not.toHaveProperty("perplexity");
});

test("t-SNE is supervised only by a column and with some strength", () => {
  const tsne = { ...DEFAULT_VIEW, projectorMethod: "tsne" as const, projectorSuperviseBy: "label" };
  expect(questionOf(OF, tsne)).not.toHaveProperty("supervise");
  expect(questionOf(OF, { ...tsne, projectorSupervise: 30 })).toMatchObject({ supervise: 0.3, label: "label" });
});

test("axes of one's own need something to go by", () => {
  const custom = { ...DEFAULT_VIEW, projectorMethod: "custom" as const };
  expect(questionOf(OF, custom)).toBeNull();
  const axes = { by: "label", left: "a", right: "", up: "", down: "" };
  expect(questionOf(OF, { ...custom, projectorAxes: axes })).toMatchObject({
    method: "custom",
    dims: 2,
    column: "label",
    left: "a",
  });
});

test("what stands between slashes is an expression", () => {
  expect(searchTerms("/^a/")).toEqual({ text: "^a", regex: true });
  expect(searchTerms("a/b")).toEqual({ text: "a/b", regex: false });
  expect(searchTerms("//")).toEqual({ text: "//", regex: false });
});
