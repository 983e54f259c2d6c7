// Writes sets of rows as short text ("3-7,12") for the URL. Longer sets are encoded (projector_row_code.ts), and the
// longest are only kept in memory.

import { CODED, decodeRows, encodeRows } from "./projector_row_code";

/**
 * Longest text in a URL for a readable set, for an encoded set, and for a part of a set; chats truncate longer links.
 */
const MOST_LETTERS = 1500;
const MOST_CODED = 6000;
const MOST_PART = 4000;

/** Formats as many rows as fit into `most` letters. */
export function formatRows(rows: Uint32Array, most = Number.POSITIVE_INFINITY): string {
  const parts: string[] = [];
  let letters = 0;
  for (let at = 0; at < rows.length; ) {
    const from = rows[at] ?? 0;
    let to = from;
    while (at + 1 < rows.length && rows[at + 1] === to + 1) {
      to += 1;
      at += 1;
    }
    at += 1;
    const part = from === to ? String(from) : `${from}-${to}`;
    letters += part.length + 1;
    if (letters > most) break;
    parts.push(part);
  }
  return parts.join(",");
}

/** Returns the rows below `count`, sorted and unique. */
export function parseRows(text: string, count: number): Uint32Array {
  if (CODED.test(text)) return decodeRows(text, count);
  const [list = ""] = text.split("~");
  if (list === "" || count === 0) return new Uint32Array();
  const ranges = list.split(",").map((part) => {
    const [from = 0, to = from] = part.split("-").map(Number);
    return { from, to: Math.min(to, count - 1) };
  });
  const length = ranges.reduce((sum, { from, to }) => sum + Math.max(0, to - from + 1), 0);
  // limits the memory: a range may be repeated any number of times
  const rows = new Uint32Array(Math.min(length, count * Math.min(ranges.length, 64)));
  let at = 0;
  for (const { from, to } of ranges) for (let row = from; row <= to && at < rows.length; row++) rows[at++] = row;
  return inOrder(rows.subarray(0, at));
}

/** Returns the rows sorted and unique; the same array if it already is. */
function inOrder(rows: Uint32Array): Uint32Array {
  let at = 1;
  while (at < rows.length && (rows[at] ?? 0) > (rows[at - 1] ?? 0)) at++;
  if (at >= rows.length) return rows;
  const sorted = rows.slice().sort();
  return sorted.filter((row, place) => place === 0 || row !== sorted[place - 1]);
}

/** Returns the rows of all lists, sorted and unique. */
export function rowSet(...lists: readonly ArrayLike<number>[]): Uint32Array {
  const some = lists.filter(({ length }) => length > 0);
  const [only] = some;
  if (some.length === 1 && only instanceof Uint32Array) return inOrder(only);
  const all = new Uint32Array(some.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of some) {
    all.set(list, at);
    at += list.length;
  }
  return inOrder(all);
}

/** Few rows are sent as numbers, many as a bit mask: a tenth of the size. */
const MANY = 2000;

export function asRows(rows: Uint32Array | null, total: number): { readonly rows?: number[]; readonly mask?: string } {
  if (rows === null) return {};
  return rows.length < MANY ? { rows: Array.from(rows) } : { mask: maskOf(rows, total) };
}

/** Returns one bit for each row, lowest bit of each byte first, in base64. */
function maskOf(rows: Uint32Array, total: number): string {
  const bits = new Uint8Array(Math.ceil(total / 8));
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
  }
  const parts: string[] = [];
  // a function call cannot have many more arguments
  for (let at = 0; at < bits.length; at += 8192) parts.push(String.fromCharCode(...bits.subarray(at, at + 8192)));
  return btoa(parts.join(""));
}

/** Returns the rows that are in both lists; both are sorted. */
export function inBoth(rows: Uint32Array, others: Uint32Array | null): Uint32Array {
  if (others === null || rows.length === 0) return rows;
  const both = new Uint32Array(Math.min(rows.length, others.length));
  let count = 0;
  for (let i = 0, at = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    while (at < others.length && (others[at] ?? 0) < row) at++;
    if (others[at] === row) both[count++] = row;
  }
  return count === rows.length ? rows : both.slice(0, count);
}

/**
 * Sets that are too long for a URL are kept here. Their key is the text in the URL: their first rows, so that a link
 * shows at least a part, and a hash of the whole set, so that sets with equal first rows differ.
 */
const held = new Map<string, Uint32Array>();
const MOST_HELD = 40;

export function shorten(rows: Uint32Array): { readonly text: string; readonly whole: boolean } {
  const short = formatRows(rows, MOST_LETTERS);
  if (lastOf(short) === rows.at(-1)) return { text: short, whole: true };
  const coded = encodeRows(rows, MOST_CODED);
  if (coded !== null) return { text: coded, whole: true };
  const text = `${formatRows(rows, MOST_PART)}~${nameOf(rows)}`;
  held.delete(text);
  held.set(text, rows);
  for (const old of held.keys()) {
    if (held.size <= MOST_HELD) break;
    held.delete(old);
  }
  return { text, whole: false };
}

function lastOf(text: string): number | undefined {
  return text === "" ? undefined : Number(text.slice(Math.max(text.lastIndexOf(","), text.lastIndexOf("-")) + 1));
}

/** Returns an FNV hash of the rows, and their number. */
function nameOf(rows: Uint32Array): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < rows.length; i++) hash = Math.imul(hash ^ (rows[i] ?? 0), 0x01000193);
  return `${(hash >>> 0).toString(36)}x${rows.length.toString(36)}`;
}

/** Returns true if the link names more rows than it contains, and this page does not have the whole set. */
export function isPart(text: string): boolean {
  return text.includes("~") && !held.has(text);
}

export function rowsOf(text: string, count: number): Uint32Array {
  return held.get(text) ?? parseRows(text, count);
}
