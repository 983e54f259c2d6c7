// The languages of the page, and how each writes numbers and dates. To add a language, add an entry to LOCALES; the
// compiler then reports each file of state/texts/ that lacks its words. state/view.ts chooses the language of the user
// and exports these functions for that language.

import { type DurationUnits, UNIT_LETTERS } from "./numbers";

type Locale = {
  /** Its name in the language itself, for the menu of languages. */
  readonly name: string;
  /** For the browser's formatters and the page's `lang` attribute. */
  readonly tag: string;
  /** Separates groups of three digits. */
  readonly thousands: string;
  readonly durations: DurationUnits;
};

const LOCALES = {
  en: { name: "English", tag: "en", thousands: ",", durations: UNIT_LETTERS },
  zh: {
    name: "简体中文",
    tag: "zh-CN",
    thousands: ",",
    durations: { us: " 微秒", ms: " 毫秒", s: " 秒", m: " 分", h: " 小时", d: " 天", padded: false },
  },
} as const satisfies Readonly<Record<string, Locale>>;

export type Language = keyof typeof LOCALES;

export const LANGUAGES = Object.keys(LOCALES) as readonly Language[];

const DEFAULT_LANGUAGE: Language = "en";

export function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && Object.hasOwn(LOCALES, text);
}

/** Returns the first of the user's languages that the page has; English if it has none of them. */
export function chooseLanguage(preferred: readonly string[]): Language {
  const primaries = preferred.map((tag) => tag.toLowerCase().split("-")[0]);
  return primaries.find(isLanguage) ?? DEFAULT_LANGUAGE;
}

export function languageName(language: Language): string {
  return LOCALES[language].name;
}

export function languageTag(language: Language): string {
  return LOCALES[language].tag;
}

// ---- numbers

/** 1234567 as "1,234,567". Integers are grouped here: the browser's formatter takes 15 ms to start. */
export function formatWhole(value: number, language: Language): string {
  const { tag, thousands } = LOCALES[language];
  if (!Number.isSafeInteger(value)) return value.toLocaleString(tag);
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, thousands);
}

// ---- dates

/** `minute`: "Nov 16, 19:29", for lists; `second`: "Nov 16, 19:29:47", for single points. */
export type DateStyle = "minute" | "second";

const MINUTE = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

const DATE_STYLES: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  minute: MINUTE,
  second: { ...MINUTE, second: "2-digit" },
};

const LARGEST_DATE_MILLIS = 8.64e15;

/**
 * Formats local time: "Nov 16, 19:29" in the current year, "2025-11-16" in other years (with the time in the style
 * `second`). Returns null if the seconds since 1970 are not a valid date.
 */
export function formatDate(seconds: number, language: Language, style: DateStyle, now = new Date()): string | null {
  const date = dateOf(seconds);
  if (date === null) return null;
  if (date.getFullYear() !== now.getFullYear())
    return style === "minute" ? isoDay(date) : `${isoDay(date)} ${clock(date)}`;
  const { tag } = LOCALES[language];
  return dateFormatter(`${tag} ${style}`, tag, DATE_STYLES[style]).format(date);
}

/** "2026-11-16T19:29:47.250+01:00": exact local time with its zone, for tooltips; null if it is not a valid date. */
export function formatIso(seconds: number): string | null {
  const date = dateOf(seconds);
  if (date === null) return null;
  const millis = date.getMilliseconds();
  const fraction = millis === 0 ? "" : `.${String(millis).padStart(3, "0")}`;
  return `${isoDay(date)}T${clock(date)}${fraction}${zoneOf(date)}`;
}

function dateOf(seconds: number): Date | null {
  const millis = seconds * 1000;
  return Math.abs(millis) <= LARGEST_DATE_MILLIS ? new Date(millis) : null;
}

function isoDay(date: Date): string {
  const year = String(date.getFullYear()).padStart(4, "0");
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function clock(date: Date): string {
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

function zoneOf(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** Units of durations in texts; axes of charts use letters in every language. */
export function durationUnits(language: Language): DurationUnits {
  return LOCALES[language].durations;
}

/** Formats some parts of a date, for example for the label of a tick. */
export function formatDateParts(date: Date, parts: Intl.DateTimeFormatOptions, language: Language): string {
  const { tag } = LOCALES[language];
  return dateFormatter(tag + JSON.stringify(parts), tag, parts).format(date);
}

/** "3 minutes ago" */
export function formatAgo(count: number, unit: Intl.RelativeTimeFormatUnit, language: Language): string {
  const { tag } = LOCALES[language];
  const formatter = agoFormatters.get(tag) ?? new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  agoFormatters.set(tag, formatter);
  return formatter.format(-count, unit);
}

// Formatters are cached: creating one costs more than using it a hundred times.
const dateFormatters = new Map<string, Intl.DateTimeFormat>();
const agoFormatters = new Map<string, Intl.RelativeTimeFormat>();

function dateFormatter(key: string, tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const formatter = dateFormatters.get(key) ?? new Intl.DateTimeFormat(tag, options);
  dateFormatters.set(key, formatter);
  return formatter;
}
