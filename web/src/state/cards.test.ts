// The cards of the time series page: which cards exist, under which headings, and every change that a user can make.
// sections.test.ts tests sections, tag_filter.test.ts the tag filter.

import { computed } from "@preact/signals";
import { beforeEach, expect, test } from "vitest";
import { kinds } from "./board";
import * as cards from "./cards";
import { changeView, DEFAULT_VIEW, view } from "./view";

function board(scalars: readonly string[], images: readonly string[] = []): void {
  const columns = (tag: readonly string[]) => ({
    tag,
    runs: tag.map(() => 1),
    display_name: {},
    description: {},
    plugin: {},
  });
  kinds.value = {
    ...(scalars.length === 0 ? {} : { scalars: columns(scalars) }),
    ...(images.length === 0 ? {} : { images: columns(images) }),
  } as typeof kinds.value;
}

beforeEach(() => {
  view.value = DEFAULT_VIEW;
  cards.cardsBeside.value = null;
  board(["loss/train", "loss/val", "lr"]);
});

const shape = (): readonly string[] =>
  cards.cardGroups.value.map(({ kind, path, open, count }) => `${kind} ${path} ${open ? "open" : "closed"} ${count}`);

// ---- keys and cards

test("a tag has a card as soon as the board knows it", () => {
  expect(cards.findCard("tag:lr")).toEqual({ key: "tag:lr", title: "lr", tags: ["lr"], made: null });
  expect(cards.findCard("tag:unknown")).toBeNull();
  expect(cards.findCard("made:9")).toBeNull();
});

test("a made card has a title of its own, or that of its tags", () => {
  const titled = cards.makeCard(["lr"], "", "Rate");
  const two = cards.makeCard(["lr", "loss/val"]);
  const three = cards.makeCard(["lr", "loss/val", "loss/train"]);
  const none = cards.makeCard([], "nothing.*");
  expect([titled, two, three, none].map((key) => cards.findCard(key)?.title)).toEqual([
    "Rate",
    "lr + loss/val",
    "lr + 2",
    "/nothing.*/",
  ]);
});

test("a made card shows the tags that it names and those that match its pattern, each once", () => {
  const tags = ["loss/train", "loss/val", "lr"];
  expect(cards.tagsOf({ tags: ["loss/val"], pattern: "^loss" }, tags)).toEqual(["loss/val", "loss/train"]);
  expect(cards.tagsOf({ tags: ["lr"], pattern: "(" }, tags)).toEqual(["lr"]);
});

test("cards of other pages are looked up where their keys begin", () => {
  cards.addCards("custom:", (key) => ({ key, title: "custom", tags: [], made: null, section: "mine" }));
  const card = cards.findCard("custom:1");
  expect(card?.title).toBe("custom");
  expect(card && cards.sectionOfCard(card, "first")).toBe("mine");
  cards.togglePin("custom:1");
  expect(view.value.pins).toEqual([]);
});

test("the settings of a section count for its tags, not for made cards", () => {
  const card = cards.findCard("tag:loss/val");
  const made = cards.findCard(cards.makeCard(["loss/val"]));
  expect(card && cards.sectionOfCard(card, "first")).toBe("loss");
  expect(made && cards.sectionOfCard(made, "first")).toBeNull();
});

// ---- what is shown

test("the filter and hidden cards leave tags out", () => {
  changeView({ tagFilter: "loss" });
  expect(cards.shownTags.value).toEqual(["loss/train", "loss/val"]);
  cards.hideCard("tag:loss/val");
  expect(cards.shownTags.value).toEqual(["loss/train"]);
  changeView({ tagFilter: "/(/" });
  expect(cards.tagFilterError.value).not.toBeNull();
});

test("pinned cards come first, then made ones, then sections", () => {
  cards.makeCard(["lr"]);
  cards.togglePin("tag:lr");
  expect(shape()).toEqual(["pinned :pinned open 1", "made :made open 1", "tags  open 1", "tags loss open 2"]);
  expect(cards.cardsInOrder().slice(0, 4)).toEqual(["tag:lr", "made:1", "tag:lr", "tag:loss/train"]);
});

test("a made card is left out when neither its title nor its tags match the filter, and when it is hidden", () => {
  const key = cards.makeCard(["lr"], "", "Rate");
  const isShown = (): boolean => cards.cardGroups.value.some(({ kind }) => kind === "made");
  changeView({ tagFilter: "Rate" });
  expect(isShown()).toBe(true);
  changeView({ tagFilter: "loss" });
  expect(isShown()).toBe(false);
  changeView({ tagFilter: "" });
  cards.hideCard(key);
  expect(isShown()).toBe(false);
});

test("pins of tags that the board does not have are kept but not shown", () => {
  cards.togglePin("tag:later");
  expect(cards.pinnedKeys.value).toEqual([]);
  board(["later"]);
  expect(cards.pinnedKeys.value).toEqual(["tag:later"]);
});

// ---- open and closed

test("on a large board only the first sections are open at first, and all of them with a filter", () => {
  board(Array.from({ length: 30 }, (_, i) => `s${10 + i}/x`));
  expect(shape().map((line) => line.split(" ")[2])).toEqual(["open", "open", ...Array(28).fill("closed")]);
  changeView({ tagFilter: "x" });
  expect(shape().every((line) => line.includes("open"))).toBe(true);
});

