import { expect, test } from "vitest";
import type { HeldLayer } from "../../state/series";
import { keepSame, type Look, stylesOf } from "./styles";

const lines = {
  tags: ["loss", "val"],
  runs: ["a", "b"],
  tag: [0, 0, 1],
  run: [0, 1, 0],
  groups: [{ label: "x", tag: 1 }],
} as unknown as HeldLayer["lines"];

const look: Look = {
  colorOf: (run) => (run === "a" ? "#aa0000" : "#00bb00"),
  colorOfGroup: () => "#0000cc",
  dashOf: () => 3,
  isDrawn: (run) => run === "a",
  tags: ["val", "loss"],
};

test("runs have colours, tags have dashes, hidden runs are not drawn", () => {
  const { styles, bands } = stylesOf({ lines }, look);
  expect(styles.map(({ color, dash, visible }) => [color, dash, visible])).toEqual([
    ["#aa0000", 1, true],
    ["#00bb00", 1, false],
    ["#aa0000", 0, true],
  ]);
  expect(bands.map(({ color, dash }) => [color, dash])).toEqual([["#0000cc", 0]]);
});

test("arrays stay the same while nothing changes", () => {
  const before = stylesOf({ lines }, look);
  expect(keepSame(before, stylesOf({ lines }, look))).toEqual(before);
  expect(keepSame(before, stylesOf({ lines }, look)).styles).toBe(before.styles);
  expect(keepSame(before, stylesOf({ lines }, { ...look, isDrawn: () => true })).styles).not.toBe(before.styles);
});

test("the area around a line has the run's colour, and no line of its own", () => {
  const groups = ["a", "b"].map((label, run) => ({ tag: 0, label, runs: [run], length: 2, edges: [1, 2] }));
  expect(stylesOf({ lines: { ...lines, groups } }, look).bands).toEqual([
    { color: "#aa0000", dash: 0, widthPx: 0, visible: true },
    { color: "#00bb00", dash: 0, widthPx: 0, visible: false },
  ]);
});
