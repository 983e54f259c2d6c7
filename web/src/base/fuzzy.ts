// Fuzzy search in names: every typed word must occur, either contiguous or letter by letter with gaps. Whole words and
// matches at the beginning of a component get the highest score.

/**
 * Names with their lowercase form, prepared once: searching 100,000 names at each keystroke then takes milliseconds.
 */
export type Haystack = { readonly names: readonly string[]; readonly lower: readonly string[] };

export type Hit = { readonly row: number; readonly score: number };

export function haystack(names: readonly string[]): Haystack {
  return { names, lower: names.map((name) => name.toLowerCase()) };
}

// with this many good hits the slower search letter by letter is skipped: it would only add worse ones
const ENOUGH = 20;

export function search(hay: Haystack, query: string, limit: number): readonly Hit[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return hay.names.slice(0, limit).map((_, row) => ({ row, score: 0 }));
  const exact = rank(hay, words, wordScore, limit);
  if (exact.length >= Math.min(limit, ENOUGH)) return exact;
  const found = new Set(exact.map(({ row }) => row));
  const loose = rank(hay, words, looseScore, limit).filter(({ row }) => !found.has(row));
  return [...exact, ...loose].slice(0, limit);
}

type Score = (text: string, word: string) => number;

function rank(hay: Haystack, words: readonly string[], scoreOf: Score, limit: number): readonly Hit[] {
  let hits: Hit[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < hay.lower.length; row++) {
    const text = hay.lower[row] ?? "";
    let score = 0;
    for (const word of words) {
      const one = scoreOf(text, word);
      if (one < 0) {
        score = -1;
        break;
      }
      score += one;
    }
    if (score < 0) continue;
    // of two equal hits the shorter name wins
    const fine = score - text.length / 1000;
    if (hits.length >= limit * 4 && fine <= least) continue;
    hits.push({ row, score: fine });
    if (hits.length >= limit * 8) {
      hits = best(hits, limit);
      least = hits.at(-1)?.score ?? least;
    }
  }
  return best(hits, limit);
}

function best(hits: readonly Hit[], limit: number): Hit[] {
  return [...hits].sort((a, b) => b.score - a.score || a.row - b.row).slice(0, limit);
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || /[/_\-.\s:=]/.test(text[at - 1] ?? "");
}

/** Returns -1 if the word does not occur. */
function wordScore(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at < 0) return -1;
  if (text === word) return 20;
  if (at === 0) return 12;
  // the first occurrence may be inside a word, a later one at the beginning of a word
  for (let place = at; place >= 0; place = text.indexOf(word, place + 1)) if (startsWord(text, place)) return 10;
  return 5;
}

/** Matches the letters in order with gaps between them; letters at the beginning of a word score higher. */
function looseScore(text: string, word: string): number {
  let at = -1;
  let score = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return -1;
    if (startsWord(text, next)) score += 1;
    else if (next === at + 1) score += 0.6;
    at = next;
  }
  // letters scattered over a long name are no match
  return score < word.length * 0.5 ? -1 : (3 * score) / word.length;
}
