import { expect, test } from "vitest";
import { type LayoutBox, layout } from "./layered";

const box = (width = 80, height = 34): LayoutBox => ({ width, height });
const boxes = (n: number): LayoutBox[] => Array.from({ length: n }, () => box());

function overlaps(all: readonly LayoutBox[], x: Float64Array, y: Float64Array): number {
  let count = 0;
  for (let a = 0; a < all.length; a++) {
    for (let b = 0; b < a; b++) {
      const apartX = Math.abs((x[a] ?? 0) - (x[b] ?? 0)) >= ((all[a]?.width ?? 0) + (all[b]?.width ?? 0)) / 2 - 0.01;
      const apartY = Math.abs((y[a] ?? 0) - (y[b] ?? 0)) >= ((all[a]?.height ?? 0) + (all[b]?.height ?? 0)) / 2 - 0.01;
      if (!apartX && !apartY) count += 1;
    }
  }
  return count;
}

test("nothing is laid out without an error", () => {
  expect(layout([], [])).toMatchObject({ width: 0, height: 0 });
  expect(layout([box()], [])).toMatchObject({ width: 80, height: 34 });
});

test("a chain goes straight down", () => {
  const made = layout(boxes(4), [
    { from: 0, to: 1 },
    { from: 1, to: 2 },
    { from: 2, to: 3 },
  ]);
  expect(new Set(made.x).size).toBe(1);
  expect([...made.y]).toEqual([...made.y].sort((a, b) => a - b));
  expect(made.paths[0]).toHaveLength(4);
});

test("what depends on another stands below it, and nothing overlaps", () => {
  const edges = Array.from({ length: 120 }, (_, i) => ({ from: Math.floor((i * 7919) % (i + 1)), to: i + 1 }));
  const all = Array.from({ length: 121 }, (_, i) => box(40 + ((i * 37) % 90), 30 + ((i * 13) % 50)));
  const made = layout(all, edges);
  for (const { from, to } of edges) expect(made.y[to]).toBeGreaterThan(made.y[from] ?? 0);
  expect(overlaps(all, made.x, made.y)).toBe(0);
});

test("an edge that closes a cycle ends at the box it points to", () => {
  const made = layout(boxes(3), [
    { from: 0, to: 1 },
    { from: 1, to: 2 },
    { from: 2, to: 0 },
  ]);
  const back = made.paths[2] ?? new Float64Array();
  // from the top of the last box to the bottom of the first
  expect(back[1]).toBeGreaterThan(back.at(-1) ?? 0);
});

test("long edges pass between the boxes of layers", () => {
  const edges = [
    { from: 0, to: 1 },
    { from: 1, to: 2 },
    { from: 0, to: 2 },
  ];
  const made = layout(boxes(3), edges);
  const through = made.paths[2] ?? new Float64Array();
  expect(through.length).toBe(8);
  expect(Math.abs((through[2] ?? 0) - (made.x[1] ?? 0))).toBeGreaterThan(40);
});

test("a thousand boxes without edges become a block, not a line", () => {
  const made = layout(boxes(1000), []);
  expect(made.width / made.height).toBeLessThan(3);
  expect(made.width / made.height).toBeGreaterThan(0.8);
});

test("a thousand heirs of one box are wrapped", () => {
  const all = boxes(1001);
  const made = layout(
    all,
    Array.from({ length: 1000 }, (_, i) => ({ from: 0, to: i + 1 })),
  );
  expect(made.width / made.height).toBeLessThan(4);
  expect(overlaps(all, made.x, made.y)).toBe(0);
});

test("ports stand on the borders", () => {
  const all: LayoutBox[] = [
    box(),
    box(),
    { width: 8, height: 0, port: "top" },
    { width: 8, height: 0, port: "bottom" },
  ];
  const made = layout(all, [
    { from: 0, to: 1 },
    { from: 2, to: 1 },
    { from: 0, to: 3 },
  ]);
  expect(made.y[2]).toBe(0);
  expect(made.y[3]).toBe(made.height);
});

test("fifty thousand boxes on one level are laid out, and the same each time", () => {
  const n = 50_000;
  const edges = Array.from({ length: n - 1 }, (_, i) => ({ from: Math.max(0, i - ((i * 31) % 17)), to: i + 1 }));
  const first = layout(boxes(n), edges);
  expect(first.x.every(Number.isFinite)).toBe(true);
  expect(first.width).toBeGreaterThan(0);
  expect(layout(boxes(n), edges).x).toEqual(first.x);
});
