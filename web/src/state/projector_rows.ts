// Sets of rows as short texts ("3-7,12"), for the address; longer ones are held beside it.

/** What an address may spend on one set; browsers and chats cut longer links. */
const MOST_LETTERS = 4000;

export function formatRows(rows: Uint32Array): string {
  const parts: string[] = [];
  for (let at = 0; at < rows.length; ) {
    const from = rows[at] ?? 0;
    let to = from;
    while (at + 1 < rows.length && rows[at + 1] === to + 1) {
      to += 1;
      at += 1;
    }
    at += 1;
    parts.push(from === to ? String(from) : `${from}-${to}`);
  }
  return parts.join(",");
}

/** In order, each once, below `count`. */
export function parseRows(text: string, count: number): Uint32Array {
  if (text === "" || count === 0) return new Uint32Array();
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const [from = 0, to = from] = part.split("-").map(Number);
    for (let row = from; row <= Math.min(to, count - 1); row++) found.add(row);
  }
  return Uint32Array.from(found).sort();
}

/** In order, each once. */
export function rowSet(...lists: readonly ArrayLike<number>[]): Uint32Array {
  const all = new Set<number>();
  for (const list of lists) for (let at = 0; at < list.length; at++) all.add(list[at] ?? 0);
  return Uint32Array.from(all).sort();
}

/**
 * Sets too long for an address are held here, under the short text that stands for them there: it begins like them, so
 * that a link shows at least a part.
 */
const held = new Map<string, Uint32Array>();
const MOST_HELD = 40;

export function shorten(rows: Uint32Array): { readonly text: string; readonly whole: boolean } {
  const text = formatRows(rows);
  if (text.length <= MOST_LETTERS) return { text, whole: true };
  const short = text.slice(0, text.lastIndexOf(",", MOST_LETTERS));
  held.delete(short);
  held.set(short, rows);
  for (const old of held.keys()) {
    if (held.size <= MOST_HELD) break;
    held.delete(old);
  }
  return { text: short, whole: false };
}

export function rowsOf(text: string, count: number): Uint32Array {
  return held.get(text) ?? parseRows(text, count);
}
