// The state of a job: a sign, the word, and the reason. The color is never the only sign.

import type { JSX } from "preact";
import { Icon } from "../../widgets/icons";
import type { Job, JobState } from "../api/jobs";
import { spoken } from "../preferences";
import "../parts/status.css";
import * as area from "../texts/jobs";

/** Jobs that a runner may still report about. */
export const OPEN: ReadonlySet<JobState> = new Set(["Running", "Stopping", "Lost"]);

/** Why a job has ended or is being stopped, in a few words; empty if there is nothing to say. */
export function reasonText({ state, reason, exit_code, signal, stop_by }: Job): string {
  const words = spoken(area);
  const { reason: text } = words;
  if (state === "Stopped" || state === "Stopping") return stop_by === "" ? "" : text.stoppedBy(stop_by);
  switch (reason) {
    case "ExitCode":
      return text.exitCode(String(exit_code ?? ""));
    case "Signal":
      return text.signal(signal, words.signals[signal] ?? "");
    case "OutOfMemory":
      return text.outOfMemory;
    case "NotStarted":
      return text.notStarted;
    case "HeartbeatLost":
      return text.lost;
    case "RunnerEnded":
      return text.runnerEnded;
    default:
      return "";
  }
}

export function JobStatus({ job }: { readonly job: Job }): JSX.Element {
  const word = spoken(area).state[job.state] ?? job.state;
  const reason = reasonText(job);
  return (
    <span class={`status status--${job.state.toLowerCase()}`} title={[word, reason].filter(Boolean).join(" · ")}>
      {job.state === "Succeeded" ? (
        <span class="status__icon">
          <Icon name="check" />
        </span>
      ) : (
        <span class="status__dot" />
      )}
      <span class="status__word">{word}</span>
      {reason !== "" && <span class="status__reason">{reason}</span>}
    </span>
  );
}
