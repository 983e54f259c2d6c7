import { expect, test } from "vitest";
import type { Columns } from "./columns";
import { factsOf, search } from "./facts";
import { focusOn, traceInputs } from "./focus";
import { buildHierarchy } from "./hierarchy";
import { buildLinks } from "./links";
import { openItems } from "./opening";
import { newPainter } from "./paint";
import { newPlanner } from "./plan";
import { ASIDE, CAN_OPEN, newSceneMaker, OPEN } from "./scene";
import { deepGraph, graphOf } from "./test_graphs";

function open(columns: Columns, opened: readonly string[] = [], options = {}) {
  const hierarchy = buildHierarchy(columns);
  const links = buildLinks(hierarchy);
  const roles = { extract: true, intoMain: new Set<string>(), outOfMain: new Set<string>(), ...options };
  const planner = newPlanner(links, roles);
  const maker = newSceneMaker(links, planner);
  const made = maker.make(openItems(hierarchy, opened, []));
  const { scene } = made;
  const box = (path: string): number => scene.path.indexOf(path);
  const lines = Array.from(scene.lineFrom, (from, i) => [
    scene.path[from] ?? "|",
    scene.path[scene.lineTo[i] ?? -1] ?? "|",
  ]);
  return { hierarchy, links, planner, maker, made, scene, box, lines };
}

const SMALL = [
  "input = Placeholder",
  "a/w = VarHandleOp",
  "a/matmul = MatMul < input, a/w",
  "b/deep/relu = Relu < a/matmul",
  "b/deep/const = Const",
  "b/deep/mul = Mul < b/deep/relu, b/deep/const",
  "out = Identity < b/deep/mul, ^a/matmul",
];

test("an edge into an open namespace goes on inside from its border", () => {
  // the graph is small, so all groups are open by default
  const { scene, lines, box } = open(graphOf(SMALL));
  expect(lines).toContainEqual(["input", "a"]);
  expect(lines).toContainEqual(["|", "a/matmul"]);
  expect(lines).toContainEqual(["a", "b"]);
  const outer = lines.findIndex(([from, to]) => from === "input" && to === "a");
  const inner = lines.findIndex(([from, to]) => from === "|" && to === "a/matmul");
  const end = (scene.lineAt[outer + 1] ?? 0) - 2;
  expect(scene.points[end]).toBeCloseTo(scene.points[scene.lineAt[inner] ?? 0] ?? -1, 2);
  expect(scene.points[end + 1]).toBeCloseTo(scene.y[box("a")] ?? -1, 2);
});

test("boxes lie inside of the open groups they belong to", () => {
  const { scene } = open(deepGraph(2000), ["model/stage_*", "model/stage_0/layer_*", "model/stage_0"]);
  for (let i = 0; i < scene.item.length; i++) {
    const parent = scene.parent[i] ?? -1;
    if (parent < 0) continue;
    expect(scene.x[i]).toBeGreaterThanOrEqual((scene.x[parent] ?? 0) - 0.5);
    const right = (scene.x[parent] ?? 0) + (scene.w[parent] ?? 0);
    expect((scene.x[i] ?? 0) + (scene.w[i] ?? 0)).toBeLessThanOrEqual(right + 0.5);
    const bottom = (scene.y[parent] ?? 0) + (scene.h[parent] ?? 0);
    expect((scene.y[i] ?? 0) + (scene.h[i] ?? 0)).toBeLessThanOrEqual(bottom + 0.5);
  }
});

test("a constant with one reader is a dot of it", () => {
  const { scene, box } = open(graphOf(SMALL));
  expect(box("b/deep/const")).toBe(-1);
  expect(scene.dotPath).toEqual(["b/deep/const"]);
  expect(scene.dotBox[0]).toBe(box("b/deep/mul"));
});

