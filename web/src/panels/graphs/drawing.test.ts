import { expect, test } from "vitest";
import { newSvg } from "../../chart/svg_surface";
import { fillerOf, paletteOf } from "./colors";
import { type Drawing, drawScene, pick } from "./drawing";
import type { Columns } from "./model/columns";
import { buildHierarchy, LEAF } from "./model/hierarchy";
import { buildLinks } from "./model/links";
import { openItems } from "./model/opening";
import { newPainter } from "./model/paint";
import { newPlanner } from "./model/plan";
import { newSceneMaker } from "./model/scene";
import { indexScene } from "./model/scene_index";
import { graphOf } from "./model/test_graphs";
import { neighbourOf } from "./neighbours";

const COLORS = { background: "#fff", text: "#111", quiet: "#555", grid: "#ddd", axis: "#888", accent: "#00f" };

function drawingOf(columns: Columns): Drawing {
  const hierarchy = buildHierarchy(columns);
  const links = buildLinks(hierarchy);
  const planner = newPlanner(links, { extract: true, intoMain: new Set(), outOfMain: new Set() });
  const { scene } = newSceneMaker(links, planner).make(openItems(hierarchy, [], []));
  const palette = paletteOf("light", COLORS);
  const paint = newPainter(hierarchy)(scene, null, new Set());
  const isLeaf = (box: number): boolean => scene.type[box] === LEAF;
  return {
    scene,
    index: indexScene(scene),
    sight: { x: 0, y: 0, w: scene.width, h: scene.height, scale: 1 },
    palette,
    filler: fillerOf("structure", paint, "light", palette, isLeaf, () => true),
    font: "sans-serif",
    words: { nodes: (n) => `${n} nodes`, tensors: (n) => `${n} tensors`, library: "Functions" },
    chosenBox: -1,
    chosenDot: -1,
    hovered: -1,
    linesIn: new Set(),
    linesOut: new Set(),
    bright: null,
  };
}

function textOf(drawing: Drawing): string {
  const svg = newSvg(drawing.scene.width, drawing.scene.height);
  drawScene(svg, drawing);
  return svg.text();
}

const LINES = [
  "x = Placeholder",
  "net/c = Const",
  "net/a = MatMul < x, net/c",
  "net/<b> = Relu < net/a",
  "y = Op < net/<b>, ^x",
];

test("names are drawn as they are, control edges dashed", () => {
  const svg = textOf(drawingOf(graphOf(LINES)));
  expect(svg).toContain(">MatMul</text>");
  expect(svg).toContain("&lt;b&gt;");
  expect(svg).toContain('stroke-dasharray="5 4"');
});

test("what is out of sight is not drawn", () => {
  const drawing = drawingOf(graphOf(LINES));
  const away = textOf({ ...drawing, sight: { ...drawing.sight, x: 10_000 } });
  expect(away).not.toContain("<text");
});

test("from far away there are boxes, and no letters", () => {
  const drawing = drawingOf(graphOf(LINES));
  const far = textOf({ ...drawing, sight: { ...drawing.sight, scale: 0.1 } });
  expect(far).not.toContain("<text");
  expect(far).toContain("<rect");
});

test("a trace leaves the rest faint", () => {
  const drawing = drawingOf(graphOf(LINES));
  expect(textOf(drawing)).not.toContain('opacity="0.22"');
  expect(textOf({ ...drawing, bright: new Set([0]) })).toContain('opacity="0.22"');
});

test("the innermost box is hit, and a dot before it", () => {
  const { scene, index } = drawingOf(graphOf(LINES));
  const box = scene.path.indexOf("net/a");
  const hit = pick(scene, index, (scene.x[box] ?? 0) + 5, (scene.y[box] ?? 0) + 5);
  expect(scene.path[hit.box]).toBe("net/a");
  const dot = pick(scene, index, scene.dotX[0] ?? 0, scene.dotY[0] ?? 0);
  expect(scene.dotPath[dot.dot]).toBe("net/c");
  expect(pick(scene, index, -100, -100)).toEqual({ box: -1, dot: -1 });
});

test("arrows follow edges and go to what stands beside", () => {
  const { scene } = drawingOf(graphOf(["a = Op", "b = Op < a", "c = Op < a"]));
  const at = (path: string): number => scene.path.indexOf(path);
  const below = neighbourOf(scene, at("a"), "down");
  expect(["b", "c"]).toContain(scene.path[below]);
  expect(neighbourOf(scene, below, "up")).toBe(at("a"));
  const beside = [neighbourOf(scene, at("b"), "left"), neighbourOf(scene, at("b"), "right")];
  expect(beside.sort()).toEqual([-1, at("c")].sort());
  expect(neighbourOf(scene, -1, "down")).toBe(at("a"));
});
