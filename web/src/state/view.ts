// The view: everything the reader chose. It lives in the address (after #), so that a link, a reload and the back button
// show the same; `changeView` is the only way to change it. What belongs to the reader's device (theme, widths) is
// remembered in the browser as well. Addresses of TensorBoard's page are understood.
//
//   #timeseries?tagFilter=loss&smoothing=0.8&hide=a,b        page, then members that are not at their fallback

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { chooseLanguage, type DateStyle, formatDate, formatWhole, isLanguage, type Language } from "../base/locale";
import { coalesced } from "../base/newest";
import {
  type Fields,
  fallbacks,
  formatFields,
  formatParameters,
  namesField,
  parseFields,
  parseParameters,
} from "./fields";
import { LOOK_FIELDS, type Look } from "./members";
import { type ChartSettings, DEFAULT_SETTINGS, SETTING_FIELDS } from "./settings";
import { textsFor } from "./texts";

/** Settings of all charts are members of the view like the rest. */
export type View = Look &
  ChartSettings & {
    /** "timeseries", "runs", "run", "compare", or a kind such as "images". */
    readonly page: string;
    /** For the pages "run" and "compare". */
    readonly of: readonly string[];
  };

const FIELDS: Fields<Omit<View, "page">> = { ...LOOK_FIELDS, ...SETTING_FIELDS, of: namesField() };

const FIRST_PAGE = "timeseries";

export const DEFAULT_VIEW: View = { ...fallbacks(FIELDS), page: FIRST_PAGE };

/** Members that the browser remembers for the next board: habits, not findings. */
const HABITS = [
  "theme",
  "palette",
  "smoothing",
  "smoother",
  "faint",
  "ignoreOutliers",
  "tooltipOrder",
  "tooltipRows",
  "cardWidth",
  "cardHeight",
  "linkZoom",
  "linkCrosshair",
  "sectionBy",
  "textMarkdown",
  "histogramsMode",
  "histogramsBins",
] as const satisfies readonly (keyof View)[];

// ---- address ⇄ view

/** What TensorBoard's page keeps before the #; its links go on working. */
function tensorboardMembers(search: string): Partial<View> {
  const given = new URLSearchParams(search);
  const members: { -readonly [K in keyof View]?: View[K] } = {};
  const smoothing = SETTING_FIELDS.smoothing.parse(given.get("smoothing") ?? "");
  if (smoothing !== undefined) members.smoothing = smoothing;
  const tagFilter = given.get("tagFilter");
  if (tagFilter !== null) members.tagFilter = `/${tagFilter}/`;
  const runFilter = given.get("runFilter");
  if (runFilter !== null) members.runFilter = runFilter;
  if (given.get("darkMode") === "true") members.theme = "dark";
  const theme = LOOK_FIELDS.theme.parse(given.get("theme") ?? "");
  if (theme !== undefined) members.theme = theme;
  const coloring = given.get("runColorGroup");
  if (coloring?.startsWith("regex:")) members.colorBy = coloring;
  const pins = tensorboardPins(given.get("pinnedCards"));
  if (pins.length > 0) members.pins = pins;
  return members;
}

function tensorboardPins(text: string | null): readonly string[] {
  try {
    const pins: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(pins)) return [];
    return pins.flatMap((pin: { plugin?: unknown; tag?: unknown } | null) =>
      pin?.plugin === "scalars" && typeof pin.tag === "string" ? [`tag:${pin.tag}`] : [],
    );
  } catch {
    return [];
  }
}

