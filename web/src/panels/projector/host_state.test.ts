// Tests how messages change the state of the worker; host.test.ts tests drawing and hit tests.

import { expect, test } from "vitest";
import { encodeLayout } from "./frames_for_tests";
import { applyChange, newStageState, sceneOf } from "./host_state";
import type { Coloring, Look, Marks } from "./messages";

const CODES: Coloring = { kind: "codes", codes: Int32Array.of(0, 1, 0), palette: ["#ff0000", "#00ff00"] };
const LOOK = { plain: "#446688", images: true } as Look;
const NONE = new Uint32Array();

function layout(coordinates: number[] | null = [-1, 0, 0, 0, 1, 0], count = 3) {
  const frame = encodeLayout(coordinates, count, 2);
  return { type: "layout", key: "a", frame, rows: null, total: count } as const;
}

function marks(only: Uint32Array | null): { readonly type: "marks"; readonly marks: Marks } {
  return { type: "marks", marks: { selected: NONE, neighbors: NONE, hovered: -1, only } };
}

test("there is no scene before there are points, a look and a size", () => {
  const state = newStageState();
  expect(sceneOf(state)).toBeNull();
  applyChange(state, layout());
  applyChange(state, { type: "look", look: LOOK });
  expect(sceneOf(state)).toBeNull();
  applyChange(state, { type: "size", width: 10, height: 10, ratio: 1 });
  expect(sceneOf(state)?.cloud.rows).toBe(3);
  applyChange(state, { type: "clear" });
  expect(sceneOf(state)).toBeNull();
});

test("points are colored whichever comes first, they or their colors", () => {
  const first = newStageState();
  applyChange(first, { type: "colors", coloring: CODES });
  expect(first.colors).toBeNull();
  applyChange(first, layout());
  expect(first.colors?.length).toBe(3);
  const second = newStageState();
  applyChange(second, layout());
  applyChange(second, { type: "colors", coloring: CODES });
  expect(second.colors).toEqual(first.colors);
});

test("colors are kept while the number of points is the same, and made again for another plain color", () => {
  const state = newStageState();
  applyChange(state, layout());
  applyChange(state, { type: "colors", coloring: CODES });
  const before = state.colors;
  applyChange(state, layout([0, 0, 1, 1, 2, 2]));
  expect(state.colors).toBe(before);
  applyChange(state, { type: "look", look: LOOK });
  expect(state.colors).not.toBe(before);
});

test("a layout without coordinates changes nothing", () => {
  const state = newStageState();
  applyChange(state, layout());
  const { cloud } = state;
  expect(applyChange(state, { ...layout(null), key: "b" })).toBe(false);
  expect(state).toMatchObject({ cloud, key: "a" });
});

test("points that are left out have a mask, which stays while the rows are the same", () => {
  const state = newStageState();
  applyChange(state, layout());
  applyChange(state, marks(Uint32Array.of(0, 2)));
  const { shown, cloud } = state;
  expect([...(shown ?? [])]).toEqual([1, 0, 1]);
  applyChange(state, marks(Uint32Array.of(0, 2)));
  expect(state.shown).toBe(shown);
  expect(state.cloud).toBe(cloud);
  applyChange(state, marks(null));
  expect(state.shown).toBeNull();
});

test("labels are added, or replace all others", () => {
  const state = newStageState();
  applyChange(state, { type: "labels", texts: new Map([[1, "one"]]), fresh: false });
  applyChange(state, { type: "labels", texts: new Map([[2, "two"]]), fresh: false });
  expect([...state.labels.texts.keys()]).toEqual([1, 2]);
  applyChange(state, { type: "labels", texts: new Map([[3, "three"]]), fresh: true });
  expect([...state.labels.texts.keys()]).toEqual([3]);
});

test("a sprite sheet is closed when another one comes, and shown where pictures are wanted", () => {
  const state = newStageState();
  let closed = 0;
  const sheet = { close: () => closed++ } as unknown as ImageBitmap;
  applyChange(state, layout());
  applyChange(state, { type: "size", width: 10, height: 10, ratio: 1 });
  applyChange(state, { type: "look", look: LOOK });
  applyChange(state, { type: "sprite", sheet, width: 4, height: 4 });
  expect(sceneOf(state)?.sprite?.sheet).toBe(sheet);
  applyChange(state, { type: "look", look: { ...LOOK, images: false } });
  expect(sceneOf(state)?.sprite).toBeNull();
  applyChange(state, { type: "sprite", sheet: null, width: 0, height: 0 });
  expect(closed).toBe(1);
});
