// The view: everything that the user selected. It is stored in the URL (after #), so that a link, a reload and the
// back button show the same; `changeView` is the only way to change it. Preferences (theme, widths) are stored in the
// browser as well. URLs of TensorBoard's page are understood, too.
//
//   #timeseries?tagFilter=loss&smoothing=0.8&hide=a,b        page, then members that differ from their default

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import {
  chooseLanguage,
  type DateStyle,
  durationUnits,
  formatDate,
  formatWhole,
  isLanguage,
  type Language,
} from "../base/locale";
import { coalesced } from "../base/newest";
import { formatDuration } from "../base/numbers";
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
    /** Names of runs, for the pages "run" and "compare". */
    readonly of: readonly string[];
  };

const FIELDS: Fields<Omit<View, "page">> = { ...LOOK_FIELDS, ...SETTING_FIELDS, of: namesField() };

const FIRST_PAGE = "timeseries";

export const DEFAULT_VIEW: View = { ...fallbacks(FIELDS), page: FIRST_PAGE };

/** Members that the browser stores for the next board: preferences, not results of an analysis. */
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

// ---- URL ⇄ view

/** Parses the parameters of TensorBoard's page before the #, so that its links still work. */
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

/** `habits` apply only if the URL has no settings: a link shows what its sender saw. */
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
  // the ? stays even if nothing follows: it marks our own URLs, in which missing members have their defaults
  return `#${view.page}?${formatParameters(members)}`;
}

// ---- the one signal

export const view = signal<View>(DEFAULT_VIEW);

const past: View[] = [];
const future: View[] = [];
/** True if there is something to undo or redo. */
export const undoable = signal({ undo: false, redo: false });

const UNDO_STEPS = 200;
/** Members with an entry in the browser's history for each step of undo: filters, pins, full size, zoom. */
const VISITS: readonly (keyof View)[] = [
  "runFilter",
  "tagFilter",
  "columnFilters",
  "pins",
  "full",
  "xRange",
  "yRange",
  "overrides",
];
// changes of the same members within this time are one undo step: dragging a slider, typing a word
const ONE_STEP_MS = 800;
let lastChange = { members: "", at: 0 };

export type ChangeOptions = {
  /** False: no undo step, for changes that the page and not the user makes. */
  readonly step?: boolean;
  /** Always a separate undo step, even right after the last one: for single clicks. */
  readonly apart?: boolean;
  /** Adds an entry to the browser's history, for changes that feel like navigation. */
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
  const fresh = options.apart === true || members !== lastChange.members || now - lastChange.at > ONE_STEP_MS;
  if (fresh) {
    past.push(view.value);
    if (past.length > UNDO_STEPS) past.shift();
  }
  lastChange = { members, at: now };
  future.length = 0;
  const entry =
    bound &&
    (options.entry === true || (fresh && VISITS.some((name) => name in change && !sameMember(name, next, view.value))));
  // the old history entry must have the last view, not the last written URL
  if (entry) writeAddress("replace");
  show(next);
  if (entry) writeAddress("push");
}

// compares only changed members: formatting ten thousand names takes long
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

/** Replaces the whole view, for a saved view or a pasted URL. */
export function openAddress(fragment: string): void {
  changeView(parseAddress("", fragment), { entry: true });
}

// ---- synchronizing URL and storage

const MEMORY = "lightboard.habits";

function recall(): Partial<View> {
  try {
    const texts: unknown = JSON.parse(localStorage.getItem(MEMORY) ?? "{}");
    if (typeof texts !== "object" || texts === null) return {};
    return parseFields(FIELDS, new Map(Object.entries(texts).map(([name, text]) => [name, String(text)])));
  } catch {
    // no access to storage (a private window, a sandboxed frame), or invalid content
    return {};
  }
}

let remembered = "";

function remember(value: View): void {
  const habits = new Set<string>(HABITS);
  const texts = formatFields(FIELDS, value).filter(([name]) => habits.has(name));
  const text = JSON.stringify(Object.fromEntries(texts));
  // a pan changes the view many times but no habit, and writing to storage is slow
  if (text === remembered) return;
  remembered = text;
  try {
    localStorage.setItem(MEMORY, text);
  } catch {
    // no access to storage: habits last as long as the page
  }
}

function writeAddress(how: "push" | "replace"): void {
  const wanted = formatAddress(view.value);
  if (wanted === location.hash) return;
  const address = `${location.pathname}${location.search}${wanted}`;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

// browsers refuse more than about a hundred URL changes in half a minute
const ADDRESS_DELAY_MS = 250;

let bound = false;

/** Reads the view from the URL and keeps both synchronized from then on. */
export function bindViewToAddress(): void {
  bound = true;
  view.value = parseAddress(location.search, location.hash, recall());
  const follow = (): void => {
    lastChange = { members: "", at: 0 };
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
  // flush: copying the link or leaving the page within the delay must not lose the last change
  window.addEventListener("pagehide", settle);
}

/** Returns one member as a signal, so that its dependents are not updated when other members change. */
export function member<K extends keyof View>(name: K): ReadonlySignal<View[K]> {
  return computed(() => view.value[name]);
}

/** Returns the URL of the current view, or of the view after a change. */
export function currentLink(change: Partial<View> = {}): string {
  return `${location.href.split("#")[0]}${formatAddress({ ...view.value, ...change })}`;
}

// ---- language: of the user, not of the link

const LANGUAGE_MEMORY = "lightboard.language";

function firstLanguage(): Language {
  const asked = new URLSearchParams(globalThis.location?.search ?? "").get("lang");
  if (isLanguage(asked)) return asked;
  try {
    const kept = localStorage.getItem(LANGUAGE_MEMORY);
    if (isLanguage(kept)) return kept;
  } catch {
    // no access to storage: use the browser's preference
  }
  return chooseLanguage(globalThis.navigator?.languages ?? []);
}

export const language = signal<Language>(firstLanguage());

export function chooseLanguageFor(reader: Language): void {
  language.value = reader;
  try {
    localStorage.setItem(LANGUAGE_MEMORY, reader);
  } catch {
    // no access to storage: lasts as long as the page
  }
}

export const texts = computed(() => textsFor(language.value));

/** Returns the texts of an area that is loaded with its page. */
export function spoken<Words>(area: { readonly words: Readonly<Record<Language, Words>> }): Words {
  return area.words[language.value];
}

/** Formats 1234567 as "1,234,567", in the user's language. */
export function grouped(whole: number): string {
  return formatWhole(whole, language.value);
}

/** Formats a date in the user's language; returns null if the seconds since 1970 are not a valid date. */
export function dateText(seconds: number, style: DateStyle): string | null {
  return formatDate(seconds, language.value, style);
}

/** Formats seconds as "3m 20s", in the user's language; see formatDuration. */
export function durationText(seconds: number, finest = 0): string {
  return formatDuration(seconds, finest, durationUnits(language.value));
}

let lastSettings = DEFAULT_SETTINGS;

/** The same object until a setting changes: every chart depends on it. */
export const boardSettings = computed<ChartSettings>(() => {
  const chosen = {} as Record<string, unknown>;
  const names = Object.keys(DEFAULT_SETTINGS) as (keyof ChartSettings)[];
  for (const name of names) chosen[name] = view.value[name];
  const next = chosen as ChartSettings;
  if (names.some((name) => next[name] !== lastSettings[name])) lastSettings = next;
  return lastSettings;
});
