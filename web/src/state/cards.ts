// Cards of the time series page: one per scalar tag, and cards that the user made of several tags; and their order on
// the page. Keys never change, because pins, zooms and links contain them.

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { expressionTitle } from "../base/expression";
import { compareNatural } from "../base/natural";
import { compilePattern } from "../base/pattern";
import { kinds } from "./board";
import { parseCardKey } from "./card_keys";
import type { MadeCard } from "./members/timeseries";
import { presentTags } from "./present_tags";
import { steady } from "./run_facts";
import { type Block, type SectionBy, sectionOf, sectionsOf } from "./sections";
import { tagFilter } from "./tag_filter";
import { changeView, member, view } from "./view";

export type CardKey = string;

export function keyOfTag(tag: string): CardKey {
  return `tag:${tag}`;
}

export function keyOfMade(card: MadeCard): CardKey {
  return `made:${card.id}`;
}

export type Card = {
  readonly key: CardKey;
  readonly title: string;
  readonly tags: readonly string[];
  readonly made: MadeCard | null;
  /** For each tag, the tags of the edges of the area around it. */
  readonly edges?: Edges | undefined;
  /** The section whose settings apply, if it does not follow from the tags. */
  readonly section?: string | undefined;
};

/** Parallel to the tags of a card. */
export type Edges = { readonly lower: readonly string[]; readonly upper: readonly string[] };

/** Returns the card of a key; null for a tag that the board does not have (yet). */
export function cardOf(
  key: CardKey,
  tags: readonly string[],
  known: ReadonlySet<string>,
  made: readonly MadeCard[],
): Card | null {
  if (key.startsWith("tag:")) {
    const tag = key.slice("tag:".length);
    return known.has(tag) ? { key, title: tag, tags: [tag], made: null } : null;
  }
  const found = made.find((card) => keyOfMade(card) === key);
  if (found === undefined) return null;
  const shown = tagsOf(found, tags);
  return { key, title: found.title || titleFor(shown, found.pattern), tags: shown, made: found };
}

function titleFor(tags: readonly string[], pattern: string): string {
  if (tags.length === 0) return `/${pattern}/`;
  const titles = tags.map(expressionTitle);
  return titles.length <= 2 ? titles.join(" + ") : `${titles[0]} + ${titles.length - 1}`;
}

/** Returns the tags that a made card shows now: the named ones, and all that match its pattern. */
export function tagsOf(card: Pick<MadeCard, "tags" | "pattern">, tags: readonly string[]): readonly string[] {
  if (card.pattern === "") return card.tags;
  const pattern = compilePattern(card.pattern);
  return typeof pattern === "string" ? card.tags : [...new Set([...card.tags, ...tags.filter(pattern.test)])];
}

const NO_TAGS: readonly string[] = [];

export const scalarTags = steady(() => kinds.value.scalars?.tag ?? NO_TAGS);

export const knownTags = computed<ReadonlySet<string>>(() => new Set(scalarTags.value));

/** Cards of pages other than time series, by the prefix of their keys. */
const otherCards = new Map<string, (key: CardKey) => Card | null>();

export function addCards(prefix: string, find: (key: CardKey) => Card | null): void {
  otherCards.set(prefix, find);
}

/** Returns the card of a key, from the board and the view. */
export function findCard(key: CardKey): Card | null {
  for (const [prefix, find] of otherCards) if (key.startsWith(prefix)) return find(key);
  return cardOf(key, scalarTags.value, knownTags.value, made.value);
}

/** Returns the section whose settings apply to the card; null for charts that the user made. */
export function sectionOfCard(card: Card, by: SectionBy): string | null {
  if (card.section !== undefined) return card.section;
  const [tag] = card.tags;
  return card.made !== null || tag === undefined ? null : sectionOf(tag, by);
}

const filterText = member("tagFilter");
const made = member("cards");
const pins = member("pins");
const hideEmpty = member("hideEmpty");
const sectionBy = member("sectionBy");
const closedPaths = member("closed");
const openedPaths = member("opened");
const hiddenKeys = member("hiddenCards");
const shownKinds = member("timeseriesKinds");

const filter = computed(() => tagFilter(filterText.value));
export const tagFilterError = computed(() => filter.value.error);
const hiddenCards = computed(() => new Set(hiddenKeys.value));

/** Tags whose cards are on the page, in natural order. */
export const shownTags = steady(() => {
  const { matches } = filter.value;
  const present = hideEmpty.value ? presentTags.value : null;
  const hidden = hiddenCards.value;
  if (filterText.value === "" && present === null && hidden.size === 0) return scalarTags.value;
  return scalarTags.value.filter(
    (tag) => matches(tag) && (present === null || present.has(tag)) && !hidden.has(keyOfTag(tag)),
  );
});

// ---- cards of other kinds among the charts

/** Kinds whose cards can be shown among the charts. */
export const KINDS_BESIDE: readonly string[] = ["images", "histograms"];

