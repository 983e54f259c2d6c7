// Data in the log directory that no page shows, such as profiles: what they are, and how many runs have them.

import { board } from "../state/board";
import { texts } from "../state/view";
import type { MenuItem } from "../widgets/menu";

/** One sentence per kind: "4 runs have profiles". */
export function unshownTexts(): readonly string[] {
  const words = texts.value.shell.unshown;
  return (board.value?.unshown ?? []).map(({ kind, runs }) => words.runs(runs, words.kinds[kind] ?? kind));
}

export function unshownItems(): readonly MenuItem[] {
  const words = texts.value.shell.unshown;
  const found = unshownTexts();
  if (found.length === 0) return [];
  return [
    { heading: words.heading },
    ...found.map((label) => ({ label, disabled: true, title: words.why, onSelect: () => {} })),
  ];
}
