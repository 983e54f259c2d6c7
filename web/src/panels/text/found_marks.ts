// Marks on words in texts that are on display, without touching their markup: the browser paints ranges.

const NAME = "text-found";
const MOST_MARKS = 500;

/** Undefined where the words are no pattern, or the browser cannot paint ranges. */
export function patternOf(words: string): RegExp | undefined {
  const literal = words.length > 2 && words.startsWith("/") && words.endsWith("/") ? null : words;
  try {
    return new RegExp(literal === null ? words.slice(1, -1) : literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
  } catch {
    return undefined;
  }
}

/** Marks every find below the element; the answer takes the marks away. */
export function markFinds(element: Element, words: string): (() => void) | undefined {
  const pattern = words === "" ? undefined : patternOf(words);
  if (pattern === undefined || typeof CSS === "undefined" || CSS.highlights === undefined) return undefined;
  const ranges: Range[] = [];
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode() && ranges.length < MOST_MARKS) {
    const node = nodes.currentNode;
    for (const { index, 0: found } of (node.nodeValue ?? "").matchAll(pattern)) {
      if (found === "" || ranges.length >= MOST_MARKS) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + found.length);
      ranges.push(range);
    }
  }
  const all = CSS.highlights.get(NAME) ?? new Highlight();
  CSS.highlights.set(NAME, all);
  for (const range of ranges) all.add(range);
  return () => {
    for (const range of ranges) all.delete(range);
  };
}
