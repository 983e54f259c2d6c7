// Everything a drawing needs, from what is shown, the theme and the reader's choices.

import { computed, signal } from "@preact/signals";
import { formatCount } from "../../base/numbers";
import { chartColors } from "../../cards/chart_colors";
import * as graphsWords from "../../state/texts/graphs";
import { theme } from "../../state/theme";
import { member, spoken } from "../../state/view";
import { fillerOf, type Palette, paletteOf } from "./colors";
import { type Drawing, indexScene, type Sight } from "./drawing";
import { LEAF } from "./model/hierarchy";
import { shown } from "./session";

const colorBy = member("graphsColor");
const trace = member("graphsTrace");

/** The box under the pointer; -1: none. */
export const hovered = signal(-1);

export const palette = computed<Palette>(() => paletteOf(theme.value, chartColors.value));

export const sceneIndex = computed(() => {
  const scene = shown.value?.scene;
  return scene === undefined ? null : indexScene(scene);
});

const FONT = "system-ui, sans-serif";

/** All but where one looks; null while there is nothing to draw. */
export const drawn = computed<Omit<Drawing, "sight" | "hovered"> | null>(() => {
  const now = shown.value;
  const index = sceneIndex.value;
  if (now === null || index === null) return null;
  const { scene, paint, focus, chosenBox, chosenDot } = now;
  const words = spoken(graphsWords);
  const isLeaf = (box: number): boolean => scene.type[box] === LEAF;
  return {
    scene,
    index,
    palette: palette.value,
    filler: fillerOf(colorBy.value, paint, theme.value, palette.value, isLeaf),
    font: FONT,
    words: {
      nodes: (count) => words.nodeCount(formatCount(count)),
      tensors: words.tensors,
      library: words.library,
    },
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
