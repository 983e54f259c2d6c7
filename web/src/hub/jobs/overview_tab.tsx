// Facts about a job: its board, figures of its machine, how it was started, and how to start it again.

import type { JSX } from "preact";
import { Button } from "../../widgets/button";
import type { Job } from "../api/jobs";
import { Status } from "../boards/status";
import { workspaceName } from "../creators";
import { CommandLine } from "../parts/command_line";
import { CopyButton } from "../parts/copy_button";
import { type Fact, Facts, Time } from "../parts/facts";
import { grouped, spoken } from "../preferences";
import { link } from "../router";
import * as area from "../texts/job";
import * as jobsArea from "../texts/jobs";
import { canMakeBoard, makeBoard } from "./commands";
import { Figures } from "./figure_list";
import type { TabProperties } from "./job_page";
import { commandText, Duration, Labels } from "./job_row";
import { LogTail } from "./log_tail";

export function Overview({ job, one }: TabProperties): JSX.Element {
  const words = spoken(area);
  return (
    <div class="job-overview">
      <div class="job-overview__column">
        <BoardPanel job={job} one={one} />
        <Figures job={job} history={one.history.value} />
        {job.may.includes("logs") && job.state !== "Registered" && <LogTail key={job.id} job={job} />}
        {job.rerun !== "" && (
          <section class="panel">
            <h2>{words.rerun}</h2>
            <CommandLine label={words.rerunText} command={job.rerun} testId="rerun" />
          </section>
        )}
      </div>
      <About job={job} />
    </div>
  );
}

function BoardPanel({ job, one }: TabProperties): JSX.Element {
  const words = spoken(area);
  const { board } = job;
  const make = canMakeBoard(job);
  const label = board === null ? words.create : words.resume;
  return (
    <section class="panel" data-testid="job-board">
      <h2>{words.board}</h2>
      <div class="job-board">
        <div class="job-board__line">
          {board !== null && <a href={link(["boards", board.id])}>{board.name}</a>}
          {board !== null && <Status board={{ ...board, reason: "", state_since: null }} />}
          <span class="panel__quiet">{boardText(job)}</span>
        </div>
        {make && <Button label={label} title={label} icon="play" onClick={() => void makeBoard(job, one.apply)} />}
      </div>
      {board === null && job.board_status === "BoardSkipped" && <p class="panel__quiet">{job.board_message}</p>}
    </section>
  );
}

function boardText({ board, board_mode, board_label, board_status, logdir }: Job): string {
  const { boardText: text } = spoken(area);
  if (board_mode === "label") return text.byLabel(board_label);
  if (board !== null) return text.made;
  if (logdir === "") return text.noLogdir;
  if (board_status === "Waiting") return text.waiting;
  return board_status === "BoardSkipped" ? text.skipped : text.none;
}

function About({ job }: { readonly job: Job }): JSX.Element {
  const words = spoken(area);
  const jobWords = spoken(jobsArea);
  const code = (text: string): JSX.Element => (
    <span class="facts__copy">
      <code>{text}</code>
      <CopyButton text={() => text} />
    </span>
  );
  const command = commandText(job.command);
  const facts: readonly Fact[] = [
    [
      words.command,
      command === "" ? (
        <span class="panel__quiet">{words.noCommand}</span>
      ) : (
        <span class="facts__copy">
          <span class="job-command">{command}</span>
          <CopyButton text={() => command} title={words.copyCommand} />
        </span>
      ),
    ],
    ...(job.directory === "" ? [] : [[words.directory, code(job.directory)] as const]),
    ...(job.host === "" ? [] : [[words.host, job.host] as const]),
    [words.user, job.user || jobWords.unknownUser],
    [words.workspace, <a href={link(["workspaces", job.workspace])}>{workspaceName(job.workspace)}</a>],
    [words.labels, Object.keys(job.labels).length === 0 ? words.noLabels : <Labels job={job} />],
    ...(job.started === null ? [] : [[words.started, <Time time={job.started} />] as const]),
    ...(job.ended === null ? [] : [[words.ended, <Time time={job.ended} />] as const]),
    ...(job.started === null ? [] : [[words.duration, <Duration job={job} />] as const]),
    ...(job.exit_code === null ? [] : [[words.exitCode, grouped(job.exit_code)] as const]),
    ...(job.signal === "" ? [] : [[words.signal, job.signal] as const]),
    ...(job.logdir === "" ? [] : [[words.logdir, code(job.logdir)] as const]),
    [words.id, <code>{job.id}</code>],
  ];
  return (
    <section class="panel" data-testid="about">
      <h2>{words.about}</h2>
      <Facts facts={facts} />
    </section>
  );
}
