import { expect, test } from "vitest";
import { changeView, DEFAULT_VIEW, formatAddress, parseAddress, redo, undo, type View, view } from "./view";

const CHANGED: View = {
  ...DEFAULT_VIEW,
  page: "compare",
  of: ["a,b", "中"],
  runFilter: 'last("loss") < 0.5 & "x"',
  hide: ["run 1", "~", "bad\udcfe"],
  colors: { "run 1": "#aabbcc" },
  pins: ["tag:loss/train", "made:1"],
  cards: [{ id: "1", title: "both", tags: ["a", "b"], pattern: "^loss" }],
  steps: { lo: 5, hi: null },
  xRange: [-1.5, 2e9],
  smoothing: 0.93,
  faint: false,
  overrides: { "card:tag:loss": { yScale: "log", yRange: [0.1, 3] }, "section:eval": { smoothing: 0 } },
};

test("a view survives the way through the address", () => {
  expect(parseAddress("", formatAddress(CHANGED))).toEqual(CHANGED);
});

test("an untouched view leaves a clean address", () => {
  expect(formatAddress(parseAddress("", ""))).toBe("");
});

test("habits count for a bare address only", () => {
  expect(parseAddress("", "", { smoothing: 0.9 }).smoothing).toBe(0.9);
  expect(parseAddress("", "#timeseries", { smoothing: 0.9 }).smoothing).toBe(0.9);
  expect(parseAddress("", "#timeseries?tagFilter=x", { smoothing: 0.9 }).smoothing).toBe(0.6);
});

test("links of TensorBoard's page are understood", () => {
  const pins = encodeURIComponent('[{"plugin":"scalars","tag":"loss"},{"plugin":"images","tag":"x"},null]');
  const found = parseAddress(
    `?smoothing=0.2&tagFilter=lo.s&runFilter=a|b&darkMode=true&pinnedCards=${pins}`,
    "#scalars",
  );
  expect(found).toMatchObject({
    page: "timeseries",
    smoothing: 0.2,
    tagFilter: "/lo.s/",
    runFilter: "a|b",
    theme: "dark",
    pins: ["tag:loss"],
  });
  expect(parseAddress("?pinnedCards=oops", "").pins).toEqual([]);
});

test("nonsense in an address is ignored member by member", () => {
  const found = parseAddress(
    "",
    '#timeseries?smoothing=lots&xRange=[3]&cards={}&overrides=[1]&colors={"a":"url(x)"}&band=wide&cardWidth=9999',
  );
  expect(found).toEqual({ ...DEFAULT_VIEW, cardWidth: 1600 });
});

test("undo and redo walk through changes, and a dragged slider is one of them", () => {
  view.value = DEFAULT_VIEW;
  changeView({ tagFilter: "loss" });
  for (let i = 0; i < 10; i++) changeView({ smoothing: i / 20 });
  undo();
  expect([view.value.tagFilter, view.value.smoothing]).toEqual(["loss", 0.6]);
  undo();
  expect(view.value).toEqual(DEFAULT_VIEW);
  redo();
  redo();
  expect(view.value.smoothing).toBe(0.45);
  redo();
  expect(view.value.smoothing).toBe(0.45);
});

test("a change that changes nothing is no step", () => {
  view.value = DEFAULT_VIEW;
  changeView({ tagFilter: "one" });
  changeView({ hide: [] });
  undo();
  expect(view.value.tagFilter).toBe("");
});

test("clicks are taken back one by one, however quick they were", () => {
  view.value = DEFAULT_VIEW;
  changeView({ hide: ["a"] }, { apart: true });
  changeView({ hide: ["a", "b"] }, { apart: true });
  undo();
  expect(view.value.hide).toEqual(["a"]);
});
