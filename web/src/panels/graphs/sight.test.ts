import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changeView, DEFAULT_VIEW, undo, view } from "../../state/view";
import { buildHierarchy } from "./model/hierarchy";
import { buildLinks } from "./model/links";
import { openItems } from "./model/opening";
import { newPlanner } from "./model/plan";
import { newSceneMaker, type Scene } from "./model/scene";
import { graphOf } from "./model/test_graphs";
import { camera, followSight, forgetSight, frame, holdStill, moveCamera, place, resize } from "./sight";

const columns = graphOf([
  "x = Placeholder",
  ...Array.from(
    { length: 60 },
    (_, i) => `net/op${"abcdefgh"[i % 8]}${i}x = Op < ${i === 0 ? "x" : `net/op${"abcdefgh"[(i - 1) % 8]}${i - 1}x`}`,
  ),
  "y = Op < net/opd59x",
]);
const hierarchy = buildHierarchy(columns);
const links = buildLinks(hierarchy);
const maker = newSceneMaker(links, newPlanner(links, { extract: true, intoMain: new Set(), outOfMain: new Set() }));
const closed: Scene = maker.make(openItems(hierarchy, [], ["net"])).scene;
const open: Scene = maker.make(openItems(hierarchy, ["net"], [])).scene;

let arranging = false;
let stop: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  view.value = DEFAULT_VIEW;
  arranging = false;
  frame.value = { widthPx: 800, heightPx: 600 };
  forgetSight();
  stop = followSight(() => arranging);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const settle = (): unknown => vi.runAllTimers();

test("a graph that nobody moved leaves no word in the address", () => {
  place(closed, -1);
  settle();
  expect(view.value.graphsCamera).toBeNull();
  resize({ widthPx: 500, heightPx: 300 });
  settle();
  expect(view.value.graphsCamera).toBeNull();
});

test("a move is put into the address by the middle of the window, and cannot be undone", () => {
  place(open, -1);
  settle();
  changeView({ graphsNode: "x" }, { apart: true });
  moveCamera((one) => ({ ...one, y: one.y + 100 }));
  settle();
  const { x, y, scale } = camera.value;
  expect(view.value.graphsCamera?.x).toBeCloseTo(x + 400 / scale, 1);
  expect(view.value.graphsCamera?.y).toBeCloseTo(y + 300 / scale, 1);
  undo();
  settle();
  expect(view.value.graphsNode).toBe("");
  expect(view.value.graphsCamera).toBeNull();
});

test("an address is followed at once, and again in the drawing that comes with it", () => {
  place(closed, -1);
  changeView({ graphsCamera: { x: 50, y: 70, scale: 2 } });
  settle();
  expect(camera.value).toEqual({ x: 50 - 200, y: 70 - 150, scale: 2 });
  arranging = true;
  const wanted = { x: Math.round(open.width / 2), y: Math.round(open.height / 2), scale: 1 };
  changeView({ graphsCamera: wanted, graphsOpen: ["net"] });
  settle();
  expect(camera.value.scale).toBe(2);
  place(open, -1);
  settle();
  expect(camera.value).toEqual({ x: wanted.x - 400, y: wanted.y - 300, scale: 1 });
  expect(view.value.graphsCamera).toEqual(wanted);
});

test("a link is followed when the first drawing comes, in a window of any size", () => {
  stop();
  changeView({ graphsCamera: { x: 30, y: 900, scale: 0.5 } });
  forgetSight();
  stop = followSight(() => arranging);
  frame.value = { widthPx: 0, heightPx: 0 };
  place(open, -1);
  resize({ widthPx: 400, heightPx: 200 });
  settle();
  expect(camera.value).toEqual({ x: 30 - 400, y: 900 - 200, scale: 0.5 });
  resize({ widthPx: 600, heightPx: 400 });
  settle();
  expect(camera.value).toEqual({ x: 30 - 600, y: 900 - 400, scale: 0.5 });
  expect(view.value.graphsCamera).toEqual({ x: 30, y: 900, scale: 0.5 });
});

test("what is opened stays where it is, and where one looks then is put into the address", () => {
  place(closed, -1);
  const at = (scene: Scene): number =>
    ((scene.y[scene.path.indexOf("net")] ?? 0) - camera.value.y) * camera.value.scale;
  const before = at(closed);
  holdStill("net");
  place(open, -1);
  settle();
  expect(at(open)).toBeCloseTo(before);
  expect(view.value.graphsCamera).not.toBeNull();
});
