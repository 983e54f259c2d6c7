// Content of the page of a kind: sections by prefix of tags; for each tag one card per drawn run that has it. Tags with
// a single card share rows; the tag is the title of the card.

import { computed, type ReadonlySignal } from "@preact/signals";
import { kinds } from "../state/board";
import { type KindCard, kindCard, parseCardKey } from "../state/card_keys";
import { FEW_CARDS, isOpen, OPEN_AT_FIRST, setOpen } from "../state/cards";
import { presentOf } from "../state/present_tags";
import { steady } from "../state/run_facts";
import { drawnRuns } from "../state/runs";
import { type Block, sectionsOf, type TagSection } from "../state/sections";
import { stepsOf } from "../state/steps";
import { tagFilter } from "../state/tag_filter";
import { changeView, member, view } from "../state/view";

export type KindGroup = {
  readonly key: string;
  /** Its heading: that of a section or sub-section, that of a tag, or none. */
  readonly heading: "section" | "tag" | "none";
  readonly section: string;
  /** Prefix of the tags. */
  readonly path: string;
  /** Key of the open state in the view; differs between pages. */
  readonly openPath: string;
  readonly title: string;
  readonly depth: number;
  /** Number of tags in a section with its sub-sections, or of cards of a tag. */
  readonly count: number;
  readonly open: boolean;
  readonly openAtFirst: boolean;
  /** The tag of a tag's heading; else "". */
  readonly tag: string;
  readonly length: number;
  readonly keyAt: (position: number) => string;
  readonly cardAt: (position: number) => KindCard;
};

export type KindModel = {
  readonly kind: string;
  /** The kind whose tags these are. */
  readonly from: string;
  readonly per: "run" | "tag";
  readonly allTags: ReadonlySignal<readonly string[]>;
  readonly shownTags: ReadonlySignal<readonly string[]>;
  /** Cards of a tag: one per drawn run that has it. */
  readonly cardsOf: (tag: string) => readonly KindCard[];
  readonly filterError: ReadonlySignal<string | null>;
  readonly groups: ReadonlySignal<readonly KindGroup[]>;
  /** Keys of all open cards in page order. */
  readonly order: () => readonly string[];
  /** Returns the card with this key; null if the key is not of this page. */
  readonly cardOf: (key: string) => KindCard | null;
  readonly uncover: (key: string) => boolean;
};

const NO_TAGS: readonly string[] = [];

const filterText = member("tagFilter");
const hideEmpty = member("hideEmpty");
const sectionBy = member("sectionBy");

export function kindModel(
  kind: string,
  from: string,
  per: "run" | "tag",
  tags: (all: readonly string[]) => readonly string[] = (all) => all,
): KindModel {
  const allTags = steady(() => tags(kinds.value[from]?.tag ?? NO_TAGS));
  const known = computed(() => new Set(allTags.value));
  const filter = computed(() => tagFilter(filterText.value));
  const runsOf = runsByTag(from);
  const shownTags = steady(() => {
    const { matches } = filter.value;
    const present = hideEmpty.value ? presentOf(from) : null;
    if (filterText.value === "" && present === null) return allTags.value;
    return allTags.value.filter((tag) => matches(tag) && (present === null || present.has(tag)));
  });
  const sections = computed(() => sectionsOf(shownTags.value, sectionBy.value));
  const groups = computed<readonly KindGroup[]>(() => {
    const all = shownTags.value.length <= FEW_CARDS || filterText.value !== "";
    return sections.value.flatMap((section, position) =>
      openHeadings(kind, section, all || position < OPEN_AT_FIRST).flatMap(({ block, heading }) =>
        blockGroups(kind, per, runsOf, block, heading),
      ),
    );
  });
  const cardOf = (key: string): KindCard | null => {
    const card = parseCardKey(key);
    return card !== null && card.kind === kind && known.value.has(card.tag) ? card : null;
  };
  return {
    kind,
    from,
    per,
    allTags,
    shownTags,
    cardsOf: (tag) => (per === "tag" ? [""] : runsOf(tag)).map((run) => kindCard(kind, tag, run)),
    filterError: computed(() => filter.value.error),
    groups,
    order: () => groups.value.flatMap((group) => Array.from({ length: group.length }, (_, at) => group.keyAt(at))),
    cardOf,
    uncover: (key) => {
      const card = cardOf(key);
      return card !== null && uncoverTag(card.tag, shownTags.value, sections.value, groups.value);
    },
  };
}

type RunsOf = (tag: string) => readonly string[];

/** Returns the drawn runs that have a tag. Before they are known: any runs, but the right number of them. */
function runsByTag(from: string): RunsOf {
  const counts = computed(
    () =>
      new Map((kinds.value[from]?.tag ?? NO_TAGS).map((tag, row) => [tag, kinds.value[from]?.runs[row] ?? 0] as const)),
  );
  return (tag) => {
    const drawn = drawnRuns.value;
    const steps = stepsOf(from, tag);
    const held = steps.runs.value;
    const have = presentOf(from)?.get(tag) ?? counts.value.get(tag) ?? 0;
    if (held === null) return have >= drawn.length ? drawn : drawn.slice(0, have);
    // fill up with runs whose tags are unknown, up to the known number
    let unsure = have - drawn.reduce((count, run) => count + (held.has(run) ? 1 : 0), 0);
    return drawn.filter((run) => held.has(run) || (!steps.knows(run) && unsure-- > 0));
  };
}