export type CardsBeside = {
  /** Tags that have such cards, in natural order. */
  readonly tags: readonly string[];
  readonly keysOf: (tag: string) => readonly CardKey[];
};

/** Null before the code for these cards is loaded, which happens when it is first needed. */
export const cardsBeside = signal<ReadonlySignal<CardsBeside> | null>(null);

/** Returns true if the key is of an existing card of another kind. */
export function isBeside(key: CardKey): boolean {
  const card = parseCardKey(key);
  if (card === null || !KINDS_BESIDE.includes(card.kind)) return false;
  return kinds.value[card.kind]?.tag.includes(card.tag) ?? false;
}

const withCharts = computed(() => shownKinds.value === "scalars" || shownKinds.value === "all");

/** All tags of the kinds on this page, shown or not, unordered. */
export const offeredTags = computed<readonly string[]>(() => {
  const others = KINDS_BESIDE.filter((kind) => shownKinds.value === "all" || shownKinds.value === kind);
  if (others.length === 0) return scalarTags.value;
  const charts = withCharts.value ? scalarTags.value : NO_TAGS;
  return [...new Set([...charts, ...others.flatMap((kind) => kinds.value[kind]?.tag ?? NO_TAGS)])];
});

/** Tags of everything on the page, in natural order. */
export const pageTags = steady(() => {
  const charts = withCharts.value ? shownTags.value : NO_TAGS;
  const others = cardsBeside.value?.value.tags ?? NO_TAGS;
  if (others.length === 0) return charts;
  return charts.length === 0 ? others : [...new Set([...charts, ...others])].sort(compareNatural);
});

export const tagSections = computed(() => sectionsOf(pageTags.value, sectionBy.value));

/** Returns the keys of the cards of some tags. */
function keysOfTags(tags: readonly string[]): Pick<CardGroup, "length" | "keyAt"> {
  const others = cardsBeside.value?.value;
  if (others === undefined || others.tags.length === 0) {
    return { length: tags.length, keyAt: (index) => keyOfTag(tags[index] ?? "") };
  }
  const charts = new Set(withCharts.value ? shownTags.value : NO_TAGS);
  const keys = tags.flatMap((tag) => [...(charts.has(tag) ? [keyOfTag(tag)] : []), ...others.keysOf(tag)]);
  return { length: keys.length, keyAt: (index) => keys[index] ?? "" };
}

// ---- what is open

// a page with at most this many cards has all sections open by default
export const FEW_CARDS = 24;
export const OPEN_AT_FIRST = 2;

export const PINNED = ":pinned";
export const MADE = ":made";

const closed = computed(() => new Set(closedPaths.value));
const opened = computed(() => new Set(openedPaths.value));

/** Returns true if a section or sub-heading is open; `first` is the default until the user changes it. */
export function isOpen(path: string, first: boolean): boolean {
  return first ? !closed.value.has(path) : opened.value.has(path);
}

export function setOpen(group: Pick<CardGroup, "path" | "openAtFirst">, open: boolean): void {
  const without = (paths: readonly string[]) => paths.filter((path) => path !== group.path);
  const own = group.openAtFirst === open ? [] : [group.path];
  changeView({
    closed: [...without(view.value.closed), ...(group.openAtFirst ? own : [])],
    opened: [...without(view.value.opened), ...(group.openAtFirst ? [] : own)],
  });
}

/** Opens or closes all sections. */
export function setAllOpen(open: boolean): void {
  const groups = cardGroups.value.filter((group) => group.depth === 0);
  const against = groups.filter((group) => group.openAtFirst !== open).map((group) => group.path);
  changeView(open ? { closed: [], opened: against } : { closed: against, opened: [] });
}

// ---- groups of cards as the page shows them

export type CardGroup = {
  /** Unique among all groups of the page. */
  readonly key: string;
  readonly kind: "pinned" | "made" | "tags";
  readonly section: string;
  readonly path: string;
  /** Text of the heading; pinned and made cards have their own text. */
  readonly title: string;
  readonly depth: number;
  /** Number of cards here and below. */
  readonly count: number;
  readonly open: boolean;
  readonly openAtFirst: boolean;
  readonly length: number;
  readonly keyAt: (position: number) => CardKey;
};

/** Returns the number of cards of a block and of those below it. */
function countOf(blocks: readonly Block[], place: number): number {
  const top = blocks[place];
  if (top === undefined) return 0;
  if ((cardsBeside.value?.value.tags.length ?? 0) === 0) return top.count;
  let count = keysOfTags(top.tags).length;
  for (let at = place + 1; (blocks[at]?.depth ?? 0) > top.depth; at++)
    count += keysOfTags(blocks[at]?.tags ?? []).length;
  return count;
}

const NO_KEYS: Pick<CardGroup, "length" | "keyAt"> = { length: 0, keyAt: () => "" };

