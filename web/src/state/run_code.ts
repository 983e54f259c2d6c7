// The code of a run, as `lightboard.init` recorded it: commit, branch, and changes that were not committed.

export type RunCode = {
  readonly commit: string;
  readonly branch: string;
  readonly remote: string;
  readonly dirty: boolean;
  /** Output of `git diff HEAD`; empty if there were no changes or they were not recorded. */
  readonly diff: string;
  /** True if only the first part of the diff was recorded. */
  readonly cut: boolean;
};

/** Returns null if the run recorded no commit. */
export function codeOf(metadata: Readonly<Record<string, unknown>>): RunCode | null {
  const { git } = metadata;
  if (typeof git !== "object" || git === null) return null;
  const { commit, branch, remote, dirty, diff, diff_cut } = git as Readonly<Record<string, unknown>>;
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  if (text(commit) === "") return null;
  return {
    commit: text(commit),
    branch: text(branch),
    remote: text(remote),
    dirty: dirty === true,
    diff: text(diff),
    cut: diff_cut === true,
  };
}

/** Counts added and removed lines of a diff. */
export function changedLines(diff: string): { readonly added: number; readonly removed: number } {
  let [added, removed] = [0, 0];
  for (const line of diff.split("\n")) {
    if (line.startsWith("+") && !line.startsWith("+++")) added++;
    else if (line.startsWith("-") && !line.startsWith("---")) removed++;
  }
  return { added, removed };
}
