// Below the title of a job that failed, is lost or is being stopped: what happened, and where to look.

import type { JSX } from "preact";
import type { Job } from "../api/jobs";
import { upperFirst } from "../explained";
import { agoText, isoText, spoken } from "../preferences";
import { address, link } from "../router";
import * as area from "../texts/job";
import * as jobsArea from "../texts/jobs";

export function StateBox({ job }: { readonly job: Job }): JSX.Element | null {
  if (job.state === "Failed") return <Failed job={job} />;
  const words = spoken(area);
  if (job.state === "Lost")
    return (
      <div class="job-box job-box--warn" role="status">
        <span title={isoText(job.last_report)}>{words.lostText(agoText(job.last_report))}</span>
      </div>
    );
  if (job.state === "Stopping" && job.stop_by !== "")
    return (
      <div class="job-box job-box--stopping" role="status">
        <span title={isoText(job.stop_requested)}>{words.stoppingText(job.stop_by, agoText(job.stop_requested))}</span>
      </div>
    );
  return null;
}

function Failed({ job }: { readonly job: Job }): JSX.Element {
  const words = spoken(area);
  const hint = hintOf(job);
  return (
    <div class="job-box job-box--bad" data-testid="failed">
      <div class="job-box__text">
        <strong>{titleOf(job)}</strong>
        {hint !== "" && <span>{hint}</span>}
        {job.message !== "" && <span class="panel__quiet">{upperFirst(job.message)}</span>}
      </div>
      {job.may.includes("logs") && address.value.query.tab !== "log" && (
        <a href={link(["jobs", job.id], { tab: "log" })}>{words.seeLog}</a>
      )}
    </div>
  );
}

function titleOf({ reason, exit_code, signal }: Job): string {
  const { failedTitle } = spoken(area);
  if (reason === "Signal") return failedTitle.signal(signal);
  if (reason === "OutOfMemory") return failedTitle.outOfMemory;
  if (reason === "NotStarted") return failedTitle.notStarted;
  if (reason === "RunnerEnded") return failedTitle.runnerEnded;
  return failedTitle.exitCode(String(exit_code ?? "?"));
}

function hintOf({ reason, exit_code, signal }: Job): string {
  if (reason === "Signal") {
    const meaning = spoken(jobsArea).signals[signal] ?? "";
    return meaning === "" ? "" : upperFirst(meaning);
  }
  return reason === "ExitCode" ? (spoken(area).exitHint[String(exit_code)] ?? "") : "";
}