/** `habits` count only for an address that says nothing of the look: a link shows what its sender saw. */
export function parseAddress(search: string, fragment: string, habits: Partial<View> = {}): View {
  const [page = "", query] = fragment.replace(/^#/, "").split(/\?(.*)/s);
  const older = tensorboardMembers(search);
  const bare = query === undefined && Object.keys(older).length === 0;
  const given = parseFields(FIELDS, parseParameters(query ?? ""));
  const known = page === "" || page === "scalars" ? FIRST_PAGE : page;
  return { ...DEFAULT_VIEW, ...(bare ? habits : {}), ...older, ...given, page: known };
}

export function formatAddress(view: View): string {
  const members = formatFields(FIELDS, view);
  if (members.length === 0 && view.page === FIRST_PAGE) return "";
  // the ? stays even when nothing follows: it says that this address was written by us and means the fallbacks
  return `#${view.page}?${formatParameters(members)}`;
}

// ---- the one signal

export const view = signal<View>(DEFAULT_VIEW);

const past: View[] = [];
const future: View[] = [];
/** Tells the page whether undo and redo have anything to do. */
export const undoable = signal({ undo: false, redo: false });

const UNDO_STEPS = 200;
// changes of the same members this close together are one step: a slider being dragged, a word being typed
const ONE_STEP_MS = 800;
let lastChange = { members: "", at: 0 };

export type ChangeOptions = {
  /** False: no step that undo takes back, for what the page and not the reader decides. */
  readonly step?: boolean;
  /** A step of its own, however soon after the last one: for what is done by single clicks. */
  readonly apart?: boolean;
  /** A new entry in the browser's history, for what feels like going somewhere. */
  readonly entry?: boolean;
};

export function changeView(change: Partial<View>, options: ChangeOptions = {}): void {
  const next = { ...view.value, ...change };
  if ((Object.keys(change) as (keyof View)[]).every((name) => sameMember(name, next, view.value))) return;
  if (options.step === false) {
    show(next);
    return;
  }
  const members = Object.keys(change).sort().join();
  const now = performance.now();
  if (options.apart === true || members !== lastChange.members || now - lastChange.at > ONE_STEP_MS) {
    past.push(view.value);
    if (past.length > UNDO_STEPS) past.shift();
  }
  lastChange = { members, at: now };
  future.length = 0;
  const entry = options.entry === true && bound;
  // the entry that is left must hold what was seen last, not what was written last
  if (entry) writeAddress("replace");
  show(next);
  if (entry) writeAddress("push");
}

// of the changed members only: ten thousand names in the address take their time
function sameMember(name: keyof View, one: View, other: View): boolean {
  return one[name] === other[name] || (name !== "page" && sameText(name, one, other));
}

function sameText<K extends keyof Omit<View, "page">>(name: K, one: View, other: View): boolean {
  return FIELDS[name].format(one[name]) === FIELDS[name].format(other[name]);
}

function show(next: View): void {
  view.value = next;
  undoable.value = { undo: past.length > 0, redo: future.length > 0 };
}

export function undo(): void {
  const before = past.pop();
  if (before === undefined) return;
  future.push(view.value);
  lastChange = { members: "", at: 0 };
  show(before);
}

export function redo(): void {
  const after = future.pop();
  if (after === undefined) return;
  past.push(view.value);
  lastChange = { members: "", at: 0 };
  show(after);
}

/** Put the whole view in place of the present one, as a saved view or a pasted address does. */
export function openAddress(fragment: string): void {
  changeView(parseAddress("", fragment), { entry: true });
}

// ---- keeping address and memory

const MEMORY = "lightboard.habits";

function recall(): Partial<View> {
  try {
    const texts: unknown = JSON.parse(localStorage.getItem(MEMORY) ?? "{}");
    if (typeof texts !== "object" || texts === null) return {};
    return parseFields(FIELDS, new Map(Object.entries(texts).map(([name, text]) => [name, String(text)])));
  } catch {
    // storage forbidden (a private window, a sandboxed frame) or written by something else
    return {};
  }
}

let remembered = "";

function remember(value: View): void {
  const habits = new Set<string>(HABITS);
  const texts = formatFields(FIELDS, value).filter(([name]) => habits.has(name));
  const text = JSON.stringify(Object.fromEntries(texts));
  // a pan changes the view many times and no habit; writing to disk is slow
  if (text === remembered) return;
  remembered = text;
  try {
    localStorage.setItem(MEMORY, text);
  } catch {
    // without storage the habits last as long as the page
  }
}

function writeAddress(how: "push" | "replace"): void {
  const wanted = formatAddress(view.value);
  if (wanted === location.hash) return;
  const address = `${location.pathname}${location.search}${wanted}`;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

// browsers refuse more than about a hundred address changes in half a minute
const ADDRESS_DELAY_MS = 250;

let bound = false;

/** Take the view from the address and keep the two equal from now on. */
export function bindViewToAddress(): void {
  bound = true;
  view.value = parseAddress(location.search, location.hash, recall());
  const follow = (): void => {
    if (location.hash !== formatAddress(view.value)) show(parseAddress(location.search, location.hash));
  };
  window.addEventListener("popstate", follow);
  window.addEventListener("hashchange", follow);
  const settle = (): void => {
    writeAddress("replace");
    remember(view.value);
  };
  const settleSoon = coalesced(settle, ADDRESS_DELAY_MS);
  effect(() => {
    void view.value;
    settleSoon();
  });
  // a link copied or a page left within the delay must not lose the last change
  window.addEventListener("pagehide", settle);
}

/** One member as a signal of its own, so that what depends on it rests while others change. */
export function member<K extends keyof View>(name: K): ReadonlySignal<View[K]> {
  return computed(() => view.value[name]);
}

/** The address of what is on screen now, or would be after a change. */
export function currentLink(change: Partial<View> = {}): string {
  return `${location.origin}${location.pathname}${location.search}${formatAddress({ ...view.value, ...change })}`;
}

// ---- language: the reader's, not the link's

const LANGUAGE_MEMORY = "lightboard.language";

function firstLanguage(): Language {
  const asked = new URLSearchParams(globalThis.location?.search ?? "").get("lang");
  if (isLanguage(asked)) return asked;
  try {
    const kept = localStorage.getItem(LANGUAGE_MEMORY);
    if (isLanguage(kept)) return kept;
  } catch {
    // storage forbidden: as the browser prefers
  }
  return chooseLanguage(globalThis.navigator?.languages ?? []);
}

export const language = signal<Language>(firstLanguage());

export function chooseLanguageFor(reader: Language): void {
  language.value = reader;
  try {
    localStorage.setItem(LANGUAGE_MEMORY, reader);
  } catch {
    // lasts as long as the page
  }
}

export const texts = computed(() => textsFor(language.value));

/** Words of an area that is fetched with its page. */
export function spoken<Words>(area: { readonly words: Readonly<Record<Language, Words>> }): Words {
  return area.words[language.value];
}

/** 1234567 as "1,234,567", in the reader's language. */
export function grouped(whole: number): string {
  return formatWhole(whole, language.value);
}

/** A date in the reader's language; null where the seconds since 1970 are no date. */
export function dateText(seconds: number, style: DateStyle): string | null {
  return formatDate(seconds, language.value, style);
}

let lastSettings = DEFAULT_SETTINGS;

/** The same object while no setting changes: every chart depends on it. */
export const boardSettings = computed<ChartSettings>(() => {
  const chosen = {} as Record<string, unknown>;
  const names = Object.keys(DEFAULT_SETTINGS) as (keyof ChartSettings)[];
  for (const name of names) chosen[name] = view.value[name];
  const next = chosen as ChartSettings;
  if (names.some((name) => next[name] !== lastSettings[name])) lastSettings = next;
  return lastSettings;
});
