// Cards of the time series page: one per scalar tag, and those the reader made of several tags. Keys are texts that
// stay the same from visit to visit, because pins, zooms and links name them.

import type { MadeCard } from "./view";

export type CardKey = string;

export function keyOfTag(tag: string): CardKey {
  return `tag:${tag}`;
}

export function keyOfMade(card: MadeCard): CardKey {
  return `made:${card.id}`;
}

export type Card = {
  readonly key: CardKey;
  readonly title: string;
  readonly tags: readonly string[];
  readonly made: MadeCard | null;
};

/** The card of a key as far as the board has it; null for a tag that is not there (yet). */
export function cardOf(
  key: CardKey,
  tags: readonly string[],
  known: ReadonlySet<string>,
  made: readonly MadeCard[],
): Card | null {
  if (key.startsWith("tag:")) {
    const tag = key.slice("tag:".length);
    return known.has(tag) ? { key, title: tag, tags: [tag], made: null } : null;
  }
  const found = made.find((card) => keyOfMade(card) === key);
  return found === undefined ? null : { key, title: found.title, tags: tagsOf(found, tags), made: found };
}

/** The tags a made card shows now: those named, and all that match its pattern. */
export function tagsOf(card: MadeCard, tags: readonly string[]): readonly string[] {
  if (card.pattern === "") return card.tags;
  let pattern: RegExp;
  try {
    pattern = new RegExp(card.pattern, "i");
  } catch {
    return card.tags;
  }
  return [...new Set([...card.tags, ...tags.filter((tag) => pattern.test(tag))])];
}
