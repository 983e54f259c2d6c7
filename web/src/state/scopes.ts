// Settings where they are made: for the board, one section or one card. The nearest word counts (state/settings.ts).

import { type CardKey, findCard, sectionOfCard } from "./cards";
import { type ChartSettings, cardKey, type Range, sectionKey, settingsFor } from "./settings";
import { boardSettings, changeView, member } from "./view";

// members, not the whole view: a card is not concerned when another is zoomed
const overrides = member("overrides");
const sectionBy = member("sectionBy");
const linkZoom = member("linkZoom");
const boardX = member("x");
const boardXRange = member("xRange");
const boardYRange = member("yRange");

export type Scope =
  | { readonly kind: "board" }
  | { readonly kind: "section"; readonly section: string }
  | { readonly kind: "card"; readonly card: CardKey };

export const BOARD: Scope = { kind: "board" };

function keyOf(scope: Scope): string {
  return scope.kind === "section" ? sectionKey(scope.section) : scope.kind === "card" ? cardKey(scope.card) : "";
}

/** What counts for the scope, and what it says itself. */
export function settingsIn(scope: Scope): ChartSettings {
  if (scope.kind === "board") return boardSettings.value;
  if (scope.kind === "section") return { ...boardSettings.value, ...overrides.value[keyOf(scope)] };
  const card = findCard(scope.card);
  const section = card === null ? null : sectionOfCard(card, sectionBy.value);
  return settingsFor(boardSettings.value, overrides.value, section, scope.card);
}

export function ownSettings(scope: Scope): Partial<ChartSettings> {
  return overrides.value[keyOf(scope)] ?? {};
}

/** Members that are a zoom, not a setting: they have their own reset. */
const RANGES: readonly (keyof ChartSettings)[] = ["xRange", "yRange"];

/** Whether the scope says anything of its own beside a zoom. */
export function isOverridden(scope: Scope): boolean {
  return Object.keys(ownSettings(scope)).some((name) => !RANGES.includes(name as keyof ChartSettings));
}

/** What would count for the scope if it said nothing itself. */
function settingsAround(scope: Scope): ChartSettings {
  const card = scope.kind === "card" ? findCard(scope.card) : null;
  const section = card === null ? null : sectionOfCard(card, sectionBy.value);
  return section === null ? boardSettings.value : settingsIn({ kind: "section", section });
}

/** A word that says what counts anyway is not kept: a switch turned on and off again leaves nothing behind. */
export function changeSettings(scope: Scope, change: Partial<ChartSettings>): void {
  if (scope.kind === "board") {
    changeView(change);
    return;
  }
  const around = settingsAround(scope);
  const own = Object.entries({ ...ownSettings(scope), ...change }).filter(
    ([name, value]) => RANGES.includes(name as keyof ChartSettings) || value !== around[name as keyof ChartSettings],
  );
  replaceOwn(scope, Object.fromEntries(own));
}

function replaceOwn(scope: Scope, own: Partial<ChartSettings>): void {
  const { [keyOf(scope)]: _, ...others } = overrides.value;
  changeView({ overrides: Object.keys(own).length === 0 ? others : { ...others, [keyOf(scope)]: own } });
}

/** Say nothing here any more; zooms stay. */
export function resetSettings(scope: Scope, names?: readonly (keyof ChartSettings)[]): void {
  const own = Object.entries(ownSettings(scope)).filter(([name]) =>
    names === undefined ? RANGES.includes(name as keyof ChartSettings) : !names.includes(name as keyof ChartSettings),
  );
  replaceOwn(scope, Object.fromEntries(own));
}

// ---- zoom

/** Whether the card's x is the one that is zoomed for all. */
function followsLink(card: CardKey): boolean {
  return linkZoom.value && settingsIn({ kind: "card", card }).x === boardX.value;
}

export function zoomOf(card: CardKey): { readonly x: Range | null; readonly y: Range | null } {
  const { xRange, yRange } = settingsIn({ kind: "card", card });
  return { x: followsLink(card) ? boardXRange.value : xRange, y: yRange };
}

/** Null fits that axis to the data again, undefined leaves it. */
export function zoomCard(card: CardKey, x: Range | null | undefined, y: Range | null | undefined): void {
  const scope: Scope = { kind: "card", card };
  const linked = followsLink(card);
  const own: Partial<{ -readonly [K in keyof ChartSettings]: ChartSettings[K] }> = { ...ownSettings(scope) };
  if (x !== undefined && !linked) setRange(own, "xRange", x, boardXRange.value);
  if (y !== undefined) setRange(own, "yRange", y, boardYRange.value);
  const { [cardKey(card)]: _, ...others } = overrides.value;
  const next = Object.keys(own).length === 0 ? others : { ...others, [cardKey(card)]: own };
  changeView(x !== undefined && linked ? { overrides: next, xRange: x } : { overrides: next });
}

function setRange(
  own: Partial<{ -readonly [K in keyof ChartSettings]: ChartSettings[K] }>,
  name: "xRange" | "yRange",
  range: Range | null,
  ofBoard: Range | null,
): void {
  // "fit" is said only where the board says otherwise
  if (range === null && ofBoard === null) delete own[name];
  else own[name] = range;
}

/** Fit every card to its data again. */
export function resetAllZooms(): void {
  const entries = Object.entries(overrides.value).map(([key, { xRange: _x, yRange: _y, ...own }]) => [key, own]);
  const left = entries.filter(([, own]) => Object.keys(own ?? {}).length > 0);
  changeView({ xRange: null, yRange: null, overrides: Object.fromEntries(left) });
}

export const anyZoom = (): boolean =>
  boardXRange.value !== null ||
  boardYRange.value !== null ||
  Object.values(overrides.value).some((own) => own.xRange != null || own.yRange != null);
