// The page of trials: every change that a user can make, and its effects. trials_*.test.ts test filters, brushes,
// orders and scales.

import { beforeEach, expect, test } from "vitest";
import { runs } from "./board";
import * as hparams from "./hparams";
import { drawnRuns, emphasisedRun, tickAll, tickOnly } from "./runs";
import { trials } from "./trials";
import type { TrialColumn, Trials } from "./trials_columns";
import { column } from "./trials_test_data";
import { changeView, DEFAULT_VIEW, view } from "./view";

const NONE = Number.NaN;

const COLUMNS: readonly TrialColumn[] = [
  column("hparam:same", [1, 1, 1, 1], { differs: false }),
  column("hparam:lr", [0.1, 0.01, 0.001, NONE]),
  column("hparam:depth", [2, 4, 2, 8]),
  column("metric:loss", [0.5, 0.25, NONE, 0.75], { role: "metric", goal: "min" }),
  column("metric:accuracy", [0.6, 0.9, 0.8, 0.7], { role: "metric" }),
  column("status", [1, 2, 1, 3], { role: "fact" }),
];

function trialsOf(columns: readonly TrialColumn[], more: Partial<Trials> = {}): Trials {
  const all = {
    count: 4,
    names: ["a", "b", "c", "d"],
    runs: [["a"], ["b"], ["c"], ["d"]],
    columns,
    byId: new Map(columns.map((one) => [one.id, one])),
    repeated: false,
    ...more,
  };
  return all as unknown as Trials;
}

const RUNS = ["a", "a/eval", "b", "c", "d"];

beforeEach(() => {
  view.value = DEFAULT_VIEW;
  hparams.draft.value = null;
  hparams.point(-1);
  emphasisedRun.value = null;
  runs.value = { version: 1, name: RUNS, removed: [] } as unknown as typeof runs.value;
  trials.value = trialsOf(COLUMNS);
  tickAll();
});

const shown = (): readonly string[] => hparams.shownColumns.value.map(({ id }) => id);

// ---- before the first response

test("without trials there is nothing to show", () => {
  trials.value = null;
  expect(shown()).toEqual([]);
  expect([...hparams.listed.value, ...hparams.ordered.value, ...hparams.picked.value, ...hparams.rows.value]).toEqual(
    [],
  );
  expect(hparams.anyBrush.value).toBe(false);
  expect(hparams.keptTrial.value).toBe(-1);
  expect(hparams.colorColumn.value).toBeNull();
});

// ---- columns

test("columns that differ come first, and at first only those are shown, the most complete ones first", () => {
  expect(hparams.hparamColumns.value.map(({ id }) => id)).toEqual(["hparam:lr", "hparam:depth", "hparam:same"]);
  expect(shown()).toEqual(["hparam:depth", "hparam:lr", "metric:accuracy", "metric:loss"]);
});

test("when nothing differs all hparams are shown", () => {
  trials.value = trialsOf([column("hparam:same", [1, 1, 1, 1], { differs: false })]);
  expect(shown()).toEqual(["hparam:same"]);
});

