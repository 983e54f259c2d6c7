import { beforeEach, expect, test } from "vitest";
import { addBookmark, bookmarks, bookmarksFile, cameraIn, parseBookmarks } from "./projector_bookmarks";
import { changeView, DEFAULT_VIEW, view } from "./view";

beforeEach(() => {
  bookmarks.value = [];
  view.value = DEFAULT_VIEW;
});

test("what is saved is loaded again", () => {
  changeView({ projectorMethod: "tsne", projectorDims: 2, projectorColorBy: "digit", projectorSelected: "3-7" });
  addBookmark("mine");
  const [found] = parseBookmarks(bookmarksFile()) ?? [];
  expect(found?.label).toBe("mine");
  expect(found?.view.projectorMethod).toBe("tsne");
  expect(found?.view.projectorDims).toBe(2);
  expect(found?.view.projectorColorBy).toBe("digit");
  expect(found?.view.projectorSelected).toBe("3-7");
});

test("a state of TensorBoard's projector is understood", () => {
  const states = [
    {
      label: "theirs",
      selectedProjection: "pca",
      pcaComponentDimensions: [1, 4],
      selectedPoints: [5, 3, 4],
      selectedColorOptionName: "label",
      cameraDef: { orthographic: false, position: [0, 0, 2], target: [0, 0, 0] },
    },
  ];
  const [found] = parseBookmarks(JSON.stringify(states)) ?? [];
  expect(found?.view).toMatchObject({
    projectorMethod: "pca",
    projectorDims: 2,
    projectorComponents: [1, 4],
    projectorSelected: "3-5",
    projectorColorBy: "label",
  });
  expect(found?.view.projectorCamera?.theta).toBeCloseTo(0);
});

test("what is saved has what TensorBoard's projector reads", () => {
  const projectorCamera = { theta: 0.4, phi: 1.1, x: 0.1, y: 0.2, z: 0.3, distance: 2 };
  changeView({ projectorSelected: "2,5-6", projectorOnly: [{ kind: "rows", rows: "0-9" }], projectorCamera });
  addBookmark("shared");
  const [state] = JSON.parse(bookmarksFile()) as Record<string, unknown>[];
  expect(state).toMatchObject({ selectedPoints: [2, 5, 6], projections: [] });
  const camera = cameraIn(state?.cameraDef);
  for (const name of ["theta", "phi", "x", "y", "z", "distance"] as const) {
    expect(camera?.[name]).toBeCloseTo(projectorCamera[name]);
  }
  const [again] = parseBookmarks(bookmarksFile()) ?? [];
  expect(again?.view.projectorOnly).toEqual([{ kind: "rows", rows: "0-9" }]);
});

test("anything else is no bookmarks", () => {
  for (const text of ["", "{}", "[1, 2]", '[{"a": 1}]', "not json"]) expect(parseBookmarks(text)).toBeNull();
  expect(parseBookmarks("[]")).toEqual([]);
});

test("cameras that look nowhere count for nothing", () => {
  expect(cameraIn({ position: [0, 0, 0], target: [0, 0, 0] })).toBeNull();
  expect(cameraIn({ position: ["a", 0, 0], target: [0, 0, 0] })).toBeNull();
  expect(cameraIn(null)).toBeNull();
});
