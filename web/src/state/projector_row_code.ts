// Encodes sets of rows as short text for the URL: the gaps between rows in Rice code, five to eight times shorter than
// their numbers. Format: "z", the count, a dot, k as a letter; then for each gap the quotient by 2^k in unary (ones and
// a zero), and its last k bits.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MOST_BITS = 24;

/** Matches a complete text in this format. */
export const CODED = /^z([\da-z]{1,7})\.([A-Y])([\w-]*)$/;

/** Returns null if the text would be longer than `most` letters. */
export function encodeRows(rows: Uint32Array, most: number): string | null {
  const k = bestBits(rows);
  const bits = bitsOf(rows, k);
  if (bits / 6 + 12 > most) return null;
  const letters: string[] = [`z${rows.length.toString(36)}.${LETTERS[k] ?? ""}`];
  let held = 0;
  let count = 0;
  const put = (bit: number): void => {
    held = (held << 1) | bit;
    count += 1;
    if (count < 6) return;
    letters.push(LETTERS[held] ?? "");
    held = 0;
    count = 0;
  };
  let next = 0;
  for (const row of rows) {
    const gap = row - next;
    next = row + 1;
    for (let ones = gap >>> k; ones > 0; ones--) put(1);
    put(0);
    for (let bit = k - 1; bit >= 0; bit--) put((gap >>> bit) & 1);
  }
  while (count > 0) put(0);
  return letters.join("");
}

/** Returns the rows below `total`, sorted; decoding stops at the first invalid part. */
export function decodeRows(text: string, total: number): Uint32Array {
  const [, count = "", letter = "", code = ""] = CODED.exec(text) ?? [];
  const k = LETTERS.indexOf(letter);
  const rows = new Uint32Array(Math.min(Number.parseInt(count, 36) || 0, total, 6 * code.length));
  const end = 6 * code.length;
  let at = 0;
  const bit = (): number => {
    const place = LETTERS.indexOf(code.charAt(Math.floor(at / 6)));
    const found = (place >> (5 - (at % 6))) & 1;
    at += 1;
    return found;
  };
  let found = 0;
  for (let next = 0; found < rows.length && at < end; found++) {
    let gap = 0;
    while (at < end && bit() === 1) gap += 1;
    for (let i = 0; i < k; i++) gap = gap * 2 + bit();
    next += gap;
    if (at > end || next >= total) break;
    rows[found] = next;
    next += 1;
  }
  return rows.slice(0, found);
}

function bitsOf(rows: Uint32Array, k: number): number {
  let bits = 0;
  let next = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    bits += ((row - next) >>> k) + 1 + k;
    next = row + 1;
  }
  return bits;
}

/** Returns the k with the shortest code; it is close to log2 of the average gap. */
function bestBits(rows: Uint32Array): number {
  const gap = ((rows.at(-1) ?? 0) + 1) / Math.max(1, rows.length);
  const near = Math.min(MOST_BITS - 1, Math.max(0, Math.round(Math.log2(gap))));
  const tried = [near - 1, near, near + 1].filter((k) => k >= 0);
  return tried.reduce((best, k) => (bitsOf(rows, k) < bitsOf(rows, best) ? k : best), near);
}
