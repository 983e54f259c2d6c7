// Settings of the board, of one section or of one card. The most specific one wins (state/settings.ts).

import { type CardKey, findCard, sectionOfCard } from "./cards";
import { type ChartSettings, cardKey, type Range, sectionKey, settingsFor } from "./settings";
import { boardSettings, changeView, member } from "./view";

// single members, not the whole view: a card is not updated when another one is zoomed
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

/** Returns the effective settings of the scope; `ownSettings` returns only its own. */
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

/** Returns true if the scope has its own settings, apart from a zoom. */
export function isOverridden(scope: Scope): boolean {
  return Object.keys(ownSettings(scope)).some((name) => !RANGES.includes(name as keyof ChartSettings));
}

/** Returns the settings that the scope would inherit without its own. */
function settingsAround(scope: Scope): ChartSettings {
  const card = scope.kind === "card" ? findCard(scope.card) : null;
  const section = card === null ? null : sectionOfCard(card, sectionBy.value);
  return section === null ? boardSettings.value : settingsIn({ kind: "section", section });
}

/** A value equal to the inherited one is not stored: a switch turned on and off again leaves no override. */
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

/** Removes the scope's own settings; zooms stay. */
export function resetSettings(scope: Scope, names?: readonly (keyof ChartSettings)[]): void {
  const own = Object.entries(ownSettings(scope)).filter(([name]) =>
    names === undefined ? RANGES.includes(name as keyof ChartSettings) : !names.includes(name as keyof ChartSettings),
  );
  replaceOwn(scope, Object.fromEntries(own));
}

// ---- zoom

/** Returns true if the card uses the shared x zoom. */
function followsLink(card: CardKey): boolean {
  return linkZoom.value && settingsIn({ kind: "card", card }).x === boardX.value;
}

export function zoomOf(card: CardKey): { readonly x: Range | null; readonly y: Range | null } {
  const { xRange, yRange } = settingsIn({ kind: "card", card });
  return { x: followsLink(card) ? boardXRange.value : xRange, y: yRange };
}

/** Null resets an axis to fit the data, undefined leaves it as it is. */
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
  // null is stored only if the board has a range
  if (range === null && ofBoard === null) delete own[name];
  else own[name] = range;
}

/** Resets all cards to fit their data. */
export function resetAllZooms(): void {
  const entries = Object.entries(overrides.value).map(([key, { xRange: _x, yRange: _y, ...own }]) => [key, own]);
  const left = entries.filter(([, own]) => Object.keys(own ?? {}).length > 0);
  changeView({ xRange: null, yRange: null, overrides: Object.fromEntries(left) });
}

export const anyZoom = (): boolean =>
  boardXRange.value !== null ||
  boardYRange.value !== null ||
  Object.values(overrides.value).some((own) => own.xRange != null || own.yRange != null);