type Heading = Pick<KindGroup, "section" | "path" | "openPath" | "title" | "depth" | "open" | "openAtFirst">;

/** Returns the headings of a section that are not inside a closed heading. */
function openHeadings(
  kind: string,
  section: TagSection,
  first: boolean,
): readonly { readonly block: Block; readonly heading: Heading }[] {
  let closedAbove = Number.POSITIVE_INFINITY;
  return section.blocks.flatMap((block) => {
    const { depth, path } = block;
    if (depth > closedAbove) return [];
    const openAtFirst = depth > 0 || first;
    const openPath = `${kind}|${path}`;
    const open = isOpen(openPath, openAtFirst);
    closedAbove = open ? Number.POSITIVE_INFINITY : depth;
    const title = depth === 0 ? section.name : block.title;
    return [{ block, heading: { section: section.name, path, openPath, title, depth, open, openAtFirst } }];
  });
}

/** Returns a heading with its cards, and below it a heading for each tag that has several cards. */
function blockGroups(
  kind: string,
  per: "run" | "tag",
  runsOf: RunsOf,
  block: Block,
  heading: Heading,
): readonly KindGroup[] {
  const top = (cards: readonly KindCard[]): KindGroup => ({
    ...heading,
    ...listOf(cards),
    key: `section:${block.path}`,
    heading: "section",
    count: block.count,
    tag: "",
  });
  if (!heading.open) return [top([])];
  if (per === "tag") return [top(block.tags.map((tag) => kindCard(kind, tag, "")))];
  const groups: KindGroup[] = [];
  /** Cards of tags that have a single card; they share rows. */
  let single: KindCard[] = [];
  const flush = (): void => {
    if (groups.length === 0) groups.push(top(single));
    else if (single.length > 0) groups.push(singleGroup(heading, single));
    single = [];
  };
  for (const tag of block.tags) {
    const runs = runsOf(tag);
    const [only] = runs;
    if (only === undefined) continue;
    if (runs.length === 1) {
      single.push(kindCard(kind, tag, only));
      continue;
    }
    flush();
    groups.push(tagGroup(kind, heading, tag, runs));
  }
  flush();
  return groups;
}

function singleGroup(heading: Heading, cards: readonly KindCard[]): KindGroup {
  const key = `cards:${cards[0]?.key}`;
  return { ...heading, ...listOf(cards), key, heading: "none", count: cards.length, tag: "" };
}

function tagGroup(kind: string, heading: Heading, tag: string, runs: readonly string[]): KindGroup {
  const openPath = `${kind}|${tag}|`;
  const open = isOpen(openPath, true);
  return {
    ...heading,
    key: `tag:${tag}`,
    heading: "tag",
    openPath,
    open,
    openAtFirst: true,
    count: runs.length,
    tag,
    length: open ? runs.length : 0,
    keyAt: (at) => kindCard(kind, tag, runs[at] ?? "").key,
    cardAt: (at) => kindCard(kind, tag, runs[at] ?? ""),
  };
}

/** Removes one thing that hides the cards of a tag: the filter, or a closed heading. Returns false if there is none. */
function uncoverTag(
  tag: string,
  shownTags: readonly string[],
  sections: readonly TagSection[],
  groups: readonly KindGroup[],
): boolean {
  if (!shownTags.includes(tag)) {
    if (view.value.tagFilter === "") return false;
    changeView({ tagFilter: "" });
    return true;
  }
  const path = sections.flatMap(({ blocks }) => blocks).find(({ tags }) => tags.includes(tag))?.path ?? "";
  const above = groups.find(
    (group) => !group.open && (group.tag === tag || path === group.path || path.startsWith(`${group.path}/`)),
  );
  if (above === undefined) return false;
  toggleGroup(above, true);
  return true;
}

function listOf(cards: readonly KindCard[]): Pick<KindGroup, "length" | "keyAt" | "cardAt"> {
  const cardAt = (at: number): KindCard => cards[at] ?? NO_CARD;
  return { length: cards.length, keyAt: (at) => cardAt(at).key, cardAt };
}

const NO_CARD: KindCard = { key: "", kind: "", tag: "", run: "" };

export function toggleGroup({ openPath, openAtFirst }: KindGroup, open: boolean): void {
  setOpen({ path: openPath, openAtFirst }, open);
}

/** Opens or closes every section. */
export function setAllOpen(model: KindModel, open: boolean): void {
  const { kind } = model;
  const tops = model.groups.value.filter(({ heading, depth }) => heading === "section" && depth === 0);
  const against = tops.filter(({ openAtFirst }) => openAtFirst !== open).map(({ openPath }) => openPath);
  const others = (paths: readonly string[]): readonly string[] => paths.filter((path) => !path.startsWith(`${kind}|`));
  const [closed, opened] = [others(view.value.closed), others(view.value.opened)];
  changeView(open ? { closed, opened: [...opened, ...against] } : { closed: [...closed, ...against], opened });
}
