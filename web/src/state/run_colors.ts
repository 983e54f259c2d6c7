// Colors of runs: selected in this view, stored in annotations, or by rule: the slot that the server gave to the run, the
// rank of its group, or the value of an hparam. The same run has the same color everywhere.

import { computed } from "@preact/signals";
import { GREY, RUN_COLORS, SAFE, sequential, TENSORBOARD, type Theme } from "../base/color";
import { annotations } from "./annotations";
import { hparams, hparamValue } from "./run_columns";
import { slotOfRun, startRank } from "./run_facts";
import { type Grouper, grouper, grouperOf } from "./run_groups";
import { theme } from "./theme";
import { member } from "./view";

const colorBy = member("colorBy");
const palette = member("palette");
const colors = member("colors");
const dashes = member("dashes");

type Key = (run: string) => string | null;

/** Returns the key that runs of one color share; undefined: each run has its own color. */
const sharedKey = computed<Key | undefined>(() => {
  if (colorBy.value !== "run") return grouperOf(colorBy.value) ?? undefined;
  const by = grouper.value;
  return by === null ? undefined : (run) => by(run) ?? run;
});

/** Range of the hparam that defines the colors; null if it is not a number. */
const scale = computed<{
  readonly name: string;
  readonly lo: number;
  readonly hi: number;
  readonly log: boolean;
} | null>(() => {
  if (!colorBy.value.startsWith("hparam:")) return null;
  const name = colorBy.value.slice("hparam:".length);
  const known = hparams.value;
  if (known === null || known.kinds[known.names.indexOf(name)] !== "number") return null;
  const numbers = (known.columns[name] ?? []).filter((one): one is number => typeof one === "number");
  const lo = numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const hi = numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  // values that span decades, such as learning rates, are spaced logarithmically
  return { name, lo, hi, log: lo > 0 && hi / lo >= 50 };
});

/** Returns the position of a run's value on the color scale, 0 to 1; null if it has no number. */
function shareOf(run: string): number | null {
  const by = scale.value;
  const value = by === null ? null : hparamValue(run, by.name);
  if (by === null || typeof value !== "number" || !Number.isFinite(value)) return null;
  if (by.hi === by.lo) return 0.5;
  const [at, lo, hi] = by.log ? [Math.log(value), Math.log(by.lo), Math.log(by.hi)] : [value, by.lo, by.hi];
  return (at - lo) / (hi - lo);
}

/** Index in the palette. Runs: their slot or, in short palettes, their rank by start. Groups: by their first start. */
const ranks = computed<ReadonlyMap<string, number>>(() => {
  const key = sharedKey.value;
  if (key === undefined) return palette.value === "vivid" ? slotOfRun.value : startRank.value;
  const found = new Map<string, number>();
  for (const run of startRank.value.keys()) {
    const one = key(run);
    if (one !== null && !found.has(one)) found.set(one, found.size);
  }
  return found;
});

const PALETTE_COLORS = { vivid: RUN_COLORS, safe: SAFE, tensorboard: TENSORBOARD };

function paletteOf(onTheme: Theme): readonly string[] {
  return PALETTE_COLORS[palette.value][onTheme];
}

function colorByRule(run: string, onTheme: Theme): string {
  if (scale.value !== null) {
    const share = shareOf(run);
    return share === null ? GREY[onTheme] : sequential(share, onTheme);
  }
  const key = sharedKey.value === undefined ? run : sharedKey.value(run);
  if (key === null) return GREY[onTheme];
  return colorOfKey(key, onTheme);
}

function colorOfKey(key: string, onTheme: Theme): string {
  const colors = paletteOf(onTheme);
  return colors[(ranks.value.get(key) ?? 0) % colors.length] ?? GREY[onTheme];
}

const keptColors = computed<ReadonlyMap<string, string>>(
  () =>
    new Map(Object.entries(annotations.value.runs).flatMap(([run, said]) => (said.color ? [[run, said.color]] : []))),
);

/** Results are cached: a chart needs hundreds of colors at every draw. */
export const colorOf = computed<(run: string) => string>(() => {
  const onTheme = theme.value;
  const [chosen, kept] = [colors.value, keptColors.value];
  // read here as dependencies: a change of them must clear the cache
  void [colorBy.value, palette.value, sharedKey.value, scale.value, hparams.value, ranks.value];
  const known = new Map<string, string>();
  return (run) => {
    let color = known.get(run);
    if (color === undefined) {
      color = chosen[run] ?? kept.get(run) ?? colorByRule(run, onTheme);
      known.set(run, color);
    }
    return color;
  };
});

/** The color of a group of `view.group`, the same as that of its runs. */
export const colorOfGroup = computed<(label: string) => string>(() => {
  const onTheme = theme.value;
  void [palette.value, ranks.value]; // dependencies
  return (label) => colorOfKey(label, onTheme);
});

export const DASHES = 4;

/** The dash pattern that distinguishes a run from others of its color: 0 is solid. Only needed if a palette repeats. */
export const dashOf = computed<(run: string) => number>(() => {
  if (!dashes.value || palette.value !== "safe" || scale.value !== null) return () => 0;
  const length = SAFE[theme.value].length;
  const [rank, key, chosen, kept] = [ranks.value, sharedKey.value, colors.value, keptColors.value];
  return (run) => {
    if (chosen[run] !== undefined || kept.has(run)) return 0;
    const at = rank.get((key === undefined ? run : key(run)) ?? "") ?? 0;
    return Math.floor(at / length) % DASHES;
  };
});

/** Colors that the color picker offers. */
export const swatches = computed<readonly string[]>(() => {
  const onTheme = theme.value;
  return [...new Set([...RUN_COLORS[onTheme].slice(0, 12), ...SAFE[onTheme]])];
});

export type { Grouper };
