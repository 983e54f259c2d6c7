// Computes the input of a drawing from the displayed scene, the theme and the choices of the user.

import { computed, signal } from "@preact/signals";
import { chartColors } from "../../cards/chart_colors";
import * as graphsWords from "../../state/texts/graphs";
import { theme } from "../../state/theme";
import { grouped, member, spoken } from "../../state/view";
import { fillerOf, type Palette, paletteOf } from "./colors";
import type { Drawing, Sight } from "./drawing";
import { LEAF } from "./model/hierarchy";
import { OPEN } from "./model/scene";
import { shown } from "./session";

const colorBy = member("graphsColor");
const trace = member("graphsTrace");

/** The box under the pointer; -1: none. */
export const hovered = signal(-1);

export const palette = computed<Palette>(() => paletteOf(theme.value, chartColors.value));

const FONT = "system-ui, sans-serif";

// separate signals: these objects stay the same while only the selection changes
const scene = computed(() => shown.value?.scene ?? null);
const index = computed(() => shown.value?.index ?? null);
const paint = computed(() => shown.value?.paint ?? null);

type Unmarked = Omit<Drawing, "sight" | "hovered">;

/** The drawing without a selection, for the minimap. */
export const unmarked = computed<Unmarked | null>(() => {
  const [what, lines, values] = [scene.value, index.value, paint.value];
  if (what === null || lines === null || values === null) return null;
  const words = spoken(graphsWords);
  const isLeaf = (box: number): boolean => what.type[box] === LEAF;
  const isClosed = (box: number): boolean => ((what.flags[box] ?? 0) & OPEN) === 0;
  return {
    scene: what,
    index: lines,
    palette: palette.value,
    filler: fillerOf(colorBy.value, values, theme.value, palette.value, isLeaf, isClosed),
    font: FONT,
    words: {
      nodes: (count) => words.nodeCount(grouped(count)),
      tensors: words.tensors,
      library: words.library,
    },
    chosenBox: -1,
    chosenDot: -1,
    linesIn: NONE,
    linesOut: NONE,
    bright: null,
  };
});

const NONE: ReadonlySet<number> = new Set();

/** The drawing without the camera; null while there is nothing to draw. */
export const drawn = computed<Unmarked | null>(() => {
  const now = shown.value;
  const plain = unmarked.value;
  if (now === null || plain === null || now.scene !== plain.scene) return null;
  const { focus, chosenBox, chosenDot } = now;
  return {
    ...plain,
    chosenBox,
    chosenDot,
    linesIn: new Set(focus?.linesIn ?? []),
    linesOut: new Set(focus?.linesOut ?? []),
    bright: trace.value && focus !== null ? new Set([...focus.boxes, chosenBox]) : null,
  };
});

export function wholeSight(width: number, height: number, marginPx: number): Sight {
  return { x: -marginPx, y: -marginPx, w: width + 2 * marginPx, h: height + 2 * marginPx, scale: 1 };
}
