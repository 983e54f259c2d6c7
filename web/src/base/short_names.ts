// Shortens names for a given width so that they stay different. Names of runs are long and mostly alike
// (`sweep/units=32,optimizer=adam,dropout=0,seed=1`), so a name can only be shortened well among the others in sight:
//
//   folders      sweep/units=32,…,seed=1     →  …units=32,…           if no other name ends like this
//   same parts   units=32,bias=no,seed=1     →  units=32…seed=1       if all names of this form have bias=no
//   keys         units=32,optimizer=adam     →  u=32,o=adam           as many letters as fit, and still different
//   values       run_20261116T101112         →  run_…1112             without the start that all values share
//   the rest     cut in the middle, and numbered if two names would look alike
//
// Names of one form (the same separators and keys) are shortened in the same way. The work grows linearly with the
// length of all names, apart from sorting values.

/** Returns the width of a text, in letters or pixels. */
export type Size = (text: string) => number;

const SURROGATES = /[\ud800-\udfff]/;
const letters: Size = (text) => (SURROGATES.test(text) ? [...text].length : text.length);

/** Returns a short text for each name, at most `most` wide. Different names get different texts. */
export function shortNames(names: readonly string[], most: number, size: Size = letters): ReadonlyMap<string, string> {
  const distinct = [...new Set(names)];
  if (distinct.every((name) => size(name) <= most)) return new Map(distinct.map((name) => [name, name]));
  const short = new Map<string, string>(distinct.map((name) => [name, name]));
  for (const form of formsOf(distinct)) shortenForm(form, short, most, size);
  return allDifferent(short, most, size);
}

/** Shortens a name without knowing others: cuts its middle, because names differ at their end more than at their start. */
export function shortName(name: string, most: number, size: Size = letters): string {
  if (size(name) <= most) return name;
  const all = [...name];
  const cut = (kept: number): string => {
    const end = Math.ceil(kept * 0.6);
    const [head, tail] = [all.slice(0, kept - end).join(""), end === 0 ? "" : all.slice(-end).join("")];
    return `${head}…${tail}`.replace(/…{2,}/, "…");
  };
  let [fits, tooLong] = [0, all.length];
  while (tooLong - fits > 1) {
    const kept = (fits + tooLong) >> 1;
    if (size(cut(kept)) <= most) fits = kept;
    else tooLong = kept;
  }
  return cut(fits);
}

// ---- parts of names

type Parsed = {
  readonly name: string;
  /** Parts with the separators that follow them: "sweep/", "units=32,", "seed=1". */
  readonly parts: readonly string[];
  /** Index of the first part of the shortest path that no other name ends with. */
  readonly from: number;
};

/** Names with the same separators and keys. */
type Form = readonly Parsed[];

const SEPARATORS = new Set("/,;_- \t\n&+|");

function isSeparator(name: string, at: number): boolean {
  const letter = name[at] ?? "";
  if (letter === ".") return isNamespaceDot(name, at);
  if (!SEPARATORS.has(letter)) return false;
  if (letter !== "-" && letter !== "+") return true;
  // signs of numbers: lr=-1, lr=1e-4
  const before = name[at - 1] ?? "";
  if (before === "=" || before === ":") return false;
  return !((before === "e" || before === "E") && /\d/.test(name[at - 2] ?? "") && /\d/.test(name[at + 1] ?? ""));
}

export function partsOf(name: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 1; at < name.length; at++) {
    if (isSeparator(name, at - 1) && !isSeparator(name, at)) {
      parts.push(name.slice(start, at));
      start = at;
    }
  }
  parts.push(name.slice(start));
  return parts;
}

const TRAILING = /[/,;._\- \t\n&+|]*$/;
const KEY = /^[^=:]*[=:]/;

function shapeOf(part: string): string {
  return `${KEY.exec(part)?.[0] ?? ""}\n${TRAILING.exec(part)?.[0] ?? ""}`;
}

function formsOf(names: readonly string[]): readonly Form[] {
  const starts = uniqueEnds(names);
  const forms = new Map<string, Parsed[]>();
  names.forEach((name, i) => {
    const parts = partsOf(name);
    const shape = parts.map(shapeOf).join("\n");
    let from = 0;
    for (let length = 0; length < (starts[i] ?? 0); from++) length += parts[from]?.length ?? 0;
    const form = forms.get(shape);
    if (form === undefined) forms.set(shape, [{ name, parts, from }]);
    else form.push({ name, parts, from });
  });
  return [...forms.values()];
}

