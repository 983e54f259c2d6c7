// The languages of the page, and how each writes numbers and dates. To add a language, add an entry to LOCALES; the
// compiler then reports each file of state/texts/ that lacks its words. state/view.ts chooses the language of the user
// and exports these functions for that language.

type Locale = {
  /** Its name in the language itself, for the menu of languages. */
  readonly name: string;
  /** For the browser's formatters and the page's `lang` attribute. */
  readonly tag: string;
  /** For dates in table cells: digits only; in English the day before the month. */
  readonly tableTag: string;
  /** Dates follow the region of the browser: "en-AU" instead of "en". */
  readonly regional: boolean;
  /** Separates groups of three digits. */
  readonly thousands: string;
};

const LOCALES = {
  en: { name: "English", tag: "en", tableTag: "en-GB", regional: true, thousands: "," },
  zh: { name: "简体中文", tag: "zh-CN", tableTag: "zh-CN", regional: false, thousands: "," },
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

/**
 * - `short`: "Nov 16, 02:04:09"
 * - `full`: "Nov 16, 2026, 2:04:09 AM"
 * - `table`: "16/11/26, 02:04"
 * - `zoned`: "16 Nov 2026, 02:04:09 CET"
 */
export type DateStyle = "short" | "full" | "table" | "zoned";

const MINUTES = { day: "2-digit", hour: "2-digit", minute: "2-digit", hour12: false } as const;

const DATE_STYLES: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  short: {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  },
  full: { dateStyle: "medium", timeStyle: "medium" },
  table: { ...MINUTES, year: "2-digit", month: "2-digit" },
  zoned: { ...MINUTES, year: "numeric", month: "short", second: "2-digit", timeZoneName: "short" },
};

const LARGEST_DATE_MILLIS = 8.64e15;

/** Formats local time; returns null if the seconds since 1970 are not a valid date. */
export function formatDate(seconds: number, language: Language, style: DateStyle): string | null {
  const millis = seconds * 1000;
  if (!(Math.abs(millis) <= LARGEST_DATE_MILLIS)) return null;
  const { tableTag } = LOCALES[language];
  const tag = style === "table" || style === "zoned" ? tableTag : regionalTag(language);
  return dateFormatter(`${tag} ${style}`, tag, DATE_STYLES[style]).format(millis);
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

function regionalTag(language: Language): string {
  const { tag, regional } = LOCALES[language];
  const browser = globalThis.navigator?.language ?? "";
  return regional && browser.startsWith(language) ? browser : tag;
}
