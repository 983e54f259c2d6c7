// One job in the list: the cells of its row, the lines of its card, its buttons.

import type { ComponentChildren, JSX } from "preact";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import type { Job } from "../api/jobs";
import { Status } from "../boards/status";
import { workspaceName } from "../creators";
import { Elapsed } from "../parts/elapsed";
import { type ListLook, NameLink } from "../parts/list_row";
import { Middle } from "../parts/middle";
import { agoText, dateText, isoText, spoken } from "../preferences";
import { changeQuery, link } from "../router";
import * as boardsArea from "../texts/boards";
import * as area from "../texts/jobs";
import { COLUMNS, type ColumnId, TOOLS_PX } from "./columns";
import { canStop, menuItems, question } from "./commands";
import { shortFigures } from "./figures";
import "./job_row.css";
import { JobStatus, OPEN } from "./job_status";

const NAMES = {
  nameOf: ({ name }: Job) => name,
  path: ({ id }: Job) => ["jobs", id],
};

export function jobLook(onJob: (job: Job) => void): ListLook<Job> {
  const words = spoken(area);
  return {
    ...NAMES,
    testId: "jobs",
    label: words.table,
    columns: COLUMNS,
    columnWord: (id) => words.column[id as ColumnId],
    cells: CELLS,
    tools: (job) => <Tools job={job} />,
    toolsPx: TOOLS_PX,
    card: (job) => <CardLines job={job} />,
    cardPx: 102,
    address: (job) => job.board?.url ?? null,
    menu: (job) => menuItems(job, onJob),
    data: ({ id, state }) => ({ "data-job": id, "data-state": state }),
    firstSort: "-created",
  };
}

const CELLS: Readonly<Record<ColumnId, (job: Job) => ComponentChildren>> = {
  state: (job) => <JobStatus job={job} />,
  name: (job) => <NameLink look={NAMES} thing={job} />,
  labels: (job) => <Labels job={job} />,
  command: (job) => <Command job={job} />,
  board: (job) => <BoardCell job={job} />,
  user: ({ user }) => user,
  duration: (job) => <Duration job={job} short />,
  created: ({ started, created }) => <span title={isoText(started ?? created)}>{dateText(started ?? created)}</span>,
  figures: ({ state, figures }) => (OPEN.has(state) ? shortFigures(figures) : ""),
  workspace: ({ workspace }) => (
    <a class="list-row__link" href={link(["workspaces", workspace])}>
      {workspaceName(workspace)}
    </a>
  ),
  host: ({ host }) => <span title={host}>{host}</span>,
  id: ({ id }) => <code>{id}</code>,
};

function CardLines({ job }: { readonly job: Job }): JSX.Element {
  return (
    <>
      <div class="list-card__line">
        <JobStatus job={job} />
        <span class="list-card__quiet">
          <Duration job={job} short />
        </span>
      </div>
      <div class="list-card__line list-card__quiet">
        <span class="job-row__command-box">
          <Command job={job} />
        </span>
        <span class="list-card__end">{agoText(job.started ?? job.created)}</span>
      </div>
    </>
  );
}

/** As one would type it; the whole command is in the tooltip. */
function Command({ job: { command } }: { readonly job: Job }): JSX.Element {
  const text = commandText(command);
  return (
    <code class="job-row__command" title={text}>
      <Middle text={text} />
    </code>
  );
}

/** Words that a shell would split or change are quoted. */
export function commandText(command: readonly string[]): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`)).join(" ");
}

type DurationProperties = { readonly job: Job; readonly short?: boolean };

export function Duration({ job, short = false }: DurationProperties): JSX.Element | null {
  const { started, ended, state, last_report } = job;
  if (started === null) return null;
  return <Elapsed since={started} until={ended ?? (state === "Lost" ? last_report : null)} short={short} />;
}

/** A click on a label shows the jobs that have it. */
export function Labels({ job: { labels } }: { readonly job: Pick<Job, "labels"> }): JSX.Element {
  const words = spoken(area);
  return (
    <span class="job-labels">
      {Object.entries(labels).map(([name, value]) => {
        const text = `${name}=${value}`;
        return (
          <a
            key={name}
            class="job-label"
            href={link(["jobs"], { label: text })}
            title={words.showLabel(text)}
            tabIndex={-1}
          >
            {text}
          </a>
        );
      })}
    </span>
  );
}

function BoardCell({ job }: { readonly job: Job }): JSX.Element | null {
  const words = spoken(area);
  const { state } = spoken(boardsArea);
  if (job.board !== null)
    return (
      <a
        class="list-row__link"
        href={link(["boards", job.board.id])}
        title={`${job.board.name} · ${state[job.board.state]}`}
        tabIndex={-1}
      >
        <Status board={{ ...job.board, reason: "", state_since: null }} />
      </a>
    );
  if (job.board_status === "Waiting") return <span class="job-row__quiet">{words.boardWaits}</span>;
  if (job.board_status !== "BoardSkipped") return null;
  return (
    <span class="job-row__warn" title={job.board_message}>
      <Icon name="warning" />
      {words.boardSkipped}
    </span>
  );
}

function Tools({ job }: { readonly job: Job }): JSX.Element {
  const words = spoken(area);
  const title = words.openBoard(job.name);
  return (
    <>
      {job.board !== null && (
        <a
          class="button button--quiet button--icon"
          href={job.board.url}
          target="_blank"
          rel="noopener"
          title={title}
          aria-label={title}
          data-testid={`open-${job.id}`}
        >
          <Icon name="open" />
        </a>
      )}
      {canStop(job) && (
        <Button
          icon="stop"
          kind="quiet"
          title={`${words.stopNow}: ${job.name}`}
          testId={`stop-${job.id}`}
          onClick={() => {
            question.value = { kind: "stop", jobs: [job] };
          }}
        />
      )}
    </>
  );
}

/** The label of the address, with a button that removes it. */
export function LabelFilter({ label }: { readonly label: string }): JSX.Element | null {
  const words = spoken(area);
  if (label === "") return null;
  return (
    <span class="job-filter" data-testid="label-filter">
      <Icon name="tag" />
      <span class="job-filter__text" title={label}>
        {label}
      </span>
      <button
        type="button"
        class="job-filter__clear"
        title={words.clearLabel}
        aria-label={words.clearLabel}
        onClick={() => changeQuery({ label: "" })}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}