test("a section is closed and opened again, and the view keeps only what differs from the first state", () => {
  const loss = cards.cardGroups.value.find(({ path }) => path === "loss");
  expect(loss).toBeDefined();
  if (loss === undefined) return;
  cards.setOpen(loss, false);
  expect(view.value.closed).toEqual(["loss"]);
  expect(cards.isOpen("loss", true)).toBe(false);
  expect(cards.cardsInOrder()).not.toContain("tag:loss/val");
  cards.setOpen(loss, true);
  expect(view.value.closed).toEqual([]);
});

test("a section that is closed at first is remembered as opened", () => {
  cards.setOpen({ path: "s20", openAtFirst: false }, true);
  expect(view.value.opened).toEqual(["s20"]);
  expect(cards.isOpen("s20", false)).toBe(true);
  cards.setOpen({ path: "s20", openAtFirst: false }, false);
  expect(view.value.opened).toEqual([]);
});

test("all sections are closed and opened at once", () => {
  cards.setAllOpen(false);
  expect(cards.cardsInOrder()).toEqual([]);
  cards.setAllOpen(true);
  expect(cards.cardsInOrder().length).toBe(3);
});

test("a closed heading hides the headings below it", () => {
  board(["a/b/one", "a/b/two", "a/b/three", "a/c"]);
  const depths = (): readonly number[] => cards.cardGroups.value.map(({ depth }) => depth);
  const all = depths();
  cards.setOpen({ path: "a", openAtFirst: true }, false);
  expect(all.length).toBeGreaterThan(depths().length);
  expect(depths()).toEqual([0]);
});

// ---- other kinds among the charts

test("cards of other kinds stand below their tags, and charts can be left out", () => {
  board(["loss/train"], ["loss/picture"]);
  changeView({ timeseriesKinds: "all" });
  const beside: cards.CardsBeside = {
    tags: ["loss/picture"],
    keysOf: (tag) => (tag === "loss/picture" ? [`images|${tag}|a`, `images|${tag}|b`] : []),
  };
  cards.cardsBeside.value = computed(() => beside);
  expect(cards.pageTags.value).toEqual(["loss/picture", "loss/train"]);
  expect(cards.offeredTags.value).toEqual(["loss/train", "loss/picture"]);
  expect(cards.cardsInOrder()).toEqual(["images|loss/picture|a", "images|loss/picture|b", "tag:loss/train"]);
  expect(cards.cardGroups.value[0]?.count).toBe(3);
  changeView({ timeseriesKinds: "images" });
  expect(cards.pageTags.value).toEqual(["loss/picture"]);
  expect(cards.offeredTags.value).toEqual(["loss/picture"]);
});

test("a card of another kind can be pinned while the board has its tag", () => {
  board(["lr"], ["picture"]);
  expect(cards.isBeside("images|picture|a")).toBe(true);
  expect(cards.isBeside("images|other|a")).toBe(false);
  expect(cards.isBeside("text|picture|a")).toBe(false);
  cards.togglePin("images|picture|a");
  expect(cards.pinnedKeys.value).toEqual(["images|picture|a"]);
});

// ---- pins

test("a pin is set, moved and taken away", () => {
  for (const tag of ["lr", "loss/val", "loss/train"]) cards.togglePin(`tag:${tag}`);
  cards.movePin("tag:loss/train", "tag:lr");
  expect(view.value.pins).toEqual(["tag:loss/train", "tag:lr", "tag:loss/val"]);
  expect(cards.isPinned("tag:lr")).toBe(true);
  cards.togglePin("tag:lr");
  expect(cards.isPinned("tag:lr")).toBe(false);
});

test("a key that is moved onto itself or an unknown one stays", () => {
  const keys = ["a", "b"];
  expect(cards.moved(keys, "a", "a")).toBe(keys);
  expect(cards.moved(keys, "a", "x")).toBe(keys);
  expect(cards.moved(keys, "x", "a")).toBe(keys);
});

// ---- made cards

test("made cards have the lowest free number", () => {
  expect([cards.makeCard(["lr"]), cards.makeCard(["lr"])]).toEqual(["made:1", "made:2"]);
  cards.removeMade("1");
  expect(cards.makeCard(["lr"])).toBe("made:1");
});

test("a made card is changed, and its pin goes with it", () => {
  const key = cards.makeCard(["lr"]);
  cards.changeMade("1", { title: "Rate" });
  expect(cards.findCard(key)?.title).toBe("Rate");
  cards.togglePin(key);
  cards.removeMade("1");
  expect(view.value).toMatchObject({ cards: [], pins: [] });
});

test("two plain cards become a new one, a made card takes the tags in", () => {
  cards.joinCards("tag:lr", "tag:loss/val");
  expect(cards.findCard("made:1")?.tags).toEqual(["loss/val", "lr"]);
  cards.joinCards("tag:loss/train", "made:1");
  expect(cards.findCard("made:1")?.tags).toEqual(["loss/val", "lr", "loss/train"]);
  const before = view.value.cards;
  cards.joinCards("made:1", "made:1");
  cards.joinCards("tag:unknown", "made:1");
  expect(view.value.cards).toBe(before);
});
