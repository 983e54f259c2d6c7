// Pure parts of the pages of jobs: diffs, labels, reasons, commands, figures.

import { expect, test } from "vitest";
import type { Job } from "../api/jobs";
import { chooseLanguageFor } from "../preferences";
import { parseDiff } from "./diff";
import { pathOf } from "./figure_list";
import { figureName, figureText, shortFigures, sortedFigures } from "./figures";
import { queryOf } from "./job_list";
import { commandText } from "./job_row";
import { reasonText } from "./job_status";
import { commonLabels, isLabel, proposedLabel } from "./labels";

const DIFF = `diff --git a/train.py b/train.py
index 1..2 100644
--- a/train.py
+++ b/train.py
@@ -1,3 +1,3 @@ def main():
 same
-old
+new
+--- not a head
diff --git a/data/图 1.csv b/data/图 1.csv
new file mode 100644
Binary files /dev/null and b/data/图 1.csv differ
`;

test("a diff has files, with counts of lines", () => {
  const files = parseDiff(DIFF);
  expect(files.map(({ name, added, removed }) => [name, added, removed])).toEqual([
    ["train.py", 2, 1],
    ["data/图 1.csv", 0, 0],
  ]);
  expect(files[0]?.lines.map(({ kind }) => kind)).toEqual(["place", "same", "removed", "added", "added"]);
});

test("a text that is not a diff is shown as it is, and an empty one is nothing", () => {
  expect(parseDiff("hello\n")).toEqual([{ name: "", lines: [{ kind: "place", text: "hello" }], added: 0, removed: 0 }]);
  expect(parseDiff("")).toEqual([]);
});

test("labels that all jobs share can name a board over them", () => {
  const jobs = [
    { name: "lr sweep-1", labels: { team: "a", lr: "1" } },
    { name: "lr sweep-2", labels: { team: "a", lr: "2" } },
  ];
  expect(commonLabels(jobs)).toEqual(["team=a"]);
  expect(commonLabels([])).toEqual([]);
  expect(proposedLabel(jobs)).toEqual({ name: "group", value: "lr sweep" });
  expect(proposedLabel([{ name: "a,b=c", labels: {} }]).value).toBe("a b c");
  expect(["a", "批次 1", "", "a=b", "a,b", " "].map(isLabel)).toEqual([true, true, false, false, false, false]);
});

test("the end of a job is said in words", () => {
  chooseLanguageFor("en");
  const job = (more: Partial<Job>): Job =>
    ({ state: "Failed", reason: "", exit_code: null, signal: "", stop_by: "", ...more }) as Job;
  expect(reasonText(job({ reason: "ExitCode", exit_code: 2 }))).toBe("exit code 2");
  expect(reasonText(job({ reason: "Signal", signal: "SIGKILL" }))).toBe("SIGKILL: killed");
  expect(reasonText(job({ reason: "Signal", signal: "SIGUSR1" }))).toBe("SIGUSR1");
  expect(reasonText(job({ state: "Stopped", reason: "StopRequested", stop_by: "ann" }))).toBe("by ann");
  expect(reasonText(job({ state: "Lost", reason: "HeartbeatLost" }))).toBe("no reports");
  expect(reasonText(job({ state: "Succeeded" }))).toBe("");
});

test("a command is written as a shell would read it", () => {
  expect(commandText(["python", "-m", "train", "--name=a b", "it's"])).toBe(`python -m train '--name=a b' 'it'"'"'s'`);
  expect(commandText([""])).toBe("''");
  expect(commandText([])).toBe("");
});

test("figures are sorted and have units", () => {
  const figures = {
    gpu1_utilization_percent: 3,
    job_memory_mb: 1200,
    job_cpu_percent: 93.4,
    gpu0_memory_used_mb: 500,
    gpu0_memory_total_mb: 24_000,
    cpu_percent: 12,
  };
  expect(sortedFigures(figures).map(([key]) => key)).toEqual([
    "job_cpu_percent",
    "job_memory_mb",
    "gpu0_memory_used_mb",
    "gpu1_utilization_percent",
    "cpu_percent",
  ]);
  expect(shortFigures(figures)).toBe("93 % · 1.2 GB");
  expect(figureName("gpu0_memory_used_mb")).toBe("GPU 0 memory");
  expect(figureName("odd_thing")).toBe("odd thing");
  expect(figureText("gpu0_memory_used_mb", 500, figures)).toBe("0.5 of 24 GB");
  expect(figureText("disk_read_mb_per_sec", 1.5)).toBe("1.5 MB/s");
  expect(figureText("gpu0_temperature_celsius", 71.2)).toBe("71 °C");
  expect(figureText("x", Number.NaN)).toBe("NaN");
});

test("a small chart needs two values and draws equal ones in the middle", () => {
  expect(pathOf([1], false)).toBe("");
  expect(pathOf([5, 5], false)).toBe("M0.0 15.0 L100.0 15.0");
  expect(pathOf([0, 100], true)).toBe("M0.0 28.0 L100.0 2.0");
});

test("filters of the address become the query of the hub", () => {
  expect(queryOf({ state: "active", mine: "1", label: "team=a" }, "ann")).toEqual({
    q: "",
    state: "Running,Stopping,Lost",
    workspace: "",
    user: "ann",
    label: "team=a",
    sort: "-created",
  });
});
