// Language and theme of the hub's page, and texts, numbers and times in that language. Both are stored where the board's
// page stores them (state/view.ts), so that a choice applies to hub and boards.

import { computed, effect, signal } from "@preact/signals";
import type { Theme } from "../base/color";
import {
  chooseLanguage,
  type DateStyle,
  durationUnits,
  formatAgo,
  formatDate,
  formatIso,
  formatWhole,
  isLanguage,
  type Language,
  languageTag,
} from "../base/locale";
import { formatDuration } from "../base/numbers";
import { words as widgetWords } from "../widgets/words";
import * as shellArea from "./texts/shell";

// ---- storage that may be refused (a private window): choices then last as long as the page

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // see above
  }
}

// ---- language

const LANGUAGE_MEMORY = "lightboard.language";

function firstLanguage(): Language {
  const asked = new URLSearchParams(globalThis.location?.search ?? "").get("lang");
  if (isLanguage(asked)) return asked;
  const kept = recall(LANGUAGE_MEMORY);
  return isLanguage(kept) ? kept : chooseLanguage(globalThis.navigator?.languages ?? []);
}

export const language = signal<Language>(firstLanguage());

export function chooseLanguageFor(reader: Language): void {
  language.value = reader;
  remember(LANGUAGE_MEMORY, reader);
}

/** Returns the texts of an area in the user's language. */
export function spoken<Words>(area: { readonly words: Readonly<Record<Language, Words>> }): Words {
  return area.words[language.value];
}

// ---- theme

export const THEMES = ["auto", "light", "dark"] as const;
export type ThemeChoice = (typeof THEMES)[number];

const HABITS_MEMORY = "lightboard.habits";

function habits(): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(recall(HABITS_MEMORY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function firstTheme(): ThemeChoice {
  const { theme } = habits();
  return THEMES.find((one) => one === theme) ?? "auto";
}

export const themeChoice = signal<ThemeChoice>(firstTheme());

export function chooseTheme(theme: ThemeChoice): void {
  themeChoice.value = theme;
  remember(HABITS_MEMORY, JSON.stringify({ ...habits(), theme }));
}

const system = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(system?.matches ?? false);
system?.addEventListener("change", (event) => {
  systemDark.value = event.matches;
});

export const theme = computed<Theme>(() => {
  if (themeChoice.value !== "auto") return themeChoice.value;
  return systemDark.value ? "dark" : "light";
});

/** Keeps theme, language and the words of widgets up to date. */
export function bindPreferencesToPage(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
  effect(() => {
    document.documentElement.lang = languageTag(language.value);
    widgetWords.value = spoken(shellArea).widgets;
  });
}

// ---- numbers and times; the server's times are ISO 8601, null for never

export function grouped(whole: number): string {
  return formatWhole(whole, language.value);
}

/** Seconds since 1970 of a time of the server; null stays null. */
export function secondsOf(time: string | null): number | null {
  if (time === null) return null;
  const millis = Date.parse(time);
  return Number.isNaN(millis) ? null : millis / 1000;
}

/** "Nov 16, 19:29"; an empty text for never. */
export function dateText(time: string | null, style: DateStyle = "minute"): string {
  const seconds = secondsOf(time);
  return seconds === null ? "" : (formatDate(seconds, language.value, style) ?? "");
}

/** Exact local time with its zone, for tooltips. */
export function isoText(time: string | null): string | undefined {
  const seconds = secondsOf(time);
  return seconds === null ? undefined : (formatIso(seconds) ?? undefined);
}

/** The clock of relative times: changes every ten seconds while the page is visible. */
export const now = signal(Date.now() / 1000);

const TICK_MS = 10_000;

/** Lets relative times tick. Returns a stop function. */
export function startClock(): () => void {
  const tick = (): void => {
    if (document.visibilityState === "visible") now.value = Date.now() / 1000;
  };
  const timer = setInterval(tick, TICK_MS);
  document.addEventListener("visibilitychange", tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
  };
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "5 minutes ago"; less than a minute is "now"; an empty text for never. */
export function agoText(time: string | null): string {
  const seconds = secondsOf(time);
  if (seconds === null) return "";
  const age = Math.max(0, now.value - seconds);
  if (age < MINUTE) return formatAgo(0, "second", language.value);
  if (age < HOUR) return formatAgo(Math.floor(age / MINUTE), "minute", language.value);
  if (age < DAY) return formatAgo(Math.floor(age / HOUR), "hour", language.value);
  return formatAgo(Math.floor(age / DAY), "day", language.value);
}

/** "3 h 12 min" until a time; null if it is over or there is none. Rounded up, so that it never says 0. */
export function untilText(time: string | null): string | null {
  const seconds = secondsOf(time);
  return seconds === null || seconds <= now.value ? null : spanText(seconds - now.value);
}

/** A duration in at most two units: "3 h 12 min", "2 d 4 h", "45 s". */
export function spanText(seconds: number): string {
  const { units } = spoken(shellArea);
  if (seconds < MINUTE) return `${Math.ceil(seconds)}${units.second}`;
  const minutes = Math.ceil(seconds / MINUTE);
  if (minutes < 60) return `${minutes}${units.minute}`;
  const [hours, minutesLeft] = [Math.floor(minutes / 60), minutes % 60];
  if (hours < 24) return `${hours}${units.hour}${minutesLeft === 0 ? "" : ` ${minutesLeft}${units.minute}`}`;
  const [days, hoursLeft] = [Math.floor(hours / 24), hours % 24];
  return `${days}${units.day}${hoursLeft === 0 ? "" : ` ${hoursLeft}${units.hour}`}`;
}

/** A duration with all its digits, as the board's page writes them: "1h 03m 20s". */
export function durationText(seconds: number): string {
  return formatDuration(seconds, 0, durationUnits(language.value));
}
