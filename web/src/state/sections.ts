// Sorts tags into sections: by their first prefix, with sub-headings for deeper prefixes, or by everything before the
// last slash. All functions are pure; state/cards.ts applies them to the board.

/** Cards below one heading. */
export type Block = {
  /** Full path of the sub-heading; the section's name for the block directly below its heading. */
  readonly path: string;
  /** Text of the sub-heading; "" for the block directly below the section's heading. */
  readonly title: string;
  /** 0 for the section itself. */
  readonly depth: number;
  readonly tags: readonly string[];
  /** Number of cards here and in the blocks below. */
  readonly count: number;
};

export type TagSection = {
  /** "" for tags without prefix. */
  readonly name: string;
  /** In page order; each block is followed by its deeper ones. */
  readonly blocks: readonly Block[];
  readonly count: number;
};

export type SectionBy = "first" | "last";

export function sectionOf(tag: string, by: SectionBy): string {
  const cut = by === "first" ? tag.indexOf("/") : tag.lastIndexOf("/");
  return cut <= 0 ? "" : tag.slice(0, cut);
}

/** Metrics of the machine, as `lightboard.init` logs them. */
const SYSTEM = /^system(?:\/|$)/;

/** `tags` are in natural order. Tags without prefix are the first section, metrics of the machine the last. */
export function sectionsOf(tags: readonly string[], by: SectionBy): readonly TagSection[] {
  const groups = new Map<string, string[]>();
  for (const tag of tags) {
    const name = sectionOf(tag, by);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [tag]);
    else group.push(tag);
  }
  const place = (name: string): number => (name === "" ? 0 : SYSTEM.test(name) ? 2 : 1);
  const ordered = [...groups].sort(([one], [other]) => place(one) - place(other));
  return ordered.map(([name, group]) => sectionFrom(name, group, by));
}

function sectionFrom(name: string, tags: readonly string[], by: SectionBy): TagSection {
  const flat = { path: name, title: "", depth: 0, tags, count: tags.length };
  const nested = by === "first" && name !== "" && tags.some((tag) => tag.indexOf("/", name.length + 1) !== -1);
  return { name, blocks: nested ? blocksOf(name, tags) : [flat], count: tags.length };
}

const WORTH_A_HEADING = 3;

type Folder = { readonly tags: string[]; readonly folders: Map<string, Folder>; count: number };

function newFolder(): Folder {
  return { tags: [], folders: new Map(), count: 0 };
}

function blocksOf(name: string, tags: readonly string[]): readonly Block[] {
  const top = newFolder();
  for (const tag of tags) {
    let folder = top;
    folder.count++;
    let start = name.length + 1;
    for (let cut = tag.indexOf("/", start); cut !== -1; cut = tag.indexOf("/", start)) {
      const word = tag.slice(start, cut);
      let inner = folder.folders.get(word);
      if (inner === undefined) {
        inner = newFolder();
        folder.folders.set(word, inner);
      }
      inner.count++;
      folder = inner;
      start = cut + 1;
    }
    folder.tags.push(tag);
  }
  const blocks: Block[] = [];
  pushBlocks(blocks, top, { path: name, title: "", depth: 0 });
  return blocks;
}

function pushBlocks(
  blocks: Block[],
  folder: Folder,
  place: { readonly path: string; readonly title: string; readonly depth: number },
): void {
  const { path, title, depth } = place;
  const own: string[] = [...folder.tags];
  const deeper: [string, Folder][] = [];
  for (const [word, inner] of folder.folders) {
    // a sub-heading takes a row: for so few cards longer titles are better
    if (inner.count < WORTH_A_HEADING) own.push(...tagsBelow(inner));
    else deeper.push([word, inner]);
  }
  // folders that contain only one folder are shown as one heading: "a/b/c"
  const [only] = deeper;
  if (depth > 0 && own.length === 0 && deeper.length === 1 && only !== undefined) {
    pushBlocks(blocks, only[1], { path: `${path}/${only[0]}`, title: `${title}/${only[0]}`, depth });
    return;
  }
  blocks.push({ path, title, depth, tags: own, count: folder.count });
  for (const [word, inner] of deeper) {
    pushBlocks(blocks, inner, { path: `${path}/${word}`, title: word, depth: depth + 1 });
  }
}

function tagsBelow(folder: Folder): readonly string[] {
  return [...folder.tags, ...[...folder.folders.values()].flatMap(tagsBelow)];
}

/** Splits a tag for the title of its card: the part that the headings above already show, and the rest. */
export function splitTitle(tag: string, above: string): { readonly prefix: string; readonly rest: string } {
  if (above !== "" && tag.startsWith(`${above}/`) && tag.length > above.length + 1) {
    return { prefix: tag.slice(0, above.length + 1), rest: tag.slice(above.length + 1) };
  }
  return { prefix: "", rest: tag };
}