function listGroup(kind: "pinned" | "made", path: string, keys: readonly CardKey[]): CardGroup {
  return {
    key: path,
    kind,
    section: path,
    path,
    title: "",
    depth: 0,
    count: keys.length,
    open: isOpen(path, true),
    openAtFirst: true,
    length: keys.length,
    keyAt: (position) => keys[position] ?? "",
  };
}

export const pinnedKeys = computed<readonly CardKey[]>(() => {
  const own = new Set(made.value.map(keyOfMade));
  return pins.value.filter((key) => own.has(key) || knownTags.value.has(key.slice("tag:".length)) || isBeside(key));
});

const madeKeys = computed<readonly CardKey[]>(() => {
  const matching = made.value.filter((card) => {
    if (!withCharts.value || hiddenCards.value.has(keyOfMade(card))) return false;
    const { matches } = filter.value;
    return matches(card.title) || tagsOf(card, scalarTags.value).some(matches);
  });
  return matching.map(keyOfMade);
});

/** Headings and their cards in the order of the page, without those that a closed heading hides. */
export const cardGroups = computed<readonly CardGroup[]>(() => {
  const groups: CardGroup[] = [];
  if (pinnedKeys.value.length > 0) groups.push(listGroup("pinned", PINNED, pinnedKeys.value));
  if (madeKeys.value.length > 0) groups.push(listGroup("made", MADE, madeKeys.value));
  const all = pageTags.value.length <= FEW_CARDS || filterText.value !== "";
  tagSections.value.forEach((section, position) => {
    let closedAbove = Number.POSITIVE_INFINITY;
    for (const [place, block] of section.blocks.entries()) {
      if (block.depth > closedAbove) continue;
      const openAtFirst = block.depth > 0 || all || position < OPEN_AT_FIRST;
      const open = isOpen(block.path, openAtFirst);
      closedAbove = open ? Number.POSITIVE_INFINITY : block.depth;
      groups.push({
        key: `tags:${block.path}`,
        kind: "tags",
        section: section.name,
        path: block.path,
        title: block.depth === 0 ? section.name : block.title,
        depth: block.depth,
        count: countOf(section.blocks, place),
        open,
        openAtFirst,
        ...(open ? keysOfTags(block.tags) : NO_KEYS),
      });
    }
  });
  return groups;
});

/** Returns all cards in open groups, in page order; "previous" and "next" go through these. */
export function cardsInOrder(): readonly CardKey[] {
  return cardGroups.value.flatMap((group) =>
    group.open ? Array.from({ length: group.length }, (_, i) => group.keyAt(i)) : [],
  );
}

// ---- pins

export function isPinned(key: CardKey): boolean {
  return pins.value.includes(key);
}

export function togglePin(key: CardKey): void {
  // cards of other pages cannot be pinned on this one
  if ([...otherCards.keys()].some((prefix) => key.startsWith(prefix))) return;
  const before = pins.value;
  changeView({ pins: before.includes(key) ? before.filter((pin) => pin !== key) : [...before, key] });
}

/** Moves a pinned card to the position of another one. */
export function movePin(key: CardKey, before: CardKey): void {
  changeView({ pins: moved(view.value.pins, key, before) });
}

export function moved(keys: readonly CardKey[], key: CardKey, target: CardKey): readonly CardKey[] {
  const from = keys.indexOf(key);
  const to = keys.indexOf(target);
  if (from === -1 || to === -1 || from === to) return keys;
  const rest = keys.filter((one) => one !== key);
  return [...rest.slice(0, to), key, ...rest.slice(to)];
}

// ---- cards of several tags

export function makeCard(tags: readonly string[], pattern = "", title = ""): CardKey {
  const used = new Set(view.value.cards.map((card) => card.id));
  let id = 1;
  while (used.has(String(id))) id++;
  const card = { id: String(id), title, tags: [...new Set(tags)], pattern };
  changeView({ cards: [...view.value.cards, card] });
  return keyOfMade(card);
}

export function changeMade(id: string, change: Partial<Omit<MadeCard, "id">>): void {
  changeView({ cards: view.value.cards.map((card) => (card.id === id ? { ...card, ...change } : card)) });
}

export function removeMade(id: string): void {
  const key = `made:${id}`;
  changeView({
    cards: view.value.cards.filter((card) => card.id !== id),
    pins: view.value.pins.filter((pin) => pin !== key),
  });
}

/** Handles a card dropped onto another: a made card gets the tags added, two plain cards become a new made card. */
export function joinCards(dropped: CardKey, onto: CardKey): void {
  const from = findCard(dropped);
  const to = findCard(onto);
  if (from === null || to === null || dropped === onto) return;
  if (to.made !== null) changeMade(to.made.id, { tags: [...new Set([...to.made.tags, ...from.tags])] });
  else makeCard([...to.tags, ...from.tags]);
}

export function hideCard(key: CardKey): void {
  changeView({ hiddenCards: [...view.value.hiddenCards, key] });
}
