// What the reader chose in the palette: entries that were chosen lately and often come first.

export type Chosen = { readonly key: string; readonly count: number };

const MEMORY = "lightboard.palette";
const MOST_REMEMBERED = 50;

/** Returns the list after a choice: the newest first. */
export function afterChoice(list: readonly Chosen[], key: string): readonly Chosen[] {
  const count = list.find((one) => one.key === key)?.count ?? 0;
  return [{ key, count: count + 1 }, ...list.filter((one) => one.key !== key)].slice(0, MOST_REMEMBERED);
}

/** Returns keys with the most useful first: each choice counts as much as being one place nearer to the newest. */
export function ranked(list: readonly Chosen[]): readonly string[] {
  const scored = list.map(({ key, count }, place) => ({ key, score: count - place }));
  return scored.sort((a, b) => b.score - a.score).map(({ key }) => key);
}

export function recallChoices(): readonly Chosen[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(MEMORY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isChosen) : [];
  } catch {
    return [];
  }
}

function isChosen(one: unknown): one is Chosen {
  const given = one as Partial<Chosen> | null;
  return typeof given?.key === "string" && typeof given.count === "number";
}

export function rememberChoice(key: string): void {
  try {
    localStorage.setItem(MEMORY, JSON.stringify(afterChoice(recallChoices(), key)));
  } catch {
    // no access to storage: nothing is remembered
  }
}
