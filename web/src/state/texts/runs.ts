// Words of the run list, the runs table, the page of a run and the comparison.

export const english = {
  runs: "Runs",
  filterRuns: "Filter runs (regex)",
  states: { running: "running", idle: "idle", finished: "finished", empty: "empty", crashed: "crashed" },
};

export type Texts = typeof english;

export const chinese: Texts = {
  runs: "运行",
  filterRuns: "筛选运行（正则表达式）",
  states: { running: "运行中", idle: "空闲", finished: "已结束", empty: "空", crashed: "已崩溃" },
};
