// Facts about a board: sources with their problems, people, times, and what its process uses.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { Icon } from "../../widgets/icons";
import { fetchUsage } from "../api/boards";
import type { Board, Source, Usage } from "../api/types";
import { workspaceName } from "../creators";
import { sentenceFor, upperFirst } from "../explained";
import { CopyButton } from "../parts/copy_button";
import { type Fact, Facts, Time } from "../parts/facts";
import { Marked } from "../parts/marked";
import { durationText, spanText, spoken } from "../preferences";
import { link } from "../router";
import * as area from "../texts/board";
import * as boardsArea from "../texts/boards";
import * as shellArea from "../texts/shell";
import type { TabProperties } from "./board_page";
import "./overview_tab.css";

export function Overview({ board }: TabProperties): JSX.Element {
  return (
    <div class="overview">
      <Sources board={board} />
      <About board={board} />
      <div class="overview__column">
        <Times board={board} />
        <UsagePanel board={board} />
      </div>
    </div>
  );
}

function Sources({ board }: { readonly board: Board }): JSX.Element {
  const words = spoken(area);
  return (
    <section class="panel overview__wide">
      <h2>{words.sources}</h2>
      <ul class="source-list">
        {board.sources.map((source) => (
          <SourceItem key={`${source.uri} ${source.prefix}`} board={board} source={source} />
        ))}
      </ul>
    </section>
  );
}

/** The address of an upload; only its own board has it. */
const UPLOAD = "upload://";

function SourceItem({ board, source }: { readonly board: Board; readonly source: Source }): JSX.Element {
  const words = spoken(area);
  const problems = board.problems.filter(({ uri }) => uri === source.uri);
  const more = [
    source.prefix === "" ? "" : words.prefix(source.prefix),
    source.secret === "" ? "" : words.secret(source.secret),
  ].filter((text) => text !== "");
  return (
    <li class="source-list__item" data-problem={problems.length > 0 ? "" : undefined}>
      <div class="source-list__line">
        {source.uri.startsWith(UPLOAD) ? (
          <a href={link(["uploads", source.uri.slice(UPLOAD.length)])}>
            <code>{source.uri}</code>
          </a>
        ) : (
          <code>{source.uri}</code>
        )}
        <CopyButton text={() => source.uri} />
      </div>
      {more.length > 0 && <span class="panel__quiet">{more.join(" · ")}</span>}
      {problems.map(({ code, message }) => {
        const told = sentenceFor(code, message, "");
        const own = upperFirst(message);
        return (
          <p key={code} class="source-list__problem">
            <Icon name="warning" />
            <span>
              {told.message} {told.hint}
              {own !== told.message && own !== told.hint && <Marked text={` ${own}`} />}
            </span>
          </p>
        );
      })}
    </li>
  );
}

function About({ board }: { readonly board: Board }): JSX.Element {
  const words = spoken(area);
  const { visibility } = spoken(boardsArea);
  const labels = Object.entries(board.labels);
  const facts: readonly Fact[] = [
    [words.workspace, <a href={link(["workspaces", board.workspace])}>{workspaceName(board.workspace)}</a>],
    [words.owner, board.owner],
    [words.visibility, visibility[board.visibility]],
    [words.created, <Time time={board.created} />],
    [words.lastUsed, <Time time={board.last_activity} />],
    ...(board.started === null ? [] : [[words.started, <Time time={board.started} />] as const]),
    [
      words.address,
      <span class="facts__copy">
        <a href={board.url}>{board.url}</a>
        <CopyButton text={() => board.url} />
      </span>,
    ],
    [words.id, <code>{board.id}</code>],
    ...(board.source_id === "" ? [] : [[words.createdFor, <CreatedFor board={board} />] as const]),
    ...(labels.length === 0
      ? []
      : [[words.labels, labels.map(([name, value]) => `${name}=${value}`).join(", ")] as const]),
  ];
  return (
    <section class="panel">
      <h2>{words.about}</h2>
      <Facts facts={facts} />
    </section>
  );
}

/** A link to the job, to the jobs with a label, or plain words. */
function CreatedFor({ board: { source_type, source_id } }: { readonly board: Board }): JSX.Element {
  const { jobs } = spoken(shellArea);
  if (source_type === "Job") return <a href={link(["jobs", source_id])}>{source_id}</a>;
  if (source_type === "upload") return <a href={link(["uploads", source_id])}>{source_id}</a>;
  if (source_type === "JobLabel") return <a href={link(["jobs"], { label: source_id })}>{`${jobs} · ${source_id}`}</a>;
  return <>{`${source_type} ${source_id}`}</>;
}

function Times({ board }: { readonly board: Board }): JSX.Element {
  const words = spoken(area);
  const { effective } = board;
  const span = (seconds: number | null): string => (seconds ? spanText(seconds) : words.never);
  return (
    <section class="panel">
      <h2>{words.times}</h2>
      <Facts
        facts={[
          [words.idleAfter, span(effective.idle_after)],
          [words.reclaimAfter, span(effective.reclaim_after)],
          [words.maxRuntime, span(effective.max_runtime)],
        ]}
      />
    </section>
  );
}

const USAGE_MS = 5000;

function UsagePanel({ board }: { readonly board: Board }): JSX.Element {
  const words = spoken(area);
  const usage = useSignal<Usage | null>(null);
  const runs = board.state === "Running" || board.state === "Idle";
  useEffect(() => {
    let over = false;
    const ask = (): void => {
      if (document.visibilityState !== "visible") return;
      fetchUsage(board.id).then(
        (answer) => {
          if (!over) usage.value = answer;
        },
        () => {},
      );
    };
    ask();
    const timer = runs ? setInterval(ask, USAGE_MS) : undefined;
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [board.id, runs]);
  const { memory_bytes = 0, cpu_secs = 0, disk_bytes = null, last_used_by = null } = usage.value ?? {};
  const disk: readonly (readonly [string, string])[] =
    disk_bytes === null ? [] : [[words.disk, formatBytes(disk_bytes)]];
  const by: readonly (readonly [string, string])[] =
    last_used_by === null ? [] : [[words.usedBy, words.usedByWord[last_used_by] ?? last_used_by]];
  return (
    <section class="panel" data-testid="usage">
      <h2>{words.usage}</h2>
      {!runs && <p class="panel__quiet">{words.noUsage}</p>}
      <Facts
        facts={[
          ...(runs
            ? ([
                [words.memory, usage.value === null ? "…" : formatBytes(memory_bytes ?? 0)],
                [words.cpu, usage.value === null ? "…" : durationText(Math.round((cpu_secs ?? 0) * 10) / 10)],
              ] as const)
            : []),
          ...disk,
          ...by,
        ]}
      />
    </section>
  );
}