test("what nearly everything needs stands aside, unless it is put into the main graph", () => {
  const lines = [
    "rate = Op",
    ...Array.from({ length: 20 }, (_, i) => `n${i}x = Op < rate${i > 0 ? `, n${i - 1}x` : ""}`),
  ];
  const first = open(graphOf(lines));
  expect((first.scene.flags[first.box("rate")] ?? 0) & ASIDE).toBe(ASIDE);
  expect(first.lines).not.toContainEqual(["rate", "n3x"]);
  const second = open(graphOf(lines), [], { intoMain: new Set(["rate"]) });
  expect(second.lines).toContainEqual(["rate", "n3x"]);
  const third = open(graphOf(lines), [], { extract: false, outOfMain: new Set(["n3x"]) });
  expect((third.scene.flags[third.box("n3x")] ?? 0) & ASIDE).toBe(ASIDE);
});

test("a cycle and a node that feeds itself are drawn", () => {
  const { lines } = open(graphOf(["a = Op < c", "b = Op < a, b", "c = Op < b"]));
  expect(lines).toEqual([
    ["c", "a"],
    ["a", "b"],
    ["b", "c"],
  ]);
});

test("nodes, facts and neighbours of an empty graph and of one node", () => {
  expect(open(graphOf([])).scene.item).toHaveLength(0);
  const one = open(graphOf(["only = Op"]));
  expect(one.scene.path).toEqual(["only"]);
  expect(factsOf(one.links, 0)).toMatchObject({ name: "only", op: "Op", inputCount: 0, outputCount: 0 });
});

test("all that a node depends on is found, and the lines on the way", () => {
  const { links, made, hierarchy, scene } = open(graphOf([...SMALL, "aside = Op < input"]));
  const traced = traceInputs(links, made, hierarchy.itemOf("b/deep/relu"));
  const paths = Array.from(traced.boxes, (box) => scene.path[box]);
  expect(paths).toContain("input");
  expect(paths).toContain("a/matmul");
  expect(paths).not.toContain("aside");
  expect(paths).not.toContain("out");
  const near = focusOn(links, made, hierarchy.itemOf("a/matmul"));
  expect(Array.from(near.boxes, (box) => scene.path[box]).sort()).toEqual(["a/w", "b/deep/relu", "input", "out"]);
  // across the border of a, to b, to deep, to relu; and to out
  expect(near.linesOut.length).toBeGreaterThanOrEqual(4);
});

test("search finds namespaces, nodes and operations, and refuses what it cannot match", () => {
  const tree = buildHierarchy(graphOf(SMALL));
  expect(search(tree, "deep").hits.map(({ path }) => path)).toEqual([
    "b/deep",
    "b/deep/relu",
    "b/deep/const",
    "b/deep/mul",
  ]);
  expect(search(tree, "op:mat").hits.map(({ path }) => path)).toEqual(["a/matmul"]);
  expect(search(tree, "(").trouble).toBe("invalid");
  expect(search(tree, "a(?=b)").trouble).toBe("lookaround");
  expect(search(tree, "(a+)+$").trouble).toBeNull();
});

test("sums of measured times follow the hierarchy and leave out what the reader unticked", () => {
  const { hierarchy, scene, box } = open(graphOf(SMALL), ["a"]);
  const paint = newPainter(hierarchy);
  const stats = {
    micros: Float64Array.from([1, 2, 4, 8, Number.NaN, 16, 32]),
    bytes: new Float64Array(7).fill(Number.NaN),
    device: Int32Array.from([0, 0, 1, 0, 0, 0, 0]),
    devices: ["CPU", "GPU"],
  };
  expect(paint(scene, stats, new Set()).micros[box("a")]).toBe(6);
  expect(paint(scene, stats, new Set(["GPU"])).micros[box("a")]).toBe(2);
  expect(paint(scene, stats, new Set()).bytes[box("a")]).toBeNaN();
});

test("opening one namespace moves nothing but what is around it, and closing brings the same picture back", () => {
  const { maker, hierarchy } = open(deepGraph(4000));
  const before = maker.make(openItems(hierarchy, [], []));
  const [group] = before.scene.path.filter((_, i) => ((before.scene.flags[i] ?? 0) & (CAN_OPEN | OPEN)) === CAN_OPEN);
  const during = maker.make(openItems(hierarchy, [group ?? ""], []));
  expect(during.scene.item.length).toBeGreaterThan(before.scene.item.length);
  const after = maker.make(openItems(hierarchy, [], []));
  expect(after.scene.x).toEqual(before.scene.x);
});
