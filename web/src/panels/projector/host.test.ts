// The worker's mind without a canvas: what is picked, boxed and asked for.

import { expect, test } from "vitest";
import { encodeLayout } from "./frames_for_tests";
import { createHost } from "./host";
import type { Look, ToPage, ToWorker } from "./messages";

const LOOK: Look = {
  background: "#ffffff",
  text: "#000000",
  quiet: "#777777",
  line: "#dddddd",
  accent: "#0000ff",
  plain: "#446688",
  faded: "#cccccc",
  font: "11px sans-serif",
  labels: false,
  images: false,
  pointSize: 1,
  painter: "auto",
  axes: ["", "", ""],
};

function stage(): { readonly tell: (message: ToWorker) => void; readonly heard: ToPage[] } {
  const heard: ToPage[] = [];
  const tell = createHost({
    nextFrame: (callback) => callback(),
    now: () => 0,
    post: (message) => heard.push(message),
  });
  tell({ type: "look", look: LOOK });
  tell({ type: "size", width: 400, height: 400, ratio: 2 });
  tell({
    type: "camera",
    camera: { theta: 0, phi: Math.PI / 2, x: 0, y: 0, z: 0, distance: 3 },
    flat: true,
    moving: false,
  });
  return { tell, heard };
}

const pickedRow = (heard: readonly ToPage[]): number | undefined => {
  const last = heard.at(-1);
  return last?.type === "picked" ? last.row : undefined;
};

test("nothing is picked before there are points", () => {
  const { tell, heard } = stage();
  tell({ type: "pick", question: 1, x: 100, y: 100 });
  expect(pickedRow(heard)).toBe(-1);
});

test("the point under the pointer is picked, and none beside it", () => {
  const { tell, heard } = stage();
  tell({ type: "layout", key: "a", frame: encodeLayout([-1, 0, 0, 0, 1, 0], 3, 2), rows: null, total: 3 });
  tell({ type: "pick", question: 1, x: 100, y: 100 });
  expect(pickedRow(heard)).toBe(1);
  tell({ type: "pick", question: 2, x: 100, y: 40 });
  expect(pickedRow(heard)).toBe(-1);
});

test("what is not shown is neither picked nor in a box", () => {
  const { tell, heard } = stage();
  tell({ type: "layout", key: "a", frame: encodeLayout([-1, 0, 0, 0, 1, 0], 3, 2), rows: null, total: 3 });
  tell({ type: "box", question: 1, box: [0, 0, 200, 200] });
  const last = heard.at(-1);
  expect(last?.type === "boxed" && [...last.rows]).toEqual([0, 1, 2]);
  const none = new Uint32Array();
  tell({ type: "marks", marks: { selected: none, neighbors: none, hovered: -1, only: Uint32Array.of(0, 2) } });
  tell({ type: "box", question: 2, box: [200, 200, 0, 0] });
  const again = heard.at(-1);
  expect(again?.type === "boxed" && [...again.rows]).toEqual([0, 2]);
});

test("a frame without coordinates changes nothing", () => {
  const { tell, heard } = stage();
  tell({ type: "layout", key: "a", frame: encodeLayout([-1, 0, 0, 0, 1, 0], 3, 2), rows: null, total: 3 });
  tell({ type: "layout", key: "a", frame: encodeLayout(null, 3, 2), rows: null, total: 3 });
  tell({ type: "pick", question: 1, x: 100, y: 100 });
  expect(pickedRow(heard)).toBe(1);
});

test("a layout of some points keeps their numbers", () => {
  const { tell, heard } = stage();
  const only = Uint32Array.of(1, 4);
  const none = new Uint32Array();
  tell({ type: "layout", key: "a", frame: encodeLayout([-1, 0, 1, 0], 2, 2), rows: only, total: 6 });
  tell({ type: "box", question: 1, box: [0, 0, 200, 200] });
  const all = heard.at(-1);
  expect(all?.type === "boxed" && [...all.rows]).toEqual([1, 4]);
  tell({ type: "marks", marks: { selected: none, neighbors: none, hovered: -1, only } });
  tell({ type: "box", question: 2, box: [100, 0, 200, 200] });
  const right = heard.at(-1);
  expect(right?.type === "boxed" && [...right.rows]).toEqual([4]);
});