test("what all averaged repeats differ in is not shown at first", () => {
  const seed = column("hparam:seed", [Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  trials.value = trialsOf([column("hparam:lr", [1, 2, 3, 4]), seed]);
  expect(shown()).toEqual(["hparam:lr"]);
});

test("a column is added behind those of its kind and taken away", () => {
  hparams.toggleColumn("hparam:same", true);
  expect(shown()).toEqual(["hparam:depth", "hparam:lr", "hparam:same", "metric:accuracy", "metric:loss"]);
  hparams.toggleColumn("metric:accuracy", false);
  hparams.toggleColumn("metric:accuracy", true);
  expect(shown().at(-1)).toBe("metric:accuracy");
  const before = view.value.hparamsColumns;
  hparams.toggleColumn("metric:accuracy", true);
  expect(view.value.hparamsColumns).toBe(before);
});

test("the last column can be taken away", () => {
  hparams.setColumns([]);
  expect(view.value.hparamsColumns).toEqual([hparams.NO_COLUMN]);
  expect(shown()).toEqual([]);
  hparams.toggleColumn("hparam:lr", true);
  expect(shown()).toEqual(["hparam:lr"]);
});

test("columns that the board does not have yet are kept in the view and not shown", () => {
  hparams.setColumns(["hparam:later", "hparam:lr"]);
  expect(shown()).toEqual(["hparam:lr"]);
});

test("a column is moved to another's place or by a number of places", () => {
  hparams.moveColumn("metric:loss", "hparam:depth");
  expect(shown()[0]).toBe("metric:loss");
  hparams.shiftColumn("metric:loss", 1);
  expect(shown().slice(0, 2)).toEqual(["hparam:depth", "metric:loss"]);
  const before = shown();
  hparams.shiftColumn("hparam:depth", -1);
  hparams.moveColumn("hparam:lr", "hparam:lr");
  hparams.moveColumn("hparam:lr", "unknown");
  hparams.moveColumn("unknown", "hparam:lr");
  expect(shown()).toEqual(before);
});

test("widths follow the content until the reader sets one, within limits", () => {
  expect(hparams.widthOf("name")).toBe(hparams.NAME_PX);
  expect(hparams.widthOf("start")).toBe(136);
  expect(hparams.widthOf("hparam:lr")).toBeLessThan(hparams.widthOf("metric:loss"));
  const alone = hparams.widthOf("metric:loss");
  trials.value = trialsOf(COLUMNS, { repeated: true });
  expect(hparams.widthOf("metric:loss")).toBeGreaterThanOrEqual(alone);
  hparams.setWidth("hparam:lr", 3);
  hparams.setWidth("metric:loss", 9999);
  expect([hparams.widthOf("hparam:lr"), hparams.widthOf("metric:loss")]).toEqual([48, 2000]);
});

test("a goal names all metrics, because goals are sent by metric", () => {
  hparams.setGoal("metric:accuracy", "min");
  expect(view.value).toMatchObject({
    hparamsGoals: { "metric:accuracy": "min" },
    hparamsMetrics: ["metric:loss", "metric:accuracy"],
  });
  hparams.setGoal("metric:accuracy", null);
  expect(view.value.hparamsGoals).toEqual({});
});

// ---- trials and runs

test("a run belongs to the trial of its own directory or of one above it", () => {
  const of = hparams.trialOfRun.value;
  expect([of("a"), of("a/eval/deep"), of("c"), of("unknown")]).toEqual([0, 0, 2, -1]);
  expect(hparams.runsOf(0)).toEqual(["a", "a/eval"]);
  expect(hparams.runsOf(9)).toEqual([]);
});

test("runs outside all directories belong to a trial in the log directory itself", () => {
  trials.value = trialsOf(COLUMNS, { runs: [["."], ["b"], ["c"], ["d"]] });
  expect(hparams.trialOfRun.value("x/y")).toBe(0);
});

test("trials are shown on the board alone, beside others, or hidden", () => {
  hparams.showOnBoard([0, 1], true);
  expect(drawnRuns.value).toEqual(["a", "a/eval", "b"]);
  hparams.showOnBoard([2], false);
  expect(drawnRuns.value).toContain("c");
  hparams.hideOnBoard([0]);
  expect(drawnRuns.value).toEqual(["b", "c"]);
  expect([...hparams.drawnMask.value]).toEqual([0, 1, 1, 0]);
});

test("trials of hidden runs are dim, like the others, or left out", () => {
  tickOnly(["a"]);
  expect(hparams.dimsHidden.value).toBe(true);
  changeView({ hparamsHidden: "same" });
  expect(hparams.dimsHidden.value).toBe(false);
  expect(hparams.listed.value.length).toBe(4);
  changeView({ hparamsHidden: "out" });
  expect([...hparams.listed.value]).toEqual([0]);
});

// ---- which are listed

test("filters of columns, statuses and runs leave trials out, and are cleared together", () => {
  hparams.setFilter("hparam:depth", { lo: 3 });
  expect([...hparams.listed.value]).toEqual([1, 3]);
  hparams.toggleStatus("failure", false);
  expect([...hparams.listed.value]).toEqual([3]);
  hparams.toggleStatus("failure", true);
  hparams.setFilter("hparam:depth", null);
  expect(hparams.listed.value.length).toBe(4);
  hparams.setFilter("hparam:unknown", { lo: 3 });
  expect(hparams.listed.value.length).toBe(4);
  hparams.toggleStatus("success", false);
  hparams.clearFilters();
  expect(hparams.listed.value.length).toBe(4);
  expect(view.value.hparamsFilters).toEqual({});
});

test("trials are ordered by columns and by name", () => {
  hparams.setSort("metric:accuracy", true, false);
  expect([...hparams.ordered.value]).toEqual([1, 2, 3, 0]);
  hparams.setSort("name", true, false);
  expect([...hparams.ordered.value]).toEqual([3, 2, 1, 0]);
  hparams.setSort("hparam:depth", false, false);
  hparams.setSort("metric:accuracy", true, true);
  expect([...hparams.ordered.value]).toEqual([2, 0, 1, 3]);
  hparams.setSort("unknown", true, false);
  expect([...hparams.ordered.value]).toEqual([0, 1, 2, 3]);
});

test("a click on a head sorts up, down, not at all; others stay where more are wanted", () => {
  hparams.cycleSort("hparam:lr", false);
  expect(view.value.hparamsSort).toEqual(["hparam:lr"]);
  hparams.cycleSort("hparam:depth", true);
  hparams.cycleSort("hparam:depth", true);
  expect(view.value.hparamsSort).toEqual(["hparam:lr", "-hparam:depth"]);
  hparams.cycleSort("hparam:depth", true);
  expect(view.value.hparamsSort).toEqual(["hparam:lr"]);
  hparams.cycleSort("hparam:lr", false);
  hparams.cycleSort("hparam:lr", false);
  expect(view.value.hparamsSort).toEqual([]);
});

test("the best by a metric are the lowest or the highest as its goal says, without those that lack it", () => {
  const [loss, accuracy] = [COLUMNS[3], COLUMNS[4]] as [TrialColumn, TrialColumn];
  expect([...hparams.bestBy(loss, 9)]).toEqual([1, 0, 3]);
  expect([...hparams.bestBy(accuracy, 2)]).toEqual([1, 2]);
});

// ---- highlighted trials

test("a brush picks trials of those that are listed; rows keep the reader's order", () => {
  hparams.setSort("metric:accuracy", true, false);
  hparams.setBrush("metric:accuracy", { ranges: [[0.65, 0.85]] });
  expect(hparams.anyBrush.value).toBe(true);
  expect([...hparams.picked.value]).toEqual([2, 3]);
  expect([...hparams.rows.value]).toEqual([2, 3]);
  hparams.setFilter("hparam:depth", { hi: 4 });
  expect([...hparams.pickedMask.value]).toEqual([0, 0, 1, 0]);
  hparams.setBrush("metric:accuracy", { ranges: [] });
  expect(view.value.hparamsBrushes).toEqual({});
});

test("a brush that is being drawn counts before it is in the address", () => {
  hparams.draft.value = { "hparam:depth": { ranges: [[7, 9]] } };
  expect([...hparams.picked.value]).toEqual([3]);
  expect(view.value.hparamsBrushes).toEqual({});
  hparams.setBrush("metric:accuracy", { ranges: [[0, 1]] });
  expect(hparams.draft.value).toBeNull();
  expect(Object.keys(view.value.hparamsBrushes)).toEqual(["hparam:depth", "metric:accuracy"]);
  hparams.clearBrushes();
  expect(hparams.anyBrush.value).toBe(false);
  expect(hparams.rows.value.length).toBe(4);
});

// ---- pointing and keeping

test("the trial under the pointer is that of the page, or of a run pointed at elsewhere", () => {
  expect(hparams.pointed.value).toBe(-1);
  emphasisedRun.value = "a/eval";
  expect(hparams.pointed.value).toBe(0);
  hparams.point(2);
  expect(hparams.pointed.value).toBe(2);
});

test("details are kept by the name of a trial, wherever it stands", () => {
  hparams.keep(1);
  expect(hparams.keptTrial.value).toBe(1);
  trials.value = trialsOf(COLUMNS, { names: ["b", "a", "c", "d"] });
  expect(hparams.keptTrial.value).toBe(0);
  hparams.keep(-1);
  expect(hparams.keptTrial.value).toBe(-1);
});

test("charts of a trial are opened and closed", () => {
  hparams.toggleOpen("a");
  hparams.toggleOpen("b");
  hparams.toggleOpen("a");
  expect([...hparams.openTrials.value]).toEqual(["b"]);
});

// ---- axes and colors

test("an axis has the usual scale until the reader sets one, and is made once for it", () => {
  const lr = COLUMNS[1] as TrialColumn;
  expect(hparams.scaleOf(lr)).toBe("log");
  const axis = hparams.axisFor(lr);
  expect(hparams.axisFor(lr)).toBe(axis);
  hparams.setScale("hparam:lr", "linear");
  expect(hparams.axisFor(lr).scale).toBe("linear");
});

test("an axis is turned round and back", () => {
  hparams.toggleInverted("hparam:lr");
  expect(hparams.isInverted("hparam:lr")).toBe(true);
  hparams.toggleInverted("hparam:lr");
  expect(hparams.isInverted("hparam:lr")).toBe(false);
});

test("colors are those of the first metric that tells trials apart, of a chosen column, or of runs", () => {
  expect(hparams.colorColumn.value?.id).toBe("metric:accuracy");
  changeView({ hparamsColor: "hparam:depth" });
  expect(hparams.colorColumn.value?.id).toBe("hparam:depth");
  expect(hparams.colorOfTrial.value(0)).toBe(hparams.shades.value[0]);
  expect(hparams.colorOfTrial.value(3)).toBe(hparams.shades.value.at(-1));
  changeView({ hparamsColor: "hparam:lr" });
  const gray = hparams.colorOfTrial.value(3);
  expect(hparams.shades.value).not.toContain(gray);
  changeView({ hparamsColor: hparams.RUN_COLORS });
  expect(hparams.colorColumn.value).toBeNull();
  expect(hparams.colorOfTrial.value(0)).not.toBe(gray);
  expect(hparams.colorOfTrial.value(9)).toBe(gray);
});
