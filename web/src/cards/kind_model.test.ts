import { beforeEach, expect, test } from "vitest";
import { kinds, runs } from "../state/board";
import { tickAll, tickOnly } from "../state/runs";
import { changeView, DEFAULT_VIEW, view } from "../state/view";
import { kindModel, setAllOpen, toggleGroup } from "./kind_model";

const TAGS = ["single", "train/deep/a", "train/deep/b", "train/deep/c", "val/x", "val/y"];

function tell(have: readonly number[]): void {
  runs.value = { version: 1, name: ["a", "b", "c"], removed: [] } as unknown as typeof runs.value;
  kinds.value = { images: { tag: TAGS, runs: have, display_name: {}, description: {}, plugin: {} } };
}

beforeEach(() => {
  view.value = DEFAULT_VIEW;
  tell([3, 3, 3, 3, 3, 3]);
});

const model = kindModel("images", "images", "run");

const shape = () => model.groups.value.map(({ heading, path, tag, length }) => `${heading} ${tag || path} ${length}`);

test("below each tag stands a card for every drawn run", () => {
  expect(shape()).toEqual([
    "section  0",
    "tag single 3",
    "section train 0",
    "section train/deep 0",
    "tag train/deep/a 3",
    "tag train/deep/b 3",
    "tag train/deep/c 3",
    "section val 0",
    "tag val/x 3",
    "tag val/y 3",
  ]);
  expect(model.order().slice(0, 4)).toEqual([
    "images|single|a",
    "images|single|b",
    "images|single|c",
    "images|train/deep/a|a",
  ]);
  tickOnly(["b", "c"]);
  expect(model.order().slice(0, 2)).toEqual(["images|single|b", "images|single|c"]);
  tickAll();
});

test("tags with a single card share rows", () => {
  tell([3, 1, 1, 3, 1, 1]);
  expect(shape()).toEqual([
    "section  0",
    "tag single 3",
    "section train 0",
    "section train/deep 2",
    "tag train/deep/c 3",
    "section val 2",
  ]);
});

test("one card may stand for all runs", () => {
  const curves = kindModel("pr_curves", "images", "tag");
  expect(curves.order().slice(0, 2)).toEqual(["pr_curves|single|", "pr_curves|train/deep/a|"]);
});

test("what is folded here is not folded on another page", () => {
  const train = model.groups.value.find(({ path }) => path === "train");
  if (train !== undefined) toggleGroup(train, false);
  expect(shape().slice(2)).toEqual(["section train 0", "section val 0", "tag val/x 3", "tag val/y 3"]);
  expect(view.value.closed).toEqual(["images|train"]);
  changeView({ closed: ["train"] });
  expect(shape()).toHaveLength(10);
  setAllOpen(model, false);
  expect(shape()).toEqual(["section  0", "section train 0", "section val 0"]);
  expect(view.value.closed).toContain("train");
});

test("a card that was searched for is uncovered step by step", () => {
  changeView({ tagFilter: "val", closed: ["images|val"] });
  const key = "images|train/deep/b|a";
  expect(model.cardOf(key)?.tag).toBe("train/deep/b");
  expect(model.uncover(key)).toBe(true);
  expect(view.value.tagFilter).toBe("");
  expect(model.uncover(key)).toBe(false);
  expect(model.uncover("images|val/x|a")).toBe(true);
  expect(view.value.closed).toEqual([]);
  expect(["tag:loss", "audio|single|a", "images|gone|a"].map(model.cardOf)).toEqual([null, null, null]);
});
