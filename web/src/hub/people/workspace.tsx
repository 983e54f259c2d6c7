// One workspace: its boards, members, secrets, quota and settings, each at its own address (`?tab=`).

import type { JSX } from "preact";
import { fetchQuota, fetchRecentBoards, fetchWorkspace, type Workspace } from "../api/people";
import type { Board, Used } from "../api/types";
import { NotFound } from "../pages";
import { grouped, spoken } from "../preferences";
import { address, link } from "../router";
import * as stateArea from "../texts/admin";
import * as area from "../texts/workspaces";
import { type Column, DataTable } from "./data_table";
import { Badge, currentTab, Frame, Section, Tabbed, toneOf } from "./frame";
import { Empty, type Load, Loaded, useLoaded } from "./loaded";
import { Members } from "./members";
import { mayHere } from "./rights";
import { Secrets } from "./secrets";
import { Ago } from "./times";
import { WorkspaceSettings } from "./workspace_settings";
import { roleText } from "./workspaces";

const TABS = ["boards", "members", "secrets", "quota", "settings"] as const;
type TabKey = (typeof TABS)[number];

export function Page(): JSX.Element {
  const id = address.value.path[1] ?? "";
  const load = useLoaded(id, (signal) => fetchWorkspace(id, signal));
  return (
    <Loaded load={load} missing={<NotFound />}>
      {(workspace) => <OneWorkspace workspace={workspace} load={load} />}
    </Loaded>
  );
}

type OneProperties = { readonly workspace: Workspace; readonly load: Load<Workspace> };

function OneWorkspace({ workspace, load }: OneProperties): JSX.Element {
  const words = spoken(area);
  const tab = currentTab(TABS);
  const counts: Partial<Record<TabKey, number>> = { boards: workspace.boards, members: workspace.members };
  return (
    <Frame
      page="workspace"
      title={workspace.name || workspace.id}
      intro={workspace.description}
      beside={
        <>
          <code class="people-name__id">{workspace.id}</code>
          {workspace.personal && <Badge text={words.personal} />}
          <Badge text={roleText(workspace.role)} tone="accent" title={words.role} />
        </>
      }
    >
      <Tabbed
        label={words.title}
        selected={tab}
        tabs={TABS.map((key) => ({ key, label: words.tabs[key], count: counts[key] }))}
      >
        {tab === "boards" && <Boards workspace={workspace} />}
        {tab === "members" && <Members workspace={workspace} onChange={load.reload} />}
        {tab === "secrets" && <Secrets workspace={workspace} />}
        {tab === "quota" && <QuotaTab workspace={workspace} />}
        {tab === "settings" && <WorkspaceSettings workspace={workspace} onSaved={load.set} />}
      </Tabbed>
    </Frame>
  );
}

// ---- boards

const RECENT = 10;

function Boards({ workspace }: { readonly workspace: Workspace }): JSX.Element {
  const words = spoken(area).boardsTab;
  const creates = mayHere(workspace, "create_board");
  const load = useLoaded(workspace.id, (signal) => fetchRecentBoards(workspace.id, RECENT, signal));
  const create = (
    <a class="button button--primary people-link" href={link(["boards"], { workspace: workspace.id, create: "1" })}>
      {words.create}
    </a>
  );
  return (
    <Loaded load={load}>
      {({ items, total }) => (
        <Section title={words.recent} actions={creates && items.length > 0 && create}>
          {items.length === 0 ? (
            <Empty title={words.none}>
              <p>{words.noneText}</p>
              {creates && create}
            </Empty>
          ) : (
            <>
              <DataTable label={words.recent} rows={items} keyOf={(row) => row.id} columns={boardColumns()} />
              <p>
                <a href={link(["boards"], { workspace: workspace.id })} data-testid="all-boards">
                  {words.all(Math.max(total ?? 0, items.length))}
                </a>
              </p>
            </>
          )}
        </Section>
      )}
    </Loaded>
  );
}

function boardColumns(): readonly Column<Board>[] {
  const words = spoken(area).boardsTab;
  const { states } = spoken(stateArea);
  return [
    { key: "name", title: words.name, cell: (row) => <a href={link(["boards", row.id])}>{row.name}</a> },
    {
      key: "state",
      title: words.state,
      cell: (row) => <Badge text={states[row.state] ?? row.state} tone={toneOf(row.state)} />,
    },
    { key: "owner", title: words.owner, cell: (row) => row.owner },
    { key: "used", title: words.used, cell: (row) => <Ago time={row.last_activity} /> },
  ];
}

// ---- quota

function QuotaTab({ workspace }: { readonly workspace: Workspace }): JSX.Element {
  const words = spoken(area).quotaTab;
  const load = useLoaded(workspace.id, (signal) => fetchQuota(workspace.id, signal));
  return (
    <Section title={spoken(area).tabs.quota} text={words.intro} testId="quota">
      <Loaded load={load}>
        {(quota) => (
          <>
            <Meter title={words.workspace} used={quota.workspace} />
            <Meter title={words.account} used={quota.account} />
            <Meter title={words.hub} used={quota.hub} />
          </>
        )}
      </Loaded>
      <p class="people-quiet">{words.byAdmin}</p>
    </Section>
  );
}

function Meter({ title, used: { used, limit } }: { readonly title: string; readonly used: Used }): JSX.Element {
  const words = spoken(area).quotaTab;
  const bounded = limit !== null;
  const full = bounded && used >= limit;
  return (
    <div class={full ? "people-meter people-meter--full" : "people-meter"}>
      <div class="people-meter__line">
        <strong>{title}</strong>
        <span>{bounded ? words.used(used, grouped(limit)) : words.usedOnly(used)}</span>
      </div>
      {bounded && (
        <div class="people-meter__track">
          <div style={{ width: `${limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}%` }} />
        </div>
      )}
      {full && <p class="field__hint">{words.full}</p>}
    </div>
  );
}
