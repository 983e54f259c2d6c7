// A mesh has up to three tags: NAME_VERTEX, NAME_FACE and NAME_COLOR. It has one card, that of its vertices.

const PART = /_(VERTEX|FACE|COLOR)$/;

export function meshName(tag: string): string {
  const name = tag.replace(PART, "");
  return name === "" ? tag : name;
}

/** Returns the tags without those that are drawn on the card of their vertices. */
export function withVertices(tags: readonly string[]): readonly string[] {
  const all = new Set(tags);
  return tags.filter((tag) => tag.endsWith("_VERTEX") || !PART.test(tag) || !all.has(`${meshName(tag)}_VERTEX`));
}