const MOST_FOLDERS = 8;

/** Returns where the path starts that is one folder longer than the one that starts at `start`. */
function nextStart(name: string, start: number): number {
  for (let at = start - 2; at > 0; at--) if (name[at] === "/" || isNamespaceDot(name, at)) return at + 1;
  return 0;
}

/** True for the dot of "config.batch_size", not for those of "lr=0.1" and "v1.2". */
function isNamespaceDot(name: string, at: number): boolean {
  return name[at] === "." && !/\d/.test(`${name[at - 1]}${name[at + 1]}`);
}

function countIn(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1);
}

/** For each name: where its shortest path starts that no other name ends with; 0 for the complete name. */
function uniqueEnds(names: readonly string[]): readonly number[] {
  const ends = new Map<string, number>();
  const folders = new Map<string, number>();
  const startsOf = (name: string): readonly number[] => {
    const starts: number[] = [];
    for (let start = name.length; start > 0 && starts.length < MOST_FOLDERS; starts.push(start))
      start = nextStart(name, start);
    return starts;
  };
  const all = names.map(startsOf);
  names.forEach((name, i) => {
    for (const start of all[i] ?? []) {
      countIn(ends, name.slice(start));
      countIn(folders, name.slice(0, start));
    }
  });
  // what is before a dot may be a name with an ending, unless others have it, too
  const droppable = (name: string, start: number): boolean =>
    name[start - 1] !== "." || (folders.get(name.slice(0, start)) ?? 0) > 1;
  return names.map(
    (name, i) => all[i]?.find((start) => ends.get(name.slice(start)) === 1 && droppable(name, start)) ?? 0,
  );
}

// ---- one form

/** How to write the parts at one place of all names of a form. */
type Place = {
  readonly same: boolean;
  /** "optimizer" of "optimizer=adam", "seed" of "seed1"; and the sign that follows. */
  readonly key: string;
  readonly sign: string;
  /** Letters of the key that tell it from the other keys. */
  readonly leastKey: number;
  /** Values without their common start, cut where they are different. */
  readonly valueStart: number;
  readonly valueEnd: number;
};

type Level = { readonly same: boolean; readonly keys: number; readonly values: boolean };

const FULL_KEYS = 1000;
const LEVELS: readonly Level[] = [
  { same: true, keys: FULL_KEYS, values: true },
  { same: false, keys: FULL_KEYS, values: true },
  ...[6, 4, 3, 2, 1].map((keys) => ({ same: false, keys, values: true })),
];
/** For names of a form that does not fit on one of the levels above: each gets the first that fits. */
const LAST_LEVELS: readonly Level[] = [
  { same: false, keys: 1, values: true },
  { same: false, keys: 0, values: true },
  { same: false, keys: 0, values: false },
];

function shortenForm(form: Form, short: Map<string, string>, most: number, size: Size): void {
  if (form.every(({ name }) => size(name) <= most)) return;
  const from = form.reduce((least, one) => Math.min(least, one.from), Number.POSITIVE_INFINITY);
  const places = form.length === 1 ? null : placesOf(form);
  const plainWords = places?.length === 1 && (places[0]?.valueStart ?? 0) <= 1;
  const write = ({ parts }: Parsed, level: Level): string => written(parts, from, places, level);
  const level = LEVELS.find((level) => form.every((one) => size(write(one, level)) <= most));
  for (const one of form) {
    if (level !== undefined) short.set(one.name, write(one, level));
    else if (size(one.name) > most) {
      const texts = plainWords ? [one.name] : LAST_LEVELS.map((level) => write(one, level));
      const text = texts.find((text) => size(text) <= most) ?? texts.at(-1) ?? one.name;
      short.set(one.name, shortName(text, most, size));
    }
  }
}

function written(parts: readonly string[], from: number, places: readonly Place[] | null, level: Level): string {
  let text = from > 0 ? "…" : "";
  for (let i = from; i < parts.length; i++) {
    const place = places?.[i];
    const part = parts[i] ?? "";
    if (place === undefined || (place.same && level.same)) text += part;
    else if (!place.same) text = joined(text, writtenPart(part, place, level));
    // one mark for several parts, instead of the separator before
    else if (!text.endsWith("…")) text = `${text.replace(TRAILING, "")}…`;
  }
  return text;
}

