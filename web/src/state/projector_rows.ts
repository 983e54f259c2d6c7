// Sets of rows as short texts ("3-7,12"), for the address; longer ones are coded, and the longest held beside it.

import { CODED, decodeRows, encodeRows } from "./projector_row_code";

/** What an address may spend on one set that people can read, and on one that they cannot; chats cut longer links. */
const MOST_LETTERS = 1500;
const MOST_CODED = 6000;
const MOST_PART = 4000;

/** As many of them as fit into `most` letters. */
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

/** In order, each once, below `count`. */
export function parseRows(text: string, count: number): Uint32Array {
  if (CODED.test(text)) return decodeRows(text, count);
  const [list = ""] = text.split("~");
  if (list === "" || count === 0) return new Uint32Array();
  const ranges = list.split(",").map((part) => {
    const [from = 0, to = from] = part.split("-").map(Number);
    return { from, to: Math.min(to, count - 1) };
  });
  const length = ranges.reduce((sum, { from, to }) => sum + Math.max(0, to - from + 1), 0);
  // a range may be named any number of times
  const rows = new Uint32Array(Math.min(length, count * Math.min(ranges.length, 64)));
  let at = 0;
  for (const { from, to } of ranges) for (let row = from; row <= to && at < rows.length; row++) rows[at++] = row;
  return inOrder(rows.subarray(0, at));
}

/** Sorted and each once; the same list where it is so already. */
function inOrder(rows: Uint32Array): Uint32Array {
  let at = 1;
  while (at < rows.length && (rows[at] ?? 0) > (rows[at - 1] ?? 0)) at++;
  if (at >= rows.length) return rows;
  const sorted = rows.slice().sort();
  return sorted.filter((row, place) => place === 0 || row !== sorted[place - 1]);
}

/** In order, each once. */
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

/** Few rows are written one by one, many as bits: a tenth of the letters. */
const MANY = 2000;

export function asRows(rows: Uint32Array | null, total: number): { readonly rows?: number[]; readonly mask?: string } {
  if (rows === null) return {};
  return rows.length < MANY ? { rows: Array.from(rows) } : { mask: maskOf(rows, total) };
}

/** A bit for each row, the lowest of each byte first, in base64. */
function maskOf(rows: Uint32Array, total: number): string {
  const bits = new Uint8Array(Math.ceil(total / 8));
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
  }
  const parts: string[] = [];
  // more arguments than so are too many for a call
  for (let at = 0; at < bits.length; at += 8192) parts.push(String.fromCharCode(...bits.subarray(at, at + 8192)));
  return btoa(parts.join(""));
}

/** Those of a list that are in another; both in order. */
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
 * Sets too long for an address are held here, under the text that stands for them there: their first rows, so that a
 * link shows at least a part, and a name of the whole set, so that two that begin alike are told apart.
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

/** FNV over the rows, and how many there are. */
function nameOf(rows: Uint32Array): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < rows.length; i++) hash = Math.imul(hash ^ (rows[i] ?? 0), 0x01000193);
  return `${(hash >>> 0).toString(36)}x${rows.length.toString(36)}`;
}

/** The link names a set of more rows than it can hold, and this page has never seen that set. */
export function isPart(text: string): boolean {
  return text.includes("~") && !held.has(text);
}

export function rowsOf(text: string, count: number): Uint32Array {
  return held.get(text) ?? parseRows(text, count);
}
