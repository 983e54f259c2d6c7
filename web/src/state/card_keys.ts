// Keys of the cards of a kind: KIND|TAG|RUN, its parts escaped, the same from visit to visit. Addresses name them.

export type KindCard = {
  readonly key: string;
  readonly kind: string;
  readonly tag: string;
  /** "" where one card shows all runs of a tag; so is the run of logs that lie right in the log directory. */
  readonly run: string;
};

export function kindCard(kind: string, tag: string, run: string): KindCard {
  return { key: `${kind}|${writePart(tag)}|${writePart(run)}`, kind, tag, run };
}

/** Null for a key of something else. */
export function parseCardKey(key: string): KindCard | null {
  const [kind, tag, run, ...rest] = key.split("|");
  if (kind === undefined || tag === undefined || run === undefined || rest.length > 0) return null;
  try {
    return { key, kind, tag: readPart(tag), run: readPart(run) };
  } catch {
    return null;
  }
}

// names may hold bytes that were not UTF-8, as lone surrogates, which encodeURIComponent refuses
function writePart(name: string): string {
  return name.replace(/[%|]/g, encodeURIComponent);
}

function readPart(text: string): string {
  return text.replace(/(?:%[0-9A-F]{2})+/gi, decodeURIComponent);
}