function joined(text: string, part: string): string {
  return text + (text.endsWith("…") && part.startsWith("…") ? part.slice(1) : part);
}

function writtenPart(part: string, place: Place, { keys, values }: Level): string {
  const { key, sign, leastKey, valueStart, valueEnd } = place;
  const shortKey = keys === 0 ? "" : key.slice(0, Math.max(keys, leastKey)) + sign;
  const rest = part.slice(key.length + sign.length);
  if (values) return shortKey + rest;
  const end = rest.length - (TRAILING.exec(rest)?.[0].length ?? 0);
  const value = rest.slice(0, end);
  const before = valueStart > 1 ? "…" : value.slice(0, valueStart);
  const after = value.length > valueEnd + 1 ? "…" : value.slice(valueEnd);
  return shortKey + before + value.slice(valueStart, valueEnd) + after + rest.slice(end);
}

const LEAST_VALUE = 4;

function placesOf(form: Form): readonly Place[] {
  const [first] = form;
  const places = (first?.parts ?? []).map((_, i) => {
    const distinct = [...new Set(form.map(({ parts }) => parts[i] ?? ""))];
    const shared = distinct.reduce(commonStart);
    const same = distinct.length === 1;
    const found = same ? null : keyOf(shared, distinct);
    const [key, sign] = [found?.[1] ?? "", found?.[2] ?? ""];
    const values = same ? [] : distinct.map((part) => part.slice(key.length + sign.length).replace(TRAILING, ""));
    return { same, key, sign, leastKey: 1, ...valueRange(values) };
  });
  const keys = places.map(({ key }) => key);
  return places.map((place, i) => ({ ...place, leastKey: leastLetters(place.key, keys, i) }));
}

/** Returns [all, key, sign] of parts like "seed=1", "seed=2" or "seed1", "seed2"; null if they have no key. */
function keyOf(shared: string, parts: readonly string[]): readonly string[] | null {
  const signed = /^([^=:]+)([=:])/.exec(shared);
  if (signed !== null) return signed;
  const word = /^(\p{L}+)()/u.exec(shared);
  const length = word?.[0].length ?? 0;
  return word !== null && parts.every((part) => /[\d.]/.test(part[length] ?? "")) ? word : null;
}

const MANY_KEYS = 40;

function leastLetters(key: string, keys: readonly string[], at: number): number {
  if (key === "" || keys.length > MANY_KEYS) return key.length;
  return keys.reduce((most, other, i) => (i === at ? most : Math.max(most, commonStart(key, other).length + 1)), 1);
}

/** Returns where values begin to differ, and how long they must be to differ. */
function valueRange(values: readonly string[]): { readonly valueStart: number; readonly valueEnd: number } {
  if (values.length === 0) return { valueStart: 0, valueEnd: 0 };
  const sorted = [...new Set(values)].sort();
  const valueStart = sorted.length === 1 ? 0 : sorted.reduce(commonStart).length;
  let valueEnd = valueStart + LEAST_VALUE;
  for (let i = 1; i < sorted.length; i++)
    valueEnd = Math.max(valueEnd, commonStart(sorted[i - 1] ?? "", sorted[i] ?? "").length + 1);
  return { valueStart, valueEnd };
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  // never inside a surrogate pair
  if (/[\ud800-\udbff]/.test(one[length - 1] ?? "")) length--;
  return one.slice(0, length);
}

// ---- all names

/** Names that would look alike are cut in the middle; those that still look alike are numbered. */
function allDifferent(short: ReadonlyMap<string, string>, most: number, size: Size): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const text of short.values()) counts.set(text, (counts.get(text) ?? 0) + 1);
  const used = new Set<string>();
  const numbers = new Map<string, number>();
  const alike: string[] = [];
  const texts = new Map(short);
  for (const [name, text] of short) {
    if (counts.get(text) === 1 || text === name) used.add(text);
    else alike.push(name);
  }
  for (const name of alike) {
    const text = freeText(shortName(name, most, size), used, numbers, most, size);
    used.add(text);
    texts.set(name, text);
  }
  return texts;
}

function freeText(text: string, used: ReadonlySet<string>, numbers: Map<string, number>, most: number, size: Size) {
  let free = text;
  while (used.has(free)) {
    const number = (numbers.get(text) ?? 1) + 1;
    numbers.set(text, number);
    const suffix = ` (${number})`;
    free = shortName(text, most - size(suffix), size) + suffix;
  }
  return free;
}
