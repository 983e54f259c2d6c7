// Finds runs that differ only in their random seed, by their names or by their hparams, so that the page can offer to
// group them. Pure functions; the page decides when to offer.

import { grouperOf, groupRuns } from "./run_groups";

/** How to group (`view.group`), and what the groups would be. */
export type SeedGroups = {
  readonly by: string;
  readonly groups: number;
  /** Runs in the largest group. */
  readonly seeds: number;
  /** All groups have the same number of runs. */
  readonly even: boolean;
};

// a word of its own: "seed=1", "seed_1", "s1", not the end of "units=32" or "loss2"
const SEED = "(?:seed|s)[_=-]?\\d+";
const GAP = "[_\\-/., ]";

/** Patterns for a seed at the end, at the start and in the middle of a name; the last seed of a name counts. */
export const SEED_PATTERNS: readonly string[] = [
  `^(.*)${GAP}${SEED}$`,
  `^${SEED}${GAP}(.*)$`,
  `^(.*)${GAP}${SEED}${GAP}(.*)$`,
];

const MANY_RUNS = 20_000;
const LEAST_RUNS = 2;

/** Returns the pattern that puts most runs into groups of several seeds; null if names have no seeds. */
export function seedsInNames(runs: readonly string[]): SeedGroups | null {
  if (runs.length > MANY_RUNS) return null;
  return best(SEED_PATTERNS.map((pattern) => tried(runs, `regex:${pattern}`)));
}

/** Returns names of hparams that are seeds: "seed", "random_seed", "train.seed". */
export function seedHparams(names: readonly string[]): readonly string[] {
  return names.filter((name) => /(^|[^a-z])seed$/i.test(name));
}

/** Returns how to group by all other hparams; null if none of them is a seed, or nothing else differs. */
export function seedsInHparams(
  runs: readonly string[],
  names: readonly string[],
  differing: readonly string[],
): SeedGroups | null {
  const seeds = new Set(seedHparams(names));
  const by = groupByAllBut(differing, seeds);
  return seeds.size === 0 || by === null ? null : best([tried(runs, by)]);
}

/** Returns the key to group by all differing hparams except some; null if none is left. */
export function groupByAllBut(differing: readonly string[], but: ReadonlySet<string>): string | null {
  // names in a key are separated by commas
  const others = differing.filter((name) => !but.has(name) && !name.includes(","));
  return others.length === 0 ? null : `hparam:${others.join(",")}`;
}

type Tried = SeedGroups & { readonly repeated: number; readonly matched: number };

function tried(runs: readonly string[], by: string): Tried | null {
  const grouper = grouperOf(by);
  if (grouper === null) return null;
  const { groups } = groupRuns(runs, grouper);
  const sizes = groups.map((group) => group.runs.length);
  const seeds = sizes.reduce((most, size) => Math.max(most, size), 0);
  const matched = sizes.reduce((sum, size) => sum + size, 0);
  const repeated = sizes.reduce((sum, size) => sum + (size > 1 ? size : 0), 0);
  return { by, groups: groups.length, seeds, even: sizes.every((size) => size === seeds), repeated, matched };
}

/** Groups are worth an offer if most of their runs have a sibling. */
function best(found: readonly (Tried | null)[]): SeedGroups | null {
  let most: Tried | null = null;
  for (const one of found) {
    if (one === null || one.seeds < LEAST_RUNS || one.repeated * 2 < one.matched) continue;
    if (most === null || one.repeated > most.repeated) most = one;
  }
  if (most === null) return null;
  const { by, groups, seeds, even } = most;
  return { by, groups, seeds, even };
}
