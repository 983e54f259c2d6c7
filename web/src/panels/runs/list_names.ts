// Short names for the rows of the run list, as they fit beside checkbox, color, state and columns.

import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { shortNames } from "../../base/short_names";
import { shownName } from "../../state/annotations";
import { listRows, type Row } from "../../state/run_rows";
import { observeSize } from "../../widgets/observed_size";
import { textPx } from "../../widgets/text_width";

export type ListNames = {
  readonly runs: ReadonlyMap<string, string>;
  readonly branches: ReadonlyMap<string, string>;
};

const FIRST_PX = 160;
// names are not shortened again for each pixel of a drag
const STEP_PX = 8;
// chevron, number of runs, and gaps; labels of branches are bold
const BRANCH_TOOLS_PX = 46;
const BOLD = 1.08;

function labelOf(row: Row): string {
  if (typeof row === "string") return shownName(row);
  if (row.kind !== "run") return row.label;
  const own = shownName(row.run);
  return own === row.run ? row.label : own;
}

const isBranch = (row: Row): boolean => typeof row === "object" && row.kind !== "run";

/** Returns the width of the narrowest element in the list. */
function narrowest(frame: HTMLElement, selector: string): number {
  const names = [...frame.querySelectorAll<HTMLElement>(selector)];
  const px = Math.min(...names.map((name) => name.clientWidth));
  return Number.isFinite(px) ? px - (px % STEP_PX) : FIRST_PX;
}

export function useListNames(frame: RefObject<HTMLElement | null>): ReadonlySignal<ListNames> {
  const widthPx = useSignal(FIRST_PX);
  const branchPx = useSignal(FIRST_PX);
  const measure = (element: HTMLElement): void => {
    widthPx.value = narrowest(element, ".run-row:not(.run-row--branch) .run-row__name");
    branchPx.value = narrowest(element, ".run-row--branch .run-row__name");
  };
  useLayoutEffect(() => (frame.current === null ? undefined : observeSize(frame.current, measure)), []);
  // rows of a tree are indented: deeper rows have less space
  const rows = listRows.value;
  useLayoutEffect(() => {
    if (frame.current !== null) measure(frame.current);
  }, [rows]);
  return useComputed(() => {
    const [runs, branches] = [listRows.value.filter((row) => !isBranch(row)), listRows.value.filter(isBranch)];
    const size = textPx.value;
    return {
      runs: shortNames(runs.map(labelOf), widthPx.value, size),
      branches: shortNames(branches.map(labelOf), branchPx.value - BRANCH_TOOLS_PX, (text) => size(text) * BOLD),
    };
  });
}
