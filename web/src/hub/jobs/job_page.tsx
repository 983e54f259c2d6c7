// The page of one job: its state with commands, and tabs for log, code and environment.

import type { ComponentType, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { Menu } from "../../widgets/menu";
import { Tabs } from "../../widgets/tabs";
import { HubError } from "../api/client";
import type { JobAction, JobDetail } from "../api/jobs";
import { LimitDialog } from "../boards/limit_dialog";
import { NotFound } from "../pages";
import "../parts/detail.css";
import { Failure, Loading, Notice } from "../parts/notice";
import { spoken } from "../preferences";
import { address, changeQuery, go, link } from "../router";
import { me } from "../session";
import * as area from "../texts/job";
import * as jobsArea from "../texts/jobs";
import * as listsArea from "../texts/lists";
import { CodeTab } from "./code_tab";
import { canMakeBoard, canStop, makeBoard, menuItems, question } from "./commands";
import { EnvironmentTab } from "./environment_tab";
import "./job_page.css";
import { Duration } from "./job_row";
import { JobStatus } from "./job_status";
import { LogTab } from "./log_tab";
import { OneJob } from "./one_job";
import { Overview } from "./overview_tab";
import { Questions } from "./questions";
import { StateBox } from "./state_box";

export type TabProperties = { readonly job: JobDetail; readonly one: OneJob };

type TabName = keyof area.Texts["tab"];

const TABS: Readonly<Record<TabName, { readonly part: ComponentType<TabProperties>; readonly needs: JobAction }>> = {
  overview: { part: Overview, needs: "read" },
  log: { part: LogTab, needs: "logs" },
  code: { part: CodeTab, needs: "read" },
  environment: { part: EnvironmentTab, needs: "logs" },
};

export function Page(): JSX.Element {
  const id = address.value.path[1] ?? "";
  const one = useMemo(() => new OneJob(id), [id]);
  useEffect(() => one.follow(), [one]);
  useEffect(
    () => () => {
      question.value = null;
    },
    [],
  );
  const job = one.job.value;
  const error = one.error.value;
  useEffect(() => {
    if (job !== null) document.title = `${job.name} · ${me.peek()?.hub.name || "Lightboard"}`;
  }, [job?.name]);
  if (one.gone.value) return <Gone />;
  if (error !== null) {
    if (error instanceof HubError && error.status === 404) return <NotFound />;
    return <Failure error={error} onRetry={() => void one.load()} />;
  }
  return job === null ? <Loading /> : <Shown job={job} one={one} />;
}

function Gone(): JSX.Element {
  const words = spoken(area);
  return (
    <Notice title={words.gone} icon="trash" state="gone">
      <p>{words.goneText}</p>
      <p>
        <a href={link(["jobs"])}>{words.back}</a>
      </p>
    </Notice>
  );
}

function Shown({ job, one }: TabProperties): JSX.Element {
  const words = spoken(area);
  const names = (Object.keys(TABS) as TabName[]).filter((name) => job.may.includes(TABS[name].needs));
  const asked = address.value.query.tab ?? "";
  const current = names.find((name) => name === asked) ?? "overview";
  const { part: Part } = TABS[current];
  return (
    <main class="detail job" data-job={job.id} data-state={job.state}>
      <div class={current === "log" ? "detail__frame job__frame--log" : "detail__frame"}>
        <nav class="detail__back">
          <a href={link(["jobs"])}>← {words.back}</a>
        </nav>
        <Header job={job} one={one} />
        <StateBox job={job} />
        <Tabs
          label={words.tabs}
          tabs={names.map((key) => ({ key, label: words.tab[key] }))}
          selected={current}
          onSelect={(tab) => changeQuery({ tab: tab === "overview" ? "" : tab })}
        />
        <section class="detail__part" role="tabpanel" aria-label={words.tab[current]} data-part={current}>
          <Part job={job} one={one} />
        </section>
      </div>
      <Questions
        onDone={() => {
          if (question.peek()?.kind === "remove") go(["jobs"]);
        }}
      />
      <LimitDialog />
    </main>
  );
}

function Header({ job, one }: TabProperties): JSX.Element {
  const words = spoken(area);
  const jobWords = spoken(jobsArea);
  return (
    <header class="detail__header">
      <div class="detail__title">
        <h1>{job.name}</h1>
        <JobStatus job={job} />
        <span class="panel__quiet">
          <Duration job={job} />
        </span>
      </div>
      <div class="detail__commands">
        {canStop(job) && (
          <Button
            icon="stop"
            label={jobWords.stopNow}
            title={jobWords.stopNow}
            testId="stop"
            onClick={() => {
              question.value = { kind: "stop", jobs: [job] };
            }}
          />
        )}
        {canMakeBoard(job) && (
          <Button
            icon="play"
            label={job.board === null ? jobWords.createBoard : jobWords.resumeBoard}
            title={job.board === null ? jobWords.createBoard : jobWords.resumeBoard}
            testId="make-board"
            onClick={() => void makeBoard(job, one.apply)}
          />
        )}
        <Menu
          label={spoken(listsArea).menu(job.name)}
          testId="job-menu"
          items={menuItems(job, (changed) => one.apply(changed))}
        />
        {job.board !== null && (
          <a
            class="button button--primary"
            href={job.board.url}
            target="_blank"
            rel="noopener"
            title={jobWords.openBoard(job.name)}
            data-testid="open-board"
          >
            <Icon name="open" />
            <span class="button__label">{words.board}</span>
          </a>
        )}
      </div>
    </header>
  );
}
