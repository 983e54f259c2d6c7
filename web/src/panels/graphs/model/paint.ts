// Values to color boxes by: equal structure, devices, XLA clusters, time, memory, TPU compatibility. The page, which
// knows the theme, maps them to colors.

import type { Hierarchy } from "./hierarchy";
import { LEAF, NAMESPACE, SERIES } from "./hierarchy";
import type { Scene } from "./scene";
import { TPU_CODES, tpuCodes } from "./tpu";

/** Shares of codes in each box: code, share, code, share … of box i in [at[i], at[i + 1]), largest first. */
export type Mixes = { readonly at: Uint32Array; readonly mix: Float32Array };
type Mix = readonly number[];

export type Paint = {
  /** Number of the structure, from 0; -1 if no other box has the same. */
  readonly structure: Int32Array;
  /** Null: no node has one. */
  readonly device: Mixes | null;
  readonly cluster: Mixes | null;
  /** Codes of tpu.ts; null: the operations are not from TensorFlow. */
  readonly tpu: Mixes | null;
  /** Sums over the nodes of a box; NaN if none was measured. */
  readonly micros: Float64Array;
  readonly bytes: Float64Array;
};

export type Stats = {
  /** By node; NaN if it was not measured. */
  readonly micros: Float64Array;
  readonly bytes: Float64Array;
  /** Index into `devices`: where each node ran. */
  readonly device: Int32Array;
  readonly devices: readonly string[];
};

const MOST_SHARES = 6;

export type Painter = (scene: Scene, stats: Stats | null, without: ReadonlySet<string>) => Paint;

export function newPainter(hierarchy: Hierarchy): Painter {
  const { columns, type, shape, size } = hierarchy;
  const often = new Map<number, number>();
  for (let i = hierarchy.leaves; i < size; i++) {
    if (type[i] === NAMESPACE || type[i] === SERIES) often.set(shape[i] ?? 0, (often.get(shape[i] ?? 0) ?? 0) + 1);
  }
  const alike = [...often].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const numbers = new Map(alike.map(([one], i) => [one, i]));
  const mixer = (codes: ArrayLike<number>, names: readonly string[]): ((item: number) => Mix) => {
    const kept = new Map<number, Mix>();
    return (item) => {
      const made = kept.get(item) ?? shares(hierarchy, item, codes, names);
      kept.set(item, made);
      return made;
    };
  };
  const onDevices = mixer(columns.device, columns.devices);
  const inClusters = mixer(columns.cluster, columns.clusters);
  const codes = tpuCodes(columns);
  const onTpus = codes === null ? null : mixer(codes, TPU_CODES);
  let sums: { readonly key: unknown; readonly without: string; micros: Float64Array; bytes: Float64Array } | null =
    null;
  return (scene, stats, without) => {
    const items = Array.from(scene.item);
    const key = [...without].join("\n");
    if (stats !== null && (sums?.key !== stats || sums.without !== key)) {
      sums = { key: stats, without: key, ...sumUp(hierarchy, stats, without) };
    }
    const over = (totals: Float64Array | undefined): Float64Array =>
      Float64Array.from(items, (item) => {
        if (stats === null || totals === undefined) return Number.NaN;
        return (totals[hierarchy.high[item] ?? 0] ?? 0) - (totals[hierarchy.low[item] ?? 0] ?? 0) || Number.NaN;
      });
    return {
      structure: Int32Array.from(items, (item) => (type[item] === LEAF ? -1 : (numbers.get(shape[item] ?? 0) ?? -1))),
      device: flat(columns.devices, items, onDevices),
      cluster: flat(columns.clusters, items, inClusters),
      tpu: onTpus === null ? null : flat(TPU_CODES, items, onTpus),
      micros: over(sums?.micros),
      bytes: over(sums?.bytes),
    };
  };
}

function flat(names: readonly string[], items: readonly number[], mixOf: (item: number) => Mix): Mixes | null {
  if (names.every((name) => name === "")) return null;
  const at = new Uint32Array(items.length + 1);
  const mix: number[] = [];
  items.forEach((item, i) => {
    for (const one of mixOf(item)) mix.push(one);
    at[i + 1] = mix.length;
  });
  return { at, mix: Float32Array.from(mix) };
}

function shares(
  { low, high, byPlace }: Hierarchy,
  item: number,
  codes: ArrayLike<number>,
  names: readonly string[],
): Mix {
  const counts = new Map<number, number>();
  const [from, to] = [low[item] ?? 0, high[item] ?? 0];
  for (let p = from; p < to; p++) {
    const own = codes[byPlace[p] ?? 0] ?? -1;
    // an empty device name means no device
    const code = (names[own] ?? "") === "" ? -1 : own;
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_SHARES)
    .flatMap(([code, count]) => [code, count / (to - from)]);
}

/** Returns prefix sums in the order of `place`, so that the sum of any item is a difference. */
function sumUp(
  { leaves, byPlace }: Hierarchy,
  stats: Stats,
  without: ReadonlySet<string>,
): { micros: Float64Array; bytes: Float64Array } {
  const micros = new Float64Array(leaves + 1);
  const bytes = new Float64Array(leaves + 1);
  for (let p = 0; p < leaves; p++) {
    const leaf = byPlace[p] ?? 0;
    const counts = !without.has(stats.devices[stats.device[leaf] ?? -1] ?? "");
    const time = stats.micros[leaf] ?? Number.NaN;
    const memory = stats.bytes[leaf] ?? Number.NaN;
    micros[p + 1] = (micros[p] ?? 0) + (counts && time > 0 ? time : 0);
    bytes[p + 1] = (bytes[p] ?? 0) + (counts && memory > 0 ? memory : 0);
  }
  return { micros, bytes };
}
