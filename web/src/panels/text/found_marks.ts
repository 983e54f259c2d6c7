// Highlights search words in displayed texts without changing the DOM: uses the browser's CSS highlight API.

import { compilePattern } from "../../base/pattern";

const NAME = "text-found";
const MOST_MARKS = 500;

type Finds = (text: string) => Iterable<readonly [start: number, end: number]>;

/** Returns undefined if the words are not a valid pattern. */
export function finderOf(words: string): Finds | undefined {
  if (!(words.length > 2 && words.startsWith("/") && words.endsWith("/"))) return (text) => literally(text, words);
  const pattern = compilePattern(words.slice(1, -1));
  return typeof pattern === "string" ? undefined : pattern.finds;
}

function* literally(text: string, words: string): Generator<readonly [number, number]> {
  const [within, wanted] = [lowered(text), lowered(words)];
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + wanted.length))
    yield [at, at + wanted.length];
}

/** Lower case with the same length; only `İ` would become two characters. */
function lowered(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase();
}

/** Highlights all matches inside the element. Returns a function that removes the highlights. */
export function markFinds(element: Element, words: string): (() => void) | undefined {
  const finds = words === "" ? undefined : finderOf(words);
  if (finds === undefined || typeof CSS === "undefined" || CSS.highlights === undefined) return undefined;
  const ranges: Range[] = [];
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode() && ranges.length < MOST_MARKS) {
    const node = nodes.currentNode;
    for (const [start, end] of finds(node.nodeValue ?? "")) {
      if (ranges.length >= MOST_MARKS) break;
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
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
