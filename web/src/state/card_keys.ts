// Keys of the cards of a kind: KIND|TAG|RUN, with escaped parts. Keys never change, because URLs contain them.

export type KindCard = {
  readonly key: string;
  readonly kind: string;
  readonly tag: string;
  /** "" if one card shows all runs of a tag; the run of the log directory itself is also "". */
  readonly run: string;
};

export function kindCard(kind: string, tag: string, run: string): KindCard {
  return { key: `${kind}|${writePart(tag)}|${writePart(run)}`, kind, tag, run };
}

/** Returns null if the key is not of this form. */
export function parseCardKey(key: string): KindCard | null {
  const [kind, tag, run, ...rest] = key.split("|");
  if (kind === undefined || tag === undefined || run === undefined || rest.length > 0) return null;
  try {
    return { key, kind, tag: readPart(tag), run: readPart(run) };
  } catch {
    return null;
  }
}

// not encodeURIComponent for the whole name: it throws on lone surrogates (bytes that were not UTF-8)
function writePart(name: string): string {
  return name.replace(/[%|]/g, encodeURIComponent);
}

function readPart(text: string): string {
  return text.replace(/(?:%[0-9A-F]{2})+/gi, decodeURIComponent);
}
